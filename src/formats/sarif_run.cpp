#include "formats/sarif_run.hpp"

#include <charconv>

#include "base/strings.hpp"
#include "formats/repo_path.hpp"

namespace emend {
namespace {

using Code = JsonWalk::Code;
using Value = JsonWalk::Value;
using simdjson::SUCCESS;

Code read_strings(JsonWalk& walk, Value value, std::vector<std::string>& out) {
  constexpr std::size_t kMost = 50;
  return walk.items(value, [&](std::size_t, Value item) {
    std::string text;
    const Code error = walk.text(item, text);
    if (!error && out.size() < kMost) out.push_back(std::move(text));
    return error;
  });
}

Code read_rule_properties(JsonWalk& walk, Value value, SarifRule& rule) {
  return walk.members(value, [&](std::string_view key, Value member) {
    if (key == "security-severity") return read_score(walk, member, rule.security);
    if (key == "tags") return read_strings(walk, member, rule.tags);
    if (key == "category") return walk.text(member, rule.category);
    return SUCCESS;
  });
}

Code read_message_strings(JsonWalk& walk, Value value, SarifRule& rule) {
  return walk.members(value, [&](std::string_view id, Value message) {
    std::string name(id), text;
    const Code error = walk.members(message, [&](std::string_view key, Value member) {
      return key == "text" ? walk.text(member, text) : SUCCESS;
    });
    rule.messages.emplace(std::move(name), std::move(text));
    return error;
  });
}

Code read_rule(JsonWalk& walk, Value value, SarifRule& rule) {
  return walk.members(value, [&](std::string_view key, Value member) {
    if (key == "id") return walk.text(member, rule.id);
    if (key == "properties") return read_rule_properties(walk, member, rule);
    if (key == "messageStrings") return read_message_strings(walk, member, rule);
    if (key == "defaultConfiguration")
      return walk.members(member, [&](std::string_view name, Value level) {
        return name == "level" ? walk.text(level, rule.level) : SUCCESS;
      });
    return SUCCESS;
  });
}

// A driver or an extension.
Code read_component(JsonWalk& walk, Value value, std::string& name, std::vector<SarifRule>& rules) {
  return walk.members(value, [&](std::string_view key, Value member) {
    if (key == "name") return walk.text(member, name);
    if (key != "rules") return SUCCESS;
    return walk.items(member,
                      [&](std::size_t, Value rule) { return read_rule(walk, rule, rules.emplace_back()); });
  });
}

Code read_tool(JsonWalk& walk, Value value, SarifRun& run) {
  run.components.assign(1, {});
  return walk.members(value, [&](std::string_view key, Value member) {
    if (key == "driver") return read_component(walk, member, run.tool, run.components.front());
    if (key != "extensions") return SUCCESS;
    return walk.items(member, [&](std::size_t, Value extension) {
      std::string name;
      std::vector<SarifRule> rules;
      const Code error = read_component(walk, extension, name, rules);
      run.components.push_back(std::move(rules));
      return error;
    });
  });
}

Code read_artifacts(JsonWalk& walk, Value value, SarifRun& run) {
  return walk.items(value, [&](std::size_t, Value artifact) {
    SarifUri& uri = run.artifacts.emplace_back();
    return walk.members(artifact, [&](std::string_view key, Value member) {
      return key == "location" ? read_artifact_location(walk, member, uri) : SUCCESS;
    });
  });
}

Code read_bases(JsonWalk& walk, Value value, SarifRun& run) {
  return walk.members(value, [&](std::string_view id, Value member) {
    std::string name(id);
    return read_artifact_location(walk, member, run.bases[name]);
  });
}

Code read_invocation(JsonWalk& walk, Value value, SarifRun& run) {
  return walk.members(value, [&](std::string_view key, Value member) {
    if (key == "executionSuccessful") {
      bool successful = true;
      const Code error = member.get_bool().get(successful);
      run.failed = run.failed || !successful;
      return error;
    }
    if (key != "workingDirectory") return SUCCESS;
    SarifUri directory;
    const Code error = read_artifact_location(walk, member, directory);
    run.directories.push_back(path_of_uri(directory.uri));
    return error;
  });
}

void index_rules(SarifRun& run) {
  for (std::size_t c = 0; c < run.components.size(); ++c) {
    for (std::size_t r = 0; r < run.components[c].size(); ++r)
      run.by_id.emplace(run.components[c][r].id, std::pair(c, r));
  }
}

void collect_directories(SarifRun& run) {
  for (const auto& [id, base] : run.bases) run.directories.push_back(path_of_uri(base.uri));
  std::erase_if(run.directories, [](std::string& directory) {
    while (directory.size() > 1 && directory.ends_with('/')) directory.pop_back();
    return directory.size() < 2 || !is_absolute_path(directory); // "/" would make every path relative
  });
  std::sort(run.directories.begin(), run.directories.end(),
            [](const auto& a, const auto& b) { return a.size() > b.size(); });
}

bool is_below(std::string_view path, std::string_view directory) {
  return !directory.empty() && path.size() > directory.size() && path.starts_with(directory) &&
         path[directory.size()] == '/';
}

} // namespace

Code read_score(JsonWalk& walk, Value value, double& score) {
  simdjson::ondemand::json_type type{};
  if (const Code error = value.type().get(type)) return error;
  if (type == simdjson::ondemand::json_type::number) return value.get_double().get(score);
  std::string text;
  if (const Code error = walk.text(value, text)) return error;
  double parsed = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), parsed);
  if (error == std::errc() && end == text.data() + text.size() && parsed >= 0 && parsed <= 10) score = parsed;
  return SUCCESS;
}

