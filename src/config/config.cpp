#include "config/config.hpp"

#include <set>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/redact.hpp"
#include "base/strings.hpp"
#include "config/config_files.hpp"
#include "config/config_value.hpp"
#include "config/toml_reader.hpp"
#include "model/branch_name.hpp"

namespace emend {

namespace {

constexpr std::uint64_t kMaxFileBytes = 1'000'000;

std::string unknown_key(const std::string& key) {
  const auto near = suggest_config_key(key);
  return "unknown key \"" + key + "\"" + (near ? "; did you mean \"" + *near + "\"?" : "");
}

bool is_name(std::string_view word, std::string_view extra) {
  if (word.empty()) return false;
  return std::all_of(word.begin(), word.end(), [extra](unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           extra.find(static_cast<char>(c)) != std::string_view::npos;
  });
}

// The free parts of a key must be usable as what they are: an agent's name, a variable's name.
Status check_free_names(const ConfigKey& key, const std::string& dotted) {
  const auto parts = split(dotted, '.');
  const auto pattern = split(key.name, '.');
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (pattern[i] != "*") continue;
    const bool variable = i > 0 && pattern[i - 1] == "env";
    if (!is_name(parts[i], variable ? "" : "-")) {
      return fail(ErrorCode::config, "\"" + parts[i] + "\" is not a usable name for " +
                                         (variable                    ? "a variable"
                                          : pattern[0] == "analyzers" ? "an analyzer"
                                                                      : "an agent"));
    }
  }
  return {};
}

// Relative programs and scripts belong to the file that names them, not to wherever the engine happens to
// run.
Json resolve_paths(const ConfigKey& key, Json value, const fs::path& directory) {
  const auto resolve = [&directory](const std::string& path) {
    return (directory / path).lexically_normal().string();
  };
  if (key.name == "agents.*.script" && !value.get_ref<const std::string&>().empty())
    return Json(resolve(value.get<std::string>()));
  if (key.name == "agents.*.command" || key.name == "analyzers.*.command") {
    const auto program = value.front().get<std::string>();
    if (program.find('/') != std::string::npos) value.front() = resolve(program);
  }
  return value;
}

std::string describe_wish(const std::string& key, const Json& value) {
  std::vector<std::string> parts;
  if (value.is_string()) return key + ": " + value.get<std::string>();
  if (!value.is_array()) return key + ": " + dump_json(value);
  for (const Json& item : value) {
    if (item.is_object())
      parts.push_back(item["name"].get<std::string>() + " = " + item["run"].get<std::string>());
    if (item.is_string())
      parts.push_back(key == "verify.pass_env" ? item.get<std::string>()
                                               : shell_quote(item.get<std::string>()));
  }
  return key + ": " + join(parts, key == "verify.commands" ? "; " : " ");
}

} // namespace

std::string to_string(const ConfigOrigin& origin) {
  switch (origin.kind) {
    case ConfigOrigin::Kind::builtin: return "built-in";
    case ConfigOrigin::Kind::file: return origin.name + ":" + std::to_string(origin.line);
    case ConfigOrigin::Kind::environment:
    case ConfigOrigin::Kind::set:
    case ConfigOrigin::Kind::flag: return origin.name;
  }
  return "";
}

// Lays the sources over each other, weakest first.
class ConfigLoader {
public:
  explicit ConfigLoader(const ConfigSources& sources) : sources_(sources) {}

  Result<Config> load() {
    config_.installed_ = sources_.installed;
    add_defaults();
    if (!sources_.isolated) {
      TRY_ASSIGN(const std::vector<ConfigFile> files, files_there());
      for (const ConfigFile& file : files) TRY(add_file(file));
    }
    TRY(add_environment());
    for (const ConfigOverride& override : sources_.overrides) TRY(add_override(override));
    TRY(check_redaction());
    TRY(check_branch());
    rename_levels();
    finish_command_files();
    return std::move(config_);
  }

private:
  void add_defaults() {
    for (const ConfigKey& key : config_keys()) {
      if (!key.is_pattern() && key.alias_of.empty()) config_.settings_[key.name] = {key.fallback, {}};
    }
  }

