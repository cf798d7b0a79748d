#include "engine/branch/withdrawals.hpp"

#include <algorithm>

#include "base/crash_point.hpp"
#include "base/strings.hpp"
#include "engine/branch/grouped_follow.hpp"
#include "model/events.hpp"

namespace emend {
namespace {

// Withdrawals that wait for the same change of a branch.
bool together(const Withdrawal& a, const Withdrawal& b) {
  return a.session_id == b.session_id && a.branch_from == b.branch_from && a.branch_to == b.branch_to;
}

Status change_branch(Branches& repository, const std::string& branch, const Withdrawal& how) {
  return how.branch_to.empty() ? repository.remove_branch(branch, how.branch_from)
                               : repository.advance(branch, how.branch_from, how.branch_to);
}

Event branch_event(const Session& session, const Withdrawal& how, const std::string& problem) {
  if (!problem.empty())
    return make_event(session.id, "",
                      FixNotice{"branch " + session.branch + " was left unchanged: " + clean_text(problem)});
  if (how.branch_to.empty())
    return make_event(session.id, "", FixBranchRemoved{session.branch, how.branch_from});
  return make_event(session.id, "", FixCommitReverted{session.branch, how.branch_to, how.commit});
}

} // namespace

Result<std::string> carry_out(const Ports& ports, EventLog& log, const Session& session,
                              std::vector<Withdrawal> pending) {
  crash_point("withdraw.before_branch");
  const Status changed = change_branch(ports.repository, session.branch, pending.front());
  const bool moved_on = !changed && changed.error().code == ErrorCode::conflict;
  if (!changed && !moved_on) return fail(changed.error());
  crash_point("withdraw.after_branch");
  const std::string problem = changed ? "" : changed.error().message;
  Change change;
  for (Withdrawal& one : pending) one.branch = changed ? BranchChange::done : BranchChange::kept;
  change.events.push_back(branch_event(session, pending.front(), problem));
  if (changed) TRY(follow_with_grouped(ports, session, pending.front(), change));
  change.withdrawals = std::move(pending);
  TRY(log.apply(std::move(change)));
  return problem;
}

Result<std::string> own_tip(IssueStore& store, const Session& session) {
  TRY_ASSIGN(const std::vector<Withdrawal> withdrawals, store.withdrawals("", session.id));
  std::string tip = session.tip;
  for (const Withdrawal& one : withdrawals)
    if (one.branch == BranchChange::done && !one.branch_to.empty()) tip = one.branch_to;
  return tip;
}

Status settle_withdrawals(const Ports& ports, EventLog& log) {
  TRY_ASSIGN(std::vector<Withdrawal> waiting, ports.store.withdrawals("", ""));
  std::erase_if(waiting, [](const Withdrawal& one) { return one.branch != BranchChange::pending; });
  while (!waiting.empty()) {
    const Withdrawal first = waiting.front();
    std::vector<Withdrawal> group;
    std::copy_if(waiting.begin(), waiting.end(), std::back_inserter(group),
                 [&](const Withdrawal& one) { return together(first, one); });
    std::erase_if(waiting, [&](const Withdrawal& one) { return together(first, one); });
    TRY_ASSIGN(const Session session, ports.store.session(first.session_id));
    if (session.repository_id != ports.repository.id()) continue;
    TRY(carry_out(ports, log, session, std::move(group)));
  }
  return {};
}

} // namespace emend
