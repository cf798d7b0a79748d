// Work of `emend mcp` that may take longer than a call waits for it.
#pragma once

#include <condition_variable>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "mcp/server.hpp"

namespace emend {

// Safe to use from many threads.
class McpJobs {
public:
  using Tell = std::function<void(const std::string& line)>;
  using Work = std::function<mcp::Answer(std::stop_token, const Tell&)>;

  McpJobs() = default;
  McpJobs(const McpJobs&) = delete;
  McpJobs& operator=(const McpJobs&) = delete;
  ~McpJobs(); // stops them

  // Begins it on a thread of its own; the name to ask for it again, with this beginning.
  [[nodiscard]] std::string start(const std::string& kind, Work work);
  // Its answer; after `seconds` what it is doing now. nullopt = there is no such job. A call that is
  // cancelled stops the job: nobody else waits for it.
  [[nodiscard]] std::optional<mcp::Answer> wait(const std::string& id, int seconds, const mcp::Call& call);

private:
  struct Job {
    std::optional<mcp::Answer> answer;
    std::string line = "starting";
    std::stop_source stop;
    std::thread thread;
  };
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, Job> jobs_; // by name
};

} // namespace emend
