// Who works on a session and with what: its agents by role, its meter, and the stages a unit goes through.
#pragma once

#include <memory>

#include "engine/budget.hpp"
#include "engine/challenge.hpp"
#include "engine/reproduction.hpp"
#include "engine/rescan.hpp"
#include "engine/role_agents.hpp"
#include "engine/run_context.hpp"
#include "engine/unit_loop.hpp"
#include "engine/verify.hpp"

namespace emend {

class Crew {
public:
  // As the session's policy says; what earlier runs consumed is on the meter. `context` outlives it.
  [[nodiscard]] static Result<std::unique_ptr<Crew>> assemble(RunContext& context);
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  // What a person should know about who does what; said once a session.
  void introduce();
  [[nodiscard]] Stages stages();

private:
  explicit Crew(RunContext& context)
      : context_(context), meter_(context.policy()), verifier_(context), rescanner_(context) {}

  RunContext& context_;
  Meter meter_;
  std::unique_ptr<RoleAgents> fixer_, challenging_,
      reproducing_; // none for a role the engine plays itself, or nobody does
  Verifier verifier_;
  Rescanner rescanner_;
  std::unique_ptr<Reproduction> reproduction_;
  std::unique_ptr<Challenger> challenger_;
};

} // namespace emend
