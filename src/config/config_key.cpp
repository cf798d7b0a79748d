#include "config/config_key.hpp"

#include <algorithm>

#include "base/strings.hpp"

namespace emend {

namespace {

std::string_view take_part(std::string_view& dotted) {
  const std::size_t end = std::min(dotted.find('.'), dotted.size());
  const std::string_view part = dotted.substr(0, end);
  dotted.remove_prefix(end);
  return part;
}

// Asked for each key of a configuration with every key there is, so nothing is copied.
bool matches(std::string_view key_name, std::string_view dotted) {
  while (true) {
    const std::string_view want = take_part(key_name), have = take_part(dotted);
    if (want == "*" ? have.empty() : want != have) return false;
    if (key_name.empty() || dotted.empty()) return key_name.empty() && dotted.empty();
    key_name.remove_prefix(1);
    dotted.remove_prefix(1);
  }
}

} // namespace

std::string_view describe(KeyType type) {
  switch (type) {
    case KeyType::text: return "a string";
    case KeyType::integer: return "an integer";
    case KeyType::decimal: return "a number";
    case KeyType::boolean: return "true or false";
    case KeyType::duration: return "a duration such as \"90s\" or \"15m\"";
    case KeyType::text_list: return "a list of strings";
    case KeyType::argv: return "a list of strings: the program and its arguments";
    case KeyType::commands: return "a list of commands (strings, or tables with name, run, paths, timeout)";
    case KeyType::levels: return "a level, or a table with default, severities and paths";
    case KeyType::lists: return "a table of globs, each with a list of strings";
  }
  return "";
}

const ConfigKey* find_config_key(std::string_view dotted) {
  for (const ConfigKey& key : config_keys()) {
    if (matches(key.name, dotted)) return &key;
  }
  return nullptr;
}

bool is_config_section(std::string_view dotted) {
  const std::size_t depth = split(dotted, '.').size();
  for (const ConfigKey& key : config_keys()) {
    auto parts = split(key.name, '.');
    if (parts.size() <= depth) continue;
    parts.resize(depth);
    if (matches(join(parts, "."), dotted)) return true;
  }
  return false;
}

std::optional<std::string> suggest_config_key(std::string_view dotted) {
  const auto have = split(dotted, '.');
  std::vector<std::string> candidates;
  for (const ConfigKey& key : config_keys()) {
    auto parts = split(key.name, '.');
    // "agents.claude.comand" is compared with "agents.claude.command".
    for (std::size_t i = 0; i < parts.size() && i < have.size(); ++i) {
      if (parts[i] == "*") parts[i] = have[i];
    }
    candidates.push_back(join(parts, "."));
  }
  return did_you_mean(dotted, candidates);
}

std::string environment_name(std::string_view dotted) {
  return "EMEND_" + to_upper(replace_all(std::string(dotted), ".", "_"));
}

} // namespace emend
