// What steers the review of a pull request: the base's configuration, and agents none of which comes with the
// change.
#pragma once

#include <string>
#include <vector>

#include "config/config.hpp"
#include "ports/repository.hpp"

namespace emend {

// The repository's configuration files are those of the commit `base`, whatever is checked out. A file that
// `head` or the checked-out commit has and base has not does not count; one that git does not know is the
// person's own and does. `repository` outlives it.
[[nodiscard]] TreeFileReader configuration_of_base(Repository& repository, const std::string& base,
                                                   const std::string& head);

// Of what HEAD is at each time, for a repository in which nothing is checked out. `repository` outlives it.
[[nodiscard]] TreeFileReader configuration_of_head(Repository& repository);

// A script of the checked-out tree is as good as written by whoever wrote that tree.
[[nodiscard]] Status check_voters(const std::vector<AgentBinding>& voters, const std::string& root);

} // namespace emend
