// Findings to write: plain ones, and one that attacks every format's syntax.
#pragma once

#include "formats/writer.hpp"

namespace emend::testing_support {

inline OutputFinding plain_finding() {
  OutputFinding output;
  Finding& f = output.finding;
  f.id = "F001";
  f.file = "src/a b.c";
  f.line = 3;
  f.line_end = 3;
  f.column = 5;
  f.column_end = 9;
  f.severity = Severity::critical;
  f.category = "security";
  f.rule = "unbounded-copy";
  f.title = "Copy without a bound";
  f.description = "strcpy copies what the request says.";
  f.suggestion = "use snprintf";
  f.agent = "cppcheck";
  f.group = "memory";
  f.related_files = {"src/a.h"};
  f.effort = 2;
  f.files_count = 2;
  f.fixit = FixIt{
      "bound it", true, {{"src/a b.c", 12, 6, "snprintf"}, {"src/a.h", 0, 0, std::string("\xff\x00", 2)}}};
  f.found_by = {"cppcheck", "builtin"};
  f.annotations = {"suppressed", "baseline:new", "line_past_end"};
  output.code = "BE-001";
  output.status = "OPEN";
  output.fingerprint = "fp-1";
  return output;
}

inline OutputFinding project_finding() {
  OutputFinding output;
  output.finding.severity = Severity::info;
  output.finding.title = "No licence";
  output.finding.description = "No licence";
  output.finding.agent = "emend";
  output.code = "BE-002";
  output.status = "IGNORED";
  output.reason = "wont_fix";
  output.fingerprint = "fp-2";
  return output;
}

inline OutputFinding hostile_finding() {
  OutputFinding output;
  Finding& f = output.finding;
  f.file = "src/<x>&\"'|,:%0A\n\xff.c";
  f.line = 7;
  f.line_end = 9;
  f.severity = Severity::medium;
  f.rule = "r|u]]>le\n::error::x";
  f.title = "<script>alert(1)</script> ]]> | @all `code` \x1b[31m::error file=x::boom";
  f.description = "first line\r\n::error::second\n]]>\n| cell |\n<!-- \u202e --> %0A & \xc3\x28";
  f.suggestion = "<img src=x onerror=alert(1)>";
  f.agent = "tool \"<&>\"\n::warning::y";
  f.category = "a|b";
  output.code = "BE-003";
  output.status = "FAILED";
  output.reason = "<b>";
  return output;
}

inline std::vector<OutputFinding> all_findings() {
  return {plain_finding(), project_finding(), hostile_finding()};
}

inline RunInfo run_info() {
  RunInfo run;
  run.tool_version = "0.1.0";
  run.information_uri = "https://example.com/emend";
  run.tools["cppcheck"] = {"2.10", "https://example.com/cppcheck"};
  run.session_id = "k3f9abcd";
  run.repository_uri = "https://example.com/repo.git";
  run.revision = "8c1f0000";
  run.branch = "main";
  run.start_ms = 1'700'000'000'000;
  run.end_ms = 1'700'000'060'250;
  run.exit_code = 1;
  return run;
}

} // namespace emend::testing_support
