// ESLint's `--format json`. Columns and fix ranges count UTF-16 units, so fixes are kept in words.
#include <fmt/format.h>

#include "base/strings.hpp"
#include "formats/json_row.hpp"
#include "formats/readers.hpp"

namespace emend {
namespace {

std::string fix_in_words(const JsonRow& fix, std::string& problem) {
  const Json::array_t& range = fix.list("range");
  if (range.size() != 2) {
    if (problem.empty()) problem = fix.path_of("range") + " is not a pair of offsets";
    return {};
  }
  return fmt::format("replace the characters {} to {} (UTF-16 units) by: {}", dump_json(range[0]),
                     dump_json(range[1]), fix.text("text"));
}

void read_fixes(const JsonRow& row, std::string& problem, Finding& finding) {
  if (row.has("fix")) add_paragraph(finding.suggestion, fix_in_words(row.object("fix"), problem));
  for (const Json& item : row.list("suggestions")) {
    const JsonRow suggestion(item, problem, "suggestions");
    const std::string how =
        suggestion.has("fix") ? ": " + fix_in_words(suggestion.object("fix"), problem) : "";
    add_paragraph(finding.suggestion, suggestion.text("desc") + how);
  }
}

void read_message(const Json& json, const std::string& file, bool suppressed, const std::string& place,
                  FindingSink& sink) {
  std::string problem;
  const JsonRow row(json, problem);
  Finding finding;
  finding.file = file;
  finding.agent = "eslint";
  finding.rule = row.text("ruleId");
  finding.line = row.number("line");
  finding.column = row.number("column");
  finding.line_end = row.number("endLine");
  finding.column_end = row.number("endColumn");
  finding.severity = row.number("severity") == 2 ? Severity::high : Severity::medium;
  set_message(finding, row.text("message"));
  read_fixes(row, problem, finding);
  if (suppressed) finding.annotations.push_back("suppressed");
  if (finding.column > 1) sink.note("columns count UTF-16 units and are kept as given");
  if (!problem.empty()) return sink.skip(problem, place);
  sink.add(std::move(finding));
}

void read_file_entry(const Json& json, const std::string& place, FindingSink& sink) {
  std::string problem;
  const JsonRow row(json, problem);
  const std::string file = row.text("filePath");
  const Json::array_t &messages = row.list("messages"), &suppressed = row.list("suppressedMessages");
  if (!problem.empty()) return sink.skip(problem, place);
  for (std::size_t i = 0; i < messages.size(); ++i)
    read_message(messages[i], file, false, fmt::format("{}.messages[{}]", place, i), sink);
  for (std::size_t i = 0; i < suppressed.size(); ++i)
    read_message(suppressed[i], file, true, fmt::format("{}.suppressedMessages[{}]", place, i), sink);
}

} // namespace

Status read_eslint(std::string_view text, FindingSink& sink) {
  TRY_ASSIGN(const Json json, parse_report(text, "ESLint"));
  if (!json.is_array()) return fail(ErrorCode::usage, "this is no ESLint report: expected a list of files");
  for (std::size_t i = 0; i < json.size(); ++i) read_file_entry(json[i], fmt::format("[{}]", i), sink);
  return {};
}

} // namespace emend
