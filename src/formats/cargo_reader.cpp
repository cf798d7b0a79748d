// `cargo clippy --message-format=json`: one JSON object a line, of rustc's own making. Edits have byte
// offsets; those that rustc calls machine applicable are safe.
#include <fmt/format.h>

#include "base/strings.hpp"
#include "formats/json_row.hpp"
#include "formats/readers.hpp"
#include "formats/tool_report.hpp"

namespace emend {
namespace {

// Of a diagnostic and its children: every replacement, all of one file and one kind, or none.
struct Replacements {
  std::vector<Edit> edits;
  bool safe = true, usable = true;
  std::string description;
};

void take_replacements(const JsonRow& message, std::string& problem, const std::string& file,
                       FindingSink& sink, Replacements& found) {
  for (const Json& item : message.list("children")) {
    const JsonRow child(item, problem, "children");
    for (const Json& place : child.list("spans")) {
      const JsonRow span(place, problem, "spans");
      if (!span.has("suggested_replacement")) continue;
      const auto begin = static_cast<std::size_t>(span.number("byte_start"));
      const auto end = static_cast<std::size_t>(span.number("byte_end"));
      const auto in = sink.files().relative(span.text("file_name"));
      if (!in || *in != file || end < begin || span.is_object("expansion")) found.usable = false;
      if (span.text("suggestion_applicability") != "MachineApplicable") found.safe = false;
      if (found.description.empty()) found.description = child.text("message");
      if (found.description != child.text("message")) found.usable = false; // several proposals are a choice
      found.edits.push_back({file, begin, end - begin, span.text("suggested_replacement")});
    }
  }
}

void set_edits(Finding& finding, Replacements found, FindingSink& sink) {
  const auto text = sink.files().text(finding.file);
  if (!found.usable || found.edits.empty() || text == nullptr) {
    if (!found.description.empty()) finding.suggestion = first_line(clean_text(found.description), 200);
    return;
  }
  finding.fixit = make_fixit(found.description, found.safe, std::move(found.edits));
}

// "clippy::needless_return", "unused_variables"; of errors "E0425".
void read_message(const JsonRow& message, std::string& problem, const std::string& place, FindingSink& sink) {
  const std::string rule = message.object("code").text("code"), level = message.text("level");
  const std::string words = message.text("message");
  const Json* primary = nullptr;
  for (const Json& item : message.list("spans"))
    if (const Json* flag = find_member(item, "is_primary"); flag != nullptr && flag->is_boolean() && *flag)
      if (primary == nullptr) primary = &item;
  if (!problem.empty()) return sink.skip(problem, place);
  if (primary == nullptr) return; // "3 warnings emitted"
  const JsonRow span(*primary, problem, "spans");
  const auto file = sink.files().relative(span.text("file_name"));
  if (!file) return; // a dependency's
  if (level == "error" && !rule.starts_with("clippy::"))
    return sink.unanalyzed(*file + ": " + first_line(clean_text(words), 120));
  Finding finding = tool_finding(known_analyzer("clippy"), rule, level, *file, words);
  set_place(finding,
            {span.number("line_start"), span.number("column_start"), span.number("line_end"),
             span.number("column_end"), ColumnUnit::characters},
            sink);
  Replacements found;
  take_replacements(message, problem, *file, sink, found);
  set_edits(finding, std::move(found), sink);
  if (!problem.empty()) return sink.skip(problem, place);
  sink.add(std::move(finding));
}

} // namespace

Status read_cargo(std::string_view text, FindingSink& sink) {
  bool finished = false;
  std::size_t number = 0;
  for (const std::string_view line : lines_of(text)) {
    ++number;
    if (trim(line).empty()) continue;
    const auto json = parse_json(line);
    if (!json || !json->is_object())
      return fail(ErrorCode::usage,
                  fmt::format("not a report of cargo: line {} is not a JSON object", number));
    std::string problem;
    const JsonRow row(*json, problem);
    const std::string reason = row.text("reason");
    if (reason == "build-finished") finished = true;
    if (reason == "compiler-message")
      read_message(row.object("message"), problem, fmt::format("line {}", number), sink);
  }
  if (!finished) sink.cut_off();
  return {};
}

} // namespace emend
