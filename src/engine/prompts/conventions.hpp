// What a project asks of everybody who works on it, as text for prompts.
#pragma once

#include <string>

#include "engine/context/run_context.hpp"

namespace emend {

// Enough for somebody who changes one place and can read the files themselves.
inline constexpr std::size_t kFixerConventions = 4'096;

// project.conventions and the files of project.instructions as `commit` has them; clean, redacted, at most
// `most` bytes and a line for each file that was cut, which says where to read on.
[[nodiscard]] std::string conventions_text(RunContext& context, const std::string& commit,
                                           std::size_t most = 65'536);

} // namespace emend
