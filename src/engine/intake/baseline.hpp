// The baseline: findings a project has accepted, in a file of its own repository. They stay issues; they just
// count as known.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/issue.hpp"

namespace emend {

inline constexpr std::string_view kBaselineFile = ".emend/baseline.json"; // in the checkout

struct BaselineEntry {
  std::string fingerprint, content_fingerprint,
      line_key; // as Issue has them: they mean the same on every machine
  std::string rule, file;
  std::vector<std::string> found_by;
  std::string code;   // in the store it was made from: for people
  std::string reason; // why it is accepted
};

struct Baseline {
  std::vector<BaselineEntry> entries;
};

// ErrorCode::config for anything but what write_baseline() writes.
[[nodiscard]] Result<Baseline> parse_baseline(std::string_view text);
// Sorted by file, rule and fingerprint, one entry a line: a change of one entry is a change of one line.
[[nodiscard]] std::string write_baseline(Baseline baseline);

[[nodiscard]] BaselineEntry baseline_entry(const Issue& issue, const std::string& reason);

// Which issues are accepted. An entry accepts one issue: the same fingerprint; or the same content in a file
// it was renamed to; or the same line in the same file, edited near it.
struct BaselineMatch {
  std::vector<const BaselineEntry*> accepted_by; // per issue; null = not accepted
  std::vector<const BaselineEntry*> unused;      // accept nothing among these issues
};
// has_file: in the tree the issues were found in; empty = unknown, so no file counts as renamed.
[[nodiscard]] BaselineMatch match_baseline(const Baseline& baseline, const std::vector<Issue>& issues,
                                           const std::function<bool(const std::string&)>& has_file);

} // namespace emend
