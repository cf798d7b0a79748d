#include "cli/daily/review_screen.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "base/columns.hpp"
#include "base/screen.hpp"
#include "base/strings.hpp"
#include "cli/daily/review_progress.hpp"
#include "cli/live_progress.hpp"
#include "cli/report_text.hpp"
#include "cli/terminal.hpp"

namespace emend {

namespace {

constexpr std::size_t kKept = 20;
constexpr std::size_t kBar = 20;
constexpr std::chrono::milliseconds kFastest(100), kSlowest(1000);

Tone tone_of(Severity severity) {
  if (severity >= Severity::high) return Tone::bad;
  return severity == Severity::medium ? Tone::warn : Tone::dim;
}

std::string cut(const std::string& text, const LiveStyle& style) {
  return fit_columns(text, style.columns > 1 ? style.columns - 1 : 1, style.ascii ? "..." : "…");
}

std::string bar_of(const ReviewSoFar::Tool& tool, const LiveStyle& style) {
  if (style.columns < 60) return {};
  const std::size_t full = tool.all == 0 ? 0 : std::min(kBar, tool.done * kBar / tool.all);
  std::string bar;
  for (std::size_t i = 0; i < kBar; ++i)
    bar += i < full ? (style.ascii ? "#" : "━") : (style.ascii ? "-" : "─");
  return bar + "  ";
}

std::string tool_line(const std::string& name, const ReviewSoFar::Tool& tool, std::size_t widest,
                      const LiveStyle& style) {
  std::string text = fmt::format("{:<{}}  {}", one_line(name, 60), widest, bar_of(tool, style));
  if (tool.all > 0) text += fmt::format("{} of {}", tool.done, plural(tool.all, "file"));
  if (tool.found > 0) text += (tool.all > 0 ? ", " : "") + plural(tool.found, "finding");
  return cut(text, style);
}

std::string finding_line(const Finding& finding, const LiveStyle& style) {
  const std::string severity(to_string(finding.severity));
  const std::string rest = cut(fmt::format("{:<8}  {}  {}  {}", severity, one_line(place_of(finding), 100),
                                           one_line(finding.rule, 60), one_line(finding.title, 200)),
                               style);
  if (rest.size() <= severity.size()) return rest;
  return style.palette.paint(severity, tone_of(finding.severity)) + rest.substr(severity.size());
}

} // namespace

void ReviewSoFar::take(const AnalyzerProgress& progress) {
  Tool& tool = tools[progress.analyzer];
  tool.ended = tool.ended || progress.ended;
  tool.done = std::max(tool.done, progress.done);
  tool.all = std::max(tool.all, progress.all);
  tool.found += progress.found.size();
  found += progress.found.size();
  worst.insert(worst.end(), progress.found.begin(), progress.found.end());
  std::stable_sort(worst.begin(), worst.end(),
                   [](const Finding& a, const Finding& b) { return a.severity > b.severity; });
  if (worst.size() > kKept) worst.resize(kKept);
}

std::vector<std::string> render_review(const ReviewSoFar& review, std::int64_t elapsed_ms,
                                       const LiveStyle& style) {
  const std::size_t room = std::max<std::size_t>(style.rows / 2, 3);
  std::vector<std::string> tools, lines;
  std::size_t widest = 0, ended = 0;
  for (const auto& [name, tool] : review.tools)
    if (!tool.ended) widest = std::max(widest, one_line(name, 60).size());
  for (const auto& [name, tool] : review.tools) {
    ended += tool.ended ? 1 : 0;
    if (!tool.ended && tools.size() + 2 < room) tools.push_back(tool_line(name, tool, widest, style));
  }
  const std::size_t left = room - tools.size() - 1;
  for (std::size_t i = 0; i < std::min(left, review.worst.size()); ++i)
    lines.push_back(finding_line(review.worst[i], style));
  lines.insert(lines.end(), tools.begin(), tools.end());
  lines.push_back(style.palette.paint(
      cut(fmt::format("{} so far, {} done, {} s; Ctrl-C keeps the results so far",
                      plural(review.found, "finding"), plural(ended, "analyzer"), elapsed_ms / 1000),
          style),
      Tone::dim));
  return lines;
}

struct ReviewScreen::View {
  const Clock& clock;
  LiveStyle style;
  std::int64_t start_ms;
  std::mutex mutex;
  std::condition_variable_any changed;
  ReviewSoFar review;
  bool dirty = true;
  std::jthread painter;

  View(const Clock& the_clock, LiveStyle the_style)
      : clock(the_clock), style(std::move(the_style)), start_ms(the_clock.steady_ms()) {}

  void take_in(const AnalyzerProgress& progress) {
    const std::lock_guard guard(mutex);
    review.take(progress);
    dirty = true;
    changed.notify_one();
  }

  void paint(std::stop_token stop) {
    BottomLines bottom(STDERR_FILENO);
    while (!stop.stop_requested()) {
      std::unique_lock lock(mutex);
      changed.wait_for(lock, stop, kSlowest, [this] { return dirty; });
      dirty = false;
      if (stop.stop_requested()) return;
      const ScreenSize size = screen_size(STDERR_FILENO);
      style.columns = size.columns;
      style.rows = size.rows;
      auto lines = render_review(review, clock.steady_ms() - start_ms, style);
      lock.unlock();
      bottom.show(std::move(lines));
      lock.lock();
      changed.wait_for(lock, stop, kFastest, [] { return false; });
    }
  }
};

ReviewScreen::ReviewScreen(CommandContext& context) {
  const GlobalOptions& global = context.global();
  if (global.quiet || !can_redraw(context.environment(), context.error_is_terminal())) {
    listener_ = review_progress(context);
    return;
  }
  LiveStyle style;
  style.ascii = !shows_utf8(context.environment());
  style.palette.on = wants_color(global.color, context.environment(), true);
  view_ = std::make_shared<View>(*context.dependencies().clock, style);
  View* view = view_.get();
  view_->painter = std::jthread([view](std::stop_token stop) { view->paint(std::move(stop)); });
  listener_ = [shared = view_](const AnalyzerProgress& progress) { shared->take_in(progress); };
}

ReviewScreen::~ReviewScreen() {
  if (!view_) return;
  view_->painter.request_stop();
  view_->painter.join();
}

} // namespace emend
