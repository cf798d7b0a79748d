#include "base/environment.hpp"
#include "base/hash.hpp"
#include "cli/agents/mcp_tools.hpp"
#include "cli/agents/standard_input.hpp"
#include "cli/commands.hpp"
#include "rpc/framing.hpp"

namespace emend {
namespace {

Result<ExitStatus> run_mcp(CommandContext& context, bool read_only) {
  if (!variable(context.environment(), "EMEND_INSIDE").empty())
    return fail(ErrorCode::usage, "emend mcp does not serve agents that emend started");
  if (context.may_ask() && context.output_is_terminal())
    context.hint("emend mcp speaks to a coding agent on stdin and stdout; see docs/mcp.md");
  TRY_ASSIGN(const std::string home, context.home());
  McpJobs jobs(fs::path(home) / "jobs");
  mcp::Server server(
      mcp_offer(context.dependencies(),
                {context.global(), fs::current_path().string(), "a coding agent", read_only, random_hex(32)},
                jobs),
      [&](const std::string& line) { context.print(line + "\n"); });
  rpc::LineFraming framing;
  each_input([&](std::string_view bytes) {
    framing.feed(bytes);
    while (const auto frame = framing.next()) server.take(*frame);
    return true;
  });
  return context.finish(ExitStatus::done);
}

} // namespace

Command mcp_command() {
  const auto read_only = std::make_shared<bool>(false);
  Command command;
  command.name = "mcp";
  command.summary = "serve emend to a coding agent over the Model Context Protocol (stdin and stdout)";
  command.examples =
      "  claude mcp add --scope user emend -- emend mcp\n  codex mcp add emend -- emend mcp\n"
      "  gemini mcp add --scope user emend emend mcp\n";
  command.options = {{"--read-only", read_only.get(), "offer only tools that start and write nothing"}};
  command.run = [read_only](CommandContext& context) { return run_mcp(context, *read_only); };
  command.storage = read_only;
  return command;
}

} // namespace emend
