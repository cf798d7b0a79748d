// A repository as the terminal would show it, made by hand: the same in every test.
#pragma once

#include <string>

#include "tui/model.hpp"

namespace emend::testing_support {

[[nodiscard]] Issue sample_issue(const std::string& code, Severity severity, IssueStatus status,
                                 const std::string& file, int line, const std::string& title);
// Seven issues, a question, a failed one, a session that runs, one issue looked at closely.
[[nodiscard]] Model sample_model();

} // namespace emend::testing_support
