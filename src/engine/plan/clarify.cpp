#include "engine/plan/clarify.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.hpp"
#include "base/strings.hpp"
#include "engine/agents/agent_file.hpp"
#include "engine/context/audit.hpp"
#include "engine/context/event_log.hpp"
#include "engine/context/run_context.hpp"
#include "engine/plan/answered_checks.hpp"
#include "engine/prompts/ask_agent.hpp"
#include "engine/prompts/prompt.hpp"
#include "model/events.hpp"

namespace emend {

namespace {

constexpr std::size_t kIssuesPerCall = 8; // few enough that an agent really looks at each
constexpr std::size_t kMaxAnswer = 4'000;

Result<Prompt> clarify_prompt(RunContext& context, const std::vector<Issue>& issues, int max_questions) {
  TRY_ASSIGN(const AgentFile file, agent_file(context.policy(), "fix_clarifier"));
  IssuesPromptInput input;
  input.template_body = file.body;
  input.items = prompt_items(context, issues);
  input.values = {{"max_questions", std::to_string(max_questions)}};
  input.max_bytes = static_cast<std::size_t>(context.policy().prompt_max_bytes);
  return build_issues_prompt(input);
}

// New questions of an issue, numbered on from those it has.
std::vector<Clarification> numbered(const RunContext& context, const Issue& issue,
                                    const std::vector<ClarifierAnswer::Question>& questions) {
  std::vector<Clarification> made;
  for (const ClarifierAnswer::Question& question : questions) {
    Clarification clarification;
    clarification.issue_id = issue.id;
    clarification.question_id =
        question_id(issue.code, static_cast<int>(issue.clarifications.size() + made.size()) + 1);
    clarification.round = rounds_asked(issue) + 1;
    clarification.question = context.safe(question.question);
    clarification.context = context.safe(question.context);
    for (const std::string& suggestion : question.suggestions)
      clarification.suggestions.push_back(context.safe(suggestion));
    clarification.asked_ms = context.ports.clock.wall_ms();
    made.push_back(std::move(clarification));
  }
  return made;
}

AskedQuestion shown(const Clarification& clarification) {
  const bool answered = clarification.state == ClarificationState::answered;
  return {clarification.question_id, clarification.question, clarification.context, clarification.suggestions,
          only_if<Text>(answered, clarification.answer)};
}

Status store_questions(RunContext& context, const std::vector<Issue>& issues, const ClarifierAnswer& answer) {
  Change change;
  for (const Issue& issue : issues) {
    const auto questions = answer.by_code.find(issue.code);
    if (questions == answer.by_code.end() || questions->second.empty()) continue;
    ClarifyQuestions asked{rounds_asked(issue) + 1, {}};
    for (Clarification& made : numbered(context, issue, questions->second)) {
      asked.questions.push_back(shown(made));
      change.clarifications.push_back(std::move(made));
    }
    change.events.push_back(context.event(issue.code, asked));
  }
  return change.clarifications.empty() ? Status() : context.log.apply(std::move(change));
}

// Asks about these issues until each has been spoken of, or the calls are used up.
Status ask_about(RunContext& context, Agent& agent, std::vector<Issue> issues, int max_questions,
                 Clarity& clarity, std::stop_token stop) {
  std::map<std::string, std::string> problems;
  for (int ask = 1; ask <= context.policy().asks && !issues.empty(); ++ask) {
    problems.clear();
    TRY_ASSIGN(Prompt prompt, clarify_prompt(context, issues, max_questions));
    const AgentQuestion question{"fix_clarifier", issues, rounds_asked(issues.front()) + 1, ask,
                                 std::move(prompt.text)};
    TRY_ASSIGN(const std::string text, ask_agent(context, agent, question, stop));
    auto answer = parse_clarifier_answer(text, issues, max_questions);
    if (!answer) {
      for (const Issue& issue : issues) problems[issue.code] = answer.error().message;
      continue;
    }
    TRY(store_questions(context, issues, *answer));
    problems = answer->problems;
    for (const std::string& note : answer->notes) clarity.notes.push_back(note);
    std::erase_if(issues, [&](const Issue& issue) { return !problems.contains(issue.code); });
  }
  for (const Issue& issue : issues) clarity.failures.push_back({issue.code, problems[issue.code]});
  return {};
}

Result<std::vector<Issue>> issues_named(const Ports& ports, const std::vector<std::string>& names) {
  std::vector<Issue> issues;
  for (const std::string& name : names) {
    TRY_ASSIGN(Issue issue, ports.store.issue(ports.repository.id(), name));
    const bool known =
        std::any_of(issues.begin(), issues.end(), [&](const Issue& other) { return other.id == issue.id; });
    if (!known) issues.push_back(std::move(issue));
  }
  return issues;
}

Result<Session> clarify_session(const Ports& ports, const ClarifyRequest& request) {
  Session session;
  session.id = request.session_id.empty() ? new_session_id() : request.session_id;
  session.repository_id = ports.repository.id();
  TRY_ASSIGN(session.base, ports.repository.resolve(request.base_ref));
  session.policy = request.policy;
  return session;
}

const Clarification* question_called(const Issue& issue, const std::string& id) {
  for (const Clarification& clarification : issue.clarifications)
    if (clarification.question_id == id) return &clarification;
  return nullptr;
}

Result<Clarification> answered(const Ports& ports, const Redactor& redactor, const GivenAnswer& given) {
  const std::string shown = first_line(clean_text(given.question_id), 80);
  const std::string code = issue_of_question(given.question_id);
  const auto unknown =
      fail(ErrorCode::usage, "there is no question " + shown, "`emend clarify --list` shows the questions");
  if (code.empty()) return unknown;
  auto issue = ports.store.issue(ports.repository.id(), code);
  if (!issue && issue.error().code == ErrorCode::not_found) return unknown;
  TRY(issue);
  const Clarification* asked = question_called(*issue, given.question_id);
  if (asked == nullptr) return unknown;
  Clarification clarification = *asked;
  clarification.answer =
      given.skip ? "" : trim_middle(redactor.redact(clean_text(trim(given.answer))), kMaxAnswer);
  if (!given.skip && clarification.answer.empty())
    return fail(ErrorCode::usage, "the answer to " + shown + " is empty",
                "answer it, or skip it on purpose with \"skip\": true");
  clarification.state = given.skip ? ClarificationState::skipped : ClarificationState::answered;
  clarification.answered_ms = ports.clock.wall_ms();
  return clarification;
}

Status note_answer(const Ports& ports, const Clarification& given, std::map<std::string, Issue>& about) {
  const std::string code = issue_of_question(given.question_id);
  if (!about.contains(code)) {
    TRY_ASSIGN(about[code], ports.store.issue(ports.repository.id(), code));
  }
  for (Clarification& known : about[code].clarifications)
    if (known.question_id == given.question_id) known = given;
  return {};
}

// "answer": null means not yet.
Result<std::optional<GivenAnswer>> read_given(const Json& row, const char* id_key) {
  GivenAnswer given;
  given.question_id = string_or(row, id_key);
  if (given.question_id.empty())
    return fail(ErrorCode::usage, fmt::format("an answer without \"{}\"", id_key));
  const Json* skip = find_member(row, "skip");
  if (skip != nullptr && !skip->is_boolean() && !skip->is_null())
    return fail(ErrorCode::usage,
                first_line(clean_text(given.question_id), 80) + ": \"skip\" must be true or false");
  given.skip = skip != nullptr && skip->is_boolean() && skip->get<bool>();
  const Json* answer = find_member(row, "answer");
  if (answer != nullptr && !answer->is_string() && !answer->is_null())
    return fail(ErrorCode::usage,
                first_line(clean_text(given.question_id), 80) + ": \"answer\" must be text");
  const bool has_answer =
      answer != nullptr && answer->is_string() && !trim(answer->get_ref<const std::string&>()).empty();
  if (has_answer) given.answer = answer->get<std::string>();
  if (!has_answer && !given.skip) return std::optional<GivenAnswer>();
  return std::optional<GivenAnswer>(std::move(given));
}

Status read_all_given(const Json& rows, const char* id_key, std::vector<GivenAnswer>& answers) {
  for (const Json& row : rows) {
    TRY_ASSIGN(auto given, read_given(row, id_key));
    if (given) answers.push_back(*std::move(given));
  }
  return {};
}

} // namespace

std::string question_id(std::string_view issue_code, int number) {
  std::string safe;
  for (const char c : issue_code.substr(0, 64)) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '_' || c == '.';
    safe += plain ? c : '_';
  }
  return fmt::format("{}-q{}", safe, number);
}

