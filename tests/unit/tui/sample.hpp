// A repository as the terminal would show it, made by hand: the same in every test.
#pragma once

#include <string>
#include <vector>

#include "tui/model.hpp"

namespace emend::testing_support {

[[nodiscard]] Issue sample_issue(const std::string& code, Severity severity, IssueStatus status,
                                 const std::string& file, int line, const std::string& title);
// A list that is kept in memory instead of a store, worst first.
[[nodiscard]] IssueList list_of(std::vector<Issue> issues);
// Other issues than before; the cursor stays on what it was on.
void take_issues(Model& model, std::vector<Issue> issues);
// Those of sample_model().
[[nodiscard]] std::vector<Issue> sample_issues();
// Seven issues, a question, a failed one, a session that runs, one issue looked at closely.
[[nodiscard]] Model sample_model();

} // namespace emend::testing_support
