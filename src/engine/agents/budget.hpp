// What the agents of a session have consumed so far, against the policy's limits. Counts what the agents
// report, never a price list.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "model/agent_run_record.hpp"
#include "model/policy.hpp"

namespace emend {

// One sentence when it is over a limit; a limit is over as soon as it is reached.
[[nodiscard]] std::optional<std::string> over_budget(const Budget& budget, const Consumed& consumed);
// The same for four fifths of a limit: what is told before it is over.
inline constexpr double kNearlyUsed = 0.8;
[[nodiscard]] std::optional<std::string> nearly_over_budget(const Budget& budget, const Consumed& consumed);

// Shared by the threads of a session.
class Meter {
public:
  explicit Meter(const Policy& policy)
      : session_limit_(policy.session_budget), issue_limit_(policy.issue_budget) {}

  // A run on several issues counts for each with an equal share.
  void add(const AgentRunRecord& run);
  [[nodiscard]] std::optional<std::string> session_over() const;
  // Once, when four fifths of the session's budget are used and not all of it.
  [[nodiscard]] std::optional<std::string> take_warning();
  [[nodiscard]] std::optional<std::string> issue_over(const std::string& issue_id) const;
  // What a run has cost so far on average; nullopt = no run named a price.
  [[nodiscard]] std::optional<double> mean_cost() const;
  // For agents that can be told: what is left for a run on these issues; 0 = no limit.
  [[nodiscard]] double cost_left(const std::vector<std::string>& issue_ids) const;
  [[nodiscard]] std::int64_t time_left_ms(
      const std::vector<std::string>& issue_ids) const; // of the issues' budgets; 0 = no limit

private:
  mutable std::mutex mutex_;
  Budget session_limit_, issue_limit_;
  Consumed session_;
  bool warned_ = false;
  std::map<std::string, Consumed> issues_;
};

// What a session is going to take, from what earlier runs of these agents took here.
struct Estimate {
  int runs_at_least = 0; // when everything goes well at the first try
  int runs_at_most = 0;
  int known_runs = 0;             // earlier runs it is made from
  std::optional<double> cost_usd; // at the first try; nullopt = no earlier run named a price
  std::optional<std::int64_t> tokens;
  std::optional<std::int64_t> time_ms; // of agents, one after the other
};
[[nodiscard]] Estimate estimate(const Policy& policy, std::size_t issues, std::size_t units,
                                const std::vector<AgentRunRecord>& earlier);
[[nodiscard]] std::string to_text(const Estimate& estimate);

} // namespace emend
