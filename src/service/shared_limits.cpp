#include "service/shared_limits.hpp"

#include "service/budgets.hpp"
#include "service/database_place.hpp"

namespace emend {

SharedLimits::SharedLimits(const Dependencies& dependencies, std::vector<std::string> environment,
                           std::string home)
    : dependencies_(dependencies), environment_(std::move(environment)), home_(std::move(home)) {}

Result<Allowance> SharedLimits::rest(const std::function<Result<Config>()>& read, AgentRunStore& runs,
                                     const std::string& repository_id) {
  TRY_ASSIGN(const auto config, this->config(read));
  TRY_ASSIGN(Ledger * ledger, this->ledger());
  TRY_ASSIGN(const auto limits,
             limits_of(*config, *ledger, runs, repository_id, dependencies_.clock->wall_ms()));
  return allowance_of(limits);
}

Result<std::shared_ptr<const Config>> SharedLimits::config(const std::function<Result<Config>()>& read) {
  auto now = read();
  const std::lock_guard lock(mutex_);
  if (now)
    config_ = std::make_shared<const Config>(*std::move(now));
  else if (!config_)
    return fail(std::move(now).error());
  return config_;
}

Result<Ledger*> SharedLimits::ledger() {
  const std::lock_guard lock(mutex_);
  if (!ledger_) {
    TRY_ASSIGN(ledger_, dependencies_.open_ledger(database_address(environment_, home_)));
  }
  return ledger_.get();
}

} // namespace emend
