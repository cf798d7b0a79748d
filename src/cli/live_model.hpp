// What is going on in a session right now, gathered from its events; and the few lines that show it. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/text_table.hpp"
#include "model/event.hpp"

namespace emend {

// The words of the dashboard.
enum class LivePhase { waiting, fixing, verifying, judging, accepted, done };

struct LiveIssue {
  std::string code;
  LivePhase phase = LivePhase::waiting;
  int round = 0, most_rounds = 0;
  std::int64_t began_ms = 0;
  std::string doing;  // "claude: reads src/a.c"
  std::string status; // once done: RESOLVED, FAILED, ...
};

struct LiveModel {
  std::vector<LiveIssue> issues;
  std::optional<double> cost_usd; // nullopt = no agent said
  std::int64_t began_ms = 0;
  std::string doing; // what concerns no single issue: "baseline: unit, lint"
  bool running = false;
};

// now_ms is any clock that only goes forward; render_live is asked with the same one.
void take(LiveModel& model, const Event& event, std::int64_t now_ms);
// An issue of a session that goes on, as it was left; status empty = there is work to do.
void take_known(LiveModel& model, const std::string& code, const std::string& status);

struct LiveStyle {
  std::size_t columns = 80, rows = 24;
  bool ascii = false;
  Palette palette = {};
};

// Nothing before a session runs and after it ended. Otherwise a line for each issue in work, as many as half
// of the rows hold, and one for the whole. Every line is narrower than the terminal.
[[nodiscard]] std::vector<std::string> render_live(const LiveModel& model, std::int64_t now_ms,
                                                   const LiveStyle& style);

} // namespace emend
