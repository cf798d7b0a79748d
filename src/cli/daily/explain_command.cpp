#include <re2/re2.h>

#include "base/strings.hpp"
#include "cli/commands.hpp"
#include "cli/context.hpp"
#include "cli/daily/review_options.hpp"
#include "cli/daily/rule_text.hpp"
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

// "no-such-thing" may be one, "BE-001" and "two words" may not.
bool looks_like_a_rule(const std::string& word) {
  static const RE2 kForm(R"([A-Za-z@][\w@./:*-]*)"), kCode(R"((?i)(BE|FE)-\d+)");
  return RE2::FullMatch(word, kForm) && !RE2::FullMatch(word, kCode);
}

// A word that is no issue's code may be the rule of an analyzer.
Result<ExitStatus> explain_word(CommandContext& context, const std::string& word) {
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(Repository * repository, context.repository());
  if (const auto issue = store->issue(repository->id(), word);
      issue || issue.error().code != ErrorCode::not_found)
    return explain_issue(context, word);
  IssueFilter filter;
  filter.repository_id = repository->id();
  TRY_ASSIGN(const auto issues, store->issues(filter));
  TRY_ASSIGN(const Analyzers analyzers, configured_analyzers(context, Kept::yes));
  std::vector<std::string> installed;
  for (const auto& analyzer : analyzers)
    if (!analyzer->version().empty()) installed.emplace_back(analyzer->name());
  const auto ask = [&](const std::string& name) {
    const std::string rule = word.starts_with(name + ":") ? word.substr(name.size() + 1) : word;
    for (const auto& analyzer : analyzers)
      if (analyzer->name() == name) return analyzer->explain(rule, context.dependencies().stop);
    return std::string();
  };
  const auto account = account_of_rule(word, issues, installed, ask);
  if (!account && looks_like_a_rule(word))
    return fail(ErrorCode::usage,
                "there is no issue " + one_line(word) + ", and no analyzer known here has such a rule",
                "to read the page of an analyzer: emend explain ANALYZER:" + one_line(word) +
                    "\nthe analyzers: emend doctor");
  if (!account) return explain_issue(context, word);
  if (context.global().json)
    context.print_json("rule", to_json(*account));
  else
    context.print(rule_text(*account));
  return context.finish(ExitStatus::done);
}

} // namespace

Command explain_command() {
  const auto words = std::make_shared<std::vector<std::string>>();
  Command command;
  command.name = "explain";
  command.summary = "explain why an issue has its status, what a rule means, or what an exit code means";
  command.examples = "  emend explain BE-001\n  emend explain SC2086\n  emend explain exit 6\n";
  command.options = {
      {"WHAT", words.get(), "an issue's code, an analyzer's rule, or: exit N", "CODE|RULE|exit N"}};
  command.run = [words](CommandContext& context) -> Result<ExitStatus> {
    if (words->size() == 2 && words->front() == "exit") return explain_exit(context, words->back());
    if (words->size() == 1 && words->front() != "exit") return explain_word(context, words->front());
    return fail(ErrorCode::usage, "say what to explain", "  emend explain BE-001\n  emend explain exit 6");
  };
  command.storage = words;
  return command;
}

} // namespace emend
