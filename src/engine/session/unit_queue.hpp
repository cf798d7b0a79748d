// Runs the units of a session: how many at a time, and how many in one agent process, by the policy's
// strategy.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/context/run_context.hpp"
#include "engine/plan/planner.hpp"
#include "engine/plan/step_progress.hpp"
#include "engine/session/shared_units.hpp"
#include "engine/session/unit_loop.hpp"

namespace emend {

// Which of a session's units are worked on.
struct UnitChoice {
  bool stacked = false;           // those made again on top of others, or those that are not
  const PlanStep* step = nullptr; // of somebody's own plan: instead, the units of this step
  std::string base = {};          // they stand on this commit; empty = on any
};

class UnitQueue {
public:
  UnitQueue(RunContext& context, Stages& stages, bool batch);

  // Works on the chosen units that are pending. Ends early, with units still pending, when the stop token
  // fires, the queue is stopped or the session's time is up; an error of one (disk, database) ends the others
  // too.
  [[nodiscard]] Status run(std::vector<Unit>& units, const std::map<std::string, Issue>& issues,
                           const UnitChoice& choice, std::stop_token stop);

private:
  using Indexes = std::vector<std::size_t>;
  void follow_steps(const std::vector<Unit>& units, const UnitChoice& choice);
  [[nodiscard]] bool is_chosen(std::size_t index, const UnitChoice& choice) const;
  void work(std::size_t index, std::optional<Attempt> first);
  void choose(const UnitChoice& choice, Indexes& fresh, Indexes& pending) const;
  void run_group(const Indexes& indexes); // one process for the first turn of all of them
  [[nodiscard]] Status fix_group(Indexes& indexes, std::vector<Attempt>& attempts);
  [[nodiscard]] Result<FixOrder> group_order(const Indexes& indexes);
  void keep_error(Status status);
  [[nodiscard]] std::vector<Work> works_of(const Indexes& indexes) const;
  [[nodiscard]] const Issue& issue_of(std::size_t index) const {
    return issues_->at((*units_)[index].issue_ids.front());
  }
  [[nodiscard]] std::size_t slots();
  [[nodiscard]] std::size_t here() const; // at a time on this machine

  RunContext& context_;
  Stages& stages_;
  UnitLoop loop_;
  std::unique_ptr<SharedUnits> shared_; // null: all work is done here
  std::vector<Unit>* units_ = nullptr;
  const std::map<std::string, Issue>* issues_ = nullptr;
  std::unique_ptr<StepProgress> steps_; // null for what is made again on top of others
  std::stop_source halt_;
  std::mutex mutex_;
  Status first_error_;
};

} // namespace emend
