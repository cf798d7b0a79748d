// What this process counts and times while it works, for whoever watches it: counters and histograms.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace emend {

// One row each: what is counted or timed, by which labels. No label may grow with use (ids, paths).
enum class Measure { http_request_seconds, agent_run_seconds, verify_run_seconds, database_errors };

using MeasureLabels = std::vector<std::pair<std::string_view, std::string>>;

// A duration goes into its histogram, with the same labels each time; a counter grows by one.
void observe(Measure measure, const MeasureLabels& labels, double seconds);
void count(Measure measure, const MeasureLabels& labels);

// All of them in the text format of Prometheus.
[[nodiscard]] std::string measures_text();

// Memory, descriptors, processor time and start of this process, in the same format.
[[nodiscard]] std::string process_text();

} // namespace emend
