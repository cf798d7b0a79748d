// What panel 3 says about an issue, as lines: pure, and the same for painting, searching and scrolling.
#pragma once

#include <vector>

#include "tui/model.hpp"

namespace emend {

[[nodiscard]] std::vector<Line> detail_body(const Model& model, int width,
                                            const Glyphs& glyphs); // of the tab that is open
[[nodiscard]] std::vector<Line> detail_footer(const Model& model, int width, const Glyphs& glyphs,
                                              int log_lines); // checks, score, last words
[[nodiscard]] std::string as_prompt(const Issue& issue,
                                    const Detail& detail); // the issue, for an agent of the person's own
[[nodiscard]] std::string plain_text(const Line& line);

[[nodiscard]] Shade role_of(IssueStatus status);
[[nodiscard]] Shade role_of(SessionStatus status);
// Four lamps, as the dashboard has them: the check before the fix, with it, without it again, turned around.
// "●●●◆" proven, "○●○◇" unbroken; hollow was not run. Empty for what is no level.
[[nodiscard]] Line evidence_lamps(std::string_view level, const Glyphs& glyphs);
[[nodiscard]] std::string severity_mark(Severity severity); // "!!", "!", "=", "-", "i"
[[nodiscard]] Shade role_of(Severity severity);
[[nodiscard]] std::string clock_time(std::int64_t unix_ms); // "09:12:03", UTC
// For panel 3 in this much room: how many rows the body and the lines below it have.
struct DetailRows {
  int body = 0, footer = 0;
};
[[nodiscard]] DetailRows detail_rows(const Model& model, int inner_width, int inner_height,
                                     const Glyphs& glyphs);
inline constexpr int kDetailHead = 2; // the line about the issue, the tabs

} // namespace emend
