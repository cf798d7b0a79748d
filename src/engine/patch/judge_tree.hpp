// The tree as somebody is to see it who judges it: without the files by which a repository gives orders to
// coding agents.
#pragma once

#include <string>

#include "base/result.hpp"
#include "model/patch.hpp"
#include "ports/repository.hpp"

namespace emend {

// What takes is_agent_file()s out of a commit's tree; to be laid over it. Programs read such files unasked,
// and whoever wrote the tree wrote them.
[[nodiscard]] Result<Patch> without_agent_files(CommittedFiles& repository, const std::string& commit);

// The same laid over together with a patch of that tree.
[[nodiscard]] Result<Patch> without_agent_files(CommittedFiles& repository, const std::string& commit,
                                                const Patch& patch);

} // namespace emend
