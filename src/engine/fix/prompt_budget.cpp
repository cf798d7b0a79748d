#include "engine/fix/prompt_budget.hpp"

#include <algorithm>

#include "engine/agents/agent_file.hpp"
#include "engine/agents/agent_roles.hpp"
#include "engine/agents/guidelines.hpp"
#include "engine/prompts/prompt.hpp"

namespace emend {
namespace {

constexpr std::size_t kFixer = 4'096, kOther = 5'120;

// With the guidelines of the language that has the most of them.
Result<std::size_t> fixer_bytes(const Policy& policy, const std::string& body) {
  std::size_t most = 0;
  for (const char* file :
       {"a.py", "a.go", "a.java", "a.rs", "a.c", "a.h", "a.rb", "a.sh", "a.tsx", "a.vue", "a.css"}) {
    FixPromptInput input;
    input.template_body = body;
    input.items.push_back({});
    input.items.back().issue.code = "BE-001";
    input.items.back().issue.finding.file = file;
    input.commands = {{"test", "make test", {}, 0}};
    TRY_ASSIGN(input.guidelines, guidelines_for_fixing(policy, {file}));
    TRY_ASSIGN(const Prompt prompt, build_fix_prompt(input));
    most = std::max(most, prompt.text.size());
  }
  return most;
}

} // namespace

Result<std::vector<PromptBudget>> prompt_budgets(const Policy& policy) {
  std::vector<PromptBudget> budgets;
  for (const std::string& role : built_in_agent_files()) {
    TRY_ASSIGN(const AgentRole known, agent_role(role));
    if (known.filled_in.empty()) continue; // part of another prompt
    TRY_ASSIGN(const AgentFile file, agent_file(policy, role));
    const bool fixes = role == "fixer" || role == "re_fixer";
    std::size_t bytes = file.body.size();
    if (fixes) {
      TRY_ASSIGN(bytes, fixer_bytes(policy, file.body));
    }
    budgets.push_back({role, bytes, fixes ? kFixer : kOther});
  }
  return budgets;
}

} // namespace emend
