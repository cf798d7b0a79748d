// ruff's `--output-format json`, and the lines of flake8 and pyflakes. They share their codes: "F821",
// "E999".
#include <fmt/format.h>

#include "base/strings.hpp"
#include "formats/json_row.hpp"
#include "formats/readers.hpp"
#include "formats/tool_report.hpp"

namespace emend {
namespace {

ReportedRange range_in(const JsonRow& row) {
  const JsonRow begin = row.object("location"), end = row.object("end_location");
  return {begin.number("row"), begin.number("column"), end.number("row"), end.number("column"),
          ColumnUnit::characters};
}

// The npm build does not say which fixes are safe; the row does, for every file but a package's __init__.
bool is_safe(const std::string& applicability, const KnownAnalyzer& tool, const Finding& finding) {
  if (!applicability.empty()) return applicability == "safe";
  const bool package = finding.file == "__init__.py" || finding.file.ends_with("/__init__.py");
  return is_safe_rule(tool, finding.rule) && !(finding.rule == "F401" && package);
}

void read_ruff_finding(const Json& json, const std::string& place, FindingSink& sink) {
  std::string problem;
  const JsonRow row(json, problem);
  const JsonRow fix = row.object("fix");
  const std::string code = row.text("code"), message = row.text("message");
  const std::string applicability = fix.text("applicability"), how = fix.text("message");
  const auto file = sink.files().relative(row.text("filename"));
  const ReportedRange range = range_in(row);
  std::vector<RangeEdit> edits;
  for (const Json& item : fix.list("edits")) {
    const JsonRow edit(item, problem, "fix.edits");
    edits.push_back({range_in(edit), edit.text("content")});
  }
  if (problem.empty() && message.empty()) problem = "it has no message";
  if (!problem.empty()) return sink.skip(problem, place);
  if (!file) return;
  const KnownAnalyzer& tool = known_analyzer("ruff");
  // Older versions give syntax errors no code.
  Finding finding = tool_finding(tool, code.empty() ? "invalid-syntax" : code, "", *file, message);
  set_place(finding, range, sink);
  if (applicability != "display") // for the eye only
    set_fixit(finding, how.empty() ? finding.title : how, is_safe(applicability, tool, finding), edits, sink);
  sink.add(std::move(finding));
}

std::int64_t number(std::string_view text) {
  const auto value = parse_unsigned(text);
  return value && *value <= 100'000'000 ? static_cast<std::int64_t>(*value) : 0;
}

struct Line {
  std::string_view file, message;
  std::int64_t line = 0, column = 0;
};

// "path:row:col: message" or "path:row: message".
std::optional<Line> read_line(std::string_view line) {
  const auto space = line.find(": ");
  if (space == std::string_view::npos) return std::nullopt;
  Line found{line.substr(0, space), trim(line.substr(space + 2))};
  std::vector<std::int64_t> numbers;
  while (numbers.size() < 2) {
    const auto colon = found.file.rfind(':');
    if (colon == std::string_view::npos || !parse_unsigned(found.file.substr(colon + 1))) break;
    numbers.push_back(number(found.file.substr(colon + 1)));
    found.file = found.file.substr(0, colon);
  }
  if (numbers.empty() || found.file.empty() || found.message.empty()) return std::nullopt;
  found.line = numbers.back();
  found.column = numbers.size() == 2 ? numbers.front() : 0;
  return found;
}

// pyflakes has no codes; these are flake8's for the same messages, so that both report the same rule.
std::string_view pyflakes_rule(std::string_view message) {
  if (contains(message, "imported but unused")) return "F401";
  if (contains(message, "undefined name")) return contains(message, "__all__") ? "F822" : "F821";
  if (contains(message, "assigned to but never used")) return "F841";
  if (contains(message, "redefinition of unused")) return "F811";
  if (contains(message, "f-string is missing placeholders")) return "F541";
  if (contains(message, "to compare constant literals")) return "F632";
  if (contains(message, "referenced before assignment")) return "F823";
  return "pyflakes";
}

void add_line(const Line& found, std::string_view tool, std::string rule, FindingSink& sink) {
  const auto file = sink.files().relative(found.file);
  if (!file) return;
  Finding finding = tool_finding(known_analyzer(tool), std::move(rule), "", *file, found.message);
  set_place(finding, {found.line, found.column, 0, 0, ColumnUnit::characters}, sink);
  sink.add(std::move(finding));
}

// emend asks for "emend<tab>path<tab>row<tab>column<tab>code<tab>text"; flake8's own form is
// "path:row:column: code text".
bool read_flake8_line(std::string_view line, FindingSink& sink) {
  if (line.starts_with("emend\t")) {
    const std::vector<std::string> fields = split(line, '\t');
    if (fields.size() < 6 || number(fields[2]) == 0 || fields[4].empty()) return false;
    const std::string message = join({fields.begin() + 5, fields.end()}, "\t");
    add_line({fields[1], message, number(fields[2]), number(fields[3])}, "flake8", clean_text(fields[4]),
             sink);
    return true;
  }
  auto found = read_line(line);
  if (!found || found->line == 0) return false;
  const std::string_view code = found->message.substr(0, found->message.find(' '));
  if (code.size() == found->message.size() || code.empty() || code[0] < 'A' || code[0] > 'Z' ||
      code.find_first_of("0123456789") == std::string_view::npos)
    return false;
  found->message = trim(found->message.substr(code.size()));
  add_line(*found, "flake8", clean_text(code), sink);
  return true;
}

bool read_pyflakes_line(std::string_view line, FindingSink& sink) {
  const auto found = read_line(line);
  if (found) add_line(*found, "pyflakes", std::string(pyflakes_rule(found->message)), sink);
  return found.has_value();
}

Status read_lines(std::string_view text, const std::string& tool, FindingSink& sink,
                  bool (*read)(std::string_view, FindingSink&)) {
  if (!text.empty() && !text.ends_with('\n')) sink.cut_off();
  std::size_t lines = 0, understood = 0;
  for (const std::string_view line : lines_of(text)) {
    ++lines;
    if (read(line, sink))
      ++understood;
    else
      sink.skip("an unexpected line", fmt::format("line {}: {}", lines, first_line(clean_text(line), 100)));
  }
  if (lines > 0 && understood == 0)
    return fail(ErrorCode::usage, "not a " + tool + " report: no line is one of its findings");
  return {};
}

} // namespace

Status read_ruff(std::string_view text, FindingSink& sink) {
  TRY_ASSIGN(const Json json, parse_report(text, "ruff"));
  if (!json.is_array()) return fail(ErrorCode::usage, "not a ruff report: expected a list of findings");
  for (std::size_t i = 0; i < json.size(); ++i) read_ruff_finding(json[i], fmt::format("[{}]", i), sink);
  return {};
}

Status read_flake8(std::string_view text, FindingSink& sink) {
  return read_lines(text, "flake8", sink, read_flake8_line);
}

Status read_pyflakes(std::string_view text, FindingSink& sink) {
  return read_lines(text, "pyflakes", sink, read_pyflakes_line);
}

} // namespace emend
