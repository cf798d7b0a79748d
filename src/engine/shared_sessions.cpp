#include "engine/shared_sessions.hpp"

namespace emend {

namespace {

std::string job_id(const Session& session) { return "session/" + session.id; }

} // namespace

std::string session_label(const std::string& repository_id) { return "sessions of " + repository_id; }

Status offer_session(WorkBoard& board, const Session& session) {
  SharedJob job;
  job.id = job_id(session);
  job.kind = "session";
  job.repository_id = session.repository_id;
  job.session_id = session.id;
  job.needs = session_label(session.repository_id);
  return board.offer(job);
}

Result<std::unique_ptr<HeldClaim>> claim_session(Presence& presence, const Session& session) {
  TRY(offer_session(presence.board(), session));
  TRY_ASSIGN(std::unique_ptr<HeldClaim> claim, claim_if_offered(presence, session));
  if (!claim)
    return fail(ErrorCode::conflict, "a worker runs session " + session.id, "see `emend worker list`");
  return claim;
}

Status finish_session(HeldClaim& claim, Store& store, const Result<FixReport>& report) {
  if (claim.lost()) return {};
  if (report && report->session.status == SessionStatus::interrupted) return {};
  if (!report) {
    const auto stored = store.session(claim.job().session_id);
    if (!stored || stored->status == SessionStatus::running || stored->status == SessionStatus::interrupted)
      return {};
  }
  return claim.finish({{"status", report ? to_string(report->session.status) : "error"},
                       {"problem", report ? "" : report.error().message}});
}

Result<bool> is_claimed(WorkBoard& board, const std::string& session_id) {
  TRY_ASSIGN(const SharedJob job, board.job("session/" + session_id));
  return job.state == SharedJobState::claimed;
}

Result<std::unique_ptr<HeldClaim>> claim_if_offered(Presence& presence, const Session& session) {
  ClaimQuery this_one;
  this_one.id = job_id(session);
  return presence.claim(this_one);
}

Status follow_session(WorkBoard& board, const Session& session, std::stop_token stop) {
  constexpr std::int64_t kLookAgain = 1'000;
  while (!stop.stop_requested()) {
    TRY_ASSIGN(const SharedJob job, board.job(job_id(session)));
    if (job.state == SharedJobState::failed)
      return fail(ErrorCode::agent, "session " + session.id + ": " + job.problem,
                  "emend sessions resume " + session.id);
    if (job.state == SharedJobState::done) return {};
    board.wait(kLookAgain, stop);
  }
  return fail(ErrorCode::cancelled, "session " + session.id + " goes on without us");
}

} // namespace emend
