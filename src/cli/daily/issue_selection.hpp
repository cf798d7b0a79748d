// Which issues a person means by severity, rule, analyzer and path, and in which order they want to read
// them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/context.hpp"
#include "model/issue.hpp"

namespace emend {

struct IssueWords {
  std::string severity, rules, analyzers, file_glob; // lists with commas; empty = any

  [[nodiscard]] bool any() const {
    return !severity.empty() || !rules.empty() || !analyzers.empty() || !file_glob.empty();
  }
};

[[nodiscard]] std::vector<Option> selection_options(IssueWords& words);

class IssueSelection {
public:
  // ErrorCode::usage for a severity that is none.
  [[nodiscard]] static Result<IssueSelection> of(const IssueWords& words);
  [[nodiscard]] bool takes(const Issue& issue) const;

private:
  std::optional<Severity> least_;
  std::vector<std::string> rules_, analyzers_;
  std::string file_glob_;
};

// The most severe first, then by file and line.
void sort_worst_first(std::vector<Issue>& issues);

// Rules that people dismissed at least three times, with the numbers and the line that leaves them out of
// reviews; one line each. Only of these rules.
[[nodiscard]] std::vector<std::string> proposed_ignores(const std::vector<Issue>& all,
                                                        const std::vector<std::string>& rules);

} // namespace emend
