// What a session's events amount to, in one pure fold: where each issue is, its checks and its score, costs
// and notices. The live lines, the terminal's screen, the HTTP API and the report show this; none of them
// folds events itself.
#pragma once

#include <set>

#include "model/events.hpp"

namespace emend {

// The words of the dashboard.
enum class IssuePhase { waiting, fixing, verifying, judging, accepted, done };
[[nodiscard]] std::string_view to_string(IssuePhase phase);

struct IssueView {
  std::string code;
  IssuePhase phase = IssuePhase::waiting;
  int round = 0, most_rounds = 0;
  std::int64_t began_ms = 0;
  std::string doing;                          // "claude: reads src/a.c"
  std::string status;                         // once done: RESOLVED, FAILED, ...
  std::vector<CheckedCommand> checks;         // the last ones of this round
  std::optional<FixChallengerResult> verdict; // the last one of this round
};

struct SessionView {
  std::vector<IssueView> issues;  // in the order they were heard of
  std::optional<double> cost_usd; // nullopt = no agent said
  std::int64_t began_ms = 0;
  std::string doing; // what concerns no single issue: "baseline: unit, lint"
  bool running = false;
  std::vector<std::string> notices;
  std::set<std::string> accepted;        // codes of issues whose fixes a person accepted
  std::optional<FixForecast> forecast;   // what it was expected to take
  std::vector<FixBranchGrouped> grouped; // branches with the same files and fewer commits, as emend left them
};

// Events come in their order. now_ms: when this one happened, by any clock that only goes forward.
void take(SessionView& view, const Event& event, std::int64_t now_ms);
// An issue of a session that goes on, as it was left; status empty = there is work to do.
void take_known(SessionView& view, const std::string& code, const std::string& status);

} // namespace emend
