#include <fmt/format.h>

#include "base/strings.hpp"
#include "formats/escaping.hpp"
#include "formats/writer.hpp"

namespace emend {
namespace {

std::string place_of(const Finding& f) {
  if (f.file.empty()) return "whole project";
  return f.line > 0 ? fmt::format("{}:{}", f.file, f.line) : f.file;
}

std::string status_of(const OutputFinding& output) {
  std::string text = output.status;
  if (!output.reason.empty()) text += " (" + output.reason + ")";
  if (!output.evidence.empty()) text += ", " + evidence_text(output.evidence, output.marks);
  if (output.score >= 0) text += fmt::format(", score {}", output.score);
  return text;
}

} // namespace

std::string write_markdown(const Findings& findings, const RunInfo& run) {
  std::string out =
      fmt::format("## emend: {} finding{}\n\n", findings.size(), findings.size() == 1 ? "" : "s");
  if (!findings.empty()) out += fmt::format("By severity: {}.\n", severity_counts(findings));
  if (!run.revision.empty()) out += fmt::format("Revision: {}.\n", markdown_cell(run.revision));
  if (findings.empty()) return out + "Nothing was found.\n";
  out += "\n| code | severity | place | rule | finding | status |\n|---|---|---|---|---|---|\n";
  for (const OutputFinding& output : findings) {
    const Finding& f = output.finding;
    out += fmt::format("| {} | {} | {} | {} | {} | {} |\n", markdown_cell(output.code), to_string(f.severity),
                       markdown_cell(place_of(f)), markdown_cell(f.rule),
                       markdown_cell(f.title.empty() ? first_line(f.description, 300) : f.title),
                       markdown_cell(status_of(output)));
  }
  return out;
}

} // namespace emend
