// The pipeline: the order of the stages of one session, and nothing else. Every step can be repeated after a
// crash.
#pragma once

#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/branch/commit.hpp"
#include "engine/context/run_context.hpp"
#include "engine/session/session_agents.hpp"
#include "engine/session/unit_queue.hpp"
#include "engine/verify/verify.hpp"

namespace emend {

class Pipeline {
public:
  // agents outlives it.
  Pipeline(RunContext& context, SessionAgents& agents);

  // To the end of the session, or until the stop token fires: then the issues in work are OPEN again and the
  // units keep what they have. Returns the final status. An error leaves the session resumable.
  [[nodiscard]] Result<SessionStatus> run(std::stop_token stop);

private:
  [[nodiscard]] Status take_issues();
  [[nodiscard]] Status plan_units();
  [[nodiscard]] Status drop_settled_units();
  [[nodiscard]] Status scan_base(std::stop_token stop);
  [[nodiscard]] Status look_at_base(std::stop_token stop);
  [[nodiscard]] Result<std::shared_ptr<const Verification>> begin_checks(std::stop_token stop);
  [[nodiscard]] Status see_whole_base(std::stop_token stop);
  void read_ahead() const;
  [[nodiscard]] Status run_step(const PlanStep& step, std::stop_token stop);
  [[nodiscard]] Status settle_units(const PlanStep* step, std::stop_token stop); // null = all of them
  [[nodiscard]] bool in_step(const Unit& unit, const PlanStep& step) const;
  [[nodiscard]] const Issue& issue_of(const Unit& unit) const;
  [[nodiscard]] Status refuse_hopeless(const Verification* baseline);
  [[nodiscard]] Result<std::vector<AcceptedFix>> accepted_fixes();
  [[nodiscard]] Result<AcceptedFix> accepted_fix(const Unit& unit);
  [[nodiscard]] Unit& unit_of(const AcceptedFix& fix);
  [[nodiscard]] Status commit_fixes(std::stop_token stop);
  [[nodiscard]] Status settle(const std::vector<AcceptedFix>& fixes, std::vector<AcceptedFix>& again,
                              std::stop_token stop);
  [[nodiscard]] CombineOrder order_on_tip(const std::vector<AcceptedFix>& fixes) const;
  [[nodiscard]] Status probe_together(const Combination& combination, std::stop_token stop);
  [[nodiscard]] Status judge_by_rubric(Combination& combination);
  [[nodiscard]] Result<bool> checks_confirm(const Combination& combination, const Issue& issue);
  [[nodiscard]] Result<std::vector<AcceptedFix>> take_out_refused(Combination& combination);
  [[nodiscard]] Status put_on_branch(const Combination& combination, std::stop_token stop);
  [[nodiscard]] Status stack(std::vector<AcceptedFix>& again, std::stop_token stop);
  [[nodiscard]] std::vector<AcceptedFix> next_round(const std::vector<AcceptedFix>& again,
                                                    std::vector<AcceptedFix>& later);
  [[nodiscard]] Status give_up_stacked(std::vector<AcceptedFix>& later, std::size_t waiting,
                                       std::size_t tried);
  [[nodiscard]] Status put_on_tip(Unit& unit, const Issue& issue);
  [[nodiscard]] Status give_up(const AcceptedFix& fix, const std::string& reason, const std::string& detail);
  [[nodiscard]] Status drop(const Combination::Dropped& dropped, std::vector<AcceptedFix>& again);
  [[nodiscard]] Status pass_issues_through_gate();
  [[nodiscard]] Status group_commits();
  [[nodiscard]] Status release_issues(const std::string& reason, const std::string& why);
  [[nodiscard]] Status use_plan();
  [[nodiscard]] Status say_how_long();
  [[nodiscard]] Result<SessionStatus> finish();

  RunContext& context_;
  Stages stages_;
  bool batch_ = false;
  bool cancelled_ = false;
  std::vector<Unit> units_;
  std::vector<PlanStep> steps_;             // of somebody's own plan, in its order; empty = there is none
  std::map<std::string, Issue> issues_;     // by id
  std::size_t told_checks_ = 0;             // of the base, which people know about
  std::vector<PlannedCommit> planned_;      // what the branch will hold once it is published
  std::map<std::string, Evidence> decided_; // by issue id: how sure the gate was when its commit was made
  std::string tip_;
};

} // namespace emend
