#include "base/strings.hpp"
#include "cli/commands.hpp"
#include "cli/context.hpp"
#include "cli/model_json.hpp"
#include "cli/report_text.hpp"

namespace emend {

namespace {

Result<ExitStatus> explain_exit(CommandContext& context, const std::string& number) {
  for (const ExitMeaning& entry : exit_meanings()) {
    const int code = static_cast<int>(entry.status);
    if (std::to_string(code) != number) continue;
    if (context.global().json) {
      context.print_json("explanation",
                         {{"exit_code", code}, {"meaning", entry.meaning}, {"remedy", entry.remedy}});
    } else {
      context.print("exit code " + number + ": " + std::string(entry.meaning) + "\n" +
                    std::string(entry.remedy) + "\n");
    }
    return context.finish(ExitStatus::done);
  }
  return fail(ErrorCode::usage, "emend has no exit code \"" + number + "\"",
              "exit codes are 0 to 9, 130 and 143");
}

Result<ExitStatus> explain_issue(CommandContext& context, const std::string& code) {
  TRY_ASSIGN(SessionManager * manager, context.manager());
  TRY_ASSIGN(const auto explanation, manager->explain(code));
  if (context.global().json) {
    context.print_json("explanation", explanation_json(explanation));
  } else {
    context.print(explanation_text(explanation, context.palette()));
  }
  return context.finish(ExitStatus::done);
}

} // namespace

Command explain_command() {
  const auto words = std::make_shared<std::vector<std::string>>();
  Command command;
  command.name = "explain";
  command.summary = "explain why an issue has its status, or what an exit code means";
  command.examples = "  emend explain BE-001\n  emend explain exit 6\n";
  command.options = {{"WHAT", words.get(), "an issue's code, or: exit N", "CODE|exit N"}};
  command.run = [words](CommandContext& context) -> Result<ExitStatus> {
    if (words->size() == 2 && words->front() == "exit") return explain_exit(context, words->back());
    if (words->size() == 1 && words->front() != "exit") return explain_issue(context, words->front());
    return fail(ErrorCode::usage, "say what to explain", "  emend explain BE-001\n  emend explain exit 6");
  };
  command.storage = words;
  return command;
}

} // namespace emend
