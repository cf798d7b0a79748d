#include "engine/intake/effort.hpp"

#include <algorithm>
#include <set>
#include <string_view>

#include "base/strings.hpp"

namespace emend {

namespace {

bool is_one_of(const std::string& category, std::initializer_list<std::string_view> words) {
  const std::string lower = to_lower(category);
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return contains(lower, word); });
}

int files_named(const Finding& finding) {
  std::set<std::string> files(finding.related_files.begin(), finding.related_files.end());
  if (!finding.file.empty()) files.insert(finding.file);
  if (finding.fixit)
    for (const Edit& edit : finding.fixit->edits) files.insert(edit.file);
  return std::max(1, static_cast<int>(files.size()));
}

int effort_of(const Finding& finding) {
  if (finding.fixit) return finding.files_count > 1 ? 2 : 1;
  if (is_one_of(finding.category,
                {"style", "format", "spelling", "typo", "documentation", "naming", "whitespace"}))
    return 1;
  int effort = finding.severity >= Severity::high ? 3 : finding.severity >= Severity::low ? 2 : 1;
  if (is_one_of(finding.category, {"security", "concurrency", "architecture", "design", "data_model",
                                   "spec_gap", "performance"}))
    ++effort;
  if (finding.files_count > 3) ++effort;
  return std::min(effort, 5);
}

} // namespace

void estimate_effort(Finding& finding) {
  if (finding.files_count < 1) finding.files_count = files_named(finding);
  if (finding.effort < 1) finding.effort = effort_of(finding);
}

} // namespace emend
