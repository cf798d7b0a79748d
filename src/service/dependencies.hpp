// The outside world as main hands it to whoever faces people: the command line, the server.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "model/artifact_settings.hpp"
#include "ports/agent.hpp"
#include "ports/analyzer.hpp"
#include "ports/artifacts.hpp"
#include "ports/clock.hpp"
#include "ports/ledger.hpp"
#include "ports/messenger.hpp"
#include "ports/process.hpp"
#include "ports/repository.hpp"
#include "ports/store.hpp"
#include "ports/work_board.hpp"

namespace emend {

// Outside of workspaces, by the person's own configuration: what children may write to, and what of the home
// they may read.
struct OpenedPlaces {
  std::vector<std::string> writable, shared, readable;
};

struct Dependencies {
  std::function<Result<std::unique_ptr<Store>>(const std::string& path)> open_store;
  std::function<Result<std::unique_ptr<Ledger>>(const std::string& path)> open_ledger; // of the same database
  // Where several machines share the work of that database; null = it is this machine's alone.
  std::function<Result<std::unique_ptr<WorkBoard>>(const std::string& path)> open_board;
  // A repository of another machine, for work on one of its commits: see adapters/git/mirror.hpp.
  std::function<Result<std::unique_ptr<Repository>>(
      const std::string& repository_id, const std::string& commit, const std::string& home,
      const std::string& url, const std::function<Result<std::string>(const std::string& commit)>& fetch)>
      open_mirror;
  std::function<Result<std::unique_ptr<Repository>>(const std::string& directory, const std::string& home,
                                                    const OpenedPlaces& opened)>
      open_repository;
  // How children are contained on this machine.
  std::function<SandboxKind(const std::string& home)> sandbox;
  ProcessRunner* processes = nullptr;
  std::function<std::unique_ptr<AgentFactory>(const std::string& repository_root)>
      make_agents; // "" = outside of a repository
  std::function<std::vector<std::unique_ptr<Analyzer>>(const AnalyzerSetup& setup)> make_analyzers;
  // Keys are taken from the environment (NAME=VALUE); empty = artifacts are kept in the local folder alone.
  std::function<Result<std::unique_ptr<ObjectStore>>(const ArtifactSettings& settings,
                                                     const std::vector<std::string>& environment)>
      open_objects;
  // How notifications and traces leave.
  std::function<std::unique_ptr<Messenger>(const MailServer& server, const std::string& ca_file)>
      open_messenger;
  Clock* clock = nullptr;
  std::string version;
};

} // namespace emend
