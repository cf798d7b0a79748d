// ShellCheck's `--format json1` (and the older `json`, the bare list). Columns count characters.
#include <fmt/format.h>

#include "formats/json_row.hpp"
#include "formats/readers.hpp"
#include "formats/severity_map.hpp"

namespace emend {
namespace {

void read_fix(const JsonRow& row, std::string& problem, Finding& finding) {
  for (const Json& item : row.object("fix").list("replacements")) {
    const JsonRow edit(item, problem, "fix.replacements");
    add_paragraph(finding.suggestion,
                  describe_edit({edit.number("line"), edit.number("column"), edit.number("endLine"),
                                 edit.number("endColumn"), edit.text("replacement")}));
  }
}

void read_comment(const Json& json, const std::string& place, FindingSink& sink) {
  std::string problem;
  const JsonRow row(json, problem);
  Finding finding;
  finding.agent = "shellcheck";
  finding.file = row.text("file");
  finding.line = row.number("line");
  finding.column = row.number("column");
  finding.line_end = row.number("endLine");
  finding.column_end = row.number("endColumn");
  finding.severity = severity_of_word(row.text("level")).value_or(Severity::medium);
  if (row.has("code")) finding.rule = "SC" + row.text_or_number("code");
  set_message(finding, row.text("message"));
  if (row.has("fix")) read_fix(row, problem, finding);
  if (finding.column > 1) sink.note("columns count characters and are kept as given");
  if (!problem.empty()) return sink.skip(problem, place);
  sink.add(std::move(finding));
}

} // namespace

Status read_shellcheck(std::string_view text, FindingSink& sink) {
  TRY_ASSIGN(const Json json, parse_report(text, "ShellCheck"));
  const Json* comments = json.is_array() ? &json : find_member(json, "comments");
  if (comments == nullptr || !comments->is_array())
    return fail(ErrorCode::usage, "this is no ShellCheck report: \"comments\" is missing");
  for (std::size_t i = 0; i < comments->size(); ++i)
    read_comment((*comments)[i], fmt::format("comments[{}]", i), sink);
  return {};
}

} // namespace emend
