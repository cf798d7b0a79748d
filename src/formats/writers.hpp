// One function per output format; writer.cpp chooses. Inside this folder only.
#pragma once

#include <string>
#include <vector>

#include "formats/writer.hpp"

namespace emend {

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
