#include "engine/branch/acceptance.hpp"

#include <algorithm>

#include "engine/context/audit.hpp"
#include "engine/context/event_log.hpp"
#include "model/session_view.hpp"

namespace emend {
namespace {

Status check_fix(IssueStore& store, const Session& session, const Issue& issue) {
  TRY_ASSIGN(const std::vector<Withdrawal> withdrawn, store.withdrawals(issue.id, session.id));
  const bool done = issue.status == IssueStatus::resolved || issue.status == IssueStatus::merged;
  if (done && issue.session_id == session.id && withdrawn.empty()) return {};
  return fail(ErrorCode::conflict,
              "session " + session.id + " has no fix of " + issue.code + " that could be accepted",
              "emend explain " + issue.code);
}

} // namespace

Json to_json(const Acceptance& acceptance) {
  return {{"session_id", acceptance.session.id},
          {"issue_code", acceptance.issue.code},
          {"again", acceptance.again}};
}

Result<Acceptance> accept_fix(const Ports& ports, const std::function<void(const Event&)>& on_event,
                              const std::string& session_id, const std::string& code) {
  Acceptance acceptance;
  TRY_ASSIGN(acceptance.session, ports.store.session(session_id));
  TRY_ASSIGN(acceptance.issue, ports.store.issue(acceptance.session.repository_id, code));
  TRY(check_fix(ports.store, acceptance.session, acceptance.issue));
  TRY_ASSIGN(const SessionView view, session_view(ports.store, acceptance.session.id));
  acceptance.again = view.accepted.contains(acceptance.issue.code);
  if (acceptance.again) return acceptance;
  Change change;
  note_audit(change, ports, "fix.accepted", acceptance.issue.code, acceptance.session.id,
             {{"commit", acceptance.issue.commit}});
  change.events.push_back(
      make_event(acceptance.session.id, acceptance.issue.code, FixIssueAccepted{acceptance.issue.commit}));
  EventLog log(ports.store, ports.clock, on_event);
  TRY(log.apply(std::move(change)));
  return acceptance;
}

} // namespace emend
