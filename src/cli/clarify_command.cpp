#include <fmt/format.h>

#include <algorithm>

#include "base/files.hpp"
#include "base/strings.hpp"
#include "cli/commands.hpp"
#include "cli/context.hpp"
#include "cli/findings_input.hpp"
#include "cli/interview.hpp"
#include "cli/issue_choice.hpp"
#include "cli/report_text.hpp"
#include "cli/terminal.hpp"
#include "cli/trust_check.hpp"
#include "engine/clarify.hpp"
#include "engine/prompt.hpp"

namespace emend {

namespace {

constexpr int kShownLines = 3; // of code, on each side of the line in question

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
      return fail(ErrorCode::usage, "--answer: expected QUESTION=TEXT, got \"" + word + "\"", "  emend clarify --answer BE-001-q1=\"return 404\"");
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
    text += one_line(issue.code) + "  " + one_line(issue.finding.title) + "\n" + clarifications_text(issue) + "\n";
  }
  if (context.global().json) context.print_json_list("clarifications", std::move(list));
  else context.print(text.empty() ? "no questions were asked about these issues\n" : text);
  return context.finish(ExitStatus::done);
}

bool is_unattended(const CommandContext& context) { return !context.may_ask() || context.global().json; }

// Commands of the repository run and an agent is needed only when there is something left to ask about.
Result<Policy> policy_for(CommandContext& context, const ClarifyOptions& options, const std::vector<Issue>& issues, int max_rounds) {
  std::vector<ConfigOverride> flags;
  if (!options.agent.empty()) flags.push_back({"fix.agent", options.agent, "--agent"});
  const bool asks = std::any_of(issues.begin(), issues.end(),
                                [&](const Issue& issue) { return !has_open_questions(issue) && rounds_asked(issue) < max_rounds; });
  if (!asks) {
    TRY_ASSIGN(const Config config, context.config(flags));
    return config.policy();
  }
  TRY_ASSIGN(const Config config, trusted_config(context, flags));
  if (config.policy().fixer.name.empty()) TRY(config.require_agents());
  context.hint("looking for questions with " + one_line(config.policy().fixer.name) + " ...");
  return config.policy();
}

std::vector<InterviewQuestion> open_questions(const Ports& ports, const std::vector<Issue>& issues) {
  std::vector<InterviewQuestion> open;
  for (const Issue& issue : issues) {
    std::string code;
    const auto head = ports.repository.resolve("HEAD");
    if (head && !issue.finding.file.empty() && issue.finding.line > 0)
      if (const auto content = ports.repository.read(*head, issue.finding.file))
        code = excerpt(*content, issue.finding.line, issue.finding.line_end, kShownLines);
    const std::string heading = issue.code + "  " + place_of(issue.finding) + "  " + issue.finding.title;
    for (const Clarification& question : issue.clarifications)
      if (question.state == ClarificationState::asked) open.push_back({heading, code, question});
  }
  return open;
}

Result<bool> ask_person(CommandContext& context, const Ports& ports, const Policy& policy, const std::vector<Issue>& issues) {
  Interviewer interviewer;
  interviewer.show = [](std::string_view text) { write_stderr(text); };
  interviewer.read = [&](std::string_view prompt) { return ask_line(prompt, context.dependencies().stop); };
  interviewer.keep = [&](const GivenAnswer& answer) { return record_answers(ports, policy, {}, {answer}); };
  return interview(open_questions(ports, issues), interviewer, Palette{context.palette().on && context.error_is_terminal()});
}

void tell(CommandContext& context, const Clarity& clarity) {
  for (const std::string& note : clarity.notes) context.hint("note: " + one_line(note, 300));
  for (const Clarity::Failure& failure : clarity.failures)
    context.hint(fmt::format("{}: the agent gave nothing usable: {}", one_line(failure.code), one_line(failure.problem, 300)));
}

Result<ExitStatus> waits_for_answers(CommandContext& context, const Clarity& clarity) {
  if (is_unattended(context)) {
    context.print_json("clarify", to_json(clarity));
    context.hint("fill in \"answer\" of each question (or \"skip\": true), then: emend clarify --answers FILE");
  } else {
    context.hint("the answers so far are kept; go on with `emend clarify`");
  }
  return context.finish(ExitStatus::needs_input);
}

Result<ExitStatus> all_settled(CommandContext& context, const Clarity& clarity) {
  if (is_unattended(context)) context.print_json("clarify", to_json(clarity));
  else if (clarity.ready_to_plan()) context.print("ready to plan: no question is open\n");
  return context.finish(clarity.failures.empty() ? ExitStatus::done : ExitStatus::agents_failed);
}

// Those the next round is about: an issue without questions is ready and not asked about again.
std::vector<std::string> unsettled(const Clarity& clarity) {
  std::vector<std::string> ids;
  for (const Issue& issue : clarity.issues) {
    const bool failed = std::any_of(clarity.failures.begin(), clarity.failures.end(), [&](const auto& failure) { return failure.code == issue.code; });
    if (failed || has_open_questions(issue)) ids.push_back(issue.id);
  }
  return ids;
}

// Rounds of questions and answers until nothing is open.
Result<ExitStatus> run_rounds(CommandContext& context, const ClarifyOptions& options, std::vector<Issue> issues) {
  TRY_ASSIGN(const Ports ports, context.ports());
  TRY_ASSIGN(const std::string home, context.home());
  ClarifyRequest request;
  request.max_rounds = options.max_rounds.value_or(request.max_rounds);
  for (const Issue& issue : issues) request.issue_ids.push_back(issue.id);
  while (true) {
    TRY_ASSIGN(request.policy, policy_for(context, options, issues, request.max_rounds));
    TRY_ASSIGN(Clarity clarity, clarify(ports, home, {}, request, context.dependencies().stop));
    tell(context, clarity);
    if (!clarity.has_questions()) return all_settled(context, clarity);
    if (is_unattended(context)) return waits_for_answers(context, clarity);
    TRY_ASSIGN(const bool finished, ask_person(context, ports, request.policy, clarity.issues));
    if (!finished) return waits_for_answers(context, clarity);
    request.session_id = clarity.session_id;
    request.issue_ids = unsettled(clarity);
    TRY_ASSIGN(issues, choose_issues(context, request.issue_ids, false));
  }
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
  command.summary = "let an agent ask what only you can decide before it fixes, and keep your answers";
  command.examples = "  emend clarify BE-001 BE-002\n  emend clarify --json > q.json; $EDITOR q.json; emend clarify --answers q.json\n"
                     "  emend clarify --answer BE-001-q1=\"return 404\"\n";
  command.options = {
      {"CODE", &options->codes, "issues to ask about (default: every OPEN one)", "CODE"},
      {"--answers", &options->answers, "the questions as printed, with the answers filled in (- for stdin)", "FILE"},
      {"--answer", &options->answer, "answer one question", "QUESTION=TEXT"},
      {"--skip", &options->skip, "leave one question to the fixer", "QUESTION"},
      {"--list", &options->list, "show questions and answers, ask nothing"},
      {"--agent", &options->agent, "agent that asks (fix.agent)", "NAME"},
      {"--max-rounds", NumberTarget{&options->max_rounds, 1, 20}, "rounds of questions about an issue (default 3)", "N"},
  };
  command.run = [options](CommandContext& context) { return run_clarify(context, *options); };
  command.storage = options;
  return command;
}

} // namespace emend
