// emend.toml, agent files, the YAML they may hold.
#include "config/config.hpp"
#include "engine/agents/agent_file.hpp"
#include "engine/agents/agent_roles.hpp"
#include "formats/yaml.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace emend::fuzz {
namespace {

FUZZ_TARGET(config_toml) {
  ConfigSources sources;
  sources.directory = sources.repository_root = "/nowhere";
  sources.trusted_sha256 = [](const std::string&) -> Result<std::optional<std::string>> {
    return std::optional<std::string>{};
  };
  sources.repository_file = [&](const std::string& path) -> Result<std::optional<std::string>> {
    return path == "emend.toml" ? std::optional<std::string>(input) : std::nullopt;
  };
  const auto config = Config::load(sources);
  if (!config) return promise(!config.error().message.empty(), "a mistake is told");
  const Policy policy = config->policy();
  promise(to_json(policy_from_json(to_json(policy))) == to_json(policy), "a policy survives the store");
  promise(policy.commands.empty(), "nobody trusted this file, so it runs nothing");
  static_cast<void>(config->require_agents());
  static_cast<void>(config->voters());
}

FUZZ_TARGET(agent_file_text) {
  if (const auto file = parse_agent_file("agents/x.md", input))
    promise(!file->name.empty(), "an agent file has a name");
  static_cast<void>(check_agent_file("fixer.md", input));
}

FUZZ_TARGET(yaml) { static_cast<void>(parse_yaml(input)); }

} // namespace
} // namespace emend::fuzz
