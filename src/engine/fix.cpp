#include "engine/fix.hpp"

#include <fmt/format.h>

#include <mutex>

#include "base/crash_point.hpp"
#include "base/hash.hpp"
#include "base/strings.hpp"
#include "engine/answers.hpp"
#include "engine/clauses.hpp"
#include "engine/streaming.hpp"

namespace emend {
namespace {

std::string describe_ending(const ProcessResult& process) {
  switch (process.ending) {
    case Ending::exited: return fmt::format("exit {}", process.exit_code);
    case Ending::signalled: return fmt::format("signal {}", process.signal);
    case Ending::not_started: return "not started: " + process.problem;
    default: return std::string(to_string(process.ending));
  }
}

void read_claim(std::string_view answer, const Issue& issue, Attempt& attempt) {
  auto parsed = parse_fixer_answer(answer, {issue});
  if (!parsed) {
    attempt.notes.push_back("no usable answer: " + parsed.error().message);
    return;
  }
  const auto& claimed = parsed->by_code[issue.code];
  attempt.claim = claimed.claim;
  attempt.explanation = claimed.explanation;
  for (const std::string& id : parsed->unknown_ids) attempt.notes.push_back("answered for an issue it was not given: " + id);
  for (const std::string& problem : parsed->problems) attempt.notes.push_back(problem);
}

// New files the base's own rules ignore are build output, not a fix.
Status drop_ignored(RunContext& context, const Issue& issue, Attempt& attempt, std::vector<std::string>& left_out) {
  auto& changes = attempt.patch.changes;
  for (auto it = changes.begin(); it != changes.end();) {
    bool ignored = false;
    if (it->added() && it->path != issue.finding.file) {
      TRY_ASSIGN(ignored, context.ports.repository.is_ignored(attempt.base, it->path));
    }
    if (ignored) left_out.push_back(it->path);
    it = ignored ? changes.erase(it) : it + 1;
  }
  return {};
}

Status read_patch(RunContext& context, const Scope& scope, const Issue& issue, Workspace& workspace, Attempt& attempt) {
  TRY_ASSIGN(Snapshot snapshot, workspace.snapshot());
  std::vector<std::string> left_out;
  attempt.patch = scope.without_debris(issue, std::move(snapshot.patch), left_out);
  TRY(drop_ignored(context, issue, attempt, left_out));
  for (const std::string& path : left_out) attempt.notes.push_back("left out (new file not on the allow-list): " + clean_text(path));
  for (const std::string& violation : snapshot.violations) attempt.notes.push_back(std::string(kViolationNote) + clean_text(violation));
  for (const std::string& note : snapshot.notes) attempt.notes.push_back(clean_text(note));
  return {};
}

} // namespace

Attempt begin_attempt(const RunContext& context, const AgentBinding& fixer, const FixOrder& order) {
  Attempt attempt;
  attempt.id = new_uuid();
  attempt.session_id = context.session.id;
  attempt.unit_id = order.unit.id;
  attempt.issue_id = order.issue.id;
  attempt.cycle = order.unit.cycles + 1;
  attempt.agent = fixer.name;
  attempt.model = fixer.model;
  attempt.family = fixer.family;
  attempt.base = order.unit.base;
  attempt.started_ms = context.ports.clock.wall_ms();
  return attempt;
}

Result<Attempt> run_fixer(RunContext& context, Agent& agent, const Scope& scope, const FixOrder& order, std::stop_token stop) {
  Attempt attempt = begin_attempt(context, agent.binding(), order);
  const std::int64_t start = context.ports.clock.steady_ms();
  Change begin;
  begin.attempts.push_back(attempt);
  begin.events.push_back(context.event("fix_agent_invoked", order.issue.code,
                                       {{"agent", attempt.agent}, {"role", order.role}, {"model", attempt.model},
                                        {"cycle", attempt.cycle}, {"prompt_bytes", order.prompt.size()}}));
  TRY(context.log.apply(std::move(begin)));
  crash_point("fix.before_agent");

  TRY_ASSIGN(const std::unique_ptr<Workspace> workspace, context.ports.repository.make_workspace(order.unit.base, order.start));
  const std::string stem = fmt::format("{}-{}-{}", order.issue.code, attempt.cycle, order.role);
  context.keep_artifact(stem + ".prompt.md", order.prompt);
  AgentRequest request;
  request.role = order.role;
  request.issue_codes = {order.issue.code};
  request.cycle = attempt.cycle;
  request.prompt = order.prompt;
  request.workspace = workspace.get();
  request.timeout_ms = agent.binding().timeout_ms > 0 ? agent.binding().timeout_ms : context.policy().fix_timeout_ms;
  AgentStream stream(context, order.issue.code);
  request.on_output = stream.sink();
  ChildRecord child;
  request.on_start = context.child_recorder(child);

  auto run = agent.run(request, stop);
  context.forget_child(child);
  stream.flush();
  if (!run) {
    if (run.error().code != ErrorCode::agent) return fail(std::move(run).error());
    attempt.ending = "not started: " + run.error().message;
  } else {
    attempt.ending = describe_ending(run->process);
    attempt.exit_code = run->process.exit_code;
    if (!run->model.empty()) attempt.model = run->model;
    if (run->process.killed_descendants > 0)
      attempt.notes.push_back(fmt::format("{} processes outlived the agent and were ended", run->process.killed_descendants));
    context.keep_artifact(stem + ".out.txt", context.safe(run->process.out));
    if (!run->process.err.empty()) context.keep_artifact(stem + ".err.txt", context.safe(run->process.err));
    read_claim(run->answer, order.issue, attempt);
    attempt.explanation = context.redactor.redact(attempt.explanation);
    TRY(read_patch(context, scope, order.issue, *workspace, attempt));
  }
  crash_point("fix.after_agent");
  attempt.duration_ms = context.ports.clock.steady_ms() - start;
  return attempt;
}

} // namespace emend