  Result<std::vector<ConfigFile>> files_there() const {
    Status looked;
    TreeProbe probe;
    if (sources_.repository_file)
      probe = [&](const std::string& tree_path) {
        const auto bytes = sources_.repository_file(tree_path);
        if (!bytes) looked = fail(bytes.error());
        return bytes && bytes->has_value();
      };
    auto files = find_config_files(sources_.directory, sources_.repository_root, sources_.user_file,
                                   sources_.explicit_file, probe);
    TRY(looked);
    return files;
  }

  [[nodiscard]] Result<std::string> bytes_of(const ConfigFile& file) const {
    if (file.tree_path.empty()) return read_file(file.path, kMaxFileBytes);
    TRY_ASSIGN(auto bytes, sources_.repository_file(file.tree_path));
    if (!bytes) return fail(ErrorCode::not_found, "the file does not exist in the commit it is read from");
    if (bytes->size() > kMaxFileBytes) return fail(ErrorCode::limit, "it is too large");
    return *std::move(bytes);
  }

  Status add_file(const ConfigFile& file) {
    auto bytes = bytes_of(file);
    if (!bytes)
      return fail(ErrorCode::config,
                  "cannot use the configuration file " + file.path + ": " + bytes.error().message);
    const auto is_leaf = [](std::string_view key) { return find_config_key(key) != nullptr; };
    TRY_ASSIGN(auto entries, read_toml(*bytes, file.path, is_leaf));
    config_.files_.push_back(file.path);
    CommandFile commands{file.path, sha256_hex(*bytes), {}, !file.in_repository, false};
    std::map<std::string, int> seen;
    bool asked = !file.in_repository;
    for (TomlEntry& entry : entries) {
      auto added = add_entry(entry, file, commands, asked, seen);
      if (!added)
        return fail(std::move(added.error()).with_context(file.path + ":" + std::to_string(entry.line)));
    }
    if (file.in_repository && !commands.wants.empty()) config_.command_files_.push_back(std::move(commands));
    return {};
  }

  Status add_entry(const TomlEntry& entry, const ConfigFile& file, CommandFile& commands, bool& asked,
                   std::map<std::string, int>& seen) {
    const ConfigKey* key = find_config_key(entry.key);
    if (key == nullptr) {
      if (!is_config_section(entry.key)) return fail(ErrorCode::config, unknown_key(entry.key));
      if (entry.value.is_object()) return {}; // an empty section
      return fail(ErrorCode::config,
                  "\"" + entry.key + "\" is a section, write [" + entry.key + "] and its keys below");
    }
    TRY(check_free_names(*key, entry.key));
    auto checked = check_value(*key, entry.value);
    if (!checked) return fail(std::move(checked.error()).with_context(entry.key));
    const std::string name = key->alias_of.empty() ? entry.key : key->alias_of;
    const auto [first, fresh] = seen.emplace(name, entry.line);
    if (!fresh)
      return fail(ErrorCode::config, entry.key + " is already set in line " + std::to_string(first->second) +
                                         " (two names of one key)");

    Json value = resolve_paths(*key, *std::move(checked), fs::path(file.path).parent_path());
    if (key->needs_trust && file.in_repository) {
      TRY(ask_trust(commands, asked));
      commands.wants.push_back(describe_wish(name, value));
      if (!commands.trusted) {
        pending_[name] = file.path;
        return {};
      }
    }
    put(name, std::move(value), {ConfigOrigin::Kind::file, file.path, entry.line});
    return {};
  }

