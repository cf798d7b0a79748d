#include "engine/crew.hpp"

#include <fmt/format.h>

namespace emend {
namespace {

// Whoever judges may write the checks too: it is no friend of the fixer. Null when nobody is to be asked, or
// can be.
const AgentBinding* reproducing_agent(const Policy& policy) {
  if (!policy.asks_for_reproducers()) return nullptr;
  const AgentBinding& binding = policy.reproducer.name.empty() ? policy.challenger : policy.reproducer;
  return binding.name.empty() || binding.builtin() ? nullptr : &binding;
}

} // namespace

Result<std::unique_ptr<Crew>> Crew::assemble(RunContext& context) {
  const Policy& policy = context.policy();
  std::unique_ptr<Crew> crew(new Crew(context));
  TRY_ASSIGN(const std::vector<AgentRunRecord> earlier, context.ports.store.agent_runs(context.session.id));
  for (const AgentRunRecord& run : earlier) crew->meter_.add(run);
  if (!policy.fixer.builtin()) {
    TRY_ASSIGN(crew->fixer_, make_role_agents(context, crew->meter_, policy.fixer, policy.fixer_fallbacks));
  }
  if (policy.challenger_enabled && !policy.challenger.builtin()) {
    TRY_ASSIGN(crew->challenging_,
               make_role_agents(context, crew->meter_, policy.challenger, policy.challenger_fallbacks));
    crew->challenger_ = std::make_unique<Challenger>(context, *crew->challenging_);
  }
  if (const AgentBinding* binding = reproducing_agent(policy)) {
    const bool own = !policy.reproducer.name.empty();
    TRY_ASSIGN(crew->reproducing_,
               make_role_agents(context, crew->meter_, *binding,
                                own ? std::vector<AgentBinding>{} : policy.challenger_fallbacks));
  }
  crew->reproduction_ = std::make_unique<Reproduction>(context, crew->reproducing_.get());
  return crew;
}

void Crew::introduce() {
  const AgentBinding &fixer = context_.policy().fixer, &judge = context_.policy().challenger;
  if (challenger_ && fixer.name == judge.name)
    context_.notice("fixer and challenger are the same agent (" + fixer.name +
                    "): bind another one for an independent judgement");
  else if (challenger_ && !fixer.family.empty() && fixer.family == judge.family)
    context_.notice(fmt::format("same vendor: fixer {} and challenger {} are both of {}", fixer.name,
                                judge.name, fixer.family));
  if (!context_.policy().asks_for_reproducers()) return;
  const AgentBinding* checker = reproducing_agent(context_.policy());
  if (checker == nullptr)
    context_.notice("nobody can write reproducers: name an agent in reproducer.agent");
  else if (checker->name == fixer.name)
    context_.notice("fixer and reproducer are the same agent (" + fixer.name +
                    "), each in a conversation of its own: bind another one for an independent check");
}

Stages Crew::stages() {
  return {verifier_, rescanner_, *reproduction_, meter_, fixer_.get(), challenger_.get()};
}

} // namespace emend
