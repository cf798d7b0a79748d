// What is known about one rule of an analyzer, for `emend explain RULE`.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "model/issue.hpp"

namespace emend {

struct RuleAccount {
  std::string rule, analyzer, severity, says, page, quiet; // says: as it was reported last
  std::string explanation;                                 // by the tool itself
  bool guessed = false; // nothing but the look of its name says whose rule it is
  std::size_t all = 0, open = 0, ignored = 0, resolved = 0;
  std::vector<std::string> places; // some of the open ones
};

// Asks an analyzer about the rule; empty = it has nothing to say.
using AskAnalyzer = std::function<std::string(const std::string& analyzer)>;

// From the issues of a repository, the table of analyzers and the tools themselves; nullopt = nobody has
// heard of the rule. rule: its name, or "ANALYZER:NAME". installed: names of analyzers that can be asked.
[[nodiscard]] std::optional<RuleAccount> account_of_rule(std::string rule, const std::vector<Issue>& issues,
                                                         const std::vector<std::string>& installed = {},
                                                         const AskAnalyzer& ask = {});
[[nodiscard]] std::string rule_text(const RuleAccount& account);
[[nodiscard]] Json to_json(const RuleAccount& account);

} // namespace emend
