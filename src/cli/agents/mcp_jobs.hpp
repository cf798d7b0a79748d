// Work of `emend mcp` that may take longer than a call waits for it. Its state is kept in files, so that
// another process of the same person can wait for it, too.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "base/files.hpp"
#include "mcp/server.hpp"

namespace emend {

// Safe to use from many threads.
class McpJobs {
public:
  using Tell = std::function<void(const std::string& line)>;
  using Work = std::function<mcp::Answer(std::stop_token, const Tell&)>;

  // folder: where the files are; made when it is first needed.
  explicit McpJobs(fs::path folder) : folder_(std::move(folder)) {}
  McpJobs(const McpJobs&) = delete;
  McpJobs& operator=(const McpJobs&) = delete;
  ~McpJobs(); // stops them

  // Begins it on a thread of its own; the name to ask for it again, with this beginning. place: the
  // repository it is about.
  [[nodiscard]] std::string start(const std::string& kind, const std::string& place, Work work);
  // Its answer; after `seconds` what it is doing now. nullopt = there is no such job of that place. A call
  // that is cancelled stops a job of this process: nobody else waits for it.
  [[nodiscard]] std::optional<mcp::Answer> wait(const std::string& id, const std::string& place, int seconds,
                                                const mcp::Call& call);

private:
  struct Job {
    std::string place;
    std::optional<mcp::Answer> answer = {};
    std::string line = "starting";
    std::stop_source stop = {};
    std::thread thread = {};
  };
  void keep(const std::string& id, const Job& job) const;
  [[nodiscard]] std::optional<Job> kept(const std::string& id) const;
  void forget_ended(); // holding mutex_

  const fs::path folder_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, Job> jobs_; // of this process, by name
};

} // namespace emend
