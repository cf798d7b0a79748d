#include "engine/acceptance.hpp"

#include <algorithm>

#include "engine/event_log.hpp"

namespace emend {
namespace {

constexpr const char* kAccepted = "fix_issue_accepted";

Status check_fix(Store& store, const Session& session, const Issue& issue) {
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

Result<std::set<std::string>> accepted_fixes(Store& store, const std::string& session_id) {
  constexpr std::size_t kPage = 5'000;
  std::set<std::string> codes;
  for (std::int64_t after = 0;;) {
    TRY_ASSIGN(const std::vector<Event> events, store.events_after(after, session_id, kPage));
    for (const Event& event : events)
      if (event.type == kAccepted) codes.insert(event.issue_code);
    if (events.size() < kPage) return codes;
    after = events.back().seq;
  }
}

Result<Acceptance> accept_fix(const Ports& ports, const std::function<void(const Event&)>& on_event,
                              const std::string& session_id, const std::string& code) {
  Acceptance acceptance;
  TRY_ASSIGN(acceptance.session, ports.store.session(session_id));
  TRY_ASSIGN(acceptance.issue, ports.store.issue(acceptance.session.repository_id, code));
  TRY(check_fix(ports.store, acceptance.session, acceptance.issue));
  TRY_ASSIGN(const std::set<std::string> known, accepted_fixes(ports.store, acceptance.session.id));
  acceptance.again = known.contains(acceptance.issue.code);
  if (acceptance.again) return acceptance;
  Event event;
  event.session_id = acceptance.session.id;
  event.type = kAccepted;
  event.issue_code = acceptance.issue.code;
  event.data = {{"commit", acceptance.issue.commit}};
  EventLog log(ports.store, ports.clock, on_event);
  TRY(log.publish(std::move(event)));
  return acceptance;
}

} // namespace emend
