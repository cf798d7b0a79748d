#include "service/workbench.hpp"

#include <algorithm>

#include "base/strings.hpp"
#include "engine/agent_roles.hpp"
#include "engine/repository_agents.hpp"
#include "service/pr_setup.hpp"

namespace emend {

Result<std::unique_ptr<Workbench>> Workbench::open(const Dependencies& dependencies, Store& store,
                                                   WorkbenchPlace place,
                                                   std::function<void(const Event&)> on_event) {
  std::unique_ptr<Workbench> bench(new Workbench(dependencies, store, std::move(place)));
  OpenedPlaces opened;
  if (const auto config = bench->config_in(bench->place_.directory, {})) {
    TRY_ASSIGN(opened, opened_places(*config, bench->place_.environment));
  }
  TRY_ASSIGN(bench->repository_,
             dependencies.open_repository(bench->place_.directory, bench->place_.home, opened));
  bench->agents_ = dependencies.make_agents(bench->repository_->root());
  if (dependencies.make_analyzers) bench->analyzers_ = dependencies.make_analyzers();
  if (ArtifactKeeper* keeper = bench->place_.artifacts; keeper != nullptr) {
    bench->artifacts_ =
        std::make_unique<RepositoryArtifacts>(*keeper, [raw = bench.get()]() -> Result<ArtifactSettings> {
          TRY_ASSIGN(const Config config, raw->config());
          return config.artifacts(raw->place_.environment);
        });
  }
  bench->manager_ = std::make_unique<SessionManager>(bench->ports(), bench->place_.home, std::move(on_event));
  return bench;
}

Ports Workbench::ports() {
  return Ports{
      store_,      *repository_,          *dependencies_.processes, *agents_,       *dependencies_.clock,
      &analyzers_, dependencies_.version, artifacts_.get(),         place_.presence};
}

Result<Config> Workbench::config(const std::vector<ConfigOverride>& overrides) const {
  return config_in(repository_->root(), overrides);
}

Result<Config> Workbench::config_in(const std::string& directory,
                                    const std::vector<ConfigOverride>& overrides,
                                    TreeFileReader repository_file) const {
  ConfigPlace place;
  place.directory = directory;
  place.user_file = place_.user_file;
  place.environment = place_.environment;
  place.overrides = overrides;
  place.repository_file = std::move(repository_file);
  return project_config(dependencies_, place, [this]() -> Result<Store*> { return &store_; });
}

Result<std::vector<CommandFile>> Workbench::command_files(const std::string& base_ref) {
  TRY_ASSIGN(const Config config, this->config());
  std::vector<CommandFile> files = config.command_files();
  const auto commit = repository_->resolve(base_ref);
  if (!commit) return files; // no commit yet
  TRY_ASSIGN(const auto agents, repository_agents(*repository_, store_, *commit));
  for (CommandFile& file : as_command_files(agents)) files.push_back(std::move(file));
  return files;
}

Result<Policy> Workbench::trusted_policy(const std::vector<ConfigOverride>& overrides,
                                         const std::string& base_ref) {
  TRY_ASSIGN(const Config config, this->config(overrides));
  TRY_ASSIGN(const std::string commit, repository_->resolve(base_ref));
  return trusted(config, commit);
}

Result<PrReviewRequest> Workbench::pr_review_request(const std::string& base_ref, const std::string& head_ref,
                                                     const std::vector<ConfigOverride>& overrides) {
  PrReviewRequest request;
  TRY_ASSIGN(request.change, look_up_change(*repository_, base_ref, head_ref));
  TRY_ASSIGN(const Config config,
             config_in(repository_->root(), overrides,
                       configuration_of_base(*repository_, request.change.base, request.change.head)));
  TRY_ASSIGN(request.policy, trusted(config, request.change.base));
  TRY_ASSIGN(request.voters, config.voters());
  TRY(check_voters(request.voters, repository_->root()));
  return request;
}

Result<Policy> Workbench::trusted(const Config& config, const std::string& commit) {
  if (const auto untrusted = config.untrusted(); !untrusted.empty())
    return fail(ErrorCode::needs_input,
                untrusted.front().path + " wants to run commands, which nobody has allowed",
                "look at it, then allow it: emend trust, in the repository");
  Policy policy = config.policy();
  TRY_ASSIGN(const auto agents, repository_agents(*repository_, store_, commit));
  for (const RepositoryAgent& agent : agents) TRY(check_agent_file(agent.path, agent.text));
  TRY_ASSIGN(policy.agent_files, allowed_agent_files(agents));
  return policy;
}

} // namespace emend
