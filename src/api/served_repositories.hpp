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
#include "service/workbench.hpp"

namespace emend {

// Safe to use from many threads. What it is given outlives it.
class ServedRepositories {
public:
  ServedRepositories(const Dependencies& dependencies, Store& store, Ledger& ledger, WorkbenchPlace place,
                     std::function<void(const Event&)> on_event);

  // From now on and after a restart. ErrorCode::git when there is no repository.
  [[nodiscard]] Result<ServedRepository> add(const std::string& directory);
  [[nodiscard]] Result<std::vector<ServedRepository>> list();
  [[nodiscard]] Result<ServedRepository> find(const std::string& id); // not_found; a unique name will do
  [[nodiscard]] Result<ServedRepository> rename(
      const std::string& id, const std::string& name); // conflict: another one is called so
  [[nodiscard]] Status forget(const std::string& id);
  // Lives as long as this.
  [[nodiscard]] Result<Workbench*> bench(const std::string& id);
  // "" = the only one there is; with several, ErrorCode::usage. among: only these count; nullopt = all do.
  [[nodiscard]] Result<std::string> id_or_only(const std::string& id,
                                               const std::optional<std::vector<std::string>>& among);

private:
  [[nodiscard]] Result<Workbench*> open(const std::string& directory);

  const Dependencies& dependencies_;
  Store& store_;
  Ledger& ledger_;
  const WorkbenchPlace place_;
  std::function<void(const Event&)> on_event_;
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<Workbench>> open_; // by id
};

} // namespace emend
