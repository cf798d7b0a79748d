#include "service/workbench.hpp"

#include <algorithm>

#include "base/files.hpp"
#include "base/strings.hpp"
#include "engine/agents/agent_roles.hpp"
#include "engine/agents/repository_agents.hpp"
#include "service/analyzer_setup.hpp"
#include "service/pr_setup.hpp"

namespace emend {

namespace {

// A bare repository's root is its git directory.
bool has_no_checkout(const std::string& root) {
  std::error_code problem;
  return !fs::exists(fs::path(root) / ".git", problem) && fs::exists(fs::path(root) / "objects", problem) &&
         fs::exists(fs::path(root) / "HEAD", problem);
}

} // namespace

Result<std::unique_ptr<Workbench>> Workbench::open(const Dependencies& dependencies, OpenStore store,
                                                   WorkbenchPlace place) {
  std::unique_ptr<Workbench> bench(new Workbench(dependencies, std::move(store), std::move(place)));
  WorkbenchPlace& where = bench->place_;
  OpenedPlaces opened;
  if (const auto config = bench->config()) {
    TRY_ASSIGN(opened, opened_places(*config, where.environment));
  }
  TRY_ASSIGN(bench->repository_, dependencies.open_repository(where.directory, where.home, opened));
  if (where.at_root) where.directory = bench->repository_->root();
  if (has_no_checkout(bench->repository_->root())) {
    where.repository_root = bench->repository_->root();
    where.repository_file = configuration_of_head(*bench->repository_);
  }
  bench->agents_ = dependencies.make_agents(bench->repository_->root());
  // Results are not kept here: what a fix is judged by is looked at anew.
  AnalyzerSetup setup;
  if (const auto config = bench->config()) {
    TRY_ASSIGN(setup, analyzer_setup(*config, bench->store_, bench->repository_->root(), ""));
  }
  if (dependencies.make_analyzers) bench->analyzers_ = dependencies.make_analyzers(setup);
  if (where.artifacts != nullptr)
    bench->artifacts_ = std::make_unique<RepositoryArtifacts>(
        *where.artifacts, [raw = bench.get()]() -> Result<ArtifactSettings> {
          TRY_ASSIGN(const Config config, raw->config());
          return config.artifacts(raw->place_.environment);
        });
  return bench;
}

TraceExporter* Workbench::traces() {
  std::call_once(traced_, [this] {
    TraceSettings settings = trace_settings(place_.environment, dependencies_.version);
    if (settings.url.empty() || !dependencies_.open_messenger) return;
    auto messenger = dependencies_.open_messenger({}, settings.ca_file);
    traces_ = std::make_unique<TraceExporter>(std::move(settings), *store_().value(), std::move(messenger));
  });
  return traces_.get();
}

SessionManager Workbench::manager(const Actor& actor) {
  TraceExporter* const traces = this->traces();
  if (traces == nullptr) return {ports(actor), place_.home, on_event_};
  return {ports(actor), place_.home, [traces, tell = on_event_](const Event& event) {
            if (tell) tell(event);
            traces->see(event);
          }};
}

Ports Workbench::ports(const Actor& actor) {
  const auto make_redactor = [this]() -> Result<Redactor> {
    TRY_ASSIGN(const Config config, this->config());
    return Redactor::with_patterns(config.policy().redact_patterns);
  };
  return Ports{*store_().value(),
               *repository_,
               *dependencies_.processes,
               *agents_,
               *dependencies_.clock,
               &analyzers_,
               actor,
               dependencies_.version,
               artifacts_.get(),
               place_.presence,
               make_redactor,
               [this] { return allowance(); }};
}

Result<Allowance> Workbench::allowance() {
  TRY_ASSIGN(Store * store, store_());
  return limits_.rest([this] { return config(); }, *store, repository_->id());
}

Result<Config> Workbench::config(const std::vector<ConfigOverride>& overrides) const {
  return config_at(place_, overrides);
}

Result<Config> Workbench::config_at(const ConfigPlace& place,
                                    const std::vector<ConfigOverride>& overrides) const {
  ConfigPlace with = place;
  with.overrides.insert(with.overrides.end(), overrides.begin(), overrides.end());
  return project_config(dependencies_, with, store_);
}

Result<std::vector<CommandFile>> Workbench::command_files(const std::string& base_ref) {
  TRY_ASSIGN(const Config config, this->config());
  std::vector<CommandFile> files = config.command_files();
  const auto commit = repository_->resolve(base_ref);
  if (!commit) return files; // no commit yet
  TRY_ASSIGN(Store * store, store_());
  TRY_ASSIGN(const auto agents, repository_agents(*repository_, *store, *commit));
  for (CommandFile& file : as_command_files(agents)) files.push_back(std::move(file));
  return files;
}

Result<Policy> Workbench::trusted_policy(const std::vector<ConfigOverride>& overrides,
                                         const std::string& base_ref) {
  TRY_ASSIGN(const Config config, this->config(overrides));
  TRY_ASSIGN(const std::string commit, repository_->resolve(base_ref));
  return trusted(config, commit);
}

Result<Policy> Workbench::trusted_policy_of(const std::string& commit) {
  ConfigPlace of_commit = place_;
  of_commit.repository_file = configuration_of_base(*repository_, commit, commit);
  TRY_ASSIGN(const Config config, config_at(of_commit, {}));
  return trusted(config, commit);
}

Result<PrReviewRequest> Workbench::pr_review_request(const std::string& base_ref, const std::string& head_ref,
                                                     const std::vector<ConfigOverride>& overrides) {
  PrReviewRequest request;
  TRY_ASSIGN(request.change, look_up_change(*repository_, base_ref, head_ref));
  ConfigPlace of_base = place_;
  of_base.repository_file = configuration_of_base(*repository_, request.change.base, request.change.head);
  TRY_ASSIGN(const Config config, config_at(of_base, overrides));
  TRY_ASSIGN(request.policy, trusted(config, request.change.base));
  TRY_ASSIGN(request.voters, config.voters());
  TRY(check_voters(request.voters, repository_->root()));
  return request;
}

Result<Policy> Workbench::trusted(const Config& config, const std::string& commit) {
  if (const auto untrusted = config.untrusted(); !untrusted.empty())
    return fail(ErrorCode::needs_input,
                untrusted.front().path + " configures commands that nobody has allowed",
                "read it, then allow it: emend trust, in the repository");
  Policy policy = config.policy();
  TRY_ASSIGN(Store * store, store_());
  TRY_ASSIGN(const auto agents, repository_agents(*repository_, *store, commit));
  for (const RepositoryAgent& agent : agents) TRY(check_agent_file(agent.path, agent.text));
  TRY_ASSIGN(policy.agent_files, allowed_agent_files(agents));
  return policy;
}

} // namespace emend
