#include "cli/agents/mcp_shown.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.hpp"
#include "cli/report_text.hpp"
#include "engine/agents/run_log.hpp"
#include "service/database_place.hpp"
#include "service/needs.hpp"

namespace emend {
namespace {

constexpr std::size_t kLogLines = 80;

std::string line_of(const Issue& issue) {
  const Finding& finding = issue.finding;
  return fmt::format("{} {} {} {} {}{}\n", issue.code, to_string(finding.severity), to_string(issue.status),
                     one_line(place_of(finding), 300), one_line(finding.title, 160),
                     finding.rule.empty() ? "" : " [" + one_line(finding.rule, 60) + "]");
}

Result<std::string> diff_of_issue(Store& store, const Issue& issue) {
  if (issue.session_id.empty()) return std::string("no fix was tried yet\n");
  TRY_ASSIGN(const std::vector<Attempt> attempts, store.attempts_of_session(issue.session_id));
  const Attempt* last = nullptr;
  for (const Attempt& attempt : attempts)
    if (attempt.issue_id == issue.id && !attempt.patch.empty()) last = &attempt;
  if (last == nullptr) return std::string("no attempt changed anything\n");
  return fmt::format("{} ({})\n{}", to_string(last->result), one_line(last->detail, 300),
                     visible_text(unified_diff(last->patch)));
}

Result<std::string> diff_of_session(Store& store, Repository& repository, const Session& session) {
  TRY_ASSIGN(const std::vector<CommitRecord> commits, store.commits(session.id));
  if (commits.empty()) return "session " + session.id + " has made no commit\n";
  TRY_ASSIGN(const Patch patch, repository.diff(session.base, commits.back().sha));
  return fmt::format("session {}: {} {} on {}\n{}", session.id, commits.size(),
                     commits.size() == 1 ? "commit" : "commits", one_line(session.branch, 200),
                     visible_text(unified_diff(patch)));
}

// The end of what its agents said, as a quotation: they have read what strangers wrote.
Result<std::string> log_of_session(CommandContext& context, Store& store, const std::string& session_id) {
  if (session_id.empty()) return std::string("no fix was tried yet\n");
  TRY_ASSIGN(const std::string home, context.home());
  TRY_ASSIGN(const std::vector<SeenRun> runs, seen_runs(store, session_id));
  std::vector<std::string> lines;
  for (const SeenRun& run : runs) {
    lines.push_back(fmt::format("==> {} {}", run.start.role, one_line(run.start.agent, 60)));
    const auto part = read_run_log(home, run.start, 0, kMaxRunLog * 2);
    if (!part) continue;
    for (const std::string_view line : lines_of(part->bytes)) lines.push_back("> " + one_line(line, 400));
  }
  if (runs.empty()) return "no agent has run in session " + session_id + "\n";
  const std::size_t begin = lines.size() > kLogLines ? lines.size() - kLogLines : 0;
  std::string text = fmt::format("log of session {}, {}\n", session_id,
                                 begin > 0 ? fmt::format("its last {} lines", kLogLines) : "whole");
  for (std::size_t i = begin; i < lines.size(); ++i) text += lines[i] + "\n";
  return text;
}

std::string evidence_text(Explanation explanation) {
  const std::vector<FixCycle> cycles = std::move(explanation.cycles);
  explanation.cycles.clear();
  std::string text = explanation_text(explanation, Palette{});
  if (cycles.empty() || cycles.back().verifications.empty()) return text;
  return text + "\nthe last run of the checks\n" +
         verification_text(cycles.back().verifications.back(), Palette{});
}

std::string evidence_text(const FixReport& report) {
  std::string text = fix_result_text(report, Palette{});
  if (report.baseline)
    text += "\nthe checks before any fix\n" + verification_text(*report.baseline, Palette{});
  return text;
}

std::string next_for(const Issue& issue) {
  if (issue.status == IssueStatus::resolved) return "next: apply it; a person decides about it\n";
  if (issue.status == IssueStatus::open || issue.status == IssueStatus::failed)
    return "next: call fix, or repair it yourself and call check with issue " + issue.code + "\n";
  return "next: findings lists what is open\n";
}

// A table follows: this is what came out.
std::string verdict_line(const FixReport& report) {
  return fmt::format("{}: {}\n", to_string(report.session.status), summary_line(report));
}

std::string next_for(const Session& session) {
  if (session.tip.empty()) return "next: show an issue by its code says why it was not resolved\n";
  return "next: apply writes the fix of one issue into the working tree; the person decides about " +
         one_line(session.branch, 200) + "\n";
}

// What whoever found it says, as a quotation: a stranger may have written it.
std::string quoted(const Finding& finding) {
  constexpr std::size_t kMost = 2'000;
  std::string text;
  for (const std::string* part : {&finding.description, &finding.suggestion}) {
    if (trim(*part).empty()) continue;
    const std::string shown = trim_middle(clean_text(*part), kMost);
    for (const std::string_view line : lines_of(shown)) text += fmt::format("> {}\n", line);
  }
  return fmt::format("\n{} {}\n{}\n", to_string(finding.severity), one_line(place_of(finding), 300), text);
}

Result<std::string> part_of_issue(CommandContext& context, Store& store, const Issue& issue,
                                  const std::string& part) {
  if (part == "diff") return diff_of_issue(store, issue);
  if (part == "log") return log_of_session(context, store, issue.session_id);
  TRY_ASSIGN(SessionManager * manager, context.manager());
  TRY_ASSIGN(Explanation explanation, manager->explain(issue.code));
  if (part == "evidence") return evidence_text(std::move(explanation));
  if (part != "attempts") return explanation_text(explanation, Palette{}) + quoted(issue.finding);
  return fmt::format("{}: {} {}\n{}", issue.code, explanation.cycles.size(),
                     explanation.cycles.size() == 1 ? "attempt" : "attempts",
                     attempts_text(explanation.cycles, explanation.panel, Palette{}));
}

Result<std::string> part_of_session(CommandContext& context, Store& store, Repository& repository,
                                    const Session& session, const std::string& part) {
  if (part == "diff") return diff_of_session(store, repository, session);
  if (part == "log") return log_of_session(context, store, session.id);
  TRY_ASSIGN(SessionManager * manager, context.manager());
  TRY_ASSIGN(const FixReport report, manager->report(session.id));
  if (part == "evidence") return evidence_text(report);
  if (part != "attempts") return verdict_line(report) + session_text(report, Palette{});
  return fmt::format("session {}: {} attempts\n{}", session.id, report.cycles.size(),
                     attempts_text(report.cycles, report.session.policy.panel, Palette{}));
}

std::string asked_lines(const Needs& needs) {
  std::string text;
  for (const Issue& issue : needs.asked)
    for (const Clarification& asked : issue.clarifications)
      if (asked.state == ClarificationState::asked)
        text += fmt::format("question {}: {}\n", asked.question_id, one_line(asked.question, 200));
  return text;
}

std::string branch_lines(const Needs& needs) {
  std::string text;
  for (const Needs::Branch& branch : needs.ready)
    for (const Issue& issue : branch.fixes)
      text += fmt::format("to decide {}: {} is {} on {}\n", issue.code, one_line(issue.finding.title, 160),
                          issue.evidence.empty() ? "fixed" : issue.evidence,
                          one_line(branch.session.branch, 120));
  for (const Needs::Branch& branch : needs.taken)
    text += fmt::format("to merge: {} has {} accepted\n", one_line(branch.session.branch, 120),
                        branch.fixes.size());
  return text;
}

} // namespace

std::string issues_for_agent(std::vector<Issue> issues, const std::string& none) {
  if (issues.empty()) return none;
  std::stable_sort(issues.begin(), issues.end(),
                   [](const Issue& a, const Issue& b) { return a.finding.severity > b.finding.severity; });
  std::string made =
      fmt::format("{} {}, worst first\n", issues.size(), issues.size() == 1 ? "issue" : "issues");
  for (const Issue& issue : issues) made += line_of(issue);
  return made + "next: show one by its code, or fix some of them\n";
}

Result<std::string> shown_part(CommandContext& context, const std::string& id, const std::string& part) {
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(Repository * repository, context.repository());
  if (const auto issue = store->issue(repository->id(), id)) {
    TRY_ASSIGN(const std::string text, part_of_issue(context, *store, *issue, part));
    return text + next_for(*issue);
  }
  if (id.empty()) return fail(ErrorCode::not_found, "there is no issue and no session without a name");
  TRY_ASSIGN(const Session session, store->session(id));
  if (session.repository_id != repository->id())
    return fail(ErrorCode::not_found, "there is no session " + one_line(id) + " in this repository");
  TRY_ASSIGN(const std::string text, part_of_session(context, *store, *repository, session, part));
  return text + next_for(session);
}

std::string session_for_agent(const FixReport& report) {
  return verdict_line(report) + fix_result_text(report, Palette{}) + next_for(report.session);
}

Result<std::string> needs_for_agent(CommandContext& context) {
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(Repository * repository, context.repository());
  TRY_ASSIGN(const std::string home, context.home());
  TRY_ASSIGN(const std::unique_ptr<Ledger> ledger,
             context.dependencies().open_ledger(database_address(context.environment(), home)));
  TRY_ASSIGN(const Needs needs, needs_of(*store, *ledger, repository->id()));
  if (needs.total() == 0) return std::string("nothing needs the person\nnext: findings lists open issues\n");
  std::string text = needs.total() == 1 ? "1 thing needs the person\n"
                                        : fmt::format("{} things need the person\n", needs.total());
  text += asked_lines(needs);
  for (const Session& plan : needs.plans) text += "to approve: the plan of session " + plan.id + "\n";
  text += branch_lines(needs);
  for (const Session& stopped : needs.stopped)
    text += "stopped before it was done: session " + stopped.id + "\n";
  for (const Issue& issue : needs.failed) text += line_of(issue);
  const std::int64_t more = needs.failed_total - static_cast<std::int64_t>(needs.failed.size());
  if (more > 0) text += fmt::format("and {} more FAILED issues\n", more);
  return text + "next: tell the person, who goes on with: emend inbox\n";
}

} // namespace emend
