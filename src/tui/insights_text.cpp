#include "tui/insights_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.hpp"

namespace emend {
namespace {

// Groups have names of any length and script; figures stay in their columns.
std::string cell(const std::string& text, std::size_t width) {
  std::string shown = first_line(clean_text(text), width);
  shown.resize(std::max(shown.size(), width), ' ');
  return shown;
}

std::string figures(const OutcomeCounts& row) {
  return fmt::format("{:>5} {:>7} {:>7} {:>9} {:>10} {:>9} {:>14} {:>5} {:>8}", row.fixes, row.merged,
                     row.edited, row.rejected, row.discarded, row.reverted, row.changed_again, row.back,
                     row.waiting);
}

} // namespace

std::vector<Line> insights_lines(const std::vector<FixOutcome>& outcomes, const std::string& by) {
  if (outcomes.empty()) return {{{"No fix has been made in this repository yet.", Shade::dim}}};
  constexpr std::size_t kName = 24;
  std::vector<Line> lines = {
      {{cell(by, kName) +
            "fixes  merged  edited  rejected  discarded  reverted  changed again  back  waiting  kept",
        Shade::dim}}};
  for (const OutcomeCounts& row : count_outcomes(outcomes, by)) {
    const auto kept = row.kept_percent();
    lines.push_back({{cell(row.key.empty() ? "(none)" : row.key, kName), Shade::plain},
                     {figures(row), row.reverted > 0 ? Shade::bad : Shade::plain},
                     {kept ? fmt::format("  {:>3}%", *kept) : "     -", Shade::good}});
  }
  const std::vector<EarnedTrust> trust = earned_trust(outcomes);
  if (!trust.empty()) lines.insert(lines.end(), {{}, {{"Autonomy, by agent and rule", Shade::strong}}});
  for (const EarnedTrust& row : trust)
    lines.push_back({{cell(row.agent.empty() ? "(none)" : row.agent, kName), Shade::plain},
                     {cell(row.rule.empty() ? "(none)" : row.rule, kName), Shade::plain},
                     {earned_text(row), row.earned         ? Shade::good
                                        : row.reverted > 0 ? Shade::bad
                                                           : Shade::dim}});
  lines.push_back({});
  lines.push_back({{":insights agent|model|rule|language|evidence; emend insights looks at the branch again",
                    Shade::dim}});
  return lines;
}

} // namespace emend
