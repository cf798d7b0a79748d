// A run of the checks on the untouched base, beside those who already work with what it has shown so far.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "base/result.hpp"
#include "model/policy.hpp"
#include "model/verification.hpp"

namespace emend {

// The checks in the order they run in on the base: those that somebody waits for, then those that may run
// beside others. The order of the configuration holds within both, and a check behind which one for all files
// comes stays where it is: that one may need what it leaves.
struct BaseOrder {
  std::vector<VerifyCommand> first, rest;
};
[[nodiscard]] BaseOrder base_order(const std::vector<VerifyCommand>& commands,
                                   const std::vector<std::string>& files);

// Did a check fail that was run before one which the configuration names earlier? Then only a run in that
// order tells what it is worth. `run` has the results in the order they were run in.
[[nodiscard]] bool failed_out_of_order(const std::vector<VerifyCommand>& commands, const Verification& run);

class BaseRun {
public:
  using Seen = std::function<void(const CommandRun&)>;
  using Whole = Result<std::shared_ptr<const Verification>>;

  // `work` runs on a thread of its own, says what it has seen as it goes, and ends early when its token
  // fires: with `stop`, or when this object goes away.
  BaseRun(Verification begun, std::function<Whole(const Seen&, std::stop_token)> work, std::stop_token stop);
  BaseRun(const BaseRun&) = delete;
  BaseRun& operator=(const BaseRun&) = delete;
  ~BaseRun();

  [[nodiscard]] const std::string& commit() const { return commit_; }
  // What there is by now.
  [[nodiscard]] std::shared_ptr<const Verification> seen() const;
  // Waits for these checks; the answer may hold more. The error of the whole run, if that ended without them.
  [[nodiscard]] Whole wait_for(const std::vector<VerifyCommand>& commands);
  // Waits for the end.
  [[nodiscard]] Whole whole();

private:
  void see(const CommandRun& run);

  const std::string commit_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::shared_ptr<const Verification> seen_;
  std::optional<Whole> end_;
  std::stop_source source_;
  std::stop_callback<std::function<void()>> forward_;
  std::jthread thread_;
};

} // namespace emend
