// Writers: findings and what became of them, in the formats other tools and people read. Values in, text out.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "model/evidence.hpp"
#include "model/finding.hpp"

namespace emend {

enum class OutputFormat {
  sarif,
  rdjson,
  rdjsonl,
  gitlab,
  checkstyle,
  junit,
  github,
  jsonl,
  concise,
  agent,
  markdown,
  html
};

[[nodiscard]] std::string_view to_string(OutputFormat format);
[[nodiscard]] std::optional<OutputFormat> parse_output_format(std::string_view name);
[[nodiscard]] const std::vector<std::string>& output_format_names();

// A stretch of a file as SARIF tells it: lines and columns from 1, columns in UTF-16 units, the end one past
// the last.
struct TextRegion {
  int line = 0, column = 0, line_end = 0, column_end = 0;
};

struct OutputFinding {
  Finding finding;
  std::string code;        // "BE-001"; empty = not tracked
  std::string status;      // "OPEN", "IGNORED", ...; empty = not tracked
  std::string fingerprint; // the issue's
  std::string reason;      // why it is FAILED, IGNORED, ...
  std::string evidence;    // level when RESOLVED
  Marks marks;             // beside it
  int score = -1;          // -1 = never judged
  std::string line_text;   // the finding's line without its end; with it, columns can be given in other units
  std::string line_hash;   // GitHub's fingerprint of the line; attach_source fills both
  std::vector<TextRegion>
      edit_regions; // what each edit of the fix-it replaces; empty = a file of it was not at hand
};

// A tool that found something, as SARIF names it.
struct ToolInfo {
  std::string version;
  std::string information_uri;
};

struct RunInfo {
  std::string tool_version; // emend's own
  std::string information_uri;
  std::map<std::string, ToolInfo> tools; // by the findings' `agent`, where more is known than the name
  std::string session_id;
  std::string profile = "default";
  std::string repository_uri; // empty = unknown
  std::string revision, branch;
  std::int64_t start_ms = 0, end_ms = 0; // 0 = unknown
  int exit_code = 0;
  bool success = true;
  Json properties;           // SARIF: further words about every run, {"emend/...": ...}
  bool github_limits = true; // SARIF: stay below what GitHub accepts, and say what was left out
};

// Looks the findings' lines and the places of their fix-its up. content_of is asked for a file at most twice;
// nullopt = there is no such file.
void attach_source(std::vector<OutputFinding>& findings,
                   const std::function<std::optional<std::string>(const std::string& file)>& content_of);

// Valid UTF-8 whatever the findings hold; everything that came from outside is escaped for its format. notes:
// what was left out.
[[nodiscard]] std::string write_findings(OutputFormat format, const std::vector<OutputFinding>& findings,
                                         const RunInfo& run, std::vector<std::string>* notes = nullptr);

// --- One function per output format; writer.cpp chooses. Inside this folder only.

using Findings = std::vector<OutputFinding>;

[[nodiscard]] std::string write_sarif(const Findings& findings, const RunInfo& run,
                                      std::vector<std::string>& notes);
[[nodiscard]] std::string write_rdjson(const Findings& findings);
[[nodiscard]] std::string write_rdjsonl(const Findings& findings);
[[nodiscard]] std::string write_gitlab(const Findings& findings);
[[nodiscard]] std::string write_checkstyle(const Findings& findings, const RunInfo& run);
[[nodiscard]] std::string write_junit(const Findings& findings);
[[nodiscard]] std::string write_github(const Findings& findings, std::vector<std::string>& notes);
[[nodiscard]] std::string write_jsonl(const Findings& findings, const RunInfo& run);
[[nodiscard]] std::string write_concise(const Findings& findings);
[[nodiscard]] std::string write_agent(const Findings& findings);
[[nodiscard]] std::string write_markdown(const Findings& findings, const RunInfo& run);
[[nodiscard]] std::string write_html(const Findings& findings, const RunInfo& run);

// Nothing more to do about it: RESOLVED, MERGED, IGNORED, DUPLICATE.
[[nodiscard]] bool is_settled(const OutputFinding& finding);
// Title, and the description where it says more.
[[nodiscard]] std::string full_message(const Finding& finding);
// "2 critical, 1 low"; "none" when there are no findings.
[[nodiscard]] std::string severity_counts(const Findings& findings);
// Groups in the order of their first finding, keyed by file or by agent.
[[nodiscard]] std::vector<std::pair<std::string, std::vector<const OutputFinding*>>> grouped(
    const Findings& findings, const std::function<std::string(const OutputFinding&)>& key);

} // namespace emend
