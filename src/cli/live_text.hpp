// The few lines that show what is going on in a session right now: bars, words, numbers, cut to the terminal.
// Pure.
#pragma once

#include "cli/text_table.hpp"
#include "model/session_view.hpp"

namespace emend {

struct LiveStyle {
  std::size_t columns = 80, rows = 24;
  bool ascii = false;
  Palette palette = {};
};

// now_ms: by the clock the view was made with. Nothing before a session runs and after it ended. Otherwise a
// line for each issue in work, as many as half of the rows hold, and one for the whole. Every line is
// narrower than the terminal.
[[nodiscard]] std::vector<std::string> render_live(const SessionView& view, std::int64_t now_ms,
                                                   const LiveStyle& style);

} // namespace emend
