// gcc's -fdiagnostics-format=json: one list per compiled file, each on a line of its own, mixed with what
// other programs print.
#include <fmt/format.h>

#include "base/strings.hpp"
#include "formats/json_row.hpp"
#include "formats/readers.hpp"
#include "formats/severity_map.hpp"

namespace emend {
namespace {

int byte_column(const JsonRow& point) {
  return point.has("byte-column") ? point.number("byte-column") : point.number("column");
}

void read_location(const JsonRow& row, std::string& problem, Finding& finding) {
  const Json::array_t& locations = row.list("locations");
  if (locations.empty()) return;
  const JsonRow location(locations[0], problem, "locations[0]");
  const JsonRow caret = location.object("caret"), finish = location.object("finish");
  finding.file = caret.text("file");
  finding.line = caret.number("line");
  finding.column = byte_column(caret);
  if (!location.has("finish") || finish.text("file") != finding.file) return;
  finding.line_end = finish.number("line");
  const int last = byte_column(finish); // gcc names the last byte, we the one after it
  finding.column_end = last > 0 && last < 1'000'000'000 ? last + 1 : 0;
}

void read_fixits(const JsonRow& row, std::string& problem, Finding& finding) {
  for (const Json& item : row.list("fixits")) {
    const JsonRow fixit(item, problem, "fixits");
    const JsonRow start = fixit.object("start"), next = fixit.object("next");
    const TextEdit edit{start.number("line"), byte_column(start), next.number("line"), byte_column(next),
                        fixit.text("string")};
    add_paragraph(finding.suggestion, describe_edit(edit));
  }
}

// The notes that explain a diagnostic are nested one level; what they propose is worth as much as its own
// fix-its.
std::string read_children(const JsonRow& row, std::string& problem, Finding& finding) {
  std::string notes;
  for (const Json& item : row.list("children")) {
    const JsonRow child(item, problem, "children");
    Finding where;
    read_location(child, problem, where);
    const std::string place = where.line > 0 ? fmt::format("{}:{}: ", where.file, where.line) : "";
    notes += fmt::format("\n{}{}: {}", place, child.text("kind"), child.text("message"));
    read_fixits(child, problem, finding);
  }
  return notes;
}

void read_diagnostic(const Json& json, const std::string& place, FindingSink& sink) {
  std::string problem;
  const JsonRow row(json, problem);
  Finding finding;
  finding.agent = "gcc";
  finding.rule = row.text("option");
  finding.severity = severity_of_word(row.text("kind")).value_or(Severity::medium);
  read_location(row, problem, finding);
  read_fixits(row, problem, finding);
  set_message(finding, row.text("message") + read_children(row, problem, finding));
  if (!problem.empty()) return sink.skip(problem, place);
  sink.add(std::move(finding));
}

void read_list(const Json& list, const std::string& place, FindingSink& sink) {
  for (std::size_t i = 0; i < list.size(); ++i)
    read_diagnostic(list[i], fmt::format("{}[{}]", place, i), sink);
}

} // namespace

Status read_gcc(std::string_view text, FindingSink& sink) {
  auto whole = parse_json(text);
  if (whole && whole->is_array()) {
    read_list(*whole, "", sink);
    return {};
  }
  std::size_t number = 0, lists = 0;
  std::string problem = whole ? "expected a list of diagnostics" : whole.error().message;
  for (const std::string_view line : lines_of(text)) {
    const std::string place = fmt::format("line {}", ++number);
    if (trim(line).empty()) continue;
    if (!trim(line).starts_with('[')) {
      sink.skip("not a list of diagnostics", place);
      continue;
    }
    const auto list = parse_json(line);
    if (!list)
      return fail(ErrorCode::usage, fmt::format("not a gcc report: {}: {}", place, list.error().message));
    ++lists;
    read_list(*list, place, sink);
  }
  if (lists == 0) return fail(ErrorCode::usage, "not a gcc report: " + problem);
  return {};
}

} // namespace emend
