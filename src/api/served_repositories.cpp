#include "api/served_repositories.hpp"

#include <algorithm>

#include "base/files.hpp"

namespace emend {

ServedRepositories::ServedRepositories(const Dependencies& dependencies, Store& store, Ledger& ledger,
                                       WorkbenchPlace place, std::function<void(const Event&)> on_event)
    : dependencies_(dependencies),
      store_(store),
      ledger_(ledger),
      place_(std::move(place)),
      on_event_(std::move(on_event)) {}

Result<Workbench*> ServedRepositories::open_locked(const std::string& directory) {
  WorkbenchPlace place = place_;
  place.directory = directory;
  TRY_ASSIGN(auto bench,
             Workbench::open(
                 dependencies_, [this]() -> Result<Store*> { return &store_; }, std::move(place)));
  bench->start(on_event_);
  const std::string id = bench->repository().id();
  auto& kept = open_[id];
  if (kept && kept->repository().root() != bench->repository().root()) retired_.push_back(std::move(kept));
  if (!kept) kept = std::move(bench);
  return kept.get();
}

Result<ServedRepository> ServedRepositories::add(const std::string& directory) {
  ServedRepository repository;
  {
    const std::lock_guard guard(mutex_);
    TRY_ASSIGN(Workbench * bench, open_locked(directory));
    repository.id = bench->repository().id();
    repository.root = bench->repository().root();
  }
  const auto known = find(repository.id);
  repository.name = known && known->id == repository.id
                        ? known->name
                        : fs::path(repository.root).filename().string(); // a person may have named it
  repository.added_ms = dependencies_.clock->wall_ms();
  TRY(ledger_.put_repository(repository));
  return find(repository.id);
}

Result<std::vector<ServedRepository>> ServedRepositories::list() { return ledger_.repositories(); }

Result<ServedRepository> ServedRepositories::find(const std::string& id) {
  TRY_ASSIGN(const auto all, ledger_.repositories());
  const ServedRepository* found = nullptr;
  for (const ServedRepository& repository : all) {
    if (repository.id == id) return repository;
    if (repository.name != id) continue;
    if (found != nullptr)
      return fail(ErrorCode::usage, "several repositories are called " + id, "use its id");
    found = &repository;
  }
  if (found == nullptr)
    return fail(ErrorCode::not_found, "there is no repository " + id, "see GET /api/repositories");
  return *found;
}

Result<ServedRepository> ServedRepositories::rename(const std::string& id, const std::string& name) {
  TRY_ASSIGN(ServedRepository repository, find(id));
  TRY_ASSIGN(const auto all, ledger_.repositories());
  for (const ServedRepository& other : all)
    if (other.id != repository.id && (other.name == name || other.id == name))
      return fail(ErrorCode::conflict, "another repository is called " + name);
  repository.name = name;
  TRY(ledger_.put_repository(repository));
  return repository;
}

Result<ServedRepository> ServedRepositories::move(const std::string& id, const std::string& directory) {
  TRY_ASSIGN(ServedRepository repository, find(id));
  if (!adopt_) return fail(ErrorCode::usage, "repositories cannot be moved here");
  TRY(adopt_(directory, repository.id));
  {
    const std::lock_guard guard(mutex_);
    TRY_ASSIGN(Workbench * bench, open_locked(directory));
    if (bench->repository().id() != repository.id)
      return fail(ErrorCode::conflict, directory + " is another repository that is known here");
    repository.root = bench->repository().root();
  }
  TRY(ledger_.put_repository(repository));
  return repository;
}

Status ServedRepositories::set_team(const std::string& id, const std::string& team) {
  TRY_ASSIGN(const ServedRepository repository, find(id));
  return keep_team(ledger_, repository.id, team);
}

Result<TeamOfRepository> ServedRepositories::teams() {
  return teams_of_repositories(ledger_, dependencies_.clock->wall_ms());
}

Status ServedRepositories::forget(const std::string& id) {
  TRY_ASSIGN(const ServedRepository repository, find(id));
  return ledger_.forget_repository(repository.id);
}

Result<Workbench*> ServedRepositories::bench(const std::string& id) {
  TRY_ASSIGN(const ServedRepository repository, find(id));
  const std::lock_guard guard(mutex_);
  const auto known = open_.find(repository.id);
  if (known != open_.end() && known->second->repository().root() == repository.root)
    return known->second.get();
  TRY_ASSIGN(Workbench * bench, open_locked(repository.root));
  if (bench->repository().id() != repository.id)
    return fail(ErrorCode::git, repository.root + " is a different repository now",
                "remove it and add it again");
  return bench;
}

Result<std::string> ServedRepositories::id_or_only(const std::string& id,
                                                   const std::optional<std::vector<std::string>>& among) {
  TRY_ASSIGN(auto all, ledger_.repositories());
  if (among)
    std::erase_if(all, [&](const ServedRepository& one) {
      return std::find(among->begin(), among->end(), one.id) == among->end();
    });
  if (id.empty() && all.size() == 1) return all.front().id;
  if (id.empty()) return fail(ErrorCode::usage, "repository_id is missing", "see GET /api/repositories");
  TRY_ASSIGN(const ServedRepository found, find(id));
  return found.id;
}

} // namespace emend
