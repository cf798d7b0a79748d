// Comments with which people silence other tools, read for emend's own rules: who told ESLint that a
// console.log is meant need not tell it again.
#pragma once

#include <string_view>

namespace emend {

// Whether a comment in the line, or in the one above it, silences a rule of the same meaning as this rule of
// emend's, or everything in the line: noqa, NOLINT, eslint-disable-line, biome-ignore, nosec ...
[[nodiscard]] bool silenced_by_tool(std::string_view rule, std::string_view line, std::string_view above);

} // namespace emend
