// The planner: issues become steps, batches and a schedule, by the files they touch. Pure and deterministic.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/result.hpp"
#include "model/issue.hpp"
#include "model/policy.hpp"

namespace emend {

// What the planner needs to know of an issue.
struct Work {
  std::string code;
  std::vector<std::string>
      files;      // its file and the related ones, normal form, each once; empty = may touch anything
  int points = 3; // effort x files
  Side side = Side::backend;
};
[[nodiscard]] Work work_of(const Issue& issue);
[[nodiscard]] std::vector<Work> work_of(const std::vector<Issue>& issues);
[[nodiscard]] int workload_points(const Finding& finding); // unknown effort counts as 3, unknown files as 1

// Everything in a step may run at the same time: no file appears twice in it. Steps run one after the other.
struct PlanStep {
  std::vector<std::string> codes;
  std::string reason; // "different files, parallel"; "same file as BE-001, later"
};

// For the strategy `batched`, and what one agent process works on in general.
struct Batch {
  std::string label; // "BE Batch 1/3"
  Side side = Side::backend;
  int points = 0;
  std::vector<std::string> codes;
};

// Each issue in the first step after all earlier issues it shares a file with, so issues on one file keep
// their order.
[[nodiscard]] std::vector<PlanStep> plan_steps(const std::vector<Work>& works);
// Steps that somebody else put together, each with a reason; one that has its own keeps it.
[[nodiscard]] std::vector<PlanStep> with_reasons(const std::vector<Work>& works, std::vector<PlanStep> steps);
// All backend, then all frontend, in order. The number of issues wins over the points; an issue above the
// points is alone.
[[nodiscard]] std::vector<Batch> plan_batches(const std::vector<Work>& works, const BatchLimits& limits);
// What each agent process works on. per-issue: one unit an issue; batched: the batches; one-call: one unit
// with everything.
[[nodiscard]] std::vector<Batch> work_units(const std::vector<Work>& works, Strategy strategy,
                                            const BatchLimits& limits);

// Which issue may start now: one that shares no file with a running one, of the file with the most work left
// first. No step barriers.
class FileSchedule {
public:
  explicit FileSchedule(std::vector<Work> works);
  // Index of the work that starts; nullopt = nothing may start until something running ends, or nothing is
  // left.
  [[nodiscard]] std::optional<std::size_t> start_next();
  void finish(std::size_t index);
  [[nodiscard]] bool done() const { return waiting_ == 0 && running_.empty(); }

private:
  // How urgent a work is, the most urgent first; of equals the first given.
  struct Rank {
    int weight = 0; // points left on its heaviest file
    int points = 0;
    std::size_t index = 0;
    bool operator==(const Rank&) const = default;
    bool operator<(const Rank& other) const;
  };
  using Ranks = std::set<Rank>;
  struct OneFile {
    Ranks waiting;            // works on this file alone; of equal weight, because it is the file's
    std::optional<Rank> head; // the first of them as it stands in heads_, while the file is free
  };

  [[nodiscard]] Rank rank(std::size_t index) const;
  [[nodiscard]] std::optional<Rank> next_of_several();
  void wait(std::size_t index);
  void expose(const std::string& file);
  void start(std::size_t index);

  std::vector<Work> works_;
  std::size_t waiting_ = 0;
  std::set<std::size_t> running_;
  bool alone_ = false;                        // what runs now may touch anything
  std::unordered_map<std::string, int> left_; // points of each file that have not ended
  std::unordered_set<std::string> busy_;      // files of running works
  std::unordered_map<std::string, OneFile> one_file_;
  Ranks heads_;    // the first of each free file
  Ranks several_;  // works on several files. Weights only fall, so an old rank is never too low
  Ranks anywhere_; // works that may touch anything
  std::unordered_map<std::string, std::vector<std::size_t>> parked_; // works on several files, by a busy one
};

// Points stand for time.
struct Makespan {
  int total = 0;         // all points
  int lower_bound = 0;   // no schedule is shorter: max(total / slots, heaviest file, longest issue)
  int free_schedule = 0; // per-issue, a unit starts as soon as no running one shares a file with it
  int with_barriers = 0; // each step waits for the whole step before it
};
[[nodiscard]] Makespan plan_makespan(const std::vector<Work>& works, const std::vector<PlanStep>& steps,
                                     int slots);

// Why a plan that an agent or a person made cannot be used, each reason exactly; empty = it can. Codes in
// `skipped` may be missing.
[[nodiscard]] std::vector<std::string> plan_problems(const std::vector<Work>& works,
                                                     const std::vector<PlanStep>& steps,
                                                     const std::vector<std::string>& skipped = {});
// The same as an error (ErrorCode::usage).
[[nodiscard]] Status check_plan(const std::vector<Work>& works, const std::vector<PlanStep>& steps,
                                const std::vector<std::string>& skipped = {});

} // namespace emend
