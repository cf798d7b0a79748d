#include "api/artifact_janitor.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>

#include "base/log.hpp"
#include "service/housekeeping.hpp"
#include "service/project_config.hpp"

namespace emend {

namespace {

constexpr std::int64_t kDay = std::int64_t{24} * 3600 * 1000;

int days_of(const Config& config, const std::string& key) {
  const auto setting = config.settings().find(key);
  return setting == config.settings().end() ? 0 : setting->second.value.get<int>();
}

} // namespace

ArtifactTender::ArtifactTender(const Dependencies& dependencies, Store& store,
                               ServedRepositories& repositories, ArtifactKeeper& keeper, WorkbenchPlace place,
                               DatabaseUpkeep database)
    : dependencies_(dependencies),
      store_(store),
      repositories_(repositories),
      keeper_(keeper),
      place_(std::move(place)),
      database_(std::move(database)) {}

void ArtifactTender::start() {
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

void ArtifactTender::stop() {
  constexpr std::chrono::milliseconds kPatience(3'000);
  if (!thread_.joinable()) return;
  thread_.request_stop();
  thread_.join();
  for (const ArtifactKeeper::Rest& rest : keeper_.finish(kPatience, {}))
    log(LogLevel::warn, std::to_string(rest.state.pending) + " artifacts are not yet in " +
                            rest.settings.address() +
                            (rest.state.problem ? ": " + rest.state.problem->message : ""));
}

void ArtifactTender::run(const std::stop_token& stop) {
  constexpr auto kLookAround = std::chrono::hours(1);
  std::mutex mutex;
  std::condition_variable_any wake;
  std::unique_lock lock(mutex);
  while (!stop.stop_requested()) {
    const auto all = repositories_.list();
    if (!all) log(LogLevel::warn, all.error().message);
    for (const ServedRepository& repository : all.value_or(std::vector<ServedRepository>{})) {
      if (stop.stop_requested()) return;
      if (auto tended = tend(repository); !tended)
        log(LogLevel::warn, "artifacts of " + repository.name + ": " + tended.error().message);
    }
    if (auto tended = tend_database(); !tended)
      log(LogLevel::warn, "the database: " + tended.error().message);
    wake.wait_for(lock, stop, kLookAround, [] { return false; });
  }
}

// Read again each time: a person may have allowed the configuration since.
Status ArtifactTender::tend(const ServedRepository& repository) {
  ConfigPlace place = place_;
  place.directory = repository.root;
  TRY_ASSIGN(const Config config,
             project_config(dependencies_, place, [this]() -> Result<Store*> { return &store_; }));
  TRY_ASSIGN(const ArtifactSettings settings, config.artifacts(place_.environment));
  if (ArtifactUploader* uploader = keeper_.uploader(settings); uploader != nullptr) uploader->start();
  TRY(keeper_.tidy(store_, repository.id, settings));
  return tend_branches(repository, days_of(config, "retention.branches_days"));
}

// Not while somebody works there: an hour later is soon enough.
Status ArtifactTender::tend_branches(const ServedRepository& repository, int days) {
  if (days == 0) return {};
  TRY_ASSIGN(Workbench * bench, repositories_.bench(repository.id));
  const Ports ports = bench->ports(Actor{});
  TRY_ASSIGN(std::vector<OldBranch> branches,
             old_branches(store_, ports.repository, dependencies_.clock->wall_ms() - days * kDay));
  if (std::none_of(branches.begin(), branches.end(),
                   [](const OldBranch& branch) { return branch.kept_because.empty(); }))
    return {};
  const Status removed = remove_branches(place_.home, ports, branches);
  return removed || removed.error().code == ErrorCode::conflict ? Status() : removed;
}

Status ArtifactTender::tend_database() {
  if (database_.tools == nullptr) return {};
  if (database_.events_days > 0)
    TRY(database_.tools->expire(database_.address,
                                dependencies_.clock->wall_ms() - database_.events_days * kDay, false));
  return database_.tools->trim_log(database_.address);
}

} // namespace emend
