#include "engine/branch/grouped_follow.hpp"

#include "base/strings.hpp"
#include "engine/context/event_log.hpp"
#include "model/events.hpp"
#include "model/session_view.hpp"

namespace emend {

namespace {

// Where the session's branch is gone, so is the grouped one.
Status remove_grouped(const Ports& ports, const Session& session, const FixBranchGrouped& grouped,
                      Change& change) {
  const Status removed = ports.repository.remove_branch(grouped.branch, grouped.tip);
  if (!removed && removed.error().code != ErrorCode::conflict) return removed;
  change.events.push_back(
      removed ? make_event(session.id, "", FixBranchRemoved{grouped.branch, grouped.tip})
              : make_event(session.id, "",
                           FixNotice{"branch " + grouped.branch +
                                     " was left unchanged: " + clean_text(removed.error().message)}));
  return {};
}

// The commit that undid a fix, once more. With the time of the first one, so that it is the same after a
// crash.
Status advance_grouped(const Ports& ports, const Session& session, const FixBranchGrouped& grouped,
                       const std::string& to, Change& change) {
  CommitRequest request;
  request.parent = grouped.tip;
  TRY_ASSIGN(request.patch, ports.repository.diff(grouped.tip, to));
  if (request.patch.empty()) return {};
  TRY_ASSIGN(const std::vector<CommitFacts> facts, ports.repository.published_commits({to}));
  request.message = facts.front().message;
  request.time_s = facts.front().time_s;
  TRY_ASSIGN(const Identity author, ports.repository.identity());
  request.author_name = author.name;
  request.author_email = author.email;
  TRY_ASSIGN(const std::string commit, ports.repository.commit(request));
  const Status moved = ports.repository.advance(grouped.branch, grouped.tip, commit);
  if (!moved && moved.error().code != ErrorCode::conflict) return moved;
  change.events.push_back(
      moved ? make_event(session.id, "",
                         FixBranchGrouped{grouped.branch, grouped.by, commit, grouped.commits + 1})
            : make_event(session.id, "",
                         FixNotice{"branch " + grouped.branch +
                                   " still has the fix: " + clean_text(moved.error().message)}));
  return {};
}

} // namespace

Status follow_with_grouped(const Ports& ports, const Session& session, const Withdrawal& how,
                           Change& change) {
  TRY_ASSIGN(const SessionView view, session_view(ports.store, session.id));
  for (const FixBranchGrouped& grouped : view.grouped) {
    TRY_ASSIGN(const std::optional<std::string> there, ports.repository.branch_tip(grouped.branch));
    if (!there) continue; // a person deleted it
    TRY(how.branch_to.empty() ? remove_grouped(ports, session, grouped, change)
                              : advance_grouped(ports, session, grouped, how.branch_to, change));
  }
  return {};
}

} // namespace emend
