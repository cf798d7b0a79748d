// Failed jobs of a pipeline: which of them are news, which are nobody's fault, and what a log points at. Logs
// are text of strangers: they choose nothing that is run. Pure.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "model/verification.hpp"
#include "ports/forge.hpp"

namespace emend {

enum class RedKind { news, red_before, infrastructure };
[[nodiscard]] std::string_view to_string(RedKind kind);

struct RedJob {
  PipelineJob job;
  RedKind kind = RedKind::news;
  std::string why; // one line
};

// The same failure has the same signature in two logs, whatever the times, numbers and paths in them. Empty =
// the log shows none.
[[nodiscard]] std::string failure_signature(std::string_view log);

struct JobWithLog {
  PipelineJob job;
  std::string log;
};
// base: the failed jobs of the commit the branch goes into.
[[nodiscard]] std::vector<RedJob> judge_jobs(const std::vector<JobWithLog>& head,
                                             const std::vector<JobWithLog>& base);

// The first place in the output of a check that is a file of the tree; preferably one of `changed`.
struct Place {
  std::string file;
  int line = 0;
};
[[nodiscard]] Place place_in(std::string_view output, const std::function<bool(const std::string&)>& is_file,
                             const std::vector<std::string>& changed);

// A check that fails on the head each time and passes on the base.
[[nodiscard]] std::vector<const CommandRun*> newly_red(const Verification& head, const Verification& base);

struct EarlierTry {
  std::string head, tip;
  std::int64_t at_ms = 0;
  std::string line; // what came of it
};
// Why no further round may begin; empty = one may. tries: of this pull request, in order.
[[nodiscard]] std::string reason_to_rest(const std::vector<EarlierTry>& tries, const std::string& head,
                                         std::int64_t now_ms);

// How the line of a try begins that only started jobs again.
inline constexpr std::string_view kStartedAgain = "started again: ";
// Jobs that failed for want of a machine, each pipeline once, when nothing else failed and they were not
// started again for this head before.
[[nodiscard]] std::vector<PipelineJob> jobs_to_restart(const std::vector<RedJob>& jobs,
                                                       const std::vector<EarlierTry>& tries,
                                                       const std::string& head);

} // namespace emend
