// One repository with everything that is needed to work on it: opened once, used by any number of requests.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "config/config.hpp"
#include "engine/review/pr_review.hpp"
#include "engine/session/session_manager.hpp"
#include "service/artifact_keeper.hpp"
#include "service/dependencies.hpp"
#include "service/project_config.hpp"
#include "service/shared_limits.hpp"
#include "service/trace_exporter.hpp"

namespace emend {

// Its directory is one in the repository.
struct WorkbenchPlace : ConfigPlace {
  std::string home = {};               // EMEND_HOME
  ArtifactKeeper* artifacts = nullptr; // outlives the workbench; null = artifacts stay where they are
  Presence* presence = nullptr;        // likewise; null = work is not shared with other machines
  bool at_root = true; // the configuration is that of the repository's root, not that of the directory
};

// Safe to use from many threads. `dependencies` and the store outlive it.
class Workbench {
public:
  // A configuration with mistakes does not keep it from being opened: whoever needs the configuration is
  // told.
  [[nodiscard]] static Result<std::unique_ptr<Workbench>> open(const Dependencies& dependencies,
                                                               OpenStore store, WorkbenchPlace place);
  // Before anything else is asked of it: work is shared with other machines.
  void share(Presence* presence) { place_.presence = presence; }
  // on_event: see SessionManager.
  void start(std::function<void(const Event&)> on_event) { on_event_ = std::move(on_event); }

  [[nodiscard]] Repository& repository() { return *repository_; }
  [[nodiscard]] const std::string& home() const { return place_.home; }
  [[nodiscard]] const std::vector<std::string>& environment() const { return place_.environment; }
  [[nodiscard]] const std::string& user_file() const { return place_.user_file; } // may be empty or missing
  // What quotas and budgets leave for the next run of an agent here.
  [[nodiscard]] Result<Allowance> allowance();
  // For what this actor does; needs the store.
  [[nodiscard]] Ports ports(const Actor& actor);
  [[nodiscard]] SessionManager manager(const Actor& actor);
  [[nodiscard]] const std::vector<std::unique_ptr<Analyzer>>& analyzers() const { return analyzers_; }
  [[nodiscard]] AgentFactory& agents() { return *agents_; }
  [[nodiscard]] RepositoryArtifacts* artifacts() { return artifacts_.get(); } // null = they stay here

  // Read again each time: a person edits files while a server runs.
  [[nodiscard]] Result<Config> config(const std::vector<ConfigOverride>& overrides = {}) const;
  // From here on the repository's configuration files are read by this.
  void read_files_by(TreeFileReader repository_file) { place_.repository_file = std::move(repository_file); }
  // The files that want to run commands or tell agents what to do at `base_ref`, and whether a person has
  // allowed them.
  [[nodiscard]] Result<std::vector<CommandFile>> command_files(const std::string& base_ref);
  // For work that starts agents or commands: ErrorCode::needs_input when something of the repository is not
  // trusted.
  [[nodiscard]] Result<Policy> trusted_policy(const std::vector<ConfigOverride>& overrides,
                                              const std::string& base_ref);
  // The same by the configuration of this commit, whatever is checked out.
  [[nodiscard]] Result<Policy> trusted_policy_of(const std::string& commit);
  // The same for a review of a change, which the base's configuration steers.
  [[nodiscard]] Result<PrReviewRequest> pr_review_request(const std::string& base_ref,
                                                          const std::string& head_ref,
                                                          const std::vector<ConfigOverride>& overrides);

private:
  Workbench(const Dependencies& dependencies, OpenStore store, WorkbenchPlace place)
      : dependencies_(dependencies),
        store_(std::move(store)),
        place_(std::move(place)),
        limits_(dependencies, place_.environment, place_.home) {}
  [[nodiscard]] Result<Config> config_at(const ConfigPlace& place,
                                         const std::vector<ConfigOverride>& overrides) const;
  [[nodiscard]] Result<Policy> trusted(const Config& config, const std::string& commit);
  [[nodiscard]] TraceExporter* traces(); // null = nobody wants any

  const Dependencies& dependencies_;
  OpenStore store_;
  WorkbenchPlace place_;
  SharedLimits limits_;
  std::unique_ptr<Repository> repository_;
  std::unique_ptr<AgentFactory> agents_;
  std::vector<std::unique_ptr<Analyzer>> analyzers_;
  std::unique_ptr<RepositoryArtifacts> artifacts_;
  std::function<void(const Event&)> on_event_;
  std::once_flag traced_;
  std::unique_ptr<TraceExporter> traces_;
};

} // namespace emend
