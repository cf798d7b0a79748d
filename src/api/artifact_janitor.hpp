// Looks after what grows: artifacts of a server's repositories (sends what earlier programs could not,
// removes the old ones), branches that are merged, events of sessions that proved nothing, the database's log
// of changes. On a thread of its own, every hour.
#pragma once

#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "api/served_repositories.hpp"
#include "ports/database_tools.hpp"
#include "service/artifact_keeper.hpp"

namespace emend {

// Of the database, which is one for all repositories.
struct DatabaseUpkeep {
  DatabaseTools* tools = nullptr; // null = it is left alone
  std::string address;
  int events_days = 0; // 0 = events are kept
};

// What it is given outlives it.
class ArtifactTender {
public:
  ArtifactTender(const Dependencies& dependencies, Store& store, ServedRepositories& repositories,
                 ArtifactKeeper& keeper, WorkbenchPlace place, DatabaseUpkeep database);

  void start();
  // Gives what is being sent a moment; the rest is sent by the next program.
  void stop();

private:
  void run(const std::stop_token& stop);
  [[nodiscard]] Status tend(const ServedRepository& repository);
  [[nodiscard]] Status tend_branches(const ServedRepository& repository, int days);
  [[nodiscard]] Status tend_database();

  const Dependencies& dependencies_;
  Store& store_;
  ServedRepositories& repositories_;
  ArtifactKeeper& keeper_;
  const WorkbenchPlace place_;
  const DatabaseUpkeep database_;
  std::jthread thread_;
};

} // namespace emend
