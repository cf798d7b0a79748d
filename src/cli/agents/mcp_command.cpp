#include <unistd.h>
#include <cerrno>

#include "base/environment.hpp"
#include "cli/agents/mcp_tools.hpp"
#include "cli/commands.hpp"

namespace emend {
namespace {

constexpr std::size_t kLongestLine = 16U << 20;

// Whole lines of stdin until its end.
template <typename Take>
Status each_line(const Take& take) {
  std::string held;
  char buffer[65536];
  for (;;) {
    const ssize_t got = ::read(STDIN_FILENO, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) return {}; // asked to stop
    if (got <= 0) return {};
    held.append(buffer, static_cast<std::size_t>(got));
    std::size_t begin = 0;
    for (std::size_t end; (end = held.find('\n', begin)) != std::string::npos; begin = end + 1)
      if (end > begin) take(std::string_view(held).substr(begin, end - begin));
    held.erase(0, begin);
    if (held.size() > kLongestLine)
      return fail(ErrorCode::usage, "a message is longer than 16 MB", "send shorter messages");
  }
}

Result<ExitStatus> run_mcp(CommandContext& context, bool read_only) {
  if (!variable(context.environment(), "EMEND_INSIDE").empty())
    return fail(ErrorCode::usage, "emend mcp does not serve agents that emend started");
  if (context.may_ask() && context.output_is_terminal())
    context.hint("emend mcp speaks to a coding agent on stdin and stdout; see docs/mcp.md");
  McpJobs jobs;
  mcp::Server server(mcp_offer(context.dependencies(), context.global(), jobs, read_only),
                     [&](const std::string& line) { context.print(line + "\n"); });
  TRY(each_line([&](std::string_view line) { server.take(line); }));
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
