// Sends artifacts to their store from a thread of its own. Sessions never wait for it; what could not be sent
// is sent later, by this program or by the next one.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <thread>

#include "engine/session/artifacts.hpp"
#include "model/artifact_settings.hpp"
#include "ports/artifacts.hpp"
#include "ports/clock.hpp"

namespace emend {

struct UploadPace {
  std::int64_t first_wait_ms = 1'000; // after a round that failed; doubles
  std::int64_t longest_wait_ms = 300'000;
  std::int64_t at_rest_ms = 2'000; // a file younger than this may still be written to
};
[[nodiscard]] std::int64_t wait_after(int failures, const UploadPace& pace);

struct UploadState {
  std::size_t pending = 0; // artifacts that are here and not there
  std::optional<Error> problem;
};

// What of a session is not in the store yet.
[[nodiscard]] std::vector<Artifact> not_uploaded(const std::string& home, const std::string& session_id,
                                                 const std::string& place);

// Any thread may call; the clock outlives it.
class ArtifactUploader final : public ArtifactSink {
public:
  using Open =
      std::function<Result<std::unique_ptr<ObjectStore>>()>; // called on the thread, again after it failed

  ArtifactUploader(Open open, ArtifactSettings settings, std::string home, const Clock& clock,
                   UploadPace pace = {});
  ArtifactUploader(const ArtifactUploader&) = delete;
  ArtifactUploader& operator=(const ArtifactUploader&) = delete;
  ~ArtifactUploader() override; // does not wait for what is not sent

  [[nodiscard]] const ArtifactSettings& settings() const { return settings_; }
  void will_keep(const std::string& session_id) override;
  void kept(const std::string& session_id) override;
  void start(); // with what earlier programs left; kept() does so, too

  // Everything that is there now, at once. Waits until it is sent, a round failed, `patience` is over or
  // `stop` fires; then the thread ends.
  UploadState finish(std::chrono::milliseconds patience, std::stop_token stop = {});

private:
  using Moment = std::chrono::steady_clock::time_point;
  enum class Pushed { all, some, failed };

  void mark_locked(const std::string& session_id);
  void run(const std::stop_token& stop);
  void start_locked();
  void find_earlier();
  [[nodiscard]] std::set<std::string> next_batch(const std::stop_token& stop);
  void do_round(std::set<std::string> batch, const std::stop_token& stop);
  [[nodiscard]] Pushed push(const std::string& session_id, const std::stop_token& stop);
  [[nodiscard]] Status send(const Artifact& artifact, const std::stop_token& stop);
  void note(Error error);
  void expire_when_due(const std::stop_token& stop);
  [[nodiscard]] bool expiry_is_due();

  const Open open_;
  const ArtifactSettings settings_;
  const std::string home_, place_;
  const Clock& clock_;
  const UploadPace pace_;
  std::unique_ptr<ObjectStore> objects_; // the thread's
  std::set<std::string> refused_;        // the thread's: paths the store does not take
  Moment next_expiry_{};                 // the thread's

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::set<std::string> marked_;  // sessions that are written down as wanted
  std::set<std::string> waiting_; // sessions to look at
  Moment not_before_{};
  int failures_ = 0;
  bool hurry_ = false, busy_ = false, gave_up_ = false, expiring_ = false;
  std::stop_source expiry_stop_;
  std::optional<Error> problem_;
  std::jthread thread_; // last: ends first
};

} // namespace emend
