#include "cli/live_progress.hpp"

#include <unistd.h>

#include <condition_variable>
#include <mutex>
#include <thread>

#include "base/environment.hpp"
#include "base/screen.hpp"
#include "base/strings.hpp"
#include "cli/daily/fix_output.hpp"
#include "cli/live_text.hpp"
#include "cli/progress_text.hpp"
#include "cli/terminal.hpp"

namespace emend {

namespace {

constexpr std::chrono::milliseconds kFastest(100);  // between two drawings
constexpr std::chrono::milliseconds kSlowest(1000); // the time goes on

} // namespace

bool can_redraw(const std::vector<std::string>& environment, bool is_terminal) {
  const std::string term = variable(environment, "TERM");
  const std::string ci = to_lower(variable(environment, "CI"));
  const bool in_ci = !ci.empty() && ci != "0" && ci != "false";
  return is_terminal && !in_ci && !term.empty() && term != "dumb";
}

bool shows_utf8(const std::vector<std::string>& environment) {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string value = to_lower(variable(environment, name));
    if (!value.empty()) return contains(value, "utf-8") || contains(value, "utf8");
  }
  return false;
}

struct LiveProgress::View {
  View(const Clock& the_clock, LiveStyle the_style, ProgressDetail the_detail)
      : clock(the_clock), style(std::move(the_style)), detail(the_detail) {}

  const Clock& clock;
  LiveStyle style;
  ProgressDetail detail;
  std::mutex mutex;
  std::condition_variable_any changed;
  SessionView session;
  bool dirty = false;
  std::jthread painter;

  void take_in(const Event& event) {
    if (const auto line = progress_line(event, detail)) write_stderr(*line + "\n");
    const std::lock_guard guard(mutex);
    take(session, event, clock.steady_ms());
    dirty = true;
    changed.notify_one();
  }

  std::vector<std::string> lines() {
    const ScreenSize size = screen_size(STDERR_FILENO);
    style.columns = size.columns;
    style.rows = size.rows;
    return render_live(session, clock.steady_ms(), style);
  }

  void paint(std::stop_token stop) {
    BottomLines bottom(STDERR_FILENO);
    while (!stop.stop_requested()) {
      std::vector<std::string> now;
      {
        std::unique_lock lock(mutex);
        changed.wait_for(lock, stop, kSlowest, [this] { return dirty; });
        dirty = false;
        if (!stop.stop_requested()) now = lines();
      }
      bottom.show(std::move(now));
      std::unique_lock lock(mutex);
      changed.wait_for(lock, stop, kFastest, [] { return false; });
    }
  }
};

LiveProgress::LiveProgress(CommandContext& context, bool ascii) {
  const GlobalOptions& global = context.global();
  if (global.quiet || global.json || !can_redraw(context.environment(), context.error_is_terminal())) {
    listener_ = progress_printer(context);
    return;
  }
  LiveStyle style;
  style.ascii = ascii || !shows_utf8(context.environment());
  style.palette.on = wants_color(global.color, context.environment(), true);
  view_ = std::make_shared<View>(*context.dependencies().clock, style,
                                 global.verbose ? ProgressDetail::all : ProgressDetail::results);
  View* view = view_.get();
  view_->painter = std::jthread([view](std::stop_token stop) { view->paint(std::move(stop)); });
  listener_ = [shared = view_](const Event& event) { shared->take_in(event); };
}

LiveProgress::~LiveProgress() {
  if (!view_) return;
  view_->painter.request_stop();
  view_->painter.join();
}

void LiveProgress::begin_with(const FixReport& report) {
  if (!view_) return;
  const std::lock_guard guard(view_->mutex);
  for (const IssueOutcome& outcome : report.issues) {
    const bool over =
        outcome.issue.status != IssueStatus::open && outcome.issue.status != IssueStatus::in_progress;
    take_known(view_->session, outcome.issue.code, over ? std::string(to_string(outcome.issue.status)) : "");
  }
}

} // namespace emend
