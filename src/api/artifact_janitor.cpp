#include "api/artifact_janitor.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "base/log.hpp"
#include "service/project_config.hpp"

namespace emend {

ArtifactTender::ArtifactTender(const Dependencies& dependencies, Store& store,
                               ServedRepositories& repositories, ArtifactKeeper& keeper, WorkbenchPlace place)
    : dependencies_(dependencies),
      store_(store),
      repositories_(repositories),
      keeper_(keeper),
      place_(std::move(place)) {}

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
  return keeper_.tidy(store_, repository.id, settings);
}

} // namespace emend
