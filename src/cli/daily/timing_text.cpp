#include "cli/daily/timing_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.hpp"

namespace emend {
namespace {

constexpr std::size_t kWide = 100, kNarrowest = 20; // of the picture, in columns
constexpr std::size_t kTextColumns = 24;            // in front of it

char letter_of(const TimeSpan& span) {
  if (span.on == Waited::check) return 'C';
  if (span.what.starts_with("fix_challenger") || span.what.starts_with("challenger") ||
      span.what.starts_with("judge"))
    return 'J';
  return span.what.starts_with("fixer") || span.what.starts_with("re_fixer") ? 'F' : 'A';
}

class Picture {
public:
  Picture(const SessionTiming& timing, std::size_t columns)
      : begin_(timing.begin_ms),
        length_(std::max<std::int64_t>(1, timing.end_ms - timing.begin_ms)),
        columns_(columns) {}

  // From its begin to its end, with what was waited for.
  [[nodiscard]] std::string line(std::int64_t begin_ms, std::int64_t end_ms,
                                 const std::vector<TimeSpan>& spans) const {
    std::string text(columns_, ' ');
    fill(text, begin_ms, end_ms, '.');
    for (const TimeSpan& span : spans) fill(text, span.begin_ms, span.end_ms, letter_of(span));
    return text.substr(0, text.find_last_not_of(' ') + 1);
  }

private:
  // What took any time at all is seen.
  void fill(std::string& text, std::int64_t begin_ms, std::int64_t end_ms, char letter) const {
    const std::size_t first = std::min(column(begin_ms), columns_ - 1);
    const std::size_t end = std::min(std::max(column(end_ms), first + 1), columns_);
    std::fill(text.begin() + static_cast<std::ptrdiff_t>(first),
              text.begin() + static_cast<std::ptrdiff_t>(end), letter);
  }
  [[nodiscard]] std::size_t column(std::int64_t at_ms) const {
    return static_cast<std::size_t>(std::max<std::int64_t>(0, at_ms - begin_)) * columns_ /
           static_cast<std::size_t>(length_);
  }

  std::int64_t begin_, length_;
  std::size_t columns_;
};

std::string row(const std::string& name, std::int64_t ms, const std::string& picture) {
  return fmt::format("{:<12} {:>9}  {}\n", one_line(name, 12), format_duration_ms(ms), picture);
}

} // namespace

std::string timing_text(const SessionTiming& timing, std::size_t slots, const Palette& palette) {
  if (timing.issues.empty()) return "no issue was worked on\n";
  std::size_t columns = kWide;
  if (palette.columns > 0)
    columns = std::clamp(palette.columns - std::min(palette.columns, kTextColumns), kNarrowest, kWide);
  const std::int64_t total = timing.end_ms - timing.begin_ms;
  std::string text = fmt::format(
      "{}, {} at a time: {}. Agents and checks alone need {}.\n"
      "Before the first issue began: {}. After the last was accepted: {}.\n\n",
      plural(timing.issues.size(), "issue"), slots, format_duration_ms(total),
      format_duration_ms(timing.bound_ms(slots)), format_duration_ms(timing.before_ms()),
      format_duration_ms(timing.after_ms()));
  const Picture picture(timing, columns);
  for (const IssueTiming& issue : timing.issues)
    text += row(issue.code, issue.end_ms - issue.begin_ms,
                picture.line(issue.begin_ms, issue.end_ms, issue.spans));
  for (const TimeSpan& span : timing.shared)
    text += row(span.what.substr(0, span.what.find(':')), span.end_ms - span.begin_ms,
                picture.line(span.begin_ms, span.end_ms, {span}));
  return text + "\nF fixer  J judge  A other agent  C checks  . the engine, or waiting\n";
}

} // namespace emend
