#include "engine/plan/planner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <queue>
#include <tuple>

#include "base/strings.hpp"
#include "model/enum_names.hpp"

namespace emend {

namespace {

constexpr int kMostFiles = 10'000; // a reviewer's estimate is only a number; keep sums of it in range

std::string normal_path(const std::string& path) {
  return std::filesystem::path(path).lexically_normal().generic_string();
}

bool everywhere(const Work& work) { return work.files.empty(); }

// The first file that two works share, as people read it. Works that may touch anything share everything.
std::string shared_file(const Work& a, const Work& b) {
  for (const std::string& file : a.files)
    if (std::find(b.files.begin(), b.files.end(), file) != b.files.end()) return file;
  return "the whole project";
}

using ByCode = std::map<std::string, const Work*>;

ByCode by_code(const std::vector<Work>& works) {
  ByCode found;
  for (const Work& work : works) found.emplace(work.code, &work);
  return found;
}

std::string some_of(const std::vector<std::string>& codes) {
  constexpr std::size_t kShown = 4;
  if (codes.size() <= kShown) return join(codes, ", ");
  return join({codes.begin(), codes.begin() + kShown}, ", ") +
         fmt::format(" and {} more", codes.size() - kShown);
}

// Where works of earlier steps touch what: finds the nearest one that shares a file with a work.
class EarlierWorks {
public:
  void add(const Work& work, std::size_t step) {
    const Place here{step, count_++, &work};
    for (const std::string& file : work.files) keep(files_[file], here);
    if (everywhere(work)) keep(everywhere_, here);
    keep(any_, here);
  }
  // Of the last step that has one, the first; nullptr = none.
  [[nodiscard]] const Work* nearest(const Work& work) const {
    if (everywhere(work)) return any_.work;
    Place found = everywhere_;
    for (const std::string& file : work.files)
      if (const auto known = files_.find(file); known != files_.end()) found = nearer(found, known->second);
    return found.work;
  }

private:
  struct Place {
    std::size_t step = 0, order = 0;
    const Work* work = nullptr;
  };
  static void keep(Place& place, const Place& here) {
    if (place.work == nullptr || place.step != here.step) place = here; // of one step the first stays
  }
  static Place nearer(const Place& a, const Place& b) {
    if (a.work == nullptr) return b;
    return std::pair(a.step, b.order) >= std::pair(b.step, a.order) ? a : b;
  }

