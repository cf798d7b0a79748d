#include "engine/challenge.hpp"

#include <fmt/format.h>

#include "base/hash.hpp"
#include "base/strings.hpp"
#include "engine/answers.hpp"
#include "engine/prompt.hpp"
#include "engine/streaming.hpp"

namespace emend {
namespace {

std::string verification_text(const Verification* verification) {
  if (verification == nullptr) return {};
  std::string text;
  for (const CommandRun& run : verification->commands) {
    text += fmt::format("{}: {} (exit {})", run.name, to_string(run.result), run.exit_code);
    if (run.tests.recognised) text += fmt::format(", tests: {} passed, {} failed, {} skipped", run.tests.passed, run.tests.failed, run.tests.skipped);
    text += "\n";
  }
  return text;
}

Result<Prompt> challenge_prompt(RunContext& context, const Issue& issue, const Attempt& attempt, const Verification* verification) {
  TRY_ASSIGN(const AgentTemplate agent_file, agent_template("fix_challenger"));
  ChallengePromptInput input;
  input.template_body = agent_file.body;
  input.issue = issue;
  input.issue.finding.description = context.safe(issue.finding.description);
  input.issue.finding.suggestion = context.safe(issue.finding.suggestion);
  if (auto content = context.ports.repository.read(attempt.base, issue.finding.file); content && !issue.finding.file.empty())
    input.excerpt = context.safe(excerpt(*content, issue.finding.line, issue.finding.line_end, context.policy().context_lines));
  input.diff = context.safe(unified_diff(attempt.patch));
  input.verification = verification_text(verification);
  input.threshold = context.policy().satisfaction_threshold;
  input.max_bytes = static_cast<std::size_t>(context.policy().prompt_max_bytes);
  return build_challenge_prompt(input);
}

Verdict begin_verdict(const RunContext& context, const Agent& challenger, const Issue& issue, const Attempt& attempt) {
  Verdict verdict;
  verdict.id = new_uuid();
  verdict.session_id = context.session.id;
  verdict.issue_id = issue.id;
  verdict.attempt_id = attempt.id;
  verdict.patch_sha256 = attempt.patch.sha256();
  verdict.agent = challenger.binding().name;
  verdict.model = challenger.binding().model;
  verdict.family = challenger.binding().family;
  verdict.independent = !verdict.family.empty() && !attempt.family.empty() ? verdict.family != attempt.family
                                                                            : verdict.agent != attempt.agent;
  verdict.started_ms = context.ports.clock.wall_ms();
  return verdict;
}

// Why what the challenger did cannot count, whatever it answered; empty = it can.
Result<std::string> void_reason(const ProcessResult& process, Workspace& workspace, const Attempt& attempt) {
  if (process.ending == Ending::not_started) return "the challenger could not be started: " + process.problem;
  if (process.ending != Ending::exited) return "the challenger ended by " + std::string(to_string(process.ending));
  if (process.exit_code != 0) return fmt::format("the challenger exited with {}", process.exit_code);
  TRY_ASSIGN(const Snapshot snapshot, workspace.snapshot());
  if (snapshot.patch.sha256() != attempt.patch.sha256() || !snapshot.violations.empty()) return std::string("the challenger changed files");
  return std::string{};
}

Result<Verdict> ask_once(RunContext& context, Agent& challenger, const Issue& issue, const Attempt& attempt, const Prompt& prompt, int ask,
                         bool& cancelled, std::stop_token stop) {
  Verdict verdict = begin_verdict(context, challenger, issue, attempt);
  const std::int64_t start = context.ports.clock.steady_ms();
  TRY_ASSIGN(const std::unique_ptr<Workspace> workspace, context.ports.repository.make_workspace(attempt.base, attempt.patch));
  AgentRequest request;
  request.role = "fix_challenger";
  request.issue_codes = {issue.code};
  request.cycle = attempt.cycle;
  request.prompt = prompt.text;
  request.workspace = workspace.get();
  request.timeout_ms = challenger.binding().timeout_ms > 0 ? challenger.binding().timeout_ms : context.policy().challenge_timeout_ms;
  AgentStream stream(context, issue.code);
  request.on_output = stream.sink();
  ChildRecord child;
  request.on_start = context.child_recorder(child);
  const std::string stem = fmt::format("{}-{}-fix_challenger-{}", issue.code, attempt.cycle, ask);
  context.keep_artifact(stem + ".prompt.md", prompt.text);

  auto run = challenger.run(request, stop);
  context.forget_child(child);
  stream.flush();
  if (!run) {
    if (run.error().code != ErrorCode::agent) return fail(std::move(run).error());
    verdict.problem = run.error().message;
  } else {
    cancelled = run->process.ending == Ending::cancelled;
    if (!run->model.empty()) verdict.model = run->model;
    context.keep_artifact(stem + ".out.txt", context.safe(run->process.out));
    parse_verdict(run->answer, issue, context.policy().satisfaction_threshold, verdict);
    TRY_ASSIGN(const std::string reason, void_reason(run->process, *workspace, attempt));
    if (!reason.empty()) {
      verdict.valid = false;
      verdict.score.reset();
      verdict.problem = reason;
    }
  }
  verdict.feedback = context.redactor.redact(verdict.feedback);
  for (std::string& item : verdict.improvements_needed) item = context.redactor.redact(item);
  verdict.duration_ms = context.ports.clock.steady_ms() - start;
  return verdict;
}

} // namespace

Status store_verdict(RunContext& context, const Issue& issue, const Verdict& verdict) {
  Change change;
  change.verdicts.push_back(verdict);
  change.events.push_back(context.event(
      "fix_challenger_result", issue.code,
      {{"valid", verdict.valid}, {"score", verdict.score ? Json(*verdict.score) : Json()}, {"problem", verdict.problem},
       {"status", verdict.status_word}, {"feedback", verdict.feedback}, {"quality_scores", verdict.quality_scores},
       {"improvements_needed", verdict.improvements_needed}, {"threshold", context.policy().satisfaction_threshold},
       {"independent", verdict.independent}}));
  return context.log.apply(std::move(change));
}

Result<std::optional<Verdict>> challenge(RunContext& context, Agent& challenger, const Issue& issue, const Attempt& attempt,
                                         const Verification* verification, std::stop_token stop) {
  TRY_ASSIGN(const Prompt prompt, challenge_prompt(context, issue, attempt, verification));
  std::optional<Verdict> last;
  for (int ask = 0; ask <= context.policy().challenge_retries; ++ask) {
    TRY(context.publish("fix_challenger_evaluating", issue.code, {{"agent", challenger.binding().name}, {"cycle", attempt.cycle}}));
    bool cancelled = false;
    TRY_ASSIGN(Verdict verdict, ask_once(context, challenger, issue, attempt, prompt, ask + 1, cancelled, stop));
    if (cancelled) return std::optional<Verdict>{};
    TRY(store_verdict(context, issue, verdict));
    last = std::move(verdict);
    if (last->valid) break;
  }
  return last;
}

} // namespace emend