  Status ask_trust(CommandFile& commands, bool& asked) {
    if (asked) return {};
    asked = true;
    if (!sources_.trusted_sha256) return {};
    TRY_ASSIGN(const auto known, sources_.trusted_sha256(commands.path));
    commands.trusted = known && *known == commands.sha256;
    commands.trusted_before = known.has_value() && !commands.trusted;
    return {};
  }

  void put(const std::string& name, Json value, ConfigOrigin origin) {
    pending_.erase(name);
    config_.settings_[name] = {std::move(value), std::move(origin)};
  }

  Status add_environment() {
    std::map<std::string, std::string> sorted;
    for (const std::string& assignment : sources_.environment) {
      const std::size_t equals = assignment.find('=');
      if (assignment.rfind("EMEND_", 0) == 0 && equals != std::string::npos)
        sorted[assignment.substr(0, equals)] = assignment.substr(equals + 1);
    }
    for (const auto& [variable, text] : sorted) {
      const auto key = key_of_variable(variable);
      if (!key && !names_a_section(variable)) continue; // EMEND_HOME and the like are not settings
      if (!key) return fail(ErrorCode::config, unknown_variable(variable));
      auto added = add_text(*key, text, {ConfigOrigin::Kind::environment, variable, 0});
      if (!added) return fail(std::move(added.error()).with_context(variable));
    }
    return {};
  }

  // "EMEND_AGENTS_CLAUDE_MODEL" means the agent the files call claude, Claude or CLAUDE; else a new one in
  // lower case.
  std::optional<std::string> key_of_variable(const std::string& variable) const {
    for (const ConfigKey& key : config_keys()) {
      if (!key.is_pattern() && environment_name(key.name) == variable) return key.name;
    }
    std::optional<std::string> best;
    for (const ConfigKey& key : config_keys()) {
      const auto candidate = match_pattern(key, variable);
      // The longest tail wins: IDLE_TIMEOUT is not TIMEOUT of an agent called X_IDLE.
      if (candidate && (!best || split(*candidate, '.')[1].size() < split(*best, '.')[1].size()))
        best = candidate;
    }
    return best;
  }

  std::optional<std::string> match_pattern(const ConfigKey& key, const std::string& variable) const {
    const auto parts = split(key.name, '.');
    if (!key.is_pattern() || parts.size() != 3) return std::nullopt;
    const std::size_t star = parts[1] == "*" ? 1 : 2;
    const std::string head =
        "EMEND_" + to_upper(parts[0]) + "_" + (star == 2 ? to_upper(parts[1]) + "_" : "");
    const std::string tail = star == 1 ? "_" + to_upper(parts[2]) : "";
    if (parts[2] == "*" && star == 1) return std::nullopt;
    if (variable.size() <= head.size() + tail.size() || variable.rfind(head, 0) != 0) return std::nullopt;
    if (variable.compare(variable.size() - tail.size(), tail.size(), tail) != 0) return std::nullopt;
    const std::string middle = variable.substr(head.size(), variable.size() - head.size() - tail.size());
    if (star == 2) return parts[0] + "." + parts[1] + "." + middle;
    return parts[0] + "." + (parts[0] == "agents" ? agent_called(middle) : to_lower(middle)) + "." + parts[2];
  }

  std::string agent_called(const std::string& upper) const {
    for (const std::string& name : config_.agent_names()) {
      if (to_upper(replace_all(name, "-", "_")) == upper) return name;
    }
    return to_lower(upper);
  }

  static bool names_a_section(const std::string& variable) {
    for (const ConfigKey& key : config_keys()) {
      const std::string section = split(key.name, '.').front();
      if (variable.rfind(environment_name(section) + "_", 0) == 0) return true;
    }
    return false;
  }

  static std::string unknown_variable(const std::string& variable) {
    std::vector<std::string> names;
    for (const ConfigKey& key : config_keys()) {
      if (!key.is_pattern()) names.push_back(environment_name(key.name));
    }
    const auto near = did_you_mean(variable, names);
    return "the environment variable " + variable + " does not match a setting" +
           (near ? "; did you mean " + *near + "?" : "");
  }

