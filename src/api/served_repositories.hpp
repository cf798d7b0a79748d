// The repositories a server works for, each opened when it is first needed. Clients name them by id, never by
// path.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "ports/ledger.hpp"
#include "service/budgets.hpp"
#include "service/workbench.hpp"

namespace emend {

// Safe to use from many threads. What it is given outlives it.
class ServedRepositories {
public:
  ServedRepositories(const Dependencies& dependencies, Store& store, Ledger& ledger, WorkbenchPlace place,
                     std::function<void(const Event&)> on_event);
  // Makes the repository in a directory the one with this id; before anything is moved.
  using Adopt = std::function<Status(const std::string& directory, const std::string& id)>;
  void set_adopt(Adopt adopt) { adopt_ = std::move(adopt); }

  // From now on and after a restart. ErrorCode::git when there is no repository.
  [[nodiscard]] Result<ServedRepository> add(const std::string& directory);
  [[nodiscard]] Result<std::vector<ServedRepository>> list();
  [[nodiscard]] Result<ServedRepository> find(const std::string& id); // not_found; a unique name will do
  [[nodiscard]] Result<ServedRepository> rename(
      const std::string& id, const std::string& name); // conflict: another one is called so
  // Its folder is this one now. The id stays, and with it everything that is known of it.
  [[nodiscard]] Result<ServedRepository> move(const std::string& id, const std::string& directory);
  // Its jobs take turns with those of other teams, and its agents use the team's budget; "" = none.
  [[nodiscard]] Status set_team(const std::string& id, const std::string& team);
  [[nodiscard]] Result<TeamOfRepository> teams();
  [[nodiscard]] Status forget(const std::string& id);
  // Lives as long as this.
  [[nodiscard]] Result<Workbench*> bench(const std::string& id);
  // "" = the only one there is; with several, ErrorCode::usage. among: only these count; nullopt = all do.
  [[nodiscard]] Result<std::string> id_or_only(const std::string& id,
                                               const std::optional<std::vector<std::string>>& among);

private:
  [[nodiscard]] Result<Workbench*> open_locked(const std::string& directory);

  const Dependencies& dependencies_;
  Store& store_;
  Ledger& ledger_;
  const WorkbenchPlace place_;
  std::function<void(const Event&)> on_event_;
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<Workbench>> open_; // by id
  std::vector<std::unique_ptr<Workbench>> retired_;        // somebody may still use them
  Adopt adopt_;
};

} // namespace emend
