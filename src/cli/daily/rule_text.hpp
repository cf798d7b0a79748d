// What is known about one rule of an analyzer, for `emend explain RULE`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "model/issue.hpp"

namespace emend {

struct RuleAccount {
  std::string rule, analyzer, severity, says, page, quiet; // says: as it was reported last
  std::size_t all = 0, open = 0, ignored = 0, resolved = 0;
  std::vector<std::string> places; // some of the open ones
};

// From the issues of a repository and the table of analyzers; nullopt = nobody has heard of the rule.
[[nodiscard]] std::optional<RuleAccount> account_of_rule(const std::string& rule,
                                                         const std::vector<Issue>& issues);
[[nodiscard]] std::string rule_text(const RuleAccount& account);
[[nodiscard]] Json to_json(const RuleAccount& account);

} // namespace emend
