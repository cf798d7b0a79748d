// The files a project's checks are made of: what an experiment may change for one run.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "model/patch.hpp"
#include "model/policy.hpp"
#include "ports/repository.hpp"

namespace emend {

// Paths of a commit that are tests, or scripts that the commands run; without those that `fix` changes.
[[nodiscard]] Result<std::vector<std::string>> test_side(CommittedFiles& repository, const Policy& policy,
                                                         const std::string& base, const Patch& fix);

// The change of one file of a commit, from its text there to another.
[[nodiscard]] FileChange changed_text(const std::string& path, const TreeEntry& entry, std::string before,
                                      std::string after);

// How much of the tests' text is another one.
enum class Wording { same, commented, rephrased, scaled };

// Every file of the test side with a random comment at its end and, rephrased, with other words for the
// numbers in it: the same tests with other bytes. Whoever tells tests by their text does not know them any
// more. Scaled, both sides of what they compare are changed alike, too. At most some hundred files.
[[nodiscard]] Result<Patch> reworded_tests(CommittedFiles& repository, const Policy& policy,
                                           const std::string& base, Wording wording);

} // namespace emend
