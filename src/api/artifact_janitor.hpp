// Looks after the artifacts of a server's repositories: sends what earlier programs could not, and removes
// the old ones. On a thread of its own.
#pragma once

#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "api/served_repositories.hpp"
#include "service/artifact_keeper.hpp"

namespace emend {

// What it is given outlives it.
class ArtifactTender {
public:
  ArtifactTender(const Dependencies& dependencies, Store& store, ServedRepositories& repositories,
                 ArtifactKeeper& keeper, WorkbenchPlace place);

  void start();
  // Gives what is being sent a moment; the rest is sent by the next program.
  void stop();

private:
  void run(const std::stop_token& stop);
  [[nodiscard]] Status tend(const ServedRepository& repository);

  const Dependencies& dependencies_;
  Store& store_;
  ServedRepositories& repositories_;
  ArtifactKeeper& keeper_;
  const WorkbenchPlace place_;
  std::jthread thread_;
};

} // namespace emend
