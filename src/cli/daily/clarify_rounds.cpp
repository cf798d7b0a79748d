#include "cli/daily/clarify_rounds.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/daily/interview.hpp"
#include "cli/issue_choice.hpp"
#include "cli/report_text.hpp"
#include "cli/terminal.hpp"
#include "engine/prompts/prompt.hpp"

namespace emend {

namespace {

constexpr int kShownLines = 3; // of code, on each side of the line in question

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

Result<bool> ask_person(CommandContext& context, const Ports& ports, const Policy& policy,
                        const std::vector<Issue>& issues) {
  Interviewer interviewer;
  interviewer.show = [](std::string_view text) { write_stderr(text); };
  interviewer.read = [&](std::string_view prompt) { return ask_line(prompt, context.dependencies().stop); };
  interviewer.keep = [&](const GivenAnswer& answer) { return record_answers(ports, policy, {}, {answer}); };
  return interview(open_questions(ports, issues), interviewer,
                   Palette{context.palette().on && context.error_is_terminal()});
}

void tell(CommandContext& context, const Clarity& clarity) {
  for (const std::string& note : clarity.notes) context.hint("note: " + one_line(note, 300));
  for (const Clarity::Failure& failure : clarity.failures)
    context.hint(fmt::format("{}: the agent gave no usable answer: {}", one_line(failure.code),
                             one_line(failure.problem, 300)));
}

// Those the next round is about: an issue without questions is ready and not asked about again.
std::vector<std::string> unsettled(const Clarity& clarity) {
  std::vector<std::string> ids;
  for (const Issue& issue : clarity.issues) {
    const bool failed = std::any_of(clarity.failures.begin(), clarity.failures.end(),
                                    [&](const auto& failure) { return failure.code == issue.code; });
    if (failed || has_open_questions(issue)) ids.push_back(issue.id);
  }
  return ids;
}

} // namespace

bool is_unattended(const CommandContext& context) { return !context.may_ask() || context.global().json; }

Result<Clarity> clarify_rounds(CommandContext& context, const ClarifyRounds& how, std::vector<Issue> issues) {
  TRY_ASSIGN(const Ports ports, context.ports());
  TRY_ASSIGN(const std::string home, context.home());
  ClarifyRequest request;
  request.max_rounds = how.max_rounds;
  for (const Issue& issue : issues) request.issue_ids.push_back(issue.id);
  while (true) {
    TRY_ASSIGN(request.policy, how.policy(issues));
    TRY_ASSIGN(Clarity clarity, clarify(ports, home, {}, request, context.dependencies().stop));
    tell(context, clarity);
    if (!clarity.has_questions() || is_unattended(context)) return clarity;
    TRY_ASSIGN(const bool finished, ask_person(context, ports, request.policy, clarity.issues));
    if (!finished) return clarity;
    request.session_id = clarity.session_id;
    request.issue_ids = unsettled(clarity);
    TRY_ASSIGN(issues, choose_issues(context, request.issue_ids, false));
  }
}

} // namespace emend
