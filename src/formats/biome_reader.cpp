// `biome lint --reporter=json`, of versions 1 and 2. Its reports hold no edits, so there are no fix-its.
#include <fmt/format.h>

#include "base/strings.hpp"
#include "formats/json_row.hpp"
#include "formats/readers.hpp"
#include "formats/tool_report.hpp"

namespace emend {
namespace {

// Version 2 has start and end with line and column, version 1 a span of byte offsets.
void read_place(const JsonRow& location, Finding& finding, FindingSink& sink) {
  const JsonRow start = location.object("start"), end = location.object("end");
  if (location.has("start"))
    return set_place(finding,
                     {start.number("line"), start.number("column"), end.number("line"), end.number("column"),
                      ColumnUnit::characters},
                     sink);
  const Json::array_t& span = location.list("span");
  const auto offset = span.size() == 2 ? exact_int(span[0], 0, INT32_MAX) : std::nullopt;
  if (!offset) return;
  set_place(finding, static_cast<std::uint64_t>(*offset), sink);
  if (finding.line == 0) finding.annotations.push_back(fmt::format("byte_offset:{}", *offset));
}

// Version 1 says {"file": "a.js"}.
std::string path_in(const JsonRow& location) {
  return location.is_object("path") ? location.object("path").text("file") : location.text("path");
}

// Version 2 has a sentence, version 1 pieces of one beside it.
std::string message_in(const Json& json, const std::string& category) {
  const std::string description = string_or(json, "description");
  return description.empty() ? string_or(json, "message", category) : description;
}

void read_diagnostic(const Json& json, const std::string& place, FindingSink& sink) {
  std::string problem;
  const JsonRow row(json, problem);
  const JsonRow location = row.object("location");
  const std::string category = row.text("category"), level = row.text("severity");
  const std::string path = path_in(location), message = message_in(json, category);
  const auto file = path.empty() ? std::nullopt : sink.files().relative(path);
  if (!problem.empty()) return sink.skip(problem, place);
  if (!file || !(category.starts_with("lint/") || category.starts_with("parse")))
    return sink.note(first_line(clean_text(message), 120)); // about itself or its configuration
  Finding finding = tool_finding(known_analyzer("biome"), category, level, *file, message);
  read_place(location, finding, sink);
  if (!problem.empty()) return sink.skip(problem, place);
  sink.add(std::move(finding));
}

} // namespace

Status read_biome(std::string_view text, FindingSink& sink) {
  TRY_ASSIGN(const Json json, parse_report(trim(text), "Biome"));
  const Json* diagnostics = find_member(json, "diagnostics");
  if (find_member(json, "summary") == nullptr || diagnostics == nullptr || !diagnostics->is_array())
    return fail(ErrorCode::usage, "not a Biome report: it has no summary or no diagnostics");
  for (std::size_t i = 0; i < diagnostics->size(); ++i)
    read_diagnostic((*diagnostics)[i], fmt::format("diagnostics[{}]", i), sink);
  return {};
}

} // namespace emend