  Status add_override(const ConfigOverride& override) {
    const auto kind = override.origin == "--set" ? ConfigOrigin::Kind::set : ConfigOrigin::Kind::flag;
    auto added = add_text(override.key, override.value, {kind, override.origin, 0});
    if (!added)
      return fail(ErrorCode::usage, override.origin + ": " + added.error().message, added.error().remedy);
    return {};
  }

  Status add_text(const std::string& dotted, const std::string& text, ConfigOrigin origin) {
    const ConfigKey* key = find_config_key(dotted);
    if (key == nullptr) return fail(ErrorCode::config, unknown_key(dotted));
    TRY(check_free_names(*key, dotted));
    auto value = value_from_text(*key, text);
    if (!value) return fail(std::move(value.error()).with_context(dotted));
    put(key->alias_of.empty() ? dotted : key->alias_of,
        resolve_paths(*key, *std::move(value), sources_.directory), std::move(origin));
    return {};
  }

  // A pattern that does not compile would let secrets through, so it is found here and not in the middle of a
  // session.
  Status check_redaction() {
    const ConfigSetting& setting = config_.settings_["redact.patterns"];
    const auto patterns = setting.value.get<std::vector<std::string>>();
    if (patterns.empty()) return {};
    const auto made = Redactor::with_patterns(patterns);
    if (!made)
      return fail(ErrorCode::config,
                  to_string(setting.origin) + ": redact.patterns: " + made.error().message);
    return {};
  }

  // Found before anything is paid, not when the fixes are there.
  Status check_branch() {
    const ConfigSetting& setting = config_.settings_["fix.branch"];
    const auto name = setting.value.get<std::string>();
    const std::string problem = branch_name_problem(replace_all(name, "{session}", "session"));
    if (problem.empty()) return {};
    return fail(ErrorCode::config,
                to_string(setting.origin) + ": fix.branch: \"" + visible_text(name) +
                    "\" cannot be the name of a branch: it " + problem,
                "write a name such as \"fix/{session}\"");
  }

  // Levels had other words once.
  void rename_levels() {
    ConfigSetting& setting = config_.settings_["resolve.minimum_evidence"];
    rename_levels(setting.value, setting.origin);
  }

  void rename_levels(Json& value, const ConfigOrigin& origin) {
    if (value.is_object())
      for (Json& inner : value) rename_levels(inner, origin);
    if (!value.is_string()) return;
    const auto old = value.get<std::string>();
    const auto level = parse_evidence(old);
    if (!level || old == to_string(*level)) return;
    value = std::string(to_string(*level));
    config_.remarks_.push_back(to_string(origin) + ": resolve.minimum_evidence: the level \"" + old +
                               "\" is called \"" + value.get<std::string>() + "\" now; please write that");
  }

  // A file whose commands are all overridden by something stronger needs no trust.
  void finish_command_files() {
    std::set<std::string> needed;
    for (const auto& [key, path] : pending_) needed.insert(path);
    for (CommandFile& file : config_.command_files_) {
      if (!file.trusted && !needed.count(file.path)) file.wants.clear();
    }
  }

  const ConfigSources& sources_;
  Config config_;
  std::map<std::string, std::string> pending_; // key -> file whose untrusted value would count
};

Result<Config> Config::load(const ConfigSources& sources) { return ConfigLoader(sources).load(); }

std::vector<CommandFile> Config::untrusted() const {
  std::vector<CommandFile> result;
  for (const CommandFile& file : command_files_) {
    if (!file.trusted && !file.wants.empty()) result.push_back(file);
  }
  return result;
}

std::vector<std::string> Config::agent_names() const {
  std::set<std::string> names;
  for (const auto& [key, setting] : settings_) {
    const auto parts = split(key, '.');
    if (parts.front() == "agents") names.insert(parts[1]);
  }
  return {names.begin(), names.end()};
}

} // namespace emend