std::string issue_of_question(std::string_view question_id) {
  const auto mark = question_id.rfind("-q");
  if (mark == std::string_view::npos || mark == 0 || question_id.size() > 100) return {};
  return parse_unsigned(question_id.substr(mark + 2)) ? std::string(question_id.substr(0, mark))
                                                      : std::string();
}

bool has_open_questions(const Issue& issue) {
  return std::any_of(
      issue.clarifications.begin(), issue.clarifications.end(),
      [](const Clarification& clarification) { return clarification.state == ClarificationState::asked; });
}

int rounds_asked(const Issue& issue) {
  int rounds = 0;
  for (const Clarification& clarification : issue.clarifications)
    rounds = std::max(rounds, clarification.round);
  return rounds;
}

bool Clarity::has_questions() const { return std::any_of(issues.begin(), issues.end(), has_open_questions); }

Result<Clarity> clarify(const Ports& ports, const std::string& home,
                        const std::function<void(const Event&)>& on_event, const ClarifyRequest& request,
                        std::stop_token stop) {
  TRY_ASSIGN(Session session, clarify_session(ports, request));
  TRY_ASSIGN(Redactor redactor, Redactor::with_patterns(request.policy.redact_patterns));
  TRY_ASSIGN(std::vector<Issue> waiting, issues_named(ports, request.issue_ids));
  EventLog log(ports.store, ports.clock, on_event);
  Clarity clarity;
  clarity.session_id = session.id;
  RunContext context(ports, log, home, std::move(session), std::move(redactor));
  std::erase_if(waiting, [&](const Issue& issue) {
    return has_open_questions(issue) || rounds_asked(issue) >= request.max_rounds;
  });
  if (!waiting.empty()) {
    TRY_ASSIGN(const std::unique_ptr<Agent> agent, ports.agents.make(request.policy.fixer));
    for (std::size_t first = 0; first < waiting.size(); first += kIssuesPerCall) {
      const auto last =
          waiting.begin() + static_cast<std::ptrdiff_t>(std::min(first + kIssuesPerCall, waiting.size()));
      TRY(ask_about(context, *agent, {waiting.begin() + static_cast<std::ptrdiff_t>(first), last},
                    request.max_questions, clarity, stop));
    }
  }
  TRY_ASSIGN(clarity.issues, issues_named(ports, request.issue_ids));
  if (clarity.ready_to_plan()) TRY(context.publish("", ClarifyReady{clarity.issues.size()}));
  return clarity;
}

