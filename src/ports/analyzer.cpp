#include "ports/analyzer.hpp"

namespace emend {

std::string_view to_string(AnalysisState state) {
  switch (state) {
    case AnalysisState::done: return "done";
    case AnalysisState::missing: return "missing";
    case AnalysisState::failed: return "failed";
    case AnalysisState::timed_out: return "timed_out";
    case AnalysisState::cancelled: return "cancelled";
    case AnalysisState::skipped: return "skipped";
  }
  return "skipped";
}

} // namespace emend
