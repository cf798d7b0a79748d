#include "engine/verify/executed_lines.hpp"

#include <algorithm>
#include <map>

#include "engine/verify/coverage_report.hpp"

namespace emend {
namespace {

using Measured = std::map<const FileChange*, LineCounts>;

bool ends_with_path(std::string_view longer, std::string_view shorter) {
  if (shorter.empty() || !longer.ends_with(shorter)) return false;
  return longer.size() == shorter.size() || longer[longer.size() - shorter.size() - 1] == '/';
}

// The changed file that a path of the report means; a shorter path must mean exactly one.
const FileChange* changed_file(std::string_view path, const Patch& patch) {
  while (path.starts_with("./")) path.remove_prefix(2);
  const FileChange* best = nullptr;
  for (const FileChange& change : patch.changes) {
    if (ends_with_path(path, change.path) && (best == nullptr || change.path.size() > best->path.size()))
      best = &change;
  }
  if (best != nullptr) return best;
  int matches = 0;
  for (const FileChange& change : patch.changes) {
    if (ends_with_path(change.path, path)) best = &change, ++matches;
  }
  return matches == 1 ? best : nullptr;
}

// A file may be in a report, and in reports, several times.
void add_counts(const std::vector<CoveredFile>& files, const Patch& patch, Measured& measured) {
  for (const CoveredFile& file : files) {
    const FileChange* change = changed_file(file.path, patch);
    if (change == nullptr) continue;
    for (const auto& [line, times] : line_counts(file, change->new_content)) {
      std::uint64_t& known = measured[change][line];
      known = std::max(known, times);
    }
  }
}

} // namespace

std::optional<ExecutedLines> executed_lines(const std::vector<std::string>& reports, const Patch& patch) {
  Measured measured;
  bool any = false;
  for (const std::string& report : reports) {
    const auto files = read_coverage(report);
    any = any || files.has_value();
    if (files) add_counts(*files, patch, measured);
  }
  if (!any) return std::nullopt;
  ExecutedLines result;
  for (const FileChange& change : patch.changes) {
    const auto added = changed_lines(change).added;
    const auto counts = measured.find(&change);
    if (counts == measured.end() && !added.empty()) result.not_measured.push_back(change.path);
    if (counts == measured.end()) continue;
    for (const ChangedLine& line : added) {
      const auto times = counts->second.find(line.number);
      if (times == counts->second.end()) continue; // no code there
      (times->second > 0 ? result.executed : result.missed).push_back({change.path, line.number});
    }
  }
  return result;
}

bool is_in_one_place(const Patch& patch) {
  if (patch.changes.size() != 1) return false;
  const ChangedLines lines = changed_lines(patch.changes.front());
  const auto adjoin = [](const std::vector<ChangedLine>& some) {
    return some.empty() || some.back().number - some.front().number + 1 == static_cast<int>(some.size());
  };
  return adjoin(lines.added) && adjoin(lines.removed);
}

} // namespace emend
