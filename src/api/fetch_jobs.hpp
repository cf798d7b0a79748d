// Brings the repositories of a server up to date with where they were cloned from, on a schedule, so that
// what was merged there is found; and makes clones of the server's own.
#pragma once

#include <stop_token>
#include <string>
#include <thread>

#include "base/result.hpp"
#include "model/actor.hpp"

namespace emend {

struct ApiParts;
class WorkQueue;

// A clone of this server's own: below EMEND_HOME, for nobody to work in.
[[nodiscard]] bool is_own_clone(const std::string& home, const std::string& root);
// Why git is not given this address; "" = it may be. One with a password would be shown and stored.
[[nodiscard]] std::string clone_url_problem(const std::string& url);
[[nodiscard]] std::string clone_directory(const std::string& home, const std::string& url);

void handle_fetch_jobs(const ApiParts& parts, WorkQueue& queue);
// A job that clones it and then serves it. Its result: {"repository_id"}.
[[nodiscard]] Result<std::string> add_clone_job(const ApiParts& parts, const std::string& url,
                                                const Actor& by);

// Adds a job for each repository whose time has come. Of several servers one does.
class FetchSchedule {
public:
  // minutes: between two of them, for each repository; 0 = only clones of the server's own, every 15. What it
  // is given outlives it.
  FetchSchedule(const ApiParts& parts, int minutes) : parts_(parts), minutes_(minutes) {}
  void start();
  void stop() { thread_ = {}; }

private:
  void run(const std::stop_token& stop);
  [[nodiscard]] Status look();

  const ApiParts& parts_;
  const int minutes_;
  std::jthread thread_;
};

} // namespace emend
