// One repository with everything that is needed to work on it: opened once, used by any number of requests.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "config/config.hpp"
#include "engine/pr_review.hpp"
#include "engine/session_manager.hpp"
#include "service/artifact_keeper.hpp"
#include "service/dependencies.hpp"
#include "service/project_config.hpp"

namespace emend {

struct WorkbenchPlace {
  std::string directory; // in the repository
  std::string home;      // EMEND_HOME
  std::string user_file; // the user's own configuration; may be empty
  std::vector<std::string> environment;
  ArtifactKeeper* artifacts = nullptr; // outlives the workbench; null = artifacts stay where they are
  Presence* presence = nullptr;        // likewise; null = work is not shared with other machines
};

// Safe to use from many threads. `dependencies` and `store` outlive it.
class Workbench {
public:
  [[nodiscard]] static Result<std::unique_ptr<Workbench>> open(const Dependencies& dependencies, Store& store,
                                                               WorkbenchPlace place,
                                                               std::function<void(const Event&)> on_event);

  [[nodiscard]] Repository& repository() { return *repository_; }
  [[nodiscard]] const std::string& home() const { return place_.home; }
  [[nodiscard]] Ports ports();
  [[nodiscard]] SessionManager& manager() { return *manager_; }
  [[nodiscard]] const std::vector<std::unique_ptr<Analyzer>>& analyzers() const { return analyzers_; }
  [[nodiscard]] AgentFactory& agents() { return *agents_; }

  // Read again each time: a person edits files while a server runs.
  [[nodiscard]] Result<Config> config(const std::vector<ConfigOverride>& overrides = {}) const;
  // The files that want to run commands or tell agents what to do at `base_ref`, and whether a person has
  // allowed them.
  [[nodiscard]] Result<std::vector<CommandFile>> command_files(const std::string& base_ref);
  // For work that starts agents or commands: ErrorCode::needs_input when something of the repository is not
  // trusted.
  [[nodiscard]] Result<Policy> trusted_policy(const std::vector<ConfigOverride>& overrides,
                                              const std::string& base_ref);
  // The same for a review of a change, which the base's configuration steers.
  [[nodiscard]] Result<PrReviewRequest> pr_review_request(const std::string& base_ref,
                                                          const std::string& head_ref,
                                                          const std::vector<ConfigOverride>& overrides);

private:
  Workbench(const Dependencies& dependencies, Store& store, WorkbenchPlace place)
      : dependencies_(dependencies), store_(store), place_(std::move(place)) {}
  [[nodiscard]] Result<Config> config_in(const std::string& directory,
                                         const std::vector<ConfigOverride>& overrides,
                                         TreeFileReader repository_file = {}) const;
  [[nodiscard]] Result<Policy> trusted(const Config& config, const std::string& commit);

  const Dependencies& dependencies_;
  Store& store_;
  WorkbenchPlace place_;
  std::unique_ptr<Repository> repository_;
  std::unique_ptr<AgentFactory> agents_;
  std::vector<std::unique_ptr<Analyzer>> analyzers_;
  std::unique_ptr<RepositoryArtifacts> artifacts_;
  std::unique_ptr<SessionManager> manager_;
};

} // namespace emend