Code read_artifact_location(JsonWalk& walk, Value value, SarifUri& uri) {
  return walk.members(value, [&](std::string_view key, Value member) {
    if (key == "uri") return walk.text(member, uri.uri);
    if (key == "uriBaseId") return walk.text(member, uri.base);
    if (key == "index") return walk.index(member, uri.index);
    return SUCCESS;
  });
}

Code read_run(JsonWalk& walk, Value value, SarifRun& run) {
  const Code error = walk.members(value, [&](std::string_view key, Value member) {
    if (key == "tool") return read_tool(walk, member, run);
    if (key == "artifacts") return read_artifacts(walk, member, run);
    if (key == "originalUriBaseIds") return read_bases(walk, member, run);
    if (key == "columnKind") return walk.text(member, run.column_kind);
    if (key == "invocations")
      return walk.items(member, [&](std::size_t, Value item) { return read_invocation(walk, item, run); });
    if (key == "externalPropertyFileReferences")
      return walk.members(member, [&](std::string_view name, Value) {
        run.external = run.external || name == "results";
        return SUCCESS;
      });
    return SUCCESS;
  });
  index_rules(run);
  collect_directories(run);
  return error;
}

const SarifRule* SarifRun::find_rule(const std::string& id, int index, int component) const {
  auto found = by_id.find(id);
  if (found == by_id.end() && contains(id, "/"))
    found = by_id.find(id.substr(0, id.rfind('/'))); // "CA1000/1" belongs to "CA1000"
  if (!id.empty() && found != by_id.end()) return &components[found->second.first][found->second.second];
  const auto c = static_cast<std::size_t>(component + 1), r = static_cast<std::size_t>(index);
  if (index < 0 || component < -1 || c >= components.size() || r >= components[c].size()) return nullptr;
  return &components[c][r];
}

std::string SarifRun::path_of(const SarifUri& uri, std::string_view root) const {
  if (uri.uri.empty() && uri.index >= 0 && static_cast<std::size_t>(uri.index) < artifacts.size()) {
    const SarifUri& artifact = artifacts[static_cast<std::size_t>(uri.index)];
    if (!artifact.uri.empty()) return path_of(artifact, root);
  }
  std::string path = path_of_uri(uri.uri);
  std::string base = uri.base;
  for (int hops = 0; hops < 8 && !base.empty() && !is_absolute_path(path); ++hops) {
    const auto found = bases.find(base);
    if (found == bases.end()) break;
    const std::string prefix = path_of_uri(found->second.uri);
    const std::string joined = prefix.empty() || prefix.ends_with('/') ? prefix + path : prefix + "/" + path;
    // The machine that made the report had its own root; only ours tells more than the relative path.
    if (is_absolute_path(prefix) && !is_below(joined, root)) break;
    path = joined;
    base = found->second.base;
  }
  if (is_below(path, root)) return path;
  for (const std::string& directory : directories) {
    if (is_below(path, directory)) return path.substr(directory.size() + 1);
  }
  return path;
}

} // namespace emend
