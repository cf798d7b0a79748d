#include "service/artifact_uploader.hpp"

#include <algorithm>
#include <utility>

#include "base/hash.hpp"
#include "base/log.hpp"
#include "base/strings.hpp"
#include "engine/context/run_context.hpp"
#include "service/remote_expiry.hpp"
#include "service/upload_record.hpp"

namespace emend {

namespace {

constexpr std::int64_t kDayMs = 24LL * 3600 * 1000;

// Once a day for each store, whichever program does it.
fs::path expiry_stamp(const std::string& home, const std::string& place) {
  return fs::path(home) / "artifacts" / ("expired-" + sha256_hex(place).substr(0, 16));
}

} // namespace

std::int64_t wait_after(int failures, const UploadPace& pace) {
  std::int64_t wait = pace.first_wait_ms;
  for (int i = 1; i < failures && wait < pace.longest_wait_ms; ++i) wait *= 2;
  return std::min(wait, pace.longest_wait_ms);
}

std::vector<Artifact> not_uploaded(const std::string& home, const std::string& session_id,
                                   const std::string& place) {
  const UploadRecord record = UploadRecord::read(session_folder(home, session_id));
  std::vector<Artifact> artifacts = artifacts_of(home, session_id);
  std::erase_if(artifacts, [&](const Artifact& artifact) { return record.has(place, artifact); });
  return artifacts;
}

ArtifactUploader::ArtifactUploader(Open open, ArtifactSettings settings, std::string home, const Clock& clock,
                                   UploadPace pace)
    : open_(std::move(open)),
      settings_(std::move(settings)),
      home_(std::move(home)),
      place_(settings_.place()),
      clock_(clock),
      pace_(pace) {}

ArtifactUploader::~ArtifactUploader() = default;

void ArtifactUploader::mark_locked(const std::string& session_id) {
  if (!marked_.insert(session_id).second) return;
  if (auto noted = UploadRecord::read(session_folder(home_, session_id)).want(place_); !noted)
    log(LogLevel::warn, noted.error().message);
}

void ArtifactUploader::will_keep(const std::string& session_id) {
  const std::lock_guard guard(mutex_);
  mark_locked(session_id);
}

void ArtifactUploader::kept(const std::string& session_id) {
  const std::lock_guard guard(mutex_);
  mark_locked(session_id);
  waiting_.insert(session_id);
  start_locked();
  changed_.notify_all();
}

void ArtifactUploader::start() {
  const std::lock_guard guard(mutex_);
  start_locked();
}

void ArtifactUploader::start_locked() {
  if (thread_.joinable()) return;
  hurry_ = gave_up_ = false;
  busy_ = true; // until it has looked for what earlier programs left
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

UploadState ArtifactUploader::finish(std::chrono::milliseconds patience, std::stop_token stop) {
  std::jthread ending;
  {
    std::unique_lock lock(mutex_);
    hurry_ = true;
    gave_up_ = false;
    if (!waiting_.empty()) expiry_stop_.request_stop(); // that has time
    changed_.notify_all();
    if (thread_.joinable())
      changed_.wait_for(lock, stop, patience,
                        [&] { return gave_up_ || (waiting_.empty() && !busy_ && !expiring_); });
    ending = std::move(thread_);
  }
  ending.request_stop();
  if (ending.joinable()) ending.join();
  const std::lock_guard guard(mutex_);
  UploadState state;
  for (const std::string& session_id : waiting_)
    state.pending += not_uploaded(home_, session_id, place_).size();
  if (state.pending > 0) state.problem = problem_;
  return state;
}

void ArtifactUploader::run(const std::stop_token& stop) {
  find_earlier();
  while (!stop.stop_requested()) {
    expire_when_due(stop);
    std::set<std::string> batch = next_batch(stop);
    if (!batch.empty()) do_round(std::move(batch), stop);
  }
}

void ArtifactUploader::find_earlier() {
  std::set<std::string> earlier;
  for (const std::string& id : session_folders(home_))
    if (UploadRecord::read(session_folder(home_, id)).wanted(place_) &&
        !not_uploaded(home_, id, place_).empty())
      earlier.insert(id);
  const std::lock_guard guard(mutex_);
  marked_.insert(earlier.begin(), earlier.end());
  waiting_.merge(earlier);
  busy_ = false;
  expiring_ = waiting_.empty();
  changed_.notify_all();
}

// Waits until there is something to do; empty when there is not, for an hour.
std::set<std::string> ArtifactUploader::next_batch(const std::stop_token& stop) {
  constexpr auto kLookAround = std::chrono::hours(1);
  std::unique_lock lock(mutex_);
  const auto ready = [&] {
    return !waiting_.empty() && (hurry_ ? !gave_up_ : std::chrono::steady_clock::now() >= not_before_);
  };
  const Moment end = std::chrono::steady_clock::now() + kLookAround;
  while (!stop.stop_requested() && !ready() && std::chrono::steady_clock::now() < end) {
    const Moment soon = std::chrono::steady_clock::now() + std::chrono::milliseconds(10);
    changed_.wait_until(lock, stop, waiting_.empty() ? end : std::max(not_before_, soon), ready);
  }
  expiring_ = waiting_.empty();
  if (stop.stop_requested() || !ready()) return {};
  busy_ = true;
  return std::exchange(waiting_, {});
}

void ArtifactUploader::do_round(std::set<std::string> batch, const std::stop_token& stop) {
  Pushed worst = Pushed::all;
  std::set<std::string> again;
  for (const std::string& session_id : batch) {
    const Pushed pushed = worst == Pushed::failed ? worst : push(session_id, stop);
    if (pushed != Pushed::all) again.insert(session_id);
    worst = std::max(worst, pushed);
  }
  const std::lock_guard guard(mutex_);
  busy_ = false;
  waiting_.merge(again);
  expiring_ = waiting_.empty();
  failures_ = worst == Pushed::failed ? failures_ + 1 : 0;
  gave_up_ = hurry_ && worst != Pushed::all;
  const std::int64_t wait = worst == Pushed::failed ? wait_after(failures_, pace_) : pace_.at_rest_ms;
  not_before_ = std::chrono::steady_clock::now() + std::chrono::milliseconds(wait);
  changed_.notify_all();
}

// Files that are still written to are left for the next round, unless there is none.
ArtifactUploader::Pushed ArtifactUploader::push(const std::string& session_id, const std::stop_token& stop) {
  UploadRecord record = UploadRecord::read(session_folder(home_, session_id));
  Pushed pushed = Pushed::all;
  for (const Artifact& artifact : artifacts_of(home_, session_id)) {
    if (record.has(place_, artifact)) continue;
    const bool young = clock_.wall_ms() - artifact.modified_ns / 1'000'000 < pace_.at_rest_ms;
    const bool hurry = [&] {
      const std::lock_guard guard(mutex_);
      return hurry_;
    }();
    if ((young && !hurry) || refused_.contains(artifact.path.string())) {
      pushed = Pushed::some;
      continue;
    }
    if (auto sent = send(artifact, stop); !sent) {
      const ErrorCode code = sent.error().code;
      note(std::move(sent).error());
      if (code != ErrorCode::usage) return Pushed::failed;
      refused_.insert(artifact.path.string());
      pushed = Pushed::some;
      continue;
    }
    if (auto noted = record.add(place_, artifact); !noted) log(LogLevel::warn, noted.error().message);
  }
  return pushed;
}

Status ArtifactUploader::send(const Artifact& artifact, const std::stop_token& stop) {
  auto bytes = read_file_nofollow(artifact.path);
  if (!bytes && bytes.error().code == ErrorCode::not_found) return {}; // gone since; there is nothing to send
  if (!bytes) return fail(ErrorCode::usage, bytes.error().message);
  if (!objects_) {
    TRY_ASSIGN(objects_, open_());
  }
  return objects_->put(settings_.key(artifact.session_id, artifact.name), *bytes, stop);
}

void ArtifactUploader::note(Error error) {
  if (error.code == ErrorCode::cancelled) return;
  log(LogLevel::info, "artifacts: " + error.message);
  const std::lock_guard guard(mutex_);
  problem_ = std::move(error);
}

bool ArtifactUploader::expiry_is_due() {
  const auto now = std::chrono::steady_clock::now();
  if (settings_.retention_days == 0 || now < next_expiry_) return false;
  next_expiry_ = now + std::chrono::hours(1);
  const std::int64_t wall = clock_.wall_ms();
  const auto last = parse_unsigned(trim(read_file(expiry_stamp(home_, place_), 100).value_or("")));
  return !last || static_cast<std::int64_t>(*last) > wall ||
         wall - static_cast<std::int64_t>(*last) >= kDayMs;
}

// When there is nothing to send. Whoever has something to send after all, and little time, stops it.
void ArtifactUploader::expire_when_due(const std::stop_token& stop) {
  std::stop_source own;
  {
    const std::lock_guard guard(mutex_);
    if (!expiring_) return;
    expiry_stop_ = own;
  }
  const std::stop_callback forward(stop, [&own] { own.request_stop(); });
  const auto expire = [&]() -> Status {
    if (!objects_) {
      TRY_ASSIGN(objects_, open_());
    }
    const std::int64_t wall = clock_.wall_ms();
    TRY(expire_remote(*objects_, settings_, wall - settings_.retention_ms(), false, own.get_token()));
    return write_scratch_file(expiry_stamp(home_, place_), std::to_string(wall) + "\n");
  };
  if (expiry_is_due())
    if (auto expired = expire(); !expired) note(std::move(expired).error());
  const std::lock_guard guard(mutex_);
  expiring_ = false;
  changed_.notify_all();
}

} // namespace emend
