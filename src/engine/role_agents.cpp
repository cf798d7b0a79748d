#include "engine/role_agents.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/strings.hpp"
#include "engine/agent_file.hpp"
#include "engine/streaming.hpp"
#include "model/agent_family.hpp"

namespace emend {

namespace {

constexpr std::int64_t kShortWaitMs = 30'000; // shorter than what another agent would need to get into the matter
constexpr int kMostTries = 4;                 // of an agent that does not say when it can work again

std::int64_t told_wait_ms(const Hindrance& hindrance) {
  const AgentState& state = hindrance.state;
  if (state.resets_at_ms) return std::max<std::int64_t>(0, *state.resets_at_ms - hindrance.now_ms) + 1'000;
  if (state.retry_after_ms) return std::max<std::int64_t>(0, *state.retry_after_ms);
  return -1;
}

Conversation conversation_of(const RunContext& context, const AgentRunRecord& run, bool shared) {
  return {run.agent, run.conversation_id, (fs::path(context.home) / run.conversation_dir).string(), run.conversation_usage, shared};
}

bool speaks_of(const AgentRunRecord& run, const std::vector<std::string>& issue_ids) {
  return !run.conversation_id.empty() && !run.conversation_dir.empty() && run.state.ok() &&
         std::all_of(issue_ids.begin(), issue_ids.end(), [&](const std::string& id) {
           return std::find(run.issue_ids.begin(), run.issue_ids.end(), id) != run.issue_ids.end();
         });
}

} // namespace

std::string conversation_place(const RunContext& context) {
  return (fs::path("sessions") / context.session.id / "conversations" / new_uuid()).string();
}

NextMove next_move(const Policy& policy, const Hindrance& hindrance) {
  if (!hindrance.state.passing()) return {};
  std::int64_t wait = told_wait_ms(hindrance);
  if (wait < 0) {
    if (hindrance.tries >= kMostTries || hindrance.state.status == AgentStatus::quota) return {};
    wait = policy.retry_wait_ms << (hindrance.tries - 1);
  }
  if (hindrance.tries >= 100 || hindrance.waited_ms + wait > policy.max_wait_ms) return {};
  if (hindrance.another && wait > kShortWaitMs) return {};
  return {NextMove::Kind::wait, wait};
}

Result<std::vector<Conversation>> conversations_about(RunContext& context, const std::vector<std::string>& issue_ids) {
  constexpr std::size_t kLookBack = 500;
  std::vector<Conversation> found;
  const auto add = [&](const AgentRunRecord& run, bool shared) {
    const auto same = [&](const Conversation& one) { return one.agent == run.agent; };
    if (std::none_of(found.begin(), found.end(), same)) found.push_back(conversation_of(context, run, shared));
  };
  TRY_ASSIGN(const std::vector<AgentRunRecord> own, context.ports.store.agent_runs(context.session.id));
  for (auto run = own.rbegin(); run != own.rend(); ++run)
    if ((run->role == "fixer" || run->role == "re_fixer") && speaks_of(*run, issue_ids)) add(*run, run->issue_ids.size() > issue_ids.size());
  TRY_ASSIGN(const std::vector<AgentRunRecord> latest, context.ports.store.latest_agent_runs(context.session.repository_id, kLookBack));
  for (const AgentRunRecord& run : latest)
    if ((run.role == "fix_clarifier" || run.role == "fix_planner") && speaks_of(run, issue_ids)) add(run, true);
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
  const bool told_already = run.state.status == AgentStatus::failed || run.state.status == AgentStatus::interrupted;
  return told_already ? how : fmt::format("{} ({})", how, to_string(run.state.status));
}

AgentRunRecord record_of(const RunContext& context, const AgentBinding& agent, const std::string& role,
                         const std::vector<std::string>& issue_ids, const AgentRun& run, std::int64_t started_ms, std::int64_t duration_ms) {
  AgentRunRecord record;
  record.id = new_uuid();
  record.repository_id = context.session.repository_id;
  record.session_id = context.session.id;
  record.role = role;
  record.agent = agent.name;
  record.model = run.model.empty() ? agent.model : run.model;
  record.family = family_of_run(agent, run);
  record.issue_ids = issue_ids;
  record.state = run.state;
  record.state.text = context.safe(first_line(run.state.text, 300));
  record.usage = run.usage;
  record.conversation_usage = run.conversation_usage;
  record.conversation_id = run.conversation_id;
  record.started_ms = started_ms;
  record.duration_ms = duration_ms;
  return record;
}

RoleAgents::RoleAgents(RunContext& context, Meter& meter, std::vector<std::unique_ptr<Agent>> agents)
    : context_(context), meter_(meter), agents_(std::move(agents)), standings_(agents_.size()) {}

std::optional<std::size_t> RoleAgents::first_usable() const {
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < standings_.size(); ++i)
    if (!standings_[i].gone) return i;
  return std::nullopt;
}

