#include "engine/branch/recovery.hpp"

#include <unistd.h>

#include <csignal>

#include "base/log.hpp"
#include "engine/branch/withdrawals.hpp"
#include "engine/claims/running_sessions.hpp"
#include "model/events.hpp"
#include "ports/machine.hpp"

namespace emend {
namespace {

// Older rows name no machine.
bool is_this_boot(const std::string& boot) { return boot == boot_and_machine() || boot == boot_id(); }

// pid, start time and boot must all match: a reused pid belongs to somebody else.
void end_orphan(const ChildRecord& child) {
  if (!is_this_boot(child.boot_id)) return;
  const auto ticks = process_start_ticks(child.pid);
  if (!ticks || *ticks != child.start_ticks) return;
  log(LogLevel::info, "ending a process that outlived its engine: pid " + std::to_string(child.pid));
  ::kill(child.pid, SIGKILL);
}

Status forget_children(Store& store, const std::vector<ChildRecord>& children) {
  for (const ChildRecord& child : children) {
    if (is_shared(store) && is_of_another_machine(child.boot_id)) continue; // an engine there ends them
    end_orphan(child);
    TRY(store.remove_child(child));
  }
  return {};
}

// A session that has ended can have some too: taking a fix back runs the project's commands on its behalf.
Status forget_children_of(Store& store, const std::string& repository_id) {
  TRY_ASSIGN(const std::vector<ChildRecord> children, store.children(""));
  std::vector<ChildRecord> own;
  for (const ChildRecord& child : children) {
    const auto session = store.session(child.session_id);
    if (!session && session.error().code != ErrorCode::not_found) return fail(session.error());
    if (session && session->id == child.session_id && session->repository_id == repository_id)
      own.push_back(child);
  }
  return forget_children(store, own);
}

} // namespace

SessionStatus present_status(const Session& session) {
  if (session.status != SessionStatus::running) return session.status;
  const auto ticks = process_start_ticks(session.owner.pid);
  const bool alive = ticks && *ticks == session.owner.start_ticks && is_this_boot(session.owner.boot_id);
  if (alive && session.owner.pid == ::getpid() && !runs_here(session.id))
    return SessionStatus::interrupted; // its end could not be stored
  return alive || is_of_another_machine(session.owner.boot_id) ? SessionStatus::running
                                                               : SessionStatus::interrupted;
}

bool runs_elsewhere(const Ports& ports, const Session& session) {
  return ports.presence == nullptr && is_shared(ports.store) && session.status == SessionStatus::running &&
         is_of_another_machine(session.owner.boot_id);
}

namespace {

Event set_aside_event(const std::string& session_id, SessionStatus status, const std::string& why) {
  const std::string_view word = to_string(status);
  if (status == SessionStatus::interrupted)
    return make_event(session_id, "", FixSessionInterrupted{why, true, true});
  if (status == SessionStatus::cancelled)
    return make_event(session_id, "", FixSessionCancelled{why, word, true, true});
  return make_event(session_id, "", FixSessionError{why, {}, word, true, true});
}

} // namespace

Status set_aside(const Ports& ports, EventLog& log, Session session, SessionStatus status,
                 const std::string& why) {
  TRY_ASSIGN(const std::vector<ChildRecord> children, ports.store.children(session.id));
  TRY(forget_children(ports.store, children));
  Change change;
  for (const std::string& id : session.issue_ids) {
    TRY_ASSIGN(const Issue issue, ports.store.issue(session.repository_id, id));
    if (issue.status != IssueStatus::in_progress || issue.session_id != session.id) continue;
    IssueMove move;
    move.issue_id = id;
    move.from = IssueStatus::in_progress;
    move.to = IssueStatus::open;
    move.reason = "interrupted";
    move.detail = why;
    change.moves.push_back(std::move(move));
  }
  session.status = status;
  session.detail = why;
  change.events.push_back(set_aside_event(session.id, status, why));
  change.sessions.push_back(std::move(session));
  return log.apply(std::move(change));
}

Result<std::vector<std::string>> recover(const Ports& ports, EventLog& log) {
  std::vector<std::string> interrupted;
  TRY(forget_children_of(ports.store, ports.repository.id()));
  TRY_ASSIGN(const std::vector<Session> sessions, ports.store.unfinished_sessions(ports.repository.id()));
  for (const Session& session : sessions) {
    if (session.status != SessionStatus::running) continue;
    if (runs_elsewhere(ports, session)) continue;
    TRY(set_aside(ports, log, session, SessionStatus::interrupted,
                  "the process that ran it ended before it was finished"));
    interrupted.push_back(session.id);
  }
  ports.repository.clean_leftovers();
  TRY(settle_withdrawals(ports, log));
  return interrupted;
}

} // namespace emend
