// GitLab Code Quality reports, which are Code Climate issues in a list.
#include <fmt/format.h>

#include "base/strings.hpp"
#include "formats/json_row.hpp"
#include "formats/readers.hpp"
#include "formats/severity_map.hpp"

namespace emend {
namespace {

void read_position(const JsonRow& location, Finding& finding) {
  const JsonRow lines = location.object("lines");
  finding.line = lines.number("begin");
  finding.line_end = lines.number("end");
  if (!location.has("positions")) return;
  const JsonRow positions = location.object("positions"), begin = positions.object("begin"),
                end = positions.object("end");
  finding.line = begin.number("line");
  finding.column = begin.number("column");
  finding.line_end = end.number("line");
  finding.column_end = end.number("column");
}

void read_issue(const Json& json, const std::string& place, FindingSink& sink) {
  std::string problem;
  const JsonRow row(json, problem);
  const JsonRow location = row.object("location");
  Finding finding;
  finding.file = location.text("path");
  read_position(location, finding);
  finding.id = row.text("fingerprint");
  finding.rule = row.text("check_name");
  finding.agent = row.text("engine_name");
  finding.severity = severity_of_word(row.text("severity")).value_or(Severity::medium);
  if (const Json::array_t& categories = row.list("categories");
      !categories.empty() && categories[0].is_string())
    finding.category = categories[0].get<std::string>();
  set_message(finding, row.text("description"));
  if (const std::string body = row.object("content").text("body"); !body.empty())
    set_message(finding, finding.description + "\n\n" + body);
  if (!problem.empty()) return sink.skip(problem, place);
  sink.add(std::move(finding));
}

} // namespace

Status read_gitlab(std::string_view text, FindingSink& sink) {
  TRY_ASSIGN(const Json json, parse_report(text, "GitLab code quality"));
  if (!json.is_array())
    return fail(ErrorCode::usage, "not a GitLab code quality report: expected a list of issues");
  for (std::size_t i = 0; i < json.size(); ++i) {
    // Code Climate's engines mix measurements in; only issues are about something to fix.
    if (const std::string type = string_or(json[i], "type"); !type.empty() && to_lower(type) != "issue") {
      sink.skip("it is not an issue but a " + first_line(type, 40), fmt::format("[{}]", i));
      continue;
    }
    read_issue(json[i], fmt::format("[{}]", i), sink);
  }
  return {};
}

} // namespace emend
