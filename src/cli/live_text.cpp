// How the model of a running session looks: bars, words, numbers, cut to the terminal.
#include <fmt/format.h>

#include <algorithm>

#include "base/columns.hpp"
#include "cli/live_model.hpp"

namespace emend {

namespace {

constexpr std::size_t kCodeColumns = 12;

// How much of an issue's way is done, in tenths: stages count, since nobody knows how long an agent takes.
std::size_t tenths_of(const LiveIssue& issue) {
  switch (issue.phase) {
    case LivePhase::waiting: return 0;
    case LivePhase::fixing: return 2;
    case LivePhase::verifying: return 5;
    case LivePhase::judging: return 7;
    case LivePhase::accepted: return 9;
    case LivePhase::done: return 10;
  }
  return 0;
}

std::string_view word_of(LivePhase phase) {
  switch (phase) {
    case LivePhase::waiting: return "waiting";
    case LivePhase::fixing: return "fixing";
    case LivePhase::verifying: return "verifying";
    case LivePhase::judging: return "judging";
    case LivePhase::accepted: return "accepted";
    case LivePhase::done: return "done";
  }
  return "";
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

class Line {
public:
  explicit Line(const LiveStyle& style) : style_(style), left_(style.columns > 1 ? style.columns - 1 : 1) {}

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

std::string round_text(const LiveIssue& issue) {
  if (issue.round == 0) return "";
  return issue.round <= issue.most_rounds ? fmt::format("round {}/{}", issue.round, issue.most_rounds)
                                          : fmt::format("round {}", issue.round);
}

std::string issue_line(const LiveIssue& issue, std::int64_t now_ms, const LiveStyle& style,
                       std::size_t code_columns) {
  Line line(style);
  line.add(padded(fit_columns(one_line(issue.code), code_columns, style.ascii ? "." : "…"), code_columns),
           Tone::strong);
  line.add_bar(tenths_of(issue), 10, bar_columns(style.columns, 12));
  line.add(padded(std::string(word_of(issue.phase)), 9));
  line.add(elapsed(now_ms - issue.began_ms));
  line.add(round_text(issue));
  line.add(one_line(issue.doing, 400), Tone::dim);
  return line.text();
}

std::string counts_of(const LiveModel& model) {
  std::size_t resolved = 0, failed = 0, accepted = 0;
  for (const LiveIssue& issue : model.issues) {
    resolved += issue.status == "RESOLVED" ? 1 : 0;
    failed += issue.status == "FAILED" ? 1 : 0;
    accepted += issue.phase == LivePhase::accepted ? 1 : 0;
  }
  std::string text = fmt::format("{} resolved, {} failed", resolved, failed);
  return accepted == 0 ? text : text + fmt::format(", {} accepted", accepted);
}

std::string whole_line(const LiveModel& model, std::int64_t now_ms, const LiveStyle& style) {
  std::size_t tenths = 0, done = 0;
  for (const LiveIssue& issue : model.issues) {
    tenths += tenths_of(issue);
    done += issue.phase == LivePhase::done ? 1 : 0;
  }
  Line line(style);
  line.add_bar(tenths, model.issues.size() * 10, bar_columns(style.columns, 20));
  if (!model.issues.empty()) line.add(fmt::format("{}/{} done", done, model.issues.size()), Tone::strong);
  line.add(elapsed(now_ms - model.began_ms));
  if (!model.issues.empty()) line.add(counts_of(model));
  if (model.cost_usd) line.add(fmt::format("${:.2f}", *model.cost_usd));
  line.add(one_line(model.doing, 400), Tone::dim);
  return line.text();
}

bool in_work(const LiveIssue& issue) {
  return issue.phase == LivePhase::fixing || issue.phase == LivePhase::verifying ||
         issue.phase == LivePhase::judging;
}

} // namespace

std::vector<std::string> render_live(const LiveModel& model, std::int64_t now_ms, const LiveStyle& style) {
  if (!model.running) return {};
  std::vector<const LiveIssue*> working;
  std::size_t code_columns = 0;
  for (const LiveIssue& issue : model.issues) {
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
    Line more(style);
    more.add(fmt::format("+{} more", working.size() - shown), Tone::dim);
    lines.push_back(more.text());
  }
  lines.push_back(whole_line(model, now_ms, style));
  return lines;
}

} // namespace emend