void RoleAgents::give_up(std::size_t index, const AgentState& state) {
  const AgentBinding& agent = agents_[index]->binding();
  {
    const std::lock_guard lock(mutex_);
    if (standings_[index].gone) return;
    standings_[index] = {true, state};
  }
  const std::optional<std::size_t> next = first_usable();
  const std::string why = fmt::format("agent {} cannot work now ({}){}", agent.name, to_string(state.status),
                                      state.text.empty() ? "" : ": " + context_.safe(first_line(state.text, 200)));
  if (next)
    context_.notice(why + "; " + agents_[*next]->binding().name + " takes over");
  else
    context_.stop_queue({std::string(to_string(state.status)), why});
}

bool RoleAgents::wait(std::int64_t ms, const AgentBinding& agent, const AgentState& state, std::stop_token stop) {
  context_.notice(fmt::format("agent {} is {}: waiting {}", agent.name, to_string(state.status), format_duration_ms(ms)));
  std::mutex mutex;
  std::condition_variable_any wake;
  std::unique_lock lock(mutex);
  wake.wait_for(lock, stop, std::chrono::milliseconds(ms), [] { return false; });
  return !stop.stop_requested();
}

Result<RoleRun> RoleAgents::try_once(std::size_t index, const RoleRequest& order, const Conversation* conversation, std::stop_token stop) {
  Agent& agent = *agents_[index];
  RoleRun result;
  result.agent = agent.binding();
  TRY_ASSIGN(result.workspace, order.workspace());
  AgentRequest request = order.request;
  request.workspace = result.workspace.get();
  TRY(use_agent_file(context_.policy(), agent.binding(), request));
  request.timeout_ms = agent.binding().timeout_ms > 0 ? agent.binding().timeout_ms : order.timeout_ms;
  if (const std::int64_t left = meter_.time_left_ms(order.issue_ids); left > 0) request.timeout_ms = std::min(request.timeout_ms, left);
  request.max_cost_usd = meter_.cost_left(order.issue_ids);
  std::string place;
  if (order.conversations) {
    place = conversation_place(context_);
    request.conversation_dir = (fs::path(context_.home) / place).string();
  }
  if (conversation != nullptr) {
    (conversation->shared ? request.fork : request.resume) = conversation->id;
    request.conversation_from = conversation->directory;
    request.resumed_usage = conversation->shared ? Usage{} : conversation->usage;
  }
  if (order.prepare) TRY(order.prepare(*result.workspace, request));
  AgentStream stream(context_, request.issue_codes.empty() ? "" : request.issue_codes.front());
  request.on_output = stream.sink();
  ChildRecord child;
  request.on_start = context_.child_recorder(child);
  context_.keep_artifact(order.stem + ".prompt.md", request.prompt);
  const std::int64_t started = context_.ports.clock.wall_ms(), start = context_.ports.clock.steady_ms();
  auto run = agent.run(request, stop);
  context_.forget_child(child);
  stream.flush();
  if (!run) {
    if (run.error().code != ErrorCode::agent) return fail(std::move(run).error());
    result.run.process.ending = Ending::not_started;
    result.run.process.problem = run.error().message;
    result.run.state = {AgentStatus::failed, run.error().message};
  } else {
    result.run = *std::move(run);
    context_.keep_artifact(order.stem + ".out.txt", context_.safe(result.run.process.out));
    if (!result.run.process.err.empty()) context_.keep_artifact(order.stem + ".err.txt", context_.safe(result.run.process.err));
  }
  if (result.run.process.ending == Ending::cancelled) result.end = RoleRun::End::cancelled;
  result.family = family_of_run(agent.binding(), result.run);
  AgentRunRecord record = record_of(context_, agent.binding(), request.role, order.issue_ids, result.run, started,
                                    context_.ports.clock.steady_ms() - start);
  if (!record.conversation_id.empty()) record.conversation_dir = place;
  meter_.add(record);
  Change change;
  change.events.push_back(context_.event("fix_agent_completed", request.issue_codes.empty() ? "" : request.issue_codes.front(),
                                         {{"agent", record.agent}, {"role", record.role}, {"model", record.model}, {"state", to_string(record.state.status)},
                                          {"usage", to_json(record.usage)}, {"duration_ms", record.duration_ms},
                                          {"issue_codes", request.issue_codes}}));
  change.agent_runs.push_back(std::move(record));
  TRY(context_.log.apply(std::move(change)));
  return result;
}

