// Files of the repository that verification reaches through a Makefile or package.json: `make test` runs
// tools/check.sh, too.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "engine/patch/scope.hpp"
#include "model/policy.hpp"
#include "ports/repository.hpp"

namespace emend {

// What the recipes of the targets a command makes (and of what those need), and the scripts it runs by npm,
// yarn, pnpm or bun, execute of the base's own files. What a command names itself is not among them, see
// Scope. A file that cannot be read calls nothing.
[[nodiscard]] PathSet called_scripts(const std::vector<VerifyCommand>& commands, const Tree& base,
                                     const std::function<Result<std::string>(std::string_view path)>& read);

// The same, read from a commit.
[[nodiscard]] Result<PathSet> called_scripts(CommittedFiles& repository, const Policy& policy,
                                             const std::string& commit);

} // namespace emend
