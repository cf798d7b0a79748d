#include "service/project_config.hpp"

#include "base/environment.hpp"
#include "base/files.hpp"
#include "base/strings.hpp"
#include "config/config_files.hpp"

namespace emend {

Result<Config> project_config(const Dependencies& dependencies, const ConfigPlace& place, const std::function<Result<Store*>()>& store) {
  ConfigSources sources;
  sources.directory = place.directory;
  sources.repository_root = find_repository_root(place.directory);
  sources.user_file = place.user_file;
  sources.explicit_file = place.explicit_file;
  sources.isolated = place.isolated;
  sources.environment = place.environment;
  sources.overrides = place.overrides;
  sources.repository_file = place.repository_file;
  for (const FoundAgent& agent : dependencies.make_agents(sources.repository_root)->found()) sources.installed.push_back(agent.engine);
  sources.trusted_sha256 = [&store](const std::string& path) -> Result<std::optional<std::string>> {
    TRY_ASSIGN(Store * opened, store());
    TRY_ASSIGN(const auto record, opened->trusted(path));
    return record ? std::optional<std::string>(record->sha256) : std::nullopt;
  };
  return Config::load(sources);
}

Result<std::vector<std::string>> writable_directories(const Config& config, const std::vector<std::string>& environment) {
  std::vector<std::string> directories;
  for (const Json& item : config.settings().at("sandbox.writable").value) {
    std::string path = item.is_string() ? item.get<std::string>() : "";
    if (path.starts_with("~/")) path = variable(environment, "HOME") + path.substr(1);
    if (!path.starts_with('/'))
      return fail(ErrorCode::config, "sandbox.writable: \"" + path + "\" is not an absolute path", "write it from / or from ~/ on");
    std::error_code problem;
    const fs::path real = fs::canonical(path, problem);
    if (!problem) directories.push_back(real.string());
  }
  return directories;
}

std::vector<CommandFile> as_command_files(const std::vector<RepositoryAgent>& agents) {
  std::vector<CommandFile> files;
  for (const RepositoryAgent& agent : agents)
    files.push_back({agent.key, agent.sha256, {"tells agents what to do as " + clean_text(agent.name)}, agent.trusted, agent.trusted_before});
  return files;
}

} // namespace emend
