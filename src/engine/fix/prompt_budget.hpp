// How long the prompts of each role are before anything of a project is in them.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "model/policy.hpp"

namespace emend {

struct PromptBudget {
  std::string role;
  std::size_t bytes = 0; // instructions and guidelines, without findings, code, diffs and conventions
  std::size_t most = 0;  // what the built-in instructions keep to
};

// Every role whose instructions can be replaced and that is asked by itself, with the policy's own files. In
// the order of their names.
[[nodiscard]] Result<std::vector<PromptBudget>> prompt_budgets(const Policy& policy);

} // namespace emend
