// What quotas and budgets leave for runs of agents. Asked before each run, and counted anew each time: what
// runs beside it, here or elsewhere, takes from the same rest.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "config/config.hpp"
#include "engine/context/ports.hpp"
#include "service/dependencies.hpp"

namespace emend {

// Safe to use from many threads.
class SharedLimits {
public:
  // dependencies outlive it. The database is that of the environment, or of the home.
  SharedLimits(const Dependencies& dependencies, std::vector<std::string> environment, std::string home);
  // read: the configuration with the quotas. While it has a mistake, what was read last holds: a person edits
  // it while sessions run.
  [[nodiscard]] Result<Allowance> rest(const std::function<Result<Config>()>& read, AgentRunStore& runs,
                                       const std::string& repository_id);

private:
  [[nodiscard]] Result<Ledger*> ledger();
  [[nodiscard]] Result<std::shared_ptr<const Config>> config(const std::function<Result<Config>()>& read);

  const Dependencies& dependencies_;
  const std::vector<std::string> environment_;
  const std::string home_;
  std::mutex mutex_;
  std::unique_ptr<Ledger> ledger_; // opened when it is needed first
  std::shared_ptr<const Config> config_;
};

} // namespace emend
