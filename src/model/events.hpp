// Every event there is, one struct each: its type and its members, in the order they are stored.
// docs/events.md says when each happens. Stored journals and proofs are read with these names: a member may
// be added, none renamed or removed.
#pragma once

#include <tuple>

#include "model/event.hpp"
#include "model/event_fields.hpp"

namespace emend {

using Texts = std::vector<std::string>;
using Scores = std::map<std::string, int>;

// --- a session

EMEND_EVENT(FixSessionStarted, "fix_session_started", (Text, branch_name), (Text, base_sha),
            (Texts, issue_codes), (Text, agent), (std::optional<Text>, challenger));
EMEND_EVENT(FixSessionPlanned, "fix_session_planned", (Text, branch_name), (Text, base_sha),
            (std::size_t, issues));
EMEND_EVENT(FixSessionQueued, "fix_session_queued", (Text, branch_name), (Text, base_sha),
            (std::size_t, issues));
EMEND_EVENT(FixPlanChanged, "fix_plan_changed", (std::size_t, steps), (std::size_t, issues),
            (Texts, skipped));
EMEND_EVENT(FixSessionApproved, "fix_session_approved", (std::size_t, issues));
// With `partial` alone: a person stopped it, and the end follows. With the rest: that was its end.
EMEND_EVENT(FixSessionCancelled, "fix_session_cancelled", (Sometimes<Text>, message),
            (Sometimes<Text>, status), (Sometimes<bool>, resumable), (bool, partial));
// The engine stopped or died: a server takes the session up again, or a person resumes it. Older journals say
// it with fix_session_error and the status "interrupted".
EMEND_EVENT(FixSessionInterrupted, "fix_session_interrupted", (Text, message), (bool, resumable),
            (bool, partial));
EMEND_EVENT(FixSessionError, "fix_session_error", (Text, message), (Sometimes<Text>, remedy), (Text, status),
            (bool, resumable), (Sometimes<bool>, partial));
EMEND_RECORD(SessionSummary, (int, resolved), (int, failed), (int, open));
EMEND_EVENT(FixSessionCompleted, "fix_session_completed", (Text, status), (SessionSummary, summary),
            (std::optional<Text>, branch));
EMEND_EVENT(FixNotice, "fix_notice", (Text, text));
// From earlier runs in this repository, if the first attempts pass; `runs_at_most` if they do not.
EMEND_EVENT(FixForecast, "fix_forecast", (int, runs_at_least), (int, runs_at_most), (int, known_runs),
            (std::int64_t, tokens), (std::optional<double>, cost_usd), (std::int64_t, agent_time_ms));
// `change`: changed, made or removed.
EMEND_EVENT(ContainmentViolation, "containment_violation", (Text, who), (Text, path), (Text, change),
            (bool, blamed));
EMEND_EVENT(FixCommitCreated, "fix_commit_created", (Text, sha), (Text, subject), (Texts, issue_codes));

// --- steps and issues

EMEND_EVENT(FixStepStarted, "fix_step_started", (std::size_t, step), (std::size_t, total_steps),
            (Text, reason), (Texts, issue_codes));
// `result`: accepted or failed.
EMEND_RECORD(StepOutcome, (Text, issue_code), (Text, result));
EMEND_EVENT(FixStepCompleted, "fix_step_completed", (std::size_t, step), (std::size_t, total_steps),
            (std::vector<StepOutcome>, results));
EMEND_EVENT(FixIssueStarted, "fix_issue_started", (Text, agent), (int, cycle));
EMEND_EVENT(FixCycleStarted, "fix_cycle_started", (int, cycle), (int, max_cycles));
EMEND_EVENT(FixCycleCompleted, "fix_cycle_completed", (int, cycle), (Text, result), (Text, detail),
            (Texts, changed_files), (int, insertions), (int, deletions), (bool, no_changes));
EMEND_EVENT(FixIssueCompleted, "fix_issue_completed", (Text, status), (Text, reason), (Text, detail),
            (std::optional<int>, score), (std::optional<Text>, evidence), (std::optional<Text>, commit),
            (Sometimes<Texts>, marks));

// --- agents

EMEND_EVENT(FixAgentInvoked, "fix_agent_invoked", (Text, agent), (Text, role), (Text, model), (int, cycle),
            (std::size_t, prompt_bytes));
EMEND_EVENT(AgentRunStarted, "agent_run_started", (Text, run_id), (Text, agent), (Text, role),
            (Texts, issue_codes));
// `usage`: see model/usage.hpp.
EMEND_EVENT(AgentRunCompleted, "agent_run_completed", (Text, run_id), (Text, agent), (Text, role),
            (Text, model), (Text, state), (Json, usage), (std::int64_t, duration_ms), (Texts, issue_codes));
// `channel`: stdout or stderr.
EMEND_EVENT(FixIssueStreaming, "fix_issue_streaming", (Text, channel), (Text, text), (Text, run_id),
            (std::uint64_t, log_offset));

// --- checks

EMEND_EVENT(FixVerificationStarted, "fix_verification_started", (Text, kind), (Texts, commands));
EMEND_RECORD(CheckedCommand, (Text, name), (Text, result), (int, exit_code), (std::int64_t, duration_ms),
             (bool, failed_before));
EMEND_EVENT(FixVerificationResult, "fix_verification_result", (Text, kind), (bool, passed),
            (std::vector<CheckedCommand>, commands));
EMEND_EVENT(FixRescanStarted, "fix_rescan_started", (std::size_t, files), (std::size_t, issues));
EMEND_RECORD(FreshFinding, (Text, analyzer), (Text, rule), (Text, file), (int, line), (Text, severity));
EMEND_RECORD(RescanTool, (Text, name), (Text, version), (Text, state));
EMEND_EVENT(FixRescanResult, "fix_rescan_result", (std::size_t, gone), (std::size_t, remaining),
            (std::vector<FreshFinding>, fresh), (std::vector<RescanTool>, tools),
            (std::int64_t, duration_ms));
EMEND_EVENT(FixReproducerStarted, "fix_reproducer_started", (Text, agent), (int, ask));
EMEND_EVENT(FixReproducerResult, "fix_reproducer_result", (Text, state), (Text, by), (Text, model),
            (Text, reason), (Text, sha256));
EMEND_EVENT(FixReproducerRun, "fix_reproducer_run", (Text, kind), (Text, result), (int, exit_code),
            (std::int64_t, duration_ms));
EMEND_EVENT(FixChallengerEvaluating, "fix_challenger_evaluating", (Text, agent), (int, cycle));
// `issues`: the verdict once more, by the issue's code; only of a valid one.
EMEND_RECORD(JudgedIssue, (std::optional<int>, score), (Text, status), (Text, feedback),
             (Scores, quality_scores), (Texts, improvements_needed));
using JudgedIssues = std::map<std::string, JudgedIssue>;
EMEND_EVENT(FixChallengerResult, "fix_challenger_result", (bool, valid), (std::optional<int>, score),
            (Text, problem), (Text, status), (Text, feedback), (Scores, quality_scores),
            (Texts, improvements_needed), (int, threshold), (bool, independent), (Sometimes<Text>, agent),
            (Sometimes<JudgedIssues>, issues));

// --- what a person decides

EMEND_EVENT(FixIssueAccepted, "fix_issue_accepted", (Text, commit));
EMEND_EVENT(FixIssueRejected, "fix_issue_rejected", (Text, status), (Text, reason), (Text, detail),
            (Text, commit));
EMEND_EVENT(FixIssueDiscarded, "fix_issue_discarded", (Text, status), (Text, reason), (Text, detail),
            (Text, commit));
EMEND_EVENT(FixCommitReverted, "fix_commit_reverted", (Text, branch), (Text, sha), (Text, reverts));
// `by`: rule, file or one. The newest one of a branch counts.
EMEND_EVENT(FixBranchGrouped, "fix_branch_grouped", (Text, branch), (Text, by), (Text, tip),
            (std::size_t, commits));
EMEND_EVENT(FixBranchRemoved, "fix_branch_removed", (Text, branch), (Text, tip));
// The last four only of an issue that is MERGED now.
EMEND_EVENT(IssueUpdated, "issue_updated", (Text, status), (Text, reason), (Text, detail),
            (Sometimes<Text>, proof), (Sometimes<Text>, commit), (Sometimes<Text>, fix_commit),
            (Sometimes<Text>, branch));
EMEND_EVENT(IssueCommented, "issue_commented", (Text, id), (Text, text), (std::optional<Text>, file),
            (std::optional<int>, line), (std::optional<Text>, side), (Text, at));
// `open` false: what was open is not any more. `test`: FILE::TEST, or a whole FILE.
EMEND_EVENT(IssueTestOpened, "issue_test_opened", (Text, test), (bool, open), (Text, reason), (Text, by),
            (Text, at));
EMEND_EVENT(IssueReproducer, "issue_reproducer", (Text, state), (Text, sha256));
EMEND_RECORD(AskedQuestion, (Text, id), (Text, question), (Text, context), (Texts, suggestions),
             (std::optional<Text>, answer));
EMEND_EVENT(ClarifyQuestions, "clarify_questions", (int, round), (std::vector<AskedQuestion>, questions));
EMEND_EVENT(ClarifyAnswered, "clarify_answered", (Text, question_id), (Text, state));
EMEND_EVENT(ClarifyReady, "clarify_ready", (std::size_t, issues));

// --- reviews, and other jobs of the HTTP API

EMEND_EVENT(ReviewStarted, "review_started", (Text, repository_id));
EMEND_EVENT(ReviewAgentStarted, "review_agent_started", (Text, reviewer), (int, files));
EMEND_EVENT(ReviewAgentCompleted, "review_agent_completed", (Text, reviewer), (Text, model), (Text, state),
            (Text, detail), (std::size_t, findings), (Json, usage));
EMEND_EVENT(ReviewCompleted, "review_completed", (std::size_t, issues), (std::size_t, new_),
            (std::size_t, files));
EMEND_EVENT(ReviewError, "review_error", (Text, message), (Text, remedy));
EMEND_EVENT(VerifyStarted, "verify_started", (Text, commit));
EMEND_RECORD(RanCommand, (Text, name), (Text, result), (int, exit_code), (std::int64_t, duration_ms));
EMEND_EVENT(VerifyCompleted, "verify_completed", (Text, commit), (bool, passed),
            (std::vector<RanCommand>, commands));
EMEND_EVENT(VerifyError, "verify_error", (Text, message), (Text, remedy));
EMEND_EVENT(ChallengeStarted, "challenge_started", (Text, base));
// `scores`: as in the job's result.
EMEND_EVENT(ChallengeCompleted, "challenge_completed", (int, threshold), (std::vector<Json>, scores));
EMEND_EVENT(ChallengeError, "challenge_error", (Text, message), (Text, remedy));
EMEND_EVENT(PrReviewStarted, "pr_review_started", (Text, base), (Text, head), (Texts, voters));
EMEND_EVENT(PrVoted, "pr_vote", (Text, voter), (Text, model), (bool, valid), (std::optional<int>, score),
            (Text, problem), (Text, summary), (Text, feedback), (std::size_t, findings));
EMEND_EVENT(PrReviewCompleted, "pr_review_completed", (Text, decision), (bool, approved),
            (std::optional<double>, average), (int, votes), (int, threshold));
EMEND_EVENT(PrReviewError, "pr_review_error", (Text, message), (Text, remedy));

// --- on a forge

EMEND_EVENT(PrReviewPosted, "pr_review_posted", (int, number), (Text, url), (Text, head), (Text, session_id));
EMEND_EVENT(PullRequestProposed, "pull_request_proposed", (Text, session_id), (Text, project), (int, number),
            (Text, url), (Text, branch), (Text, base), (Text, tip));
EMEND_EVENT(TrackerIssueOpened, "tracker_issue_opened", (Text, fingerprint), (Text, code), (Text, session_id),
            (Text, project), (int, number), (Text, url));
// `run`: the check run it is; empty = a commit status. `files`: hash of the files it speaks of. What it rests
// on, so that it can be judged again: `findings` as "BE-001 high", and `number`, the pull request; 0 = none.
EMEND_EVENT(HeadStatusSet, "head_status_set", (Text, project), (Text, sha), (Text, context), (Text, state),
            (Text, summary), (Text, run), (Text, files), (Sometimes<int>, number),
            (Sometimes<Texts>, findings));
EMEND_EVENT(CheckRunsRefused, "check_runs_refused", (Text, project), (Text, why));
EMEND_EVENT(GateOverridden, "gate_overridden", (Text, project), (int, number), (Text, head), (Text, by));
EMEND_EVENT(PrCommandTaken, "pr_command_taken", (Text, project), (int, number), (Text, comment), (Text, by),
            (Text, command), (Text, head));
// `result`: done, refused, failed or interrupted.
EMEND_EVENT(PrCommandEnded, "pr_command_ended", (Text, project), (int, number), (Text, comment),
            (Text, result), (Text, line));
EMEND_EVENT(PrThreadAnswered, "pr_thread_answered", (Text, project), (int, number), (Text, thread),
            (Text, fingerprint), (Text, head), (bool, resolved), (Text, line));
EMEND_EVENT(PrDismissalProposed, "pr_dismissal_proposed", (Text, project), (int, number), (Text, thread),
            (Text, code), (Text, by));
EMEND_EVENT(PrWatched, "pr_watched", (Text, project), (std::int64_t, until_ms));
// `number` 0: a branch without a pull request. `tip`: what was landed; empty = nothing was.
EMEND_EVENT(CiRepairTried, "ci_repair_tried", (Text, project), (int, number), (Text, branch), (Text, head),
            (std::int64_t, at_ms), (Text, session_id), (Text, tip), (Text, line));

// All of them; what is not in this list cannot be published.
using AllEvents = std::tuple<
    FixSessionStarted, FixSessionPlanned, FixSessionQueued, FixPlanChanged, FixSessionApproved,
    FixSessionCancelled, FixSessionInterrupted, FixSessionError, FixSessionCompleted, FixNotice, FixForecast,
    ContainmentViolation, FixCommitCreated, FixStepStarted, FixStepCompleted, FixIssueStarted,
    FixCycleStarted, FixCycleCompleted, FixIssueCompleted, FixAgentInvoked, AgentRunStarted,
    AgentRunCompleted, FixIssueStreaming, FixVerificationStarted, FixVerificationResult, FixRescanStarted,
    FixRescanResult, FixReproducerStarted, FixReproducerResult, FixReproducerRun, FixChallengerEvaluating,
    FixChallengerResult, FixIssueAccepted, FixIssueRejected, FixIssueDiscarded, FixCommitReverted,
    FixBranchGrouped, FixBranchRemoved, IssueUpdated, IssueCommented, IssueReproducer, IssueTestOpened,
    ClarifyQuestions, ClarifyAnswered, ClarifyReady, ReviewStarted, ReviewAgentStarted, ReviewAgentCompleted,
    ReviewCompleted, ReviewError, VerifyStarted, VerifyCompleted, VerifyError, ChallengeStarted,
    ChallengeCompleted, ChallengeError, PrReviewStarted, PrVoted, PrReviewCompleted, PrReviewError,
    PrReviewPosted, PullRequestProposed, TrackerIssueOpened, HeadStatusSet, CheckRunsRefused, GateOverridden,
    PrCommandTaken, PrCommandEnded, PrThreadAnswered, PrDismissalProposed, PrWatched, CiRepairTried>;

template <typename E, typename... All>
constexpr bool is_among(const std::tuple<All...>*) {
  return (std::is_same_v<E, All> || ...);
}

// An event of this session about this issue; either may be empty.
template <typename E>
[[nodiscard]] Event make_event(std::string session_id, std::string_view issue_code, const E& told) {
  static_assert(is_among<E>(static_cast<const AllEvents*>(nullptr)), "add it to AllEvents");
  Event event;
  event.session_id = std::move(session_id);
  event.type = E::type;
  event.issue_code = issue_code;
  event.data = event_fields::json_of(told);
  return event;
}

template <typename E>
[[nodiscard]] bool is(const Event& event) {
  return event.type == E::type;
}

// What the event says; nullopt = it is of another type.
template <typename E>
[[nodiscard]] std::optional<E> event_as(const Event& event) {
  if (!is<E>(event)) return std::nullopt;
  E told;
  (void)event_fields::read_json(event.data, told);
  return told;
}

template <typename Visitor, typename... All>
void visit_among(const Event& event, const Visitor& visitor, const std::tuple<All...>*) {
  const auto offer = [&]<typename E>(const E*) {
    if constexpr (std::is_invocable_v<Visitor, const E&>)
      if (is<E>(event)) visitor(*event_as<E>(event));
  };
  (offer(static_cast<const All*>(nullptr)), ...);
}

// Calls the visitor with what the event says, if it takes that type.
template <typename Visitor>
void visit_event(const Event& event, const Visitor& visitor) {
  visit_among(event, visitor, static_cast<const AllEvents*>(nullptr));
}

} // namespace emend
