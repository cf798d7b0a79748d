// What a reviewer said, as it said it. Immutable; the tracked thing is an Issue.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"

namespace emend {

// How bad a finding is, on the one scale everything is mapped to.

enum class Severity { info, low, medium, high, critical };

[[nodiscard]] std::string_view to_string(Severity severity);
// Case does not matter; "major" is high, "minor" is low, SARIF's error/warning/note are high/medium/info.
[[nodiscard]] std::optional<Severity> parse_severity(std::string_view text);

// A fix-it: byte-exact edits an analyzer proposes for one finding.

// Replaces `length` bytes at `offset` of the file's bytes by `text`; length 0 inserts.
struct Edit {
  std::string file;
  std::size_t offset = 0;
  std::size_t length = 0;
  std::string text;

  friend bool operator==(const Edit&, const Edit&) = default;
};

struct FixIt {
  std::string description;
  bool safe = false; // the tool promises that behaviour does not change for the worse
  std::vector<Edit> edits;
  std::map<std::string, std::string>
      sources; // file -> sha256 of the bytes the offsets count in; triage fills it in

  friend bool operator==(const FixIt&, const FixIt&) = default;
};

[[nodiscard]] Json to_json(const FixIt& fixit);
[[nodiscard]] FixIt fixit_from_json(const Json& json);

// The file's content with the edits that name it applied; nullopt when they overlap or lie outside the
// content.
[[nodiscard]] std::optional<std::string> apply_edits(const std::string& content, const std::string& file,
                                                     const std::vector<Edit>& edits);

struct Finding {
  std::string id;     // the reviewer's own ("F001"); may be empty
  std::string file;   // relative to the repository root, '/' separated; may be empty for findings about the
                      // whole project
  int line = 0;       // 1-based; 0 = unknown
  int line_end = 0;   // >= line, or 0
  int column = 0;     // 1-based, in bytes; 0 = unknown
  int column_end = 0; // one past the last byte, or 0
  Severity severity = Severity::medium;
  std::string category;
  std::string rule;  // analyzer rule; may be empty
  std::string title; // one line
  std::string description;
  std::string suggestion;
  std::string agent;                      // who found it
  std::string group;                      // description of the group it came in
  std::vector<std::string> related_files; // may be changed to fix it
  int effort = 0;                         // 1 trivial .. 5 major refactor; 0 = not said, triage estimates it
  int files_count = 0;                    // files a fix will touch; 0 = not said
  std::optional<FixIt> fixit;             // what the tool itself would change
  std::vector<std::string> found_by;      // all reviewers that reported it; `agent` is the first
  std::vector<std::string> annotations;   // what triage noticed: "file_missing", "line_past_end", ...

  friend bool operator==(const Finding&, const Finding&) = default;
};

// Two reviewers said the same of one tree: the highest severity, everybody who found it, the first fix-it.
void join_finding(Finding& kept, const Finding& other);
// The same thing was seen again, in a later tree: where it is now and what its reviewer says now. Who found
// it before stays named.
void refresh_finding(Finding& known, const Finding& seen);

[[nodiscard]] Json to_json(const Finding& finding);
[[nodiscard]] Finding finding_from_json(const Json& json); // of what to_json wrote

} // namespace emend
