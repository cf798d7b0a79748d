#include <algorithm>

#include "base/files.hpp"
#include "base/strings.hpp"
#include "cli/agents/agent_files.hpp"
#include "cli/commands.hpp"
#include "cli/context.hpp"
#include "cli/daily/clarify_rounds.hpp"
#include "cli/findings_input.hpp"
#include "cli/issue_choice.hpp"
#include "cli/report_text.hpp"
#include "cli/trust_check.hpp"
#include "engine/plan/clarify.hpp"

namespace emend {

namespace {

struct ClarifyOptions {
  std::vector<std::string> codes, answer, skip;
  std::string answers, agent;
  std::optional<int> max_rounds;
  bool list = false;
};

Result<std::vector<GivenAnswer>> answers_in(const std::string& path) {
  if (path.empty()) return std::vector<GivenAnswer>();
  const std::string name = path == "-" ? "stdin" : path;
  auto text = read_input(path, 10'000'000);
  if (!text) return fail(ErrorCode::usage, "--answers: " + text.error().message);
  auto json = parse_json(*text);
  if (!json) return fail(ErrorCode::usage, "--answers: " + name + ": " + json.error().message);
  auto answers = answers_from_json(*json);
  if (!answers) return fail(std::move(answers).error().with_context("--answers: " + name));
  return answers;
}

// Of the file, then of the command line, which wins.
Result<std::vector<GivenAnswer>> given_answers(const ClarifyOptions& options) {
  TRY_ASSIGN(auto answers, answers_in(options.answers));
  for (const std::string& word : options.answer) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0)
      return fail(ErrorCode::usage, "--answer: expected QUESTION=TEXT, got \"" + word + "\"",
                  "  emend clarify --answer BE-001-q1=\"return 404\"");
    answers.push_back({word.substr(0, equals), word.substr(equals + 1), false});
  }
  for (const std::string& id : options.skip) answers.push_back({id, "", true});
  return answers;
}

// Answers say which issues are meant when nothing else does.
std::vector<std::string> codes_of(const ClarifyOptions& options, const std::vector<GivenAnswer>& answers) {
  std::vector<std::string> codes = options.codes;
  if (!codes.empty()) return codes;
  for (const GivenAnswer& answer : answers) codes.push_back(issue_of_question(answer.question_id));
  return codes;
}

Result<ExitStatus> list_questions(CommandContext& context, const std::vector<Issue>& issues) {
  Json list = Json::array();
  std::string text;
  for (const Issue& issue : issues) {
    if (issue.clarifications.empty()) continue;
    Json said = Json::array();
    for (const Clarification& clarification : issue.clarifications) said.push_back(to_json(clarification));
    list.push_back({{"issue_code", issue.code}, {"clarifications", std::move(said)}});
    text += one_line(issue.code) + "  " + one_line(issue.finding.title) + "\n" + clarifications_text(issue) +
            "\n";
  }
  if (context.global().json)
    context.print_json_list("clarifications", std::move(list));
  else
    context.print(text.empty() ? "No questions about these issues.\n" : text);
  return context.finish(ExitStatus::done);
}

// Commands of the repository run and an agent is needed only when there is something left to ask about.
Result<Policy> policy_for(CommandContext& context, const ClarifyOptions& options,
                          const std::vector<Issue>& issues, int max_rounds) {
  std::vector<ConfigOverride> flags;
  if (!options.agent.empty()) flags.push_back({"fix.agent", options.agent, "--agent"});
  const bool asks = std::any_of(issues.begin(), issues.end(), [&](const Issue& issue) {
    return !has_open_questions(issue) && rounds_asked(issue) < max_rounds;
  });
  if (!asks) {
    TRY_ASSIGN(const Config config, context.config(flags));
    return config.policy();
  }
  TRY_ASSIGN(const Config config, trusted_config(context, flags));
  if (config.policy().fixer.name.empty()) TRY(config.require_agents());
  TRY_ASSIGN(Policy policy, policy_with_agent_files(context, config, "HEAD"));
  context.hint("asking for open questions: " + one_line(policy.fixer.name) + " ...");
  return policy;
}

Result<ExitStatus> waits_for_answers(CommandContext& context, const Clarity& clarity) {
  if (is_unattended(context)) {
    context.print_json("clarify", to_json(clarity));
    context.hint(
        "fill in \"answer\" of each question (or \"skip\": true), then: emend clarify --answers FILE");
  } else {
    context.hint("the answers so far are stored. To continue: emend clarify");
  }
  return context.finish(ExitStatus::needs_input);
}

Result<ExitStatus> all_settled(CommandContext& context, const Clarity& clarity) {
  if (is_unattended(context))
    context.print_json("clarify", to_json(clarity));
  else if (clarity.ready_to_plan())
    context.print("No open questions: ready to plan.\n");
  return context.finish(clarity.failures.empty() ? ExitStatus::done : ExitStatus::agents_failed);
}

Result<ExitStatus> run_rounds(CommandContext& context, const ClarifyOptions& options,
                              std::vector<Issue> issues) {
  ClarifyRounds how;
  how.max_rounds = options.max_rounds.value_or(how.max_rounds);
  how.policy = [&](const std::vector<Issue>& left) {
    return policy_for(context, options, left, how.max_rounds);
  };
  TRY_ASSIGN(const Clarity clarity, clarify_rounds(context, how, std::move(issues)));
  return clarity.has_questions() ? waits_for_answers(context, clarity) : all_settled(context, clarity);
}

Result<ExitStatus> run_clarify(CommandContext& context, const ClarifyOptions& options) {
  TRY_ASSIGN(const std::vector<GivenAnswer> answers, given_answers(options));
  if (!answers.empty()) {
    TRY_ASSIGN(const Ports ports, context.ports());
    TRY_ASSIGN(const Config config, context.config());
    TRY(record_answers(ports, config.policy(), {}, answers));
    context.hint(plural(answers.size(), "answer") + " kept");
  }
  const std::vector<std::string> codes = codes_of(options, answers);
  TRY_ASSIGN(std::vector<Issue> issues, choose_issues(context, codes, codes.empty()));
  if (options.list) return list_questions(context, issues);
  if (issues.empty()) return all_settled(context, Clarity{});
  return run_rounds(context, options, std::move(issues));
}

} // namespace

Command clarify_command() {
  const auto options = std::make_shared<ClarifyOptions>();
  Command command;
  command.name = "clarify";
  command.summary = "let an agent ask questions before it fixes, and store your answers";
  command.examples =
      "  emend clarify BE-001 BE-002\n  emend clarify --json > q.json; $EDITOR q.json; emend clarify "
      "--answers q.json\n"
      "  emend clarify --answer BE-001-q1=\"return 404\"\n";
  command.options = {
      {"CODE", &options->codes, "issues to ask about (default: every OPEN one)", "CODE"},
      {"--answers", &options->answers, "file with the printed questions and your answers (- for stdin)",
       "FILE"},
      {"--answer", &options->answer, "answer one question", "QUESTION=TEXT"},
      {"--skip", &options->skip, "leave one question to the fixer", "QUESTION"},
      {"--list", &options->list, "only show questions and answers"},
      {"--agent", &options->agent, "agent that asks (fix.agent)", "NAME"},
      {"--max-rounds", NumberTarget{&options->max_rounds, 1, 20},
       "most rounds of questions about an issue (default 3)", "N"},
  };
  command.run = [options](CommandContext& context) { return run_clarify(context, *options); };
  command.storage = options;
  return command;
}

} // namespace emend
