#include "engine/agents/role_agents.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>

#include "base/strings.hpp"
#include "engine/agents/agent_file.hpp"

namespace emend {

namespace {

std::int64_t told_wait_ms(const Hindrance& hindrance) {
  const AgentState& state = hindrance.state;
  if (state.resets_at_ms) return std::max<std::int64_t>(0, *state.resets_at_ms - hindrance.now_ms) + 1'000;
  if (state.retry_after_ms) return std::max<std::int64_t>(0, *state.retry_after_ms);
  return -1;
}

} // namespace

NextMove next_move(const Policy& policy, const Hindrance& hindrance) {
  if (!hindrance.state.passing()) return {};
  std::int64_t wait = told_wait_ms(hindrance);
  if (wait < 0) {
    if (hindrance.tries >= policy.wait_tries || hindrance.state.status == AgentStatus::quota) return {};
    wait = policy.retry_wait_ms << (hindrance.tries - 1);
  }
  if (hindrance.tries >= 100 || hindrance.waited_ms + wait > policy.max_wait_ms) return {};
  if (hindrance.another && wait > policy.short_wait_ms) return {};
  return {NextMove::Kind::wait, wait};
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
  const std::string why =
      fmt::format("agent {} cannot work now ({}){}", agent.name, to_string(state.status),
                  state.text.empty() ? "" : ": " + first_line(context_.safe(state.text), 200));
  if (next)
    context_.notice(why + "; " + agents_[*next]->binding().name + " takes over");
  else
    context_.stop_queue({std::string(to_string(state.status)), why});
}

bool RoleAgents::wait(std::int64_t ms, const AgentBinding& agent, const AgentState& state,
                      std::stop_token stop) {
  context_.notice(
      fmt::format("agent {} is {}: waiting {}", agent.name, to_string(state.status), format_duration_ms(ms)));
  std::mutex mutex;
  std::condition_variable_any wake;
  std::unique_lock lock(mutex);
  wake.wait_for(lock, stop, std::chrono::milliseconds(ms), [] { return false; });
  return !stop.stop_requested();
}

// What the agent is asked, in a workspace of its own.
Result<AgentRequest> RoleAgents::request_to(const Agent& agent, const RoleRequest& order,
                                            Workspace& workspace, const Conversation* conversation) {
  AgentRequest request = order.request;
  request.workspace = &workspace;
  TRY(use_agent_file(context_.policy(), agent.binding(), request));
  request.timeout_ms = agent.binding().timeout_ms > 0 ? agent.binding().timeout_ms : order.timeout_ms;
  if (const std::int64_t left = meter_.time_left_ms(order.issue_ids); left > 0)
    request.timeout_ms = std::min(request.timeout_ms, left);
  request.max_cost_usd = meter_.cost_left(order.issue_ids);
  if (conversation != nullptr) {
    (conversation->shared ? request.fork : request.resume) = conversation->id;
    request.conversation_from = conversation->directory;
    request.resumed_usage = conversation->shared ? Usage{} : conversation->usage;
  }
  if (order.prepare) TRY(order.prepare(workspace, request));
  return request;
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
    Agent& agent = *agents_[*index];
    const std::string& name = agent.binding().name;
    tries = *index == last ? tries + 1 : 1;
    last = *index;
    const auto known = std::find_if(conversations.begin(), conversations.end(),
                                    [&](const Conversation& one) { return one.agent == name; });
    RoleRun result;
    result.agent = agent.binding();
    TRY_ASSIGN(result.workspace, order.workspace());
    TRY_ASSIGN(AgentRequest request,
               request_to(agent, order, *result.workspace, known == conversations.end() ? nullptr : &*known));
    TRY_ASSIGN(RecordedRun done, run_recorded(context_, agent, std::move(request), order.issue_ids,
                                              order.stem, order.conversations, stop));
    if (!done.refused.empty()) {
      context_.stop_queue({"budget", done.refused});
      continue;
    }
    meter_.add(done.record);
    if (const auto soon = meter_.take_warning()) context_.notice(*soon);
    result.run = std::move(done.run);
    result.family = done.record.family;
    if (result.run.process.ending == Ending::cancelled) result.end = RoleRun::End::cancelled;
    const AgentState& state = result.run.state;
    if (result.end == RoleRun::End::cancelled || !state.unavailable()) {
      result.notes.insert(result.notes.begin(), notes.begin(), notes.end());
      result.notes.insert(result.notes.end(), result.run.notes.begin(), result.run.notes.end());
      return result;
    }
    if (state.status == AgentStatus::conversation_lost && known != conversations.end()) {
      notes.push_back(fmt::format(
          "the conversation with {} could not be continued; started a new one with the history in the prompt",
          name));
      context_.notice(notes.back());
      conversations.erase(known);
      --tries;
      continue;
    }
    const Hindrance hindrance{state, tries, waited_ms, context_.ports.clock.wall_ms(),
                              agents_.size() > 1 && *index + 1 < agents_.size()};
    const NextMove move = next_move(context_.policy(), hindrance);
    if (move.kind == NextMove::Kind::next_agent) {
      give_up(*index, state);
      notes.push_back(fmt::format("{} could not work ({})", name, to_string(state.status)));
      continue;
    }
    notes.push_back(
        fmt::format("{} was {}: waited {}", name, to_string(state.status), format_duration_ms(move.wait_ms)));
    waited_ms += move.wait_ms;
    if (!wait(move.wait_ms, agents_[*index]->binding(), state, stop)) {
      result.end = RoleRun::End::cancelled;
      return result;
    }
  }
}

Result<std::unique_ptr<RoleAgents>> make_role_agents(RunContext& context, Meter& meter,
                                                     const AgentBinding& first,
                                                     const std::vector<AgentBinding>& fallbacks) {
  std::vector<std::unique_ptr<Agent>> agents;
  TRY_ASSIGN(auto bound, context.ports.agents.make(first));
  agents.push_back(std::move(bound));
  for (const AgentBinding& binding : fallbacks) {
    auto agent = context.ports.agents.make(binding);
    if (agent)
      agents.push_back(*std::move(agent));
    else
      context.notice("agent " + binding.name + " cannot be used as a fallback: " + agent.error().message);
  }
  return std::make_unique<RoleAgents>(context, meter, std::move(agents));
}

} // namespace emend
