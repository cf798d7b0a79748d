// Compares what analyzers said about files before and after a patch: which findings are gone, which are new.
// Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/finding.hpp"
#include "model/issue.hpp"
#include "model/patch.hpp"
#include "model/verification.hpp"

namespace emend {

// Where the old lines of a file are in its new content.
class LineMap {
public:
  LineMap(std::string_view old_text, std::string_view new_text);
  // A place that can be compared between the two sides: the new number of a line that did not change, or
  // minus the number of the hunk the line is in. 0 = no line.
  [[nodiscard]] int old_slot(int line) const;
  [[nodiscard]] int new_slot(int line) const;

private:
  std::vector<int> old_, new_; // slot per line
};

// An issue and its finding as the analyzers reported it before the patch.
struct IssueTrace {
  std::string issue_id;
  Finding finding;
};

// before, after: only of files the patch touches. A finding that only moved with its line is the same one. In
// a changed stretch, findings are told apart by analyzer and rule alone: an issue is gone when as many of its
// kind are missing there as were to be fixed.
[[nodiscard]] Rescan compare_scans(const std::vector<Finding>& before, const std::vector<Finding>& after,
                                   const Patch& patch, const std::vector<IssueTrace>& traces);

// New findings that count against a fix of this severity in the files of `patch`.
[[nodiscard]] std::vector<SeenFinding> fresh_against(const Rescan& rescan, Severity severity,
                                                     const Patch& patch);

// Why the record does not show that the issue's finding is gone and nothing as bad came in its place; empty =
// it does.
[[nodiscard]] std::string rescan_problem(const Rescan& rescan, const Issue& issue, const Patch& patch);

} // namespace emend
