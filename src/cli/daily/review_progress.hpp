// Tells on stderr, now and then, how far the analyzers of a long review are.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "cli/context.hpp"
#include "engine/verify/analyze.hpp"

namespace emend {

class ReviewProgress {
public:
  explicit ReviewProgress(std::int64_t start_ms) : start_ms_(start_ms), told_ms_(start_ms) {}

  // A line when the last one is old enough; nullopt = nothing to say now.
  [[nodiscard]] std::optional<std::string> line(const AnalyzerProgress& progress, std::int64_t now_ms);

private:
  std::int64_t start_ms_, told_ms_;
  std::map<std::string, AnalyzerProgress> running_; // by analyzer
};

// For ReviewRequest::on_progress; says nothing with --quiet.
[[nodiscard]] TellProgress review_progress(CommandContext& context);

} // namespace emend
