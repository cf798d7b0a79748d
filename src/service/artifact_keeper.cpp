#include "service/artifact_keeper.hpp"

#include "base/hash.hpp"
#include "base/log.hpp"
#include "base/strings.hpp"

namespace emend {

ArtifactKeeper::ArtifactKeeper(const Dependencies& dependencies, std::string home,
                               std::vector<std::string> environment)
    : dependencies_(dependencies), home_(std::move(home)), environment_(std::move(environment)) {}

Result<std::unique_ptr<ObjectStore>> ArtifactKeeper::open(const ArtifactSettings& settings) const {
  return dependencies_.open_objects(settings, environment_);
}

ArtifactUploader* ArtifactKeeper::uploader(const ArtifactSettings& settings) {
  if (!settings.remote() || !dependencies_.open_objects) return nullptr;
  const std::lock_guard guard(mutex_);
  auto& uploader = uploaders_[settings.place()];
  if (!uploader)
    uploader = std::make_unique<ArtifactUploader>([this, settings] { return open(settings); }, settings,
                                                  home_, *dependencies_.clock);
  return uploader.get();
}

std::vector<ArtifactKeeper::Rest> ArtifactKeeper::finish(std::chrono::milliseconds patience,
                                                         std::stop_token stop) {
  const std::lock_guard guard(mutex_);
  std::vector<Rest> left;
  const auto end = std::chrono::steady_clock::now() + patience;
  for (const auto& [place, uploader] : uploaders_) {
    const auto rest = std::max(
        std::chrono::milliseconds(0),
        std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now()));
    UploadState state = uploader->finish(rest, stop);
    if (state.pending > 0) left.push_back({uploader->settings(), std::move(state)});
  }
  return left;
}

Status ArtifactKeeper::tidy(Store& store, const std::string& repository_id,
                            const ArtifactSettings& settings) const {
  constexpr std::int64_t kDayMs = 24LL * 3600 * 1000;
  if (settings.retention_days == 0) return {};
  const fs::path stamp =
      fs::path(home_) / "artifacts" / ("tidied-" + sha256_hex(repository_id).substr(0, 16));
  const std::int64_t now = dependencies_.clock->wall_ms();
  const auto last = parse_unsigned(trim(read_file(stamp, 100).value_or("")));
  if (last && static_cast<std::int64_t>(*last) <= now && now - static_cast<std::int64_t>(*last) < kDayMs)
    return {};
  TRY(expire_local(store, home_, repository_id, now - settings.retention_ms()));
  return write_scratch_file(stamp, std::to_string(now) + "\n");
}

ArtifactUploader* RepositoryArtifacts::uploader_locked(const std::string& session_id) {
  auto known = uploaders_.find(session_id);
  if (known == uploaders_.end()) {
    const auto settings = settings_();
    if (!settings) log(LogLevel::warn, "artifacts are stored only locally: " + settings.error().message);
    known = uploaders_.emplace(session_id, settings ? keeper_.uploader(*settings) : nullptr).first;
  }
  return known->second;
}

void RepositoryArtifacts::will_keep(const std::string& session_id) {
  const std::lock_guard guard(mutex_);
  if (ArtifactUploader* uploader = uploader_locked(session_id)) uploader->will_keep(session_id);
}

void RepositoryArtifacts::kept(const std::string& session_id) {
  const std::lock_guard guard(mutex_);
  if (ArtifactUploader* uploader = uploader_locked(session_id)) uploader->kept(session_id);
}

bool RepositoryArtifacts::used() {
  const std::lock_guard guard(mutex_);
  return !uploaders_.empty();
}

} // namespace emend
