// ESLint's `--format json`. Columns and fix ranges count UTF-16 units. A rule's fix is safe by ESLint's own
// contract; a single suggestion becomes a fix-it that is not.
#include <fmt/format.h>

#include "base/strings.hpp"
#include "formats/json_row.hpp"
#include "formats/readers.hpp"
#include "formats/tool_report.hpp"

namespace emend {
namespace {

struct Fix {
  std::string description;
  bool safe = false;
  std::int64_t first = 0, last = 0;
  std::string text;
};

std::optional<Fix> fix_in(const JsonRow& row, std::string description, bool safe, std::string& problem) {
  if (!row.has("fix")) return std::nullopt;
  const JsonRow fix = row.object("fix");
  const Json::array_t& range = fix.list("range");
  const auto first = range.size() == 2 ? exact_int(range[0], 0, INT32_MAX) : std::nullopt;
  const auto last = range.size() == 2 ? exact_int(range[1], 0, INT32_MAX) : std::nullopt;
  if ((!first || !last) && problem.empty()) problem = fix.path_of("range") + " is not a pair of offsets";
  return Fix{std::move(description), safe, first.value_or(0), last.value_or(0), fix.text("text")};
}

std::string in_words(const Fix& fix) {
  return fmt::format("replace the characters {} to {} (UTF-16 units) by: {}", fix.first, fix.last, fix.text);
}

void set_fix(Finding& finding, const Fix& fix, const SourceText& text) {
  const auto begin = text.offset_of_utf16(fix.first), end = text.offset_of_utf16(fix.last);
  if (begin && end && *end >= *begin)
    finding.fixit =
        make_fixit(fix.description, fix.safe, {Edit{finding.file, *begin, *end - *begin, fix.text}});
}

// Several suggestions are a choice, so they stay words. So does every fix when the file is not at hand.
void read_fixes(const JsonRow& row, std::string& problem, Finding& finding, FindingSink& sink) {
  const auto text = sink.files().text(finding.file);
  const auto own = fix_in(row, finding.title, true, problem);
  if (own && text != nullptr) set_fix(finding, *own, *text);
  if (own && text == nullptr) add_paragraph(finding.suggestion, in_words(*own));
  const Json::array_t& suggestions = row.list("suggestions");
  for (const Json& item : suggestions) {
    const JsonRow suggestion(item, problem, "suggestions");
    const std::string what = suggestion.text("desc");
    const auto fix = fix_in(suggestion, what.empty() ? finding.title : what, false, problem);
    if (fix && text != nullptr && !own && suggestions.size() == 1) set_fix(finding, *fix, *text);
    if (text == nullptr) add_paragraph(finding.suggestion, fix ? what + ": " + in_words(*fix) : what);
  }
}

void read_message(const Json& json, const std::string& file, bool suppressed, const std::string& place,
                  FindingSink& sink) {
  std::string problem;
  const JsonRow row(json, problem);
  const Json* fatal = find_member(json, "fatal");
  const bool is_fatal = fatal != nullptr && fatal->is_boolean() && fatal->get<bool>();
  const std::string rule = row.text("ruleId"), message = row.text("message");
  const ReportedRange range{row.number("line"), row.number("column"), row.number("endLine"),
                            row.number("endColumn"), ColumnUnit::utf16};
  const std::string word = is_fatal ? "fatal" : row.number("severity") >= 2 ? "2" : "1";
  if (!problem.empty()) return sink.skip(problem, place);
  if (rule.empty() && !is_fatal) // "File ignored because of a matching ignore pattern"
    return sink.note(file + ": " + first_line(clean_text(message), 120));
  Finding finding =
      tool_finding(known_analyzer("eslint"), rule.empty() ? "parse-error" : rule, word, file, message);
  set_place(finding, range, sink);
  read_fixes(row, problem, finding, sink);
  if (suppressed) finding.annotations.push_back("suppressed");
  if (!problem.empty()) return sink.skip(problem, place);
  sink.add(std::move(finding));
}

void read_file_entry(const Json& json, const std::string& place, FindingSink& sink) {
  std::string problem;
  const JsonRow row(json, problem);
  const auto file = sink.files().relative(row.text("filePath"));
  if (problem.empty() && !row.has("messages")) problem = "it has no messages";
  const Json::array_t &messages = row.list("messages"), &suppressed = row.list("suppressedMessages");
  if (!problem.empty()) return sink.skip(problem, place);
  if (!file) return;
  for (std::size_t i = 0; i < messages.size(); ++i)
    read_message(messages[i], *file, false, fmt::format("{}.messages[{}]", place, i), sink);
  for (std::size_t i = 0; i < suppressed.size(); ++i)
    read_message(suppressed[i], *file, true, fmt::format("{}.suppressedMessages[{}]", place, i), sink);
}

} // namespace

Status read_eslint(std::string_view text, FindingSink& sink) {
  TRY_ASSIGN(const Json json, parse_report(text, "ESLint"));
  if (!json.is_array()) return fail(ErrorCode::usage, "not an ESLint report: expected a list of files");
  for (std::size_t i = 0; i < json.size(); ++i) read_file_entry(json[i], fmt::format("[{}]", i), sink);
  return {};
}

} // namespace emend