Json to_json(const Clarity& clarity) {
  Json by_issue = Json::array(), problems = Json::array();
  for (const Issue& issue : clarity.issues) {
    Json questions = Json::array();
    for (const Clarification& clarification : issue.clarifications)
      if (clarification.state == ClarificationState::asked)
        questions.push_back(event_fields::json_of(shown(clarification)));
    if (!questions.empty())
      by_issue.push_back({{"issue_code", issue.code}, {"questions", std::move(questions)}});
  }
  for (const Clarity::Failure& failure : clarity.failures)
    problems.push_back({{"issue_code", failure.code}, {"problem", failure.problem}});
  return {{"session_id", clarity.session_id},
          {"has_questions", clarity.has_questions()},
          {"ready_to_plan", clarity.ready_to_plan()},
          {"questions_by_issue", std::move(by_issue)},
          {"problems", std::move(problems)}};
}

Result<std::vector<GivenAnswer>> answers_from_json(const Json& json) {
  const Json* data = find_member(json, "data");
  const Json& body = data != nullptr ? *data : json;
  std::vector<GivenAnswer> answers;
  const Json* list = body.is_array() ? &body : find_member(body, "answers");
  if (list != nullptr && list->is_array()) {
    TRY(read_all_given(*list, "question_id", answers));
    return answers;
  }
  const Json* by_issue = find_member(body, "questions_by_issue");
  if (by_issue == nullptr || !by_issue->is_array())
    return fail(ErrorCode::usage, "not a list of questions and answers",
                "use the output of `emend clarify --json` with \"answer\" filled in");
  for (const Json& row : *by_issue) {
    const Json* questions = find_member(row, "questions");
    if (questions == nullptr || !questions->is_array())
      return fail(ErrorCode::usage, "a row of \"questions_by_issue\" has no list \"questions\"");
    TRY(read_all_given(*questions, "id", answers));
  }
  return answers;
}

