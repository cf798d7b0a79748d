// Where results go and in which form: --format NAME[:PATH], checked before any work is done.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "cli/command.hpp"
#include "cli/context.hpp"

namespace emend {

struct OutputTarget {
  std::string format; // "text", "json" or a name of formats/writer.hpp
  std::string path;   // empty = stdout
};

// json with --json; without any word, `fallback` to stdout. ErrorCode::usage for an unknown format, two
// formats for one place, and a path that cannot be written.
[[nodiscard]] Result<std::vector<OutputTarget>> output_targets(const std::vector<std::string>& given,
                                                               const CommandContext& context,
                                                               const std::string& fallback);

// Writes each rendering to its place; files whole or not at all. What it wrote is said on stderr.
[[nodiscard]] Status write_targets(CommandContext& context, const std::vector<OutputTarget>& targets,
                                   const std::function<std::string(const OutputTarget&)>& render);

[[nodiscard]] Option format_option(std::vector<std::string>* given);

} // namespace emend
