#include "engine/session/session_agents.hpp"

#include <fmt/format.h>

namespace emend {
namespace {

// The judge may write the checks too: it is independent of the fixer. Null when nobody is to be asked, or
// can be.
const AgentBinding* reproducing_agent(const Policy& policy) {
  if (!policy.asks_for_reproducers()) return nullptr;
  const AgentBinding& binding = policy.reproducer.name.empty() ? policy.challenger : policy.reproducer;
  return binding.name.empty() || binding.builtin() ? nullptr : &binding;
}

} // namespace

Result<std::unique_ptr<SessionAgents>> SessionAgents::assemble(RunContext& context) {
  const Policy& policy = context.policy();
  std::unique_ptr<SessionAgents> agents(new SessionAgents(context));
  TRY_ASSIGN(const std::vector<AgentRunRecord> earlier, context.ports.store.agent_runs(context.session.id));
  for (const AgentRunRecord& run : earlier) agents->meter_.add(run);
  (void)agents->meter_.take_warning(); // who used it has said so
  if (!policy.fixer.builtin()) {
    TRY_ASSIGN(agents->fixer_,
               make_role_agents(context, agents->meter_, policy.fixer, policy.fixer_fallbacks));
  }
  if (agents->fixer_ && policy.candidates != 1) TRY(agents->find_candidates());
  if (policy.challenger_enabled && !policy.challenger.builtin()) {
    TRY_ASSIGN(agents->challenging_,
               make_role_agents(context, agents->meter_, policy.challenger, policy.challenger_fallbacks));
    if (policy.panel > 1) {
      TRY_ASSIGN(agents->second_judge_, make_role_agents(context, agents->meter_, policy.second_judge, {}));
    }
    agents->challenger_ =
        std::make_unique<Challenger>(context, *agents->challenging_, agents->second_judge_.get());
  }
  if (const AgentBinding* binding = reproducing_agent(policy)) {
    const bool own = !policy.reproducer.name.empty();
    TRY_ASSIGN(agents->reproducing_,
               make_role_agents(context, agents->meter_, *binding,
                                own ? std::vector<AgentBinding>{} : policy.challenger_fallbacks));
  }
  agents->reproduction_ = std::make_unique<Reproduction>(context, agents->reproducing_.get());
  return agents;
}

// Different agents first, then the same ones once more. Who judges does not fix.
Status SessionAgents::find_candidates() {
  const Policy& policy = context_.policy();
  std::vector<const AgentBinding*> others;
  for (const AgentBinding& one : policy.fixer_fallbacks) {
    const bool judge = same_agent(one, policy.challenger) || same_agent(one, policy.second_judge);
    if (!judge || policy.allow_self_judging) others.push_back(&one);
  }
  others.push_back(&policy.fixer);
  const std::size_t wanted = policy.candidates == 0 ? 1 : static_cast<std::size_t>(policy.candidates) - 1;
  for (std::size_t i = 0; i < wanted; ++i) {
    TRY_ASSIGN(auto agents, make_role_agents(context_, meter_, *others[i % others.size()], {}));
    candidates_.push_back(std::move(agents));
  }
  return {};
}

void SessionAgents::introduce() {
  const AgentBinding &fixer = context_.policy().fixer, &judge = context_.policy().challenger;
  if (challenger_ && fixer.name == judge.name)
    context_.notice("fixer and judge are the same agent (" + fixer.name +
                    "). For an independent judge set fix_challenger.agent");
  else if (challenger_ && !fixer.family.empty() && fixer.family == judge.family)
    context_.notice(fmt::format("fixer {} and judge {} are from the same vendor ({})", fixer.name, judge.name,
                                fixer.family));
  if (second_judge_)
    context_.notice(fmt::format("{} and {} judge each fix; the average of their scores counts", judge.name,
                                context_.policy().second_judge.name));
  if (!context_.policy().asks_for_reproducers()) return;
  const AgentBinding* checker = reproducing_agent(context_.policy());
  if (checker == nullptr)
    context_.notice("no agent can write reproducers: set reproducer.agent");
  else if (checker->name == fixer.name)
    context_.notice("fixer and reproducer are the same agent (" + fixer.name +
                    "), in separate conversations. For an independent check set reproducer.agent");
}

Stages SessionAgents::stages() {
  std::vector<RoleAgents*> candidates;
  for (const auto& one : candidates_) candidates.push_back(one.get());
  return {verifier_,        rescanner_, *reproduction_, meter_, fixer_.get(), std::move(candidates),
          challenger_.get()};
}

} // namespace emend
