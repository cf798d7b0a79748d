// Remotes over the git program.
#pragma once

#include <memory>
#include <string>

#include "ports/process.hpp"
#include "ports/remotes.hpp"

namespace emend {

// home: EMEND_HOME, where the repository's own store is. `processes` outlives it. Errors are those of opening
// the repository.
[[nodiscard]] Result<std::unique_ptr<Remotes>> open_remotes(const std::string& directory,
                                                            ProcessRunner& processes,
                                                            const std::string& home);

// One commit of another repository, without its history if the other side agrees, into a git directory of
// ours.
[[nodiscard]] Status fetch_commit(ProcessRunner& processes, const std::string& git_dir,
                                  const std::string& url, const std::string& commit);

} // namespace emend