  std::unordered_map<std::string, Place> files_;
  Place everywhere_, any_;
  std::size_t count_ = 0;
};

// What this step has to wait for: for each of its works the nearest earlier one.
std::vector<std::string> waited_for(const ByCode& works, const EarlierWorks& earlier, const PlanStep& step) {
  std::vector<std::string> codes;
  std::set<const Work*> known;
  for (const std::string& code : step.codes) {
    const auto own = works.find(code);
    const Work* before = own == works.end() ? nullptr : earlier.nearest(*own->second);
    if (before != nullptr && known.insert(before).second) codes.push_back(before->code);
  }
  return codes;
}

// The works of one step so far, by their files.
class StepWorks {
public:
  // Those a work shares a file with, in order.
  [[nodiscard]] std::vector<const Work*> sharing(const Work& work) const {
    if (everywhere(work)) return all_;
    std::set<std::size_t> found(everywhere_.begin(), everywhere_.end());
    for (const std::string& file : work.files)
      if (const auto known = files_.find(file); known != files_.end())
        found.insert(known->second.begin(), known->second.end());
    std::vector<const Work*> works;
    for (const std::size_t i : found) works.push_back(all_[i]);
    return works;
  }
  void add(const Work& work) {
    for (const std::string& file : work.files) files_[file].push_back(all_.size());
    if (everywhere(work)) everywhere_.push_back(all_.size());
    all_.push_back(&work);
  }

private:
  std::vector<const Work*> all_;
  std::vector<std::size_t> everywhere_;
  std::unordered_map<std::string, std::vector<std::size_t>> files_;
};

// The time `durations` take on `slots`, each starting as soon as a slot is free, in order.
int list_schedule(const std::vector<int>& durations, int slots) {
  std::priority_queue<int, std::vector<int>, std::greater<>> free_at;
  for (int i = 0; i < slots; ++i) free_at.push(0);
  int end = 0;
  for (const int duration : durations) {
    const int done = free_at.top() + duration;
    free_at.pop();
    free_at.push(done);
    end = std::max(end, done);
  }
  return end;
}

int free_schedule(const std::vector<Work>& works, int slots) {
  FileSchedule schedule(works);
  std::priority_queue<std::pair<int, std::size_t>, std::vector<std::pair<int, std::size_t>>, std::greater<>>
      running; // end, index
  int now = 0;
  while (true) {
    while (static_cast<int>(running.size()) < slots) {
      const auto next = schedule.start_next();
      if (!next) break;
      running.emplace(now + works[*next].points, *next);
    }
    if (running.empty()) return now;
    now = running.top().first;
    schedule.finish(running.top().second);
    running.pop();
  }
}

int lower_bound(const std::vector<Work>& works, int slots) {
  int total = 0, longest = 0, anywhere = 0;
  std::map<std::string, int> files;
  for (const Work& work : works) {
    total += work.points;
    longest = std::max(longest, work.points);
    if (everywhere(work)) anywhere += work.points;
    for (const std::string& file : work.files) files[file] += work.points;
  }
  int heaviest = 0;
  for (const auto& [file, points] : files) heaviest = std::max(heaviest, points);
  // What may touch anything runs alone, before or after everything else.
  return std::max({anywhere + (total - anywhere + slots - 1) / slots, anywhere + heaviest, longest});
}

} // namespace

int workload_points(const Finding& finding) {
  const int effort = finding.effort < 1 ? 3 : std::min(finding.effort, 5);
  const int files = finding.files_count < 1 ? 1 : std::min(finding.files_count, kMostFiles);
  return effort * files;
}

// Its code tells what was known of the project when it was given.
Side side_by_code(const Issue& issue) {
  const Side side = side_of(issue.finding.file);
  const bool kept = side == Side::frontend && issue.code.starts_with(code_prefix(Side::backend));
  return kept ? Side::backend : side;
}

Work work_of(const Issue& issue) {
  Work work;
  work.code = issue.code;
  work.points = workload_points(issue.finding);
  work.side = side_by_code(issue);
  if (issue.finding.file.empty()) return work;
  const auto add = [&work](const std::string& path) {
    const std::string file = normal_path(path);
    if (!file.empty() && std::find(work.files.begin(), work.files.end(), file) == work.files.end())
      work.files.push_back(file);
  };
  add(issue.finding.file);
  for (const std::string& file : issue.finding.related_files) add(file);
  return work;
}

std::vector<Work> work_of(const std::vector<Issue>& issues) {
  std::vector<Work> works;
  works.reserve(issues.size());
  for (const Issue& issue : issues) works.push_back(work_of(issue));
  return works;
}

std::vector<PlanStep> plan_steps(const std::vector<Work>& works) {
  std::vector<PlanStep> steps;
  std::map<std::string, std::size_t> last_of_file; // step number, from 1
  std::size_t last_everywhere = 0, newest = 0;
  for (const Work& work : works) {
    std::size_t after = everywhere(work) ? newest : last_everywhere;
    for (const std::string& file : work.files)
      if (const auto last = last_of_file.find(file); last != last_of_file.end())
        after = std::max(after, last->second);
    const std::size_t number = after + 1;
    if (steps.size() < number) steps.resize(number);
    steps[number - 1].codes.push_back(work.code);
    for (const std::string& file : work.files) last_of_file[file] = number;
    if (everywhere(work)) last_everywhere = number;
    newest = std::max(newest, number);
  }
  return with_reasons(works, std::move(steps));
}

std::vector<PlanStep> with_reasons(const std::vector<Work>& works, std::vector<PlanStep> steps) {
  const ByCode known = by_code(works);
  EarlierWorks before;
  const auto pass = [&](const PlanStep& step, std::size_t number) {
    for (const std::string& code : step.codes)
      if (const auto work = known.find(code); work != known.end()) before.add(*work->second, number);
  };
  for (std::size_t number = 0; number < steps.size(); ++number) {
    if (number > 0) pass(steps[number - 1], number);
    PlanStep& step = steps[number];
    if (!step.reason.empty()) continue;
    const std::vector<std::string> earlier = waited_for(known, before, step);
    const bool alone = step.codes.size() == 1;
    const auto first = known.find(step.codes.empty() ? "" : step.codes.front());
    if (alone && first != known.end() && everywhere(*first->second)) {
      step.reason = "may touch any file, alone";
    } else if (!earlier.empty()) {
      step.reason =
          fmt::format("same {} as {}, later{}", earlier.size() == 1 ? "file" : "files", some_of(earlier),
                      alone ? "" : "; different files among themselves, parallel");
    } else {
      step.reason = alone ? "one issue, alone" : "different files, parallel";
    }
  }
  return steps;
}

std::vector<Batch> plan_batches(const std::vector<Work>& works, const BatchLimits& limits) {
  std::vector<Batch> batches;
  for (const Side side : {Side::backend, Side::frontend}) {
    const std::size_t first = batches.size();
    for (const Work& work : works) {
      if (work.side != side) continue;
      const bool fits = batches.size() > first &&
                        static_cast<int>(batches.back().codes.size()) < limits.max_issues &&
                        batches.back().points + work.points <= limits.max_points;
      if (!fits) batches.push_back({"", side, 0, {}});
      batches.back().codes.push_back(work.code);
      batches.back().points += work.points;
    }
    for (std::size_t i = first; i < batches.size(); ++i)
      batches[i].label =
          fmt::format("{} Batch {}/{}", code_prefix(side), i - first + 1, batches.size() - first);
  }
  return batches;
}

std::vector<Batch> work_units(const std::vector<Work>& works, Strategy strategy, const BatchLimits& limits) {
  if (strategy == Strategy::batched) return plan_batches(works, limits);
  std::vector<Batch> units;
  if (strategy == Strategy::one_call) {
    if (works.empty()) return units;
    Batch all{"one call", works.front().side, 0, {}};
    for (const Work& work : works) {
      all.codes.push_back(work.code);
      all.points += work.points;
    }
    units.push_back(std::move(all));
    return units;
  }
  for (const Work& work : works) units.push_back({work.code, work.side, work.points, {work.code}});
  return units;
}

bool FileSchedule::Rank::operator<(const Rank& other) const {
  return std::tuple(other.weight, other.points, index) < std::tuple(weight, points, other.index);
}

FileSchedule::FileSchedule(std::vector<Work> works) : works_(std::move(works)) {
  for (const Work& work : works_)
    for (const std::string& file : work.files) left_[file] += work.points;
  for (std::size_t i = 0; i < works_.size(); ++i) wait(i);
  for (const auto& [file, works_of_file] : one_file_) expose(file);
}

FileSchedule::Rank FileSchedule::rank(std::size_t index) const {
  Rank rank{0, works_[index].points, index};
  for (const std::string& file : works_[index].files) rank.weight = std::max(rank.weight, left_.at(file));
  return rank;
}

void FileSchedule::wait(std::size_t index) {
  const Work& work = works_[index];
  ++waiting_;
  if (work.files.size() == 1)
    one_file_[work.files.front()].waiting.insert({0, work.points, index});
  else
    (everywhere(work) ? anywhere_ : several_).insert(rank(index));
}

// Brings heads_ up to date with a file's works, weight and freedom.
void FileSchedule::expose(const std::string& file) {
  const auto found = one_file_.find(file);
  if (found == one_file_.end()) return;
  OneFile& one = found->second;
  if (one.head) heads_.erase(*one.head);
  one.head.reset();
  if (one.waiting.empty() || busy_.contains(file)) return;
  one.head = rank(one.waiting.begin()->index);
  heads_.insert(*one.head);
}

// The most urgent one that may start; those that may not wait for one of their busy files.
std::optional<FileSchedule::Rank> FileSchedule::next_of_several() {
  while (!several_.empty()) {
    const Rank first = *several_.begin(), now = rank(first.index);
    const std::vector<std::string>& files = works_[first.index].files;
    const auto busy = std::find_if(files.begin(), files.end(),
                                   [&](const std::string& file) { return busy_.contains(file); });
    if (first == now && busy == files.end()) return first;
    several_.erase(several_.begin());
    if (busy != files.end())
      parked_[*busy].push_back(first.index);
    else
      several_.insert(now);
  }
  return std::nullopt;
}

std::optional<std::size_t> FileSchedule::start_next() {
  if (alone_) return std::nullopt;
  std::optional<Rank> best = next_of_several();
  if (!heads_.empty() && (!best || *heads_.begin() < *best)) best = *heads_.begin();
  if (running_.empty() && !anywhere_.empty() && (!best || *anywhere_.begin() < *best))
    best = *anywhere_.begin();
  if (!best) return std::nullopt;
  start(best->index);
  return best->index;
}

void FileSchedule::start(std::size_t index) {
  const Work& work = works_[index];
  --waiting_;
  running_.insert(index);
  alone_ = everywhere(work);
  if (work.files.size() == 1)
    one_file_[work.files.front()].waiting.erase({0, work.points, index});
  else
    (alone_ ? anywhere_ : several_).erase(rank(index));
  for (const std::string& file : work.files) {
    busy_.insert(file);
    expose(file);
  }
}

void FileSchedule::finish(std::size_t index) {
  if (running_.erase(index) == 0) return;
  alone_ = false;
  for (const std::string& file : works_[index].files) {
    left_[file] -= works_[index].points;
    busy_.erase(file);
    expose(file);
    if (const auto parked = parked_.extract(file))
      for (const std::size_t other : parked.mapped()) several_.insert(rank(other));
  }
}

Makespan plan_makespan(const std::vector<Work>& works, const std::vector<PlanStep>& steps, int slots) {
  const int at_once = std::max(slots, 1);
  Makespan makespan;
  for (const Work& work : works) makespan.total += work.points;
  makespan.lower_bound = lower_bound(works, at_once);
  makespan.free_schedule = free_schedule(works, at_once);
  const ByCode known = by_code(works);
  for (const PlanStep& step : steps) {
    std::vector<int> durations;
    for (const std::string& code : step.codes)
      if (const auto work = known.find(code); work != known.end()) durations.push_back(work->second->points);
    std::sort(durations.rbegin(), durations.rend());
    makespan.with_barriers += list_schedule(durations, at_once);
  }
  return makespan;
}

std::vector<std::string> plan_problems(const std::vector<Work>& works, const std::vector<PlanStep>& steps,
                                       const std::vector<std::string>& skipped) {
  const ByCode known = by_code(works);
  std::vector<std::string> problems;
  std::map<std::string, std::size_t> step_of;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].codes.empty()) problems.push_back(fmt::format("step {} is empty", i + 1));
    StepWorks here;
    for (const std::string& code : steps[i].codes) {
      const auto work = known.find(code);
      if (work == known.end()) {
        problems.push_back(fmt::format("step {} names {}, which is not one of the issues to plan", i + 1,
                                       first_line(clean_text(code), 80)));
        continue;
      }
      if (const auto [place, fresh] = step_of.emplace(code, i + 1); !fresh) {
        problems.push_back(place->second == i + 1 ? fmt::format("{} is in step {} twice", code, i + 1)
                                                  : fmt::format("{} is in step {} and again in step {}", code,
                                                                place->second, i + 1));
        continue;
      }
      for (const Work* other : here.sharing(*work->second))
        problems.push_back(fmt::format("step {} has {} twice: {} and {}", i + 1,
                                       shared_file(*other, *work->second), other->code, code));
      here.add(*work->second);
    }
  }
  const std::set<std::string> left_out(skipped.begin(), skipped.end());
  for (const Work& work : works) {
    const bool planned = step_of.contains(work.code), skip = left_out.contains(work.code);
    if (!planned && !skip) problems.push_back(work.code + " is missing from the plan");
    if (planned && skip) problems.push_back(work.code + " is both planned and skipped");
  }
  for (const std::string& code : left_out)
    if (!known.contains(code))
      problems.push_back(first_line(clean_text(code), 80) +
                         " is skipped, but is not one of the issues to plan");
  return problems;
}

Status check_plan(const std::vector<Work>& works, const std::vector<PlanStep>& steps,
                  const std::vector<std::string>& skipped) {
  const std::vector<std::string> problems = plan_problems(works, steps, skipped);
  if (problems.empty()) return {};
  return fail(ErrorCode::usage, "the plan breaks its rules: " + join(problems, "; "),
              "every issue is in exactly one step, and a file at most once in a step");
}

} // namespace emend
