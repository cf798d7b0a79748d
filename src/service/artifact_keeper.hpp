// The artifacts of the repositories a program works for: who sends them where, and when the old ones go.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "service/artifact_uploader.hpp"
#include "service/dependencies.hpp"

namespace emend {

// One uploader for each store. Any thread; `dependencies` outlive it.
class ArtifactKeeper {
public:
  ArtifactKeeper(const Dependencies& dependencies, std::string home, std::vector<std::string> environment);

  [[nodiscard]] const std::string& home() const { return home_; }
  // Null when artifacts are kept in the local folder alone. Lives as long as this.
  [[nodiscard]] ArtifactUploader* uploader(const ArtifactSettings& settings);
  [[nodiscard]] Result<std::unique_ptr<ObjectStore>> open(const ArtifactSettings& settings) const;

  struct Rest {
    ArtifactSettings settings;
    UploadState state;
  };
  // What is not sent after that time.
  [[nodiscard]] std::vector<Rest> finish(std::chrono::milliseconds patience, std::stop_token stop);
  // Removes old local artifacts of a repository, once a day.
  [[nodiscard]] Status tidy(Store& store, const std::string& repository_id,
                            const ArtifactSettings& settings) const;

private:
  const Dependencies& dependencies_;
  const std::string home_;
  const std::vector<std::string> environment_;
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<ArtifactUploader>> uploaders_; // by place
};

// What the engine tells of one repository's sessions. The settings are read when a session keeps its first
// file.
class RepositoryArtifacts final : public ArtifactSink {
public:
  RepositoryArtifacts(ArtifactKeeper& keeper, std::function<Result<ArtifactSettings>()> settings)
      : keeper_(keeper), settings_(std::move(settings)) {}

  void will_keep(const std::string& session_id) override;
  void kept(const std::string& session_id) override;
  [[nodiscard]] bool used(); // something was kept

private:
  [[nodiscard]] ArtifactUploader* uploader_locked(const std::string& session_id); // null = they stay here

  ArtifactKeeper& keeper_;
  const std::function<Result<ArtifactSettings>()> settings_;
  std::mutex mutex_;
  std::map<std::string, ArtifactUploader*> uploaders_; // by session
};

} // namespace emend
