// Readers: what other tools print about code becomes findings. Text in, values out; no file is opened here.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "formats/finding_sink.hpp"
#include "formats/report_text.hpp"
#include "model/finding.hpp"

namespace emend {

enum class InputFormat {
  sarif,
  rdjson,
  rdjsonl,
  eslint,
  checkstyle,
  gitlab,
  junit,
  gcc,
  shellcheck,
  clang_tidy,
  cppcheck,
  ruff,
  flake8,
  pyflakes,
  biome,
  codespell,
  cargo,
  text
};

[[nodiscard]] std::string_view to_string(InputFormat format);
// By name ("sarif", "clang-tidy", ...); "codeclimate" is the same as "gitlab".
[[nodiscard]] std::optional<InputFormat> parse_input_format(std::string_view name);
[[nodiscard]] const std::vector<std::string>& input_format_names();

// Looks at the first bytes (64 KB are plenty) and, when they do not tell, at the file's name. nullopt: none
// of ours.
[[nodiscard]] std::optional<InputFormat> detect_format(std::string_view head, std::string_view file_name);

struct ReadFindings {
  std::vector<Finding> findings;
  std::vector<std::string> notes; // what was left out or could not be kept as it was, one sentence each
};

// The content of a file of the repository; nothing when it is not there. Reports that count columns in
// characters need it for exact places and fix-its.
using ReadFile = std::function<std::optional<std::string>(const std::string& file)>;

// The whole text must be one report. Unreadable as a whole: ErrorCode::usage that says where. A row that
// cannot be read is left out and counted in the notes; nothing disappears silently. tool_name: who found it;
// empty = as the report says. root: the repository's absolute path, so that absolute paths below it become
// relative; empty = unknown.
// Findings that only have a byte position carry the annotation "byte_offset:N"; see place_by_offset.
[[nodiscard]] Result<ReadFindings> read_findings(std::string_view text, InputFormat format,
                                                 const std::string& tool_name, const std::string& root = {},
                                                 const ReadFile& read = {});

// The same, one finding at a time: a SARIF report of any length needs the memory of a part of it, another one
// of its text, never of all its findings. It can be read again. Returns the notes.
[[nodiscard]] Result<std::vector<std::string>> stream_findings(ReportText& report, InputFormat format,
                                                               const std::string& tool_name,
                                                               const std::string& root,
                                                               const std::function<void(Finding&&)>& take,
                                                               const ReadFile& read = {});

// The report of a tool that was run here, as it says it. An error when it is not a report of this format from
// its first to its last byte, or when a row of it cannot be read.
[[nodiscard]] Status read_tool_report(std::string text, InputFormat format, FindingSink& sink);

// Gives a finding with "byte_offset:N" its line and column, now that the file's content is known. An offset
// past the end stays.
void place_by_offset(Finding& finding, std::string_view content);

} // namespace emend
