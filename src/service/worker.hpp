// A worker: claims units of sessions that other machines run, and works on them until it is stopped.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "service/dependencies.hpp"

namespace emend {

struct WorkerOptions {
  std::string home;                     // EMEND_HOME; workers of one home keep out of each other's way
  std::vector<std::string> labels = {}; // what it offers besides being there
  int jobs = 1;                         // units at a time
  std::int64_t lease_ms = 60'000;
  bool once = false; // ends when there is nothing to do
  bool clone =
      false; // repositories come from where they were cloned from; else their files come with the work
  std::vector<std::string> repositories =
      {};                     // directories: whole sessions there are run, too, with the state of `home`
  std::string user_file = {}; // the user's own configuration; may be empty
  std::vector<std::string> environment = {};
};

struct WorkerNews {
  std::string job, session, issue;
  std::string what; // "began", "done", "given back", "failed", "lost"
  std::string detail;
};

struct WorkerSum {
  int done = 0, given_back = 0, lost = 0;
};

// Until `stop` fires: then nothing new is taken, and what is begun is brought to its end. `tell` is called
// from many threads.
[[nodiscard]] Result<WorkerSum> run_worker(const Dependencies& dependencies, Store& store, WorkBoard& board,
                                           const WorkerOptions& options,
                                           const std::function<void(const WorkerNews&)>& tell,
                                           std::stop_token stop);

} // namespace emend
