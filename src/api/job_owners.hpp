// Which of several servers of one database does a job: the one that holds it on the work board.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <stop_token>
#include <string>

#include "api/job_record.hpp"
#include "base/result.hpp"

namespace emend {

class Presence;

// A job that this server does. Another one may take it when this is destroyed before it was finished.
class JobHold {
public:
  virtual ~JobHold() = default;
  [[nodiscard]] virtual std::stop_token stop() const = 0; // fires when it was lost, or is to be stopped
  [[nodiscard]] virtual bool lost() const = 0;            // another server has it
  [[nodiscard]] virtual Status finish() = 0;              // nobody needs to do it any more
};

// Safe to use from many threads.
class JobOwners {
public:
  virtual ~JobOwners() = default;
  // Null = another server does it.
  [[nodiscard]] virtual Result<std::unique_ptr<JobHold>> take(const Job& job) = 0;
  [[nodiscard]] virtual Status ask_stop(const std::string& job_id) = 0;
  // Ids of the jobs that some living server does, this one included.
  [[nodiscard]] virtual Result<std::set<std::string>> taken() = 0;
  // Ends what is left on the board of jobs that are over: who did them could not say so any more.
  [[nodiscard]] virtual Status sweep(
      const std::function<Result<std::set<std::string>>()>& unfinished_now) = 0;
  // Until something has changed, or the time is over. May return early.
  virtual void wait(std::int64_t timeout_ms, std::stop_token stop) = 0;
};

// presence outlives it.
[[nodiscard]] std::unique_ptr<JobOwners> job_owners(Presence& presence);

} // namespace emend
