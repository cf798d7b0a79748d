// The command line front end. It is handed everything from outside, so it never sees an adapter.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "ports/agent.hpp"
#include "ports/analyzer.hpp"
#include "ports/clock.hpp"
#include "ports/process.hpp"
#include "ports/repository.hpp"
#include "ports/store.hpp"

namespace emend {

// One row of `emend doctor`.
struct DoctorFact {
  std::string check;
  std::string state; // "ok", "warning", "optional", "missing"; only "missing" means that review or fix --safe could not run
  std::string detail;
  std::string remedy;
};

struct CliDependencies {
  std::function<Result<std::unique_ptr<Store>>(const std::string& path)> open_store;
  // writable: directories outside of workspaces that children may write to.
  std::function<Result<std::unique_ptr<Repository>>(const std::string& directory, const std::string& home, const std::vector<std::string>& writable)>
      open_repository;
  ProcessRunner* processes = nullptr;
  std::function<std::unique_ptr<AgentFactory>(const std::string& repository_root)> make_agents; // "" = outside of a repository
  std::function<std::vector<std::unique_ptr<Analyzer>>()> make_analyzers;
  Clock* clock = nullptr;
  std::function<std::vector<DoctorFact>()> system_facts;
  std::string version;
  std::stop_token stop;
  std::function<int()> stop_signal; // the signal that fired stop; 0 = none
};

// Returns the process's exit code.
[[nodiscard]] int run_cli(int argc, char** argv, const CliDependencies& dependencies);

} // namespace emend
