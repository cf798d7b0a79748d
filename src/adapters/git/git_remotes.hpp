// Remotes over the git program.
#pragma once

#include <memory>
#include <stop_token>
#include <string>

#include "ports/process.hpp"
#include "ports/remotes.hpp"

namespace emend {

// home: EMEND_HOME, where the repository's own store is. `processes` outlives it. Errors are those of opening
// the repository.
[[nodiscard]] Result<std::unique_ptr<Remotes>> open_remotes(const std::string& directory,
                                                            ProcessRunner& processes,
                                                            const std::string& home);

// A bare repository of ours with the branches of another one as origin's, HEAD at its default branch. One
// that is there already stays as it is.
[[nodiscard]] Status clone_bare(ProcessRunner& processes, const std::string& url,
                                const std::string& directory, std::stop_token stop);
// Brings it up to date. The default branch here is then as it is there; branches of ours stay.
[[nodiscard]] Status refresh_clone(ProcessRunner& processes, const std::string& directory,
                                   std::stop_token stop);

// One commit of another repository, without its history if the other side agrees, into a git directory of
// ours.
[[nodiscard]] Status fetch_commit(ProcessRunner& processes, const std::string& git_dir,
                                  const std::string& url, const std::string& commit);

} // namespace emend
