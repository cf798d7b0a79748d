#include "engine/agents/agent_run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/log.hpp"
#include "base/measures.hpp"
#include "base/strings.hpp"
#include "engine/agents/streaming.hpp"
#include "engine/context/containment_watch.hpp"
#include "engine/context/sandbox_mode.hpp"
#include "model/coding_clis.hpp"
#include "model/events.hpp"

namespace emend {

namespace {

// A directory for the conversation of one run, relative to the state directory.
std::string conversation_place(const RunContext& context) {
  return (fs::path("sessions") / context.session.id / "conversations" / new_uuid()).string();
}

Conversation conversation_of(const RunContext& context, const AgentRunRecord& run, bool shared) {
  return {run.agent, run.conversation_id, (fs::path(context.home) / run.conversation_dir).string(),
          run.conversation_usage, shared};
}

bool speaks_of(const AgentRunRecord& run, const std::vector<std::string>& issue_ids) {
  return !run.conversation_id.empty() && !run.conversation_dir.empty() && run.state.ok() &&
         std::all_of(issue_ids.begin(), issue_ids.end(), [&](const std::string& id) {
           return std::find(run.issue_ids.begin(), run.issue_ids.end(), id) != run.issue_ids.end();
         });
}

AgentRunStart start_of(const RunContext& context, const AgentBinding& agent, const std::string& role,
                       const std::vector<std::string>& issue_ids, const std::string& stem) {
  AgentRunStart start;
  start.id = new_uuid();
  start.repository_id = context.session.repository_id;
  start.session_id = context.session.id;
  start.role = role;
  start.agent = agent.name;
  start.issue_ids = issue_ids;
  start.started_ms = context.ports.clock.wall_ms();
  name_run_files(context, stem, start);
  return start;
}

Status store_start(RunContext& context, const AgentRunStart& start,
                   const std::vector<std::string>& issue_codes) {
  Change change;
  change.agent_run_starts.push_back(start);
  change.events.push_back(context.event(issue_codes.empty() ? "" : issue_codes.front(),
                                        AgentRunStarted{start.id, start.agent, start.role, issue_codes}));
  return context.log.apply(std::move(change));
}

AgentRunRecord record_of(const RunContext& context, const AgentBinding& agent, const std::string& role,
                         const std::vector<std::string>& issue_ids, const AgentRun& run) {
  AgentRunRecord record;
  record.repository_id = context.session.repository_id;
  record.session_id = context.session.id;
  record.role = role;
  record.agent = agent.name;
  record.model = run.model.empty() ? agent.model : run.model;
  record.family = family_of_run(agent, run);
  record.issue_ids = issue_ids;
  record.state = run.state;
  record.state.text = first_line(context.safe(run.state.text), 300);
  record.usage = run.usage;
  record.conversation_usage = run.conversation_usage;
  record.conversation_id = run.conversation_id;
  return record;
}

// Stored with the event that tells of it.
Status store_run(RunContext& context, const AgentRunRecord& record,
                 const std::vector<std::string>& issue_codes) {
  Change change;
  change.agent_runs.push_back(record);
  change.events.push_back(context.event(
      issue_codes.empty() ? "" : issue_codes.front(),
      AgentRunCompleted{record.id, record.agent, record.role, record.model, to_string(record.state.status),
                        to_json(record.usage), record.duration_ms, issue_codes}));
  return context.log.apply(std::move(change));
}

void keep_to(const Allowance& rest, AgentRequest& request) {
  const auto lower = [](auto& limit, auto to) {
    if (to > 0) limit = limit > 0 ? std::min(limit, to) : to;
  };
  lower(request.max_cost_usd, rest.cost_usd);
  lower(request.timeout_ms, rest.time_ms);
}

} // namespace

Result<std::vector<Conversation>> conversations_about(RunContext& context,
                                                      const std::vector<std::string>& issue_ids) {
  constexpr std::size_t kLookBack = 500;
  std::vector<Conversation> found;
  const auto add = [&](const AgentRunRecord& run, bool shared) {
    std::error_code problem;
    if (!fs::exists(fs::path(context.home) / run.conversation_dir, problem)) return; // removed with age
    const auto same = [&](const Conversation& one) { return one.agent == run.agent; };
    if (std::none_of(found.begin(), found.end(), same))
      found.push_back(conversation_of(context, run, shared));
  };
  RunSearch search;
  search.session_id = context.session.id;
  search.roles = {"fixer", "re_fixer"};
  search.issue_id = issue_ids.empty() ? "" : issue_ids.front();
  TRY_ASSIGN(const std::vector<AgentRunRecord> own, context.ports.store.agent_runs(search));
  for (const AgentRunRecord& run : own)
    if (speaks_of(run, issue_ids)) add(run, run.issue_ids.size() > issue_ids.size());
  search.session_id.clear();
  search.repository_id = context.session.repository_id;
  search.roles = {"fix_clarifier", "fix_planner"};
  search.latest = kLookBack;
  TRY_ASSIGN(const std::vector<AgentRunRecord> before, context.ports.store.agent_runs(search));
  for (const AgentRunRecord& run : before)
    if (speaks_of(run, issue_ids)) add(run, true);
  return found;
}

std::string family_of_run(const AgentBinding& agent, const AgentRun& run) {
  const std::string seen = run.model_reported ? family_of("", run.model) : "";
  return seen.empty() ? agent.family : seen;
}

std::string describe_ending(const AgentRun& run) {
  const ProcessResult& process = run.process;
  const std::string how = process.ending == Ending::exited        ? fmt::format("exit {}", process.exit_code)
                          : process.ending == Ending::signalled   ? fmt::format("signal {}", process.signal)
                          : process.ending == Ending::not_started ? "not started: " + process.problem
                                                                  : std::string(to_string(process.ending));
  if (run.state.ok()) return process.ok() ? how : "answered, then " + how;
  const bool told_already =
      run.state.status == AgentStatus::failed || run.state.status == AgentStatus::interrupted;
  return told_already ? how : fmt::format("{} ({})", how, to_string(run.state.status));
}

Result<RecordedRun> run_recorded(RunContext& context, Agent& agent, AgentRequest request,
                                 const std::vector<std::string>& issue_ids, const std::string& stem,
                                 bool keep_conversation, std::stop_token stop) {
  TRY_ASSIGN(const Allowance rest, context.ports.allowance ? context.ports.allowance() : Allowance());
  if (!rest.used_up.empty()) return RecordedRun{{}, {}, rest.used_up};
  keep_to(rest, request);
  TRY(check_sandbox(context.policy(), context.policy().sandbox.kind));
  if (const Status made = request.workspace->make_repository(); !made) // the work itself does not need it
    log(LogLevel::warn, "no git for an agent: " + made.error().message);
  SeenWorkspace seen(context, *request.workspace);
  request.workspace = &seen;
  std::string place;
  if (keep_conversation) {
    place = conversation_place(context);
    request.conversation_dir = (fs::path(context.home) / place).string();
  }
  const AgentRunStart begun = start_of(context, agent.binding(), request.role, issue_ids, stem);
  const std::string name = fs::path(begun.log_file).stem().string();
  AgentStream stream(context, request.issue_codes.empty() ? "" : request.issue_codes.front(), begun);
  request.on_output = stream.sink();
  ChildRecord child;
  request.on_start = context.child_recorder(child);
  context.keep_artifact(name + ".prompt.md", context.safe(request.prompt));
  TRY(store_start(context, begun, request.issue_codes));
  const std::int64_t start = context.ports.clock.steady_ms();
  ContainmentWatch watch(context, fmt::format("agent {} ({})", agent.binding().name, request.role));
  auto run = agent.run(request, std::move(stop));
  stream.finish();
  TRY(watch.finish(request.issue_codes));
  context.forget_child(child);
  RecordedRun done;
  if (run) {
    done.run = *std::move(run);
    context.keep_artifact(name + ".out.txt", context.safe(done.run.process.out));
    if (!done.run.process.err.empty())
      context.keep_artifact(name + ".err.txt", context.safe(done.run.process.err));
  } else {
    if (run.error().code != ErrorCode::agent) return fail(std::move(run).error());
    done.run.process.ending = Ending::not_started;
    done.run.process.problem = run.error().message;
    done.run.state = {AgentStatus::failed, run.error().message};
  }
  done.record = record_of(context, agent.binding(), request.role, issue_ids, done.run);
  done.record.id = begun.id;
  done.record.started_ms = begun.started_ms;
  done.record.duration_ms = context.ports.clock.steady_ms() - start;
  observe(Measure::agent_run_seconds,
          {{"role", done.record.role}, {"outcome", std::string(to_string(done.run.state.status))}},
          static_cast<double>(done.record.duration_ms) / 1'000);
  if (!done.record.conversation_id.empty()) done.record.conversation_dir = place;
  TRY(store_run(context, done.record, request.issue_codes));
  return done;
}

} // namespace emend
