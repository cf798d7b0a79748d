#include "adapters/analyzers/difference_fixes.hpp"

#include <algorithm>

#include "formats/tool_report.hpp"
#include "model/line_diff.hpp"

namespace emend {

namespace {

// Old lines [begin, end), from 0, and what becomes of them.
struct Stretch {
  int begin = 0, end = 0;
  Edit edit;
};

std::vector<Stretch> stretches(const std::string& file, std::string_view before, std::string_view after) {
  const LineDiff diff = diff_lines(before, after);
  std::vector<Stretch> all;
  std::size_t x = 0, y = 0, offset = 0;
  while (x < diff.old_lines.size() || y < diff.new_lines.size()) {
    Stretch now{static_cast<int>(x), 0, {file, offset, 0, {}}};
    while (x < diff.old_lines.size() && diff.removed[x]) now.edit.length += diff.old_lines[x++].size();
    while (y < diff.new_lines.size() && diff.added[y]) now.edit.text += diff.new_lines[y++];
    now.end = static_cast<int>(x);
    offset += now.edit.length;
    if (now.edit.length > 0 || !now.edit.text.empty()) {
      all.push_back(std::move(now));
    } else {
      offset += diff.old_lines[x].size();
      ++x, ++y;
    }
  }
  return all;
}

FixIt fix_of(const KnownAnalyzer& tool) {
  return {"as " + tool.name + " changes it", tool.fixes_are_safe, {}, {}};
}

} // namespace

void fix_by_difference(std::vector<Finding>& findings, const KnownAnalyzer& tool, const std::string& file,
                       std::string_view before, std::string_view after) {
  const std::vector<Stretch> all = stretches(file, before, after);
  for (Finding& finding : findings) {
    if (finding.file != file || finding.fixit || finding.line < 1) continue;
    const int first = finding.line - 1, last = std::max(finding.line, finding.line_end);
    FixIt fix = fix_of(tool);
    for (const Stretch& one : all)
      if (one.begin < last && (one.end > first || (one.begin == one.end && one.begin >= first)))
        fix.edits.push_back(one.edit);
    if (!fix.edits.empty()) finding.fixit = std::move(fix);
  }
}

Finding finding_by_difference(const KnownAnalyzer& tool, const std::string& file, std::string_view before,
                              std::string_view after) {
  const std::vector<Stretch> all = stretches(file, before, after);
  Finding finding = tool_finding(tool, "format", "", file, tool.name + " would write this file differently");
  finding.severity = Severity::info;
  finding.category = "style";
  finding.line = all.front().begin + 1;
  finding.found_by = {tool.name};
  FixIt fix = fix_of(tool);
  for (const Stretch& one : all) fix.edits.push_back(one.edit);
  finding.suggestion = "format it with " + tool.name;
  finding.fixit = std::move(fix);
  return finding;
}

} // namespace emend
