// Which issues are about code that is in no commit yet. A fix starts from a commit, so there is nothing it
// could change.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "model/issue.hpp"
#include "ports/repository.hpp"

namespace emend {

// The ids of issues whose line is on disk and not in HEAD. Decided anew each time: what is committed
// meanwhile is not among them.
[[nodiscard]] Result<std::set<std::string>> uncommitted_issues(Checkout& repository,
                                                               const std::vector<Issue>& issues);

// What to tell about one; again: the command that will do it then.
[[nodiscard]] std::string not_committed_text(const std::string& again);

} // namespace emend
