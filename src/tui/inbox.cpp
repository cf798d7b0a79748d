#include "tui/inbox.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tui/text_cells.hpp"

namespace emend {

namespace {

std::string fixes(std::size_t count) { return count == 1 ? "1 fix" : fmt::format("{} fixes", count); }

InboxEntry of_session(Need need, const std::string& id, const std::string& branch, const std::string& text) {
  return {need, "", id, "", (branch.empty() ? id : branch) + "  " + text};
}

// How many of them are proven says what `a` on this row accepts.
std::string ready_words(const std::vector<Issue>& all) {
  const auto proven =
      std::count_if(all.begin(), all.end(), [](const Issue& issue) { return issue.evidence == "proven"; });
  return fixes(all.size()) + " to review" + (proven > 0 ? fmt::format(", {} proven", proven) : "");
}

void add_questions(std::vector<InboxEntry>& out, const Issue& issue) {
  for (const Clarification& asked : issue.clarifications)
    if (asked.state == ClarificationState::asked)
      out.push_back({Need::question, issue.code, "", asked.question_id, flat(asked.question)});
}

void add_failures(std::vector<InboxEntry>& out, const Needs& needs) {
  for (const Issue& issue : needs.failed)
    out.push_back({Need::failed, issue.code, issue.session_id, "",
                   failure_words(issue.reason) + ": " + flat(issue.finding.title)});
  const auto left = needs.failed_total - static_cast<std::int64_t>(needs.failed.size());
  if (left > 0)
    out.push_back({Need::failed, "", "", "", fmt::format("and {} more: /status:failed lists them", left)});
}

} // namespace

std::vector<InboxEntry> inbox_of(const Needs& needs, const std::vector<SessionRow>& sessions) {
  std::vector<InboxEntry> out;
  for (const Issue& issue : needs.asked) add_questions(out, issue);
  for (const Session& plan : needs.plans)
    out.push_back(of_session(Need::approval, plan.id, plan.branch, "starts when you approve its plan"));
  for (const Session& stopped : needs.stopped)
    out.push_back(of_session(Need::interrupted, stopped.id, stopped.branch, "stopped before it was done"));
  for (const auto& [issue, by, number] : needs.dismissals)
    out.push_back({Need::failed, issue.code, "", "",
                   fmt::format("{} closed its thread on pull request {} without a fix: {}", flat(by), number,
                               flat(issue.finding.title))});
  add_failures(out, needs);
  for (const Needs::Branch& branch : needs.ready)
    out.push_back(
        of_session(Need::ready, branch.session.id, branch.session.branch, ready_words(branch.fixes)));
  for (const Needs::Branch& branch : needs.taken)
    out.push_back(of_session(Need::taken, branch.session.id, branch.session.branch,
                             fixes(branch.fixes.size()) + " accepted: merge the branch"));
  if (needs.older_branches > 0)
    out.push_back(
        {Need::ready, "", "", "",
         fmt::format("and {} more with fixes: the sessions list them",
                     needs.older_branches == 1 ? "1 older branch"
                                               : fmt::format("{} older branches", needs.older_branches))});
  for (const SessionRow& row : sessions)
    if (row.status == SessionStatus::running)
      out.push_back(
          of_session(Need::running, row.id, row.branch,
                     row.issues == 1 ? "runs, 1 issue" : fmt::format("runs, {} issues", row.issues)));
  return out;
}

} // namespace emend
