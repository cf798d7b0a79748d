#include "engine/judge/challenge_change.hpp"

#include "engine/agents/budget.hpp"
#include "engine/agents/role_agents.hpp"
#include "engine/context/event_log.hpp"
#include "engine/judge/challenge.hpp"

namespace emend {

namespace {

Session session_of(const Ports& ports, const ChallengeRequest& request) {
  Session session;
  session.id = request.session_id;
  session.repository_id = ports.repository.id();
  session.base = request.base;
  session.policy = request.policy;
  session.policy.canaries = 0; // it decides nothing, and may cost one call only
  session.policy.panel = 1;
  return session;
}

// Whoever made it is not known, so every judge is independent of them.
Attempt attempt_of(const ChallengeRequest& request, const Issue& issue) {
  Attempt attempt;
  attempt.session_id = request.session_id;
  attempt.issue_id = issue.id;
  attempt.cycle = 1;
  attempt.base = request.base;
  attempt.patch = request.patch;
  return attempt;
}

Error nobody(const RunContext& context) {
  const auto why = context.queue_stop();
  return {ErrorCode::agent, why ? why->detail : "no judge is available now",
          "`emend doctor` tests the agents"};
}

} // namespace

Result<std::vector<Verdict>> challenge_change(const Ports& ports, const std::string& home,
                                              const std::function<void(const Event&)>& on_event,
                                              const ChallengeRequest& request, std::stop_token stop) {
  TRY_ASSIGN(Redactor redactor, Redactor::with_patterns(request.policy.redact_patterns));
  EventLog log(ports.store, ports.clock, on_event);
  RunContext context(ports, log, home, session_of(ports, request), std::move(redactor));
  Meter meter(request.policy);
  TRY_ASSIGN(const auto agents, make_role_agents(context, meter, request.policy.challenger,
                                                 request.policy.challenger_fallbacks));
  Challenger challenger(context, *agents, nullptr, publish_verdict);
  std::vector<Verdict> verdicts;
  for (const Issue& issue : request.issues) {
    TRY_ASSIGN(auto verdict, challenger.judge(issue, attempt_of(request, issue), {}, stop));
    if (!verdict && stop.stop_requested())
      return fail(ErrorCode::cancelled, "stopped while the judge was working");
    if (!verdict) return fail(nobody(context));
    verdicts.push_back(*std::move(verdict));
  }
  return verdicts;
}

} // namespace emend
