// Work of `emend mcp` that may take longer than a call waits for it. Its state is kept in files, so that
// another process of the same person can wait for it, too. When the process that does it ends, it ends.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "base/files.hpp"
#include "base/result.hpp"
#include "mcp/server.hpp"

namespace emend {

// Safe to use from many threads.
class McpJobs {
public:
  // A piece of work, as it sees itself.
  struct Run {
    std::string id;
    std::stop_token stop;
    std::function<void(const std::string& line)> tell;
  };
  using Work = std::function<mcp::Answer(const Run&)>;
  struct Order {
    std::string kind;                     // its name begins with it: "chk", "rev"
    std::string place;                    // the repository it is about
    int most = 3;                         // that may run there at once, in all processes
    std::optional<int> most_an_hour = {}; // of those that are counted, with this one
  };

  // folder: where the files are; made when it is first needed.
  explicit McpJobs(fs::path folder);
  McpJobs(const McpJobs&) = delete;
  McpJobs& operator=(const McpJobs&) = delete;
  ~McpJobs(); // stops them

  // Begins it on a thread of its own; the name to ask for it again. ErrorCode::conflict when as many run, or
  // were begun, as may.
  [[nodiscard]] Result<std::string> start(const Order& order, Work work);
  // Its answer; after `seconds` what it is doing now. nullopt = there is no such job of that place. A call
  // that is cancelled stops a job of this process if nobody else waits for it.
  [[nodiscard]] std::optional<mcp::Answer> wait(const std::string& id, const std::string& place, int seconds,
                                                const mcp::Call& call);
  // The same at once; stops nothing.
  [[nodiscard]] std::optional<mcp::Answer> look(const std::string& id, const std::string& place);

private:
  struct Job {
    std::string place;
    std::optional<mcp::Answer> answer = {};
    std::string line = "starting";
    int waiting = 0; // calls
    std::stop_source stop = {};
    std::thread thread = {};
  };
  void keep(const std::string& id, const Job& job) const;
  [[nodiscard]] std::optional<Job> kept(const std::string& id) const;
  [[nodiscard]] Status room_for(const Order& order) const;
  void begin(const std::string& id, const std::string& place, Work work); // holding mutex_
  [[nodiscard]] mcp::Answer ended(const std::string& id, const Job& job, mcp::Answer answer) const;
  struct Seen {
    std::optional<mcp::Answer> answer;
    std::string line;
    bool ours; // of this process
  };
  [[nodiscard]] std::optional<Seen> seen(const std::string& id,
                                         const std::string& place) const; // holding mutex_
  void wait_no_more(const std::string& id, bool cancelled);               // holding mutex_
  [[nodiscard]] fs::path file(const std::string& id, const char* what) const;
  void forget_ended(); // holding mutex_

  const fs::path folder_;
  const Json self_; // this process
  std::mutex mutex_;
  std::condition_variable changed_;
  bool closing_ = false;
  std::map<std::string, Job> jobs_; // of this process, by name
};

} // namespace emend
