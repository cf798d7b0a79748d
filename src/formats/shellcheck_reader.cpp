// ShellCheck's `--format json1` (and the older `json`, the bare list). Columns count characters.
#include <fmt/format.h>

#include "base/strings.hpp"
#include "formats/json_row.hpp"
#include "formats/readers.hpp"
#include "formats/tool_report.hpp"

namespace emend {
namespace {

ReportedRange range_in(const JsonRow& row) {
  return {row.number("line"), row.number("column"), row.number("endLine"), row.number("endColumn"),
          ColumnUnit::characters};
}

// Only the spelling changes: `$((  $x + 1 ))`, and `...` without backslashes, which mean less inside $(...).
bool is_safe(const Finding& finding, FindingSink& sink) {
  if (finding.rule == "SC2004") return true;
  const auto text = sink.files().text(finding.file);
  return finding.rule == "SC2006" && text != nullptr && finding.line == finding.line_end &&
         !contains(text->line(finding.line), "\\");
}

void read_comment(const Json& json, const std::string& place, FindingSink& sink) {
  std::string problem;
  const JsonRow row(json, problem);
  const auto file = sink.files().relative(row.text("file"));
  const std::string rule = "SC" + row.text_or_number("code");
  if (problem.empty() && rule == "SC") problem = "it has no code";
  std::vector<RangeEdit> edits;
  for (const Json& item : row.object("fix").list("replacements")) {
    const JsonRow edit(item, problem, "fix.replacements");
    edits.push_back({range_in(edit), edit.text("replacement")});
  }
  const ReportedRange range = range_in(row);
  const std::string level = row.text("level"), message = row.text("message");
  if (!problem.empty()) return sink.skip(problem, place);
  if (!file) return; // a file it was led to by `source`
  Finding finding = tool_finding(known_analyzer("shellcheck"), rule, level, *file, message);
  set_place(finding, range, sink);
  finding.suggestion = "See https://www.shellcheck.net/wiki/" + rule;
  set_fixit(finding, finding.title, is_safe(finding, sink), edits, sink);
  sink.add(std::move(finding));
}

} // namespace

Status read_shellcheck(std::string_view text, FindingSink& sink) {
  TRY_ASSIGN(const Json json, parse_report(text, "ShellCheck"));
  const Json* comments = json.is_array() ? &json : find_member(json, "comments");
  if (comments == nullptr || !comments->is_array())
    return fail(ErrorCode::usage, "not a ShellCheck report: \"comments\" is missing");
  for (std::size_t i = 0; i < comments->size(); ++i)
    read_comment((*comments)[i], fmt::format("comments[{}]", i), sink);
  return {};
}

} // namespace emend
