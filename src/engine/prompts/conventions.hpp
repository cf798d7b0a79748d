// What a project asks of everybody who works on it, as text for prompts.
#pragma once

#include <string>

#include "engine/context/run_context.hpp"

namespace emend {

// project.conventions and the files of project.instructions as `commit` has them; clean, redacted, bounded.
[[nodiscard]] std::string conventions_text(RunContext& context, const std::string& commit);

} // namespace emend
