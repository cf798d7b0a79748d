// Files that judge a fix or steer the fixer: tests, CI, runners, build, analyzers, agents. By name and
// place.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

namespace emend {

using PathSet = std::set<std::string, std::less<>>;

// What kind of file that judges fixes this is ("test", "CI", "build configuration"...); empty = none of them.
[[nodiscard]] std::string_view judging_kind(std::string_view path);

// A manifest of dependencies and the lock file beside it, in either order: one cannot change without the
// other.
[[nodiscard]] bool locked_together(std::string_view one, std::string_view other);

inline constexpr std::string_view kAnalyzerConfiguration = "analyzer configuration";

// Tests and what belongs to them, by their place and name.
[[nodiscard]] bool is_test_path(std::string_view path);

// By which a repository gives orders to coding agents: instructions, settings, rules.
[[nodiscard]] bool is_agent_file(std::string_view path);

} // namespace emend
