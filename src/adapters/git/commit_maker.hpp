// Makes commits in the engine's own git directory and proves that each holds exactly the patch it was made
// from.
#pragma once

#include <string>

#include "adapters/git/git_program.hpp"
#include "adapters/git/object_reader.hpp"
#include "base/result.hpp"
#include "ports/repository.hpp"

namespace emend {

// The same request gives the same id. ErrorCode::git when the patch does not fit the parent.
[[nodiscard]] Result<std::string> make_commit(const CommitRequest& request, const std::string& git_dir,
                                              const GitProgram& git, const ObjectReader& objects);

// The stream for `git fast-import`; `ref` is where it leaves the commit, mark 1 names it.
[[nodiscard]] std::string import_stream(const CommitRequest& request, const std::string& ref);

// Refs a crash between making a commit and letting go of its temporary name left behind.
void remove_temporary_refs(const std::string& git_dir, const GitProgram& git);

} // namespace emend
