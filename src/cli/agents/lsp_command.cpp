#include <signal.h>

#include <chrono>

#include "base/environment.hpp"
#include "cli/agents/editor_root.hpp"
#include "cli/agents/standard_input.hpp"
#include "cli/commands.hpp"
#include "lsp/server.hpp"

namespace emend {
namespace {

std::int64_t now_ms() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

// An editor that died has nobody who would close our input if a child of it still holds the other end.
bool is_gone(std::int64_t process) {
  return process > 0 && ::kill(static_cast<pid_t>(process), 0) != 0 && errno == ESRCH;
}

Result<ExitStatus> run_lsp(CommandContext& context) {
  if (!variable(context.environment(), "EMEND_INSIDE").empty())
    return fail(ErrorCode::usage, "emend lsp does not serve agents that emend started");
  if (context.may_ask() && context.output_is_terminal())
    context.hint("emend lsp speaks to an editor on stdin and stdout; see docs/editors.md");
  TRY_ASSIGN(const std::string home, context.home());
  lsp::Server server({context.dependencies().version,
                      find_editor_roots(context.dependencies(), context.global()), home + "/explained"},
                     [&](const std::string& message) { context.print(message); });
  rpc::HeaderFraming framing;
  each_input(
      [&](std::string_view bytes) {
        framing.feed(bytes);
        while (!server.over()) {
          const auto frame = framing.next();
          if (!frame) break;
          server.take(*frame);
        }
        return !server.over();
      },
      [&] {
        server.tick(now_ms());
        return !is_gone(server.parent());
      },
      [&] { return static_cast<int>(server.wait_ms()); });
  if (!server.ended_well()) return context.finish(ExitStatus::unresolved);
  return context.finish(ExitStatus::done);
}

} // namespace

Command lsp_command() {
  const auto stdio = std::make_shared<bool>(false);
  Command command;
  command.name = "lsp";
  command.summary = "serve emend to an editor over the Language Server Protocol (stdin and stdout)";
  command.examples =
      "Shows open issues in the files you edit, looks at files when you save them, and applies fixes.\n"
      "How to set up your editor: docs/editors.md\n";
  command.options = {
      {"--stdio", stdio.get(), "over stdin and stdout: there is no other way, but some editors say it"}};
  command.run = [](CommandContext& context) { return run_lsp(context); };
  command.storage = stdio;
  return command;
}

} // namespace emend