Result<RoleRun> RoleAgents::run(const RoleRequest& order, std::stop_token stop) {
  std::vector<Conversation> conversations;
  if (order.conversations) {
    TRY_ASSIGN(conversations, conversations_about(context_, order.issue_ids));
  }
  std::vector<std::string> notes;
  std::int64_t waited_ms = 0;
  std::size_t last = agents_.size();
  int tries = 0;
  for (;;) {
    if (const auto over = meter_.session_over()) context_.stop_queue({"budget", *over});
    const std::optional<std::size_t> index = first_usable();
    RoleRun stopped;
    stopped.end = stop.stop_requested() ? RoleRun::End::cancelled : RoleRun::End::stopped;
    if (!index || context_.queue_stop() || stop.stop_requested()) return stopped;
    const std::string& name = agents_[*index]->binding().name;
    tries = *index == last ? tries + 1 : 1;
    last = *index;
    const auto known = std::find_if(conversations.begin(), conversations.end(), [&](const Conversation& one) { return one.agent == name; });
    TRY_ASSIGN(RoleRun result, try_once(*index, order, known == conversations.end() ? nullptr : &*known, stop));
    const AgentState& state = result.run.state;
    if (result.end == RoleRun::End::cancelled || !state.unavailable()) {
      result.notes.insert(result.notes.begin(), notes.begin(), notes.end());
      result.notes.insert(result.notes.end(), result.run.notes.begin(), result.run.notes.end());
      return result;
    }
    if (state.status == AgentStatus::conversation_lost && known != conversations.end()) {
      notes.push_back(fmt::format("the conversation with {} could not be gone on with; started afresh with the history in the prompt", name));
      context_.notice(notes.back());
      conversations.erase(known);
      --tries;
      continue;
    }
    const Hindrance hindrance{state, tries, waited_ms, context_.ports.clock.wall_ms(), agents_.size() > 1 && *index + 1 < agents_.size()};
    const NextMove move = next_move(context_.policy(), hindrance);
    if (move.kind == NextMove::Kind::next_agent) {
      give_up(*index, state);
      notes.push_back(fmt::format("{} could not work ({})", name, to_string(state.status)));
      continue;
    }
    notes.push_back(fmt::format("{} was {}: waited {}", name, to_string(state.status), format_duration_ms(move.wait_ms)));
    waited_ms += move.wait_ms;
    if (!wait(move.wait_ms, agents_[*index]->binding(), state, stop)) {
      result.end = RoleRun::End::cancelled;
      return result;
    }
  }
}

} // namespace emend
