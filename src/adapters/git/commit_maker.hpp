// Makes commits in the engine's own git directory and proves that each holds exactly the patch it was made
// from.
#pragma once

#include <string>

#include "adapters/git/git_program.hpp"
#include "adapters/git/object_reader.hpp"
#include "base/result.hpp"
#include "ports/repository.hpp"

namespace emend {

// Each commit but the first on the one before it. The same requests give the same ids. ErrorCode::git when a
// patch does not fit its parent.
[[nodiscard]] Result<std::vector<std::string>> make_commits(const std::vector<CommitRequest>& requests,
                                                            const std::string& git_dir, const GitProgram& git,
                                                            const ObjectReader& objects);

// Refs a crash between making a commit and letting go of its temporary name left behind.
void remove_temporary_refs(const std::string& git_dir, const GitProgram& git);

} // namespace emend
