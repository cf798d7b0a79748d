#include "cli/live_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/columns.hpp"

namespace emend {

namespace {

constexpr std::size_t kCodeColumns = 12;

// How much of an issue's way is done, in tenths: stages count, since nobody knows how long an agent takes.
std::size_t tenths_of(const IssueView& issue) {
  switch (issue.phase) {
    case IssuePhase::waiting: return 0;
    case IssuePhase::fixing: return 2;
    case IssuePhase::verifying: return 5;
    case IssuePhase::judging: return 7;
    case IssuePhase::accepted: return 9;
    case IssuePhase::done: return 10;
  }
  return 0;
}

std::string elapsed(std::int64_t ms) {
  const std::int64_t seconds = std::max<std::int64_t>(ms, 0) / 1000;
  if (seconds < 3600) return fmt::format("{}:{:02}", seconds / 60, seconds % 60);
  return fmt::format("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

std::string repeated(std::string_view piece, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += piece;
  return text;
}

std::string padded(std::string text, std::size_t columns) {
  const std::size_t used = columns_of(text);
  return used >= columns ? text : text + std::string(columns - used, ' ');
}

std::size_t bar_columns(std::size_t columns, std::size_t widest) {
  return columns < 48 ? 0 : std::min(widest, columns / 6);
}

class LiveLine {
public:
  explicit LiveLine(const LiveStyle& style)
      : style_(style), left_(style.columns > 1 ? style.columns - 1 : 1) {}

  // Two blanks after what is there; what does not fit is cut and ends the line.
  void add(std::string_view text, Tone tone = Tone::plain) {
    if (text.empty()) return;
    const std::size_t gap = text_.empty() ? 0 : 2;
    if (left_ <= gap) return end();
    const std::string cut = fit_columns(text, left_ - gap, style_.ascii ? "..." : "…");
    text_ += std::string(gap, ' ') + style_.palette.paint(cut, tone);
    left_ -= gap + columns_of(cut);
    if (cut.size() != text.size()) end();
  }
  void add_bar(std::size_t done, std::size_t all, std::size_t columns) {
    if (columns == 0 || left_ < columns + 2) return;
    const std::size_t full = all == 0 ? 0 : std::min(columns, done * columns / all);
    text_ += std::string(text_.empty() ? 0 : 2, ' ') +
             style_.palette.paint(repeated(style_.ascii ? "#" : "━", full), Tone::good) +
             style_.palette.paint(repeated(style_.ascii ? "-" : "─", columns - full), Tone::dim);
    left_ -= std::min(left_, columns + 2);
  }
  [[nodiscard]] std::string text() const { return text_; }

private:
  void end() { left_ = 0; }

  const LiveStyle& style_;
  std::size_t left_;
  std::string text_;
};

std::string round_text(const IssueView& issue) {
  if (issue.round == 0) return "";
  return issue.round <= issue.most_rounds ? fmt::format("round {}/{}", issue.round, issue.most_rounds)
                                          : fmt::format("round {}", issue.round);
}

std::string issue_line(const IssueView& issue, std::int64_t now_ms, const LiveStyle& style,
                       std::size_t code_columns) {
  LiveLine line(style);
  line.add(padded(fit_columns(one_line(issue.code), code_columns, style.ascii ? "." : "…"), code_columns),
           Tone::strong);
  line.add_bar(tenths_of(issue), 10, bar_columns(style.columns, 12));
  line.add(padded(std::string(to_string(issue.phase)), 9));
  line.add(elapsed(now_ms - issue.began_ms));
  line.add(round_text(issue));
  line.add(one_line(issue.doing, 400), Tone::dim);
  return line.text();
}

std::string counts_of(const SessionView& view) {
  std::size_t resolved = 0, failed = 0, accepted = 0;
  for (const IssueView& issue : view.issues) {
    resolved += issue.status == "RESOLVED" ? 1 : 0;
    failed += issue.status == "FAILED" ? 1 : 0;
    accepted += issue.phase == IssuePhase::accepted ? 1 : 0;
  }
  std::string text = fmt::format("{} resolved, {} failed", resolved, failed);
  return accepted == 0 ? text : text + fmt::format(", {} passed", accepted);
}

std::string whole_line(const SessionView& view, std::int64_t now_ms, const LiveStyle& style) {
  std::size_t tenths = 0, done = 0;
  for (const IssueView& issue : view.issues) {
    tenths += tenths_of(issue);
    done += issue.phase == IssuePhase::done ? 1 : 0;
  }
  LiveLine line(style);
  line.add_bar(tenths, view.issues.size() * 10, bar_columns(style.columns, 20));
  if (!view.issues.empty()) line.add(fmt::format("{}/{} done", done, view.issues.size()), Tone::strong);
  line.add(elapsed(now_ms - view.began_ms));
  if (!view.issues.empty()) line.add(counts_of(view));
  if (view.cost_usd) line.add(fmt::format("${:.2f}", *view.cost_usd));
  line.add(one_line(view.doing, 400), Tone::dim);
  return line.text();
}

bool in_work(const IssueView& issue) {
  return issue.phase == IssuePhase::fixing || issue.phase == IssuePhase::verifying ||
         issue.phase == IssuePhase::judging;
}

} // namespace

std::vector<std::string> render_live(const SessionView& view, std::int64_t now_ms, const LiveStyle& style) {
  if (!view.running) return {};
  std::vector<const IssueView*> working;
  std::size_t code_columns = 0;
  for (const IssueView& issue : view.issues) {
    if (!in_work(issue)) continue;
    working.push_back(&issue);
    code_columns = std::max(code_columns, std::min(kCodeColumns, columns_of(one_line(issue.code))));
  }
  const std::size_t room = style.rows < 4 ? 0 : style.rows / 2 - 1;
  const bool all = working.size() <= room;
  const std::size_t shown = all ? working.size() : room == 0 ? 0 : room - 1;
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < shown; ++i)
    lines.push_back(issue_line(*working[i], now_ms, style, code_columns));
  if (!all && room > 0) {
    LiveLine more(style);
    more.add(fmt::format("+{} more", working.size() - shown), Tone::dim);
    lines.push_back(more.text());
  }
  lines.push_back(whole_line(view, now_ms, style));
  return lines;
}

} // namespace emend
