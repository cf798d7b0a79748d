#include "service/project_config.hpp"

#include "base/environment.hpp"
#include "base/files.hpp"
#include "base/strings.hpp"
#include "config/config_files.hpp"

namespace emend {

Result<Config> project_config(const Dependencies& dependencies, const ConfigPlace& place,
                              const OpenStore& store) {
  ConfigSources sources;
  sources.directory = place.directory;
  sources.repository_root =
      place.repository_root.empty() ? find_repository_root(place.directory) : place.repository_root;
  sources.user_file = place.user_file;
  sources.explicit_file = place.explicit_file;
  sources.isolated = place.isolated;
  sources.environment = place.environment;
  sources.overrides = place.overrides;
  sources.repository_file = place.repository_file;
  for (const FoundAgent& agent : dependencies.make_agents(sources.repository_root)->found())
    sources.installed.push_back(agent.engine);
  sources.trusted_sha256 = [&store](const std::string& path) -> Result<std::optional<std::string>> {
    TRY_ASSIGN(Store * opened, store());
    if (opened == nullptr) return std::nullopt;
    TRY_ASSIGN(const auto record, opened->trusted(path));
    return record ? std::optional<std::string>(record->sha256) : std::nullopt;
  };
  return Config::load(sources);
}

namespace {

Result<std::vector<std::string>> real_paths(const Config& config, const std::string& key,
                                            const std::string& home) {
  std::vector<std::string> paths;
  for (const Json& item : config.settings().at(key).value) {
    std::string path = item.is_string() ? item.get<std::string>() : "";
    if (path.starts_with("~/")) path = home + path.substr(1);
    if (!path.starts_with('/'))
      return fail(ErrorCode::config, key + ": \"" + path + "\" is not an absolute path",
                  "start it with / or ~/");
    std::error_code problem;
    const fs::path real = fs::canonical(path, problem);
    if (!problem) paths.push_back(real.string());
  }
  return paths;
}

} // namespace

Result<OpenedPlaces> opened_places(const Config& config, const std::vector<std::string>& environment) {
  const std::string home = variable(environment, "HOME");
  OpenedPlaces opened;
  TRY_ASSIGN(opened.writable, real_paths(config, "sandbox.writable", home));
  TRY_ASSIGN(opened.shared, real_paths(config, "sandbox.shared", home));
  TRY_ASSIGN(opened.readable, real_paths(config, "sandbox.readable", home));
  std::error_code problem;
  const std::string real_home = home.empty() ? "" : fs::canonical(home, problem).string();
  for (const std::string& path : opened.readable)
    if (path == "/" || path == real_home || real_home.starts_with(path + "/"))
      return fail(
          ErrorCode::config,
          "sandbox.readable: \"" + path + "\" would show the whole home directory to agents and commands",
          "name the directories or files in it that they need, for example \"~/.gitconfig\"");
  return opened;
}

std::vector<CommandFile> as_command_files(const std::vector<RepositoryAgent>& agents) {
  std::vector<CommandFile> files;
  for (const RepositoryAgent& agent : agents)
    files.push_back({agent.key,
                     agent.sha256,
                     {"sets the instructions of agent role " + clean_text(agent.name)},
                     agent.trusted,
                     agent.trusted_before});
  return files;
}

} // namespace emend
