// Reviewdog Diagnostic Format: https://github.com/reviewdog/reviewdog/tree/master/proto/rdf. Columns count
// bytes from 1.
#include <fmt/format.h>

#include "base/strings.hpp"
#include "formats/json_row.hpp"
#include "formats/readers.hpp"
#include "formats/severity_map.hpp"

namespace emend {
namespace {

// What the report says once for all of its diagnostics.
struct Defaults {
  std::string source;
  std::optional<Severity> severity;
};

// A protobuf enum may be written by name or by number.
std::optional<Severity> severity_in(const JsonRow& row) {
  static constexpr std::string_view kByNumber[] = {"UNKNOWN_SEVERITY", "ERROR", "WARNING", "INFO"};
  std::string word = row.text_or_number("severity");
  if (const auto number = parse_unsigned(word); number && *number < std::size(kByNumber))
    word = kByNumber[*number];
  return severity_of_word(word);
}

TextEdit range_in(const JsonRow& row) {
  const JsonRow range = row.object("range"), start = range.object("start"), end = range.object("end");
  return {start.number("line"), start.number("column"), end.number("line"), end.number("column"), {}};
}

void read_suggestions(const JsonRow& row, std::string& problem, Finding& finding) {
  for (const Json& item : row.list("suggestions")) {
    const JsonRow suggestion(item, problem, "suggestions");
    TextEdit edit = range_in(suggestion);
    edit.text = suggestion.text("text");
    add_paragraph(finding.suggestion, describe_edit(edit));
  }
}

void read_related(const JsonRow& row, std::string& problem, Finding& finding) {
  for (const char* key : {"related_locations", "relatedLocations"}) {
    for (const Json& item : row.list(key)) {
      const std::string path = JsonRow(item, problem, key).object("location").text("path");
      if (!path.empty() && path != finding.file) finding.related_files.push_back(path);
    }
  }
}

void read_diagnostic(const Json& json, const Defaults& defaults, const std::string& place,
                     FindingSink& sink) {
  std::string problem;
  const JsonRow row(json, problem);
  const JsonRow location = row.object("location");
  const TextEdit range = range_in(location);
  Finding finding;
  finding.file = location.text("path");
  finding.line = range.line;
  finding.column = range.column;
  finding.line_end = range.line_end;
  finding.column_end = range.column_end;
  finding.severity = severity_in(row).value_or(defaults.severity.value_or(Severity::medium));
  finding.rule = row.object("code").text_or_number("value");
  const std::string source = row.object("source").text("name");
  finding.agent = source.empty() ? defaults.source : source;
  set_message(finding, row.text("message"));
  read_suggestions(row, problem, finding);
  read_related(row, problem, finding);
  if (!problem.empty()) return sink.skip(problem, place);
  sink.add(std::move(finding));
}

} // namespace

Status read_rdjson(std::string_view text, FindingSink& sink) {
  TRY_ASSIGN(const Json json, parse_report(text, "rdjson"));
  std::string problem;
  const JsonRow report(json, problem);
  const Defaults defaults{report.object("source").text("name"), severity_in(report)};
  const Json::array_t& diagnostics = report.list("diagnostics");
  if (!report.has("diagnostics") && problem.empty()) problem = "\"diagnostics\" is missing";
  if (!problem.empty()) return fail(ErrorCode::usage, "not an rdjson report: " + problem);
  for (std::size_t i = 0; i < diagnostics.size(); ++i)
    read_diagnostic(diagnostics[i], defaults, fmt::format("diagnostics[{}]", i), sink);
  return {};
}

Status read_rdjsonl(std::string_view text, FindingSink& sink) {
  std::size_t number = 0, read = 0, rows = 0;
  std::string first_problem;
  for (const std::string_view line : lines_of(text)) {
    ++number;
    if (trim(line).empty()) continue;
    ++rows;
    const std::string place = fmt::format("line {}", number);
    const auto json = parse_json(line);
    if (!json) {
      if (first_problem.empty()) first_problem = place + ": " + json.error().message;
      sink.skip("not JSON", place);
      continue;
    }
    ++read;
    read_diagnostic(*json, {}, place, sink);
  }
  if (rows > 0 && read == 0) return fail(ErrorCode::usage, "not an rdjsonl report: " + first_problem);
  return {};
}

} // namespace emend
