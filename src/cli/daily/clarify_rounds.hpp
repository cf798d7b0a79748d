// Rounds of an agent's questions and a person's answers, for the commands that may need them.
#pragma once

#include <functional>
#include <vector>

#include "cli/context.hpp"
#include "engine/plan/clarify.hpp"

namespace emend {

struct ClarifyRounds {
  std::function<Result<Policy>(const std::vector<Issue>&)>
      policy; // asked once a round, for what the round is about
  int max_rounds = 3;
};

// Until nothing is open, the person leaves, or nobody can be asked: then what comes back still has questions.
[[nodiscard]] Result<Clarity> clarify_rounds(CommandContext& context, const ClarifyRounds& how,
                                             std::vector<Issue> issues);

// Nobody is there to answer, or the output is for a program.
[[nodiscard]] bool is_unattended(const CommandContext& context);

} // namespace emend
