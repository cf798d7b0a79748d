// A review that is at work, at the bottom of a terminal: a line for each tool with a bar over its files, and
// above them the worst that was found so far.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cli/context.hpp"
#include "cli/live_text.hpp"
#include "engine/verify/analyze.hpp"

namespace emend {

// What is known of a running review.
struct ReviewSoFar {
  struct Tool {
    std::size_t done = 0, all = 0, found = 0;
    bool ended = false;
  };
  std::map<std::string, Tool> tools;
  std::vector<Finding> worst; // worst first, some of them
  std::size_t found = 0;

  void take(const AnalyzerProgress& progress);
};

// Pure. Never more than half of the rows; every line is narrower than the terminal.
[[nodiscard]] std::vector<std::string> render_review(const ReviewSoFar& review, std::int64_t elapsed_ms,
                                                     const LiveStyle& style);

// Draws while it lives, where stderr is a terminal; elsewhere a line now and then.
class ReviewScreen {
public:
  explicit ReviewScreen(CommandContext& context);
  ~ReviewScreen();
  ReviewScreen(const ReviewScreen&) = delete;
  ReviewScreen& operator=(const ReviewScreen&) = delete;

  // For ReviewRequest::on_progress.
  [[nodiscard]] TellProgress listener() const { return listener_; }

private:
  struct View;
  std::shared_ptr<View> view_;
  TellProgress listener_;
};

} // namespace emend