Status record_answers(const Ports& ports, const Policy& policy,
                      const std::function<void(const Event&)>& on_event,
                      const std::vector<GivenAnswer>& answers) {
  TRY_ASSIGN(const Redactor redactor, Redactor::with_patterns(policy.redact_patterns));
  Change change;
  std::map<std::string, Issue> about; // by code, with the answers as they will be
  for (const GivenAnswer& given : answers) {
    TRY_ASSIGN(Clarification clarification, answered(ports, redactor, given));
    TRY(note_answer(ports, clarification, about));
    change.events.push_back(
        make_event("", issue_of_question(clarification.question_id),
                   ClarifyAnswered{clarification.question_id, to_string(clarification.state)}));
    note_audit(change, ports, "question." + std::string(to_string(clarification.state)),
               issue_of_question(clarification.question_id), {},
               {{"question_id", clarification.question_id}});
    clarification.answered_by = ports.actor.shown();
    change.clarifications.push_back(std::move(clarification));
  }
  if (change.clarifications.empty()) return {};
  for (const auto& [code, issue] : about) TRY(add_answered_check(ports, issue, change));
  EventLog log(ports.store, ports.clock, on_event);
  return log.apply(std::move(change));
}

Status propose_answer(const Ports& ports, const Policy& policy, const GivenAnswer& given) {
  constexpr std::size_t kMostProposals = 3; // the oldest one makes room
  TRY_ASSIGN(const Redactor redactor, Redactor::with_patterns(policy.redact_patterns));
  TRY_ASSIGN(const Clarification proposed, answered(ports, redactor, given));
  TRY_ASSIGN(const Issue issue,
             ports.store.issue(ports.repository.id(), issue_of_question(given.question_id)));
  Clarification asked = *question_called(issue, given.question_id);
  if (asked.state != ClarificationState::asked)
    return fail(ErrorCode::conflict, given.question_id + " is answered already",
                "a person can change the answer: emend clarify --answer " + given.question_id + "=...");
  const std::string mark = " (proposed through ";
  const auto is_proposal = [&](const std::string& one) { return contains(one, mark) && one.ends_with(")"); };
  auto& suggestions = asked.suggestions;
  const std::string text =
      proposed.answer + mark + (ports.actor.via.empty() ? ports.actor.name : ports.actor.via) + ")";
  std::erase(suggestions, text);
  suggestions.insert(suggestions.begin(), text);
  std::size_t count = 0;
  std::erase_if(suggestions, [&](const auto& one) { return is_proposal(one) && ++count > kMostProposals; });
  Change change;
  note_audit(change, ports, "question.proposed", issue.code, {}, {{"question_id", given.question_id}});
  change.clarifications.push_back(std::move(asked));
  TRY(ports.store.apply(change, ports.clock.wall_ms()));
  return {};
}

} // namespace emend
