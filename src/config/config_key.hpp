// The table of configuration keys: everything that reads, checks, shows or documents a setting is driven by
// it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "model/policy.hpp"

namespace emend {

enum class KeyType { text, integer, decimal, boolean, duration, text_list, argv, commands, levels, lists };
// For messages: "a list of strings".
[[nodiscard]] std::string_view describe(KeyType type);

struct ConfigKey {
  std::string name; // "fix.parallel"; a "*" segment stands for any name: "agents.*.command", "verify.env.*"
  KeyType type = KeyType::text;
  Json fallback; // built-in value, in normal form; null for keys with "*"
  std::string doc;
  bool needs_trust = false; // decides what gets executed, steers judging or lowers the bar: counts from a
                            // repository's file only when trusted
  std::int64_t low = 0, high = 0;                                 // numbers; durations in milliseconds
  std::vector<std::string> choices{};                             // text; empty = anything
  std::string alias_of{};                                         // another spelling of that key
  std::function<void(const Json& value, Policy& policy)> apply{}; // empty = no member of Policy by itself

  [[nodiscard]] bool is_pattern() const { return name.find('*') != std::string::npos; }
};

[[nodiscard]] const std::vector<ConfigKey>& config_keys(); // config_table.cpp
// The key a dotted name stands for, patterns included; nullptr = unknown.
[[nodiscard]] const ConfigKey* find_config_key(std::string_view dotted);
// True for "fix", "agents", "agents.claude": a table that may hold keys.
[[nodiscard]] bool is_config_section(std::string_view dotted);
// A known name near an unknown one ("fix.paralel" -> "fix.parallel").
[[nodiscard]] std::optional<std::string> suggest_config_key(std::string_view dotted);
// "fix.parallel" -> "EMEND_FIX_PARALLEL".
[[nodiscard]] std::string environment_name(std::string_view dotted);

} // namespace emend
