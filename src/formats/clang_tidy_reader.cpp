// clang-tidy's --export-fixes: positions and replacements are byte offsets.
#include <fmt/format.h>

#include <algorithm>

#include "base/strings.hpp"
#include "formats/json_row.hpp"
#include "formats/readers.hpp"
#include "formats/repo_path.hpp"
#include "formats/tool_report.hpp"
#include "formats/yaml.hpp"

namespace emend {
namespace {

constexpr std::string_view kCompilerError = "clang-diagnostic-error";

// Scalars are text in YAML; an offset must be one that a file can have.
std::size_t offset_in(const JsonRow& row, std::string_view key, std::string& problem) {
  const auto number = parse_unsigned(row.text(key));
  if (number && *number <= (1ULL << 40)) return static_cast<std::size_t>(*number);
  if (problem.empty()) problem = row.path_of(key) + " is not an offset";
  return 0;
}

// A text over several lines is good enough to be read.
std::string words_in(const JsonRow& row, std::string_view key) {
  return row.is_object(key) ? row.object(key).text("folded") : row.text(key);
}

std::string path_in(const JsonRow& row, const std::string& build_directory) {
  const std::string path = row.text("FilePath");
  return path.starts_with("../") && !build_directory.empty() ? build_directory + "/" + path : path;
}

struct Replacements {
  std::vector<Edit> edits;
  bool exact = true; // every edit is in a file that is wanted, and its bytes are known
};

Replacements replacements_in(const JsonRow& message, const std::string& build_directory, FindingSink& sink,
                             std::string& problem) {
  Replacements found;
  for (const Json& item : message.list("Replacements")) {
    const JsonRow row(item, problem, "Replacements");
    const auto file = sink.files().relative(path_in(row, build_directory));
    const std::size_t offset = offset_in(row, "Offset", problem), length = offset_in(row, "Length", problem);
    const auto text = file ? sink.files().text(*file) : nullptr;
    const std::size_t end = text == nullptr ? offset + length : text->bytes().size();
    found.exact =
        found.exact && file && !row.is_object("ReplacementText") && offset <= end && length <= end - offset;
    found.edits.push_back({file.value_or(""), offset, length, words_in(row, "ReplacementText")});
  }
  return found;
}

// Notes propose alternatives; taking them all would apply contradicting edits.
std::string read_notes(const JsonRow& row, const std::string& build_directory, FindingSink& sink,
                       std::string& problem, std::string& suggestion) {
  std::string told;
  for (const Json& item : row.list("Notes")) {
    const JsonRow note(item, problem, "Notes");
    const std::string message = words_in(note, "Message");
    told += "\nnote: " + message;
    for (const Edit& edit : replacements_in(note, build_directory, sink, problem).edits)
      add_paragraph(suggestion, fmt::format("{}: replace {} bytes at offset {} by: {}", message, edit.length,
                                            edit.offset, edit.text));
  }
  return told;
}

// whole: the unit could be compiled. Without a whole syntax tree no fix-it is to be trusted.
void read_diagnostic(const Json& json, bool whole, const std::string& place, FindingSink& sink) {
  std::string problem;
  const JsonRow row(json, problem);
  // Before version 9 the message's members stood in the diagnostic itself.
  const JsonRow message = row.has("DiagnosticMessage") ? row.object("DiagnosticMessage") : row;
  const std::string build_directory = row.text("BuildDirectory"), rule = row.text("DiagnosticName");
  const std::string path = path_in(message, build_directory);
  const auto file = sink.files().relative(path);
  const std::size_t offset = path.empty() ? 0 : offset_in(message, "FileOffset", problem);
  Replacements fix = replacements_in(message, build_directory, sink, problem);
  std::string suggestion;
  const std::string words = words_in(message, "Message");
  const std::string notes = read_notes(row, build_directory, sink, problem, suggestion);
  if (problem.empty() && rule.empty()) problem = "it has no name";
  if (!problem.empty()) return sink.skip(problem, place);
  if (rule == kCompilerError) return sink.unanalyzed(file.value_or(path) + ": " + words);
  if (!file) return; // a header of somebody else
  const KnownAnalyzer& tool = known_analyzer("clang-tidy");
  Finding finding = tool_finding(tool, rule, "", *file, words + notes);
  finding.suggestion = std::move(suggestion);
  set_place(finding, offset, sink);
  if (finding.line == 0 && !path.empty())
    finding.annotations.push_back(fmt::format("byte_offset:{}", offset));
  if (whole && fix.exact)
    finding.fixit = make_fixit(finding.title, is_safe_rule(tool, rule), std::move(fix.edits));
  sink.add(std::move(finding));
}

bool is_compiler_error(const Json& diagnostic) {
  return string_or(diagnostic, "DiagnosticName") == kCompilerError;
}

} // namespace

Status read_clang_tidy(std::string_view text, FindingSink& sink) {
  auto documents = parse_yaml(text);
  if (!documents) return fail(std::move(documents.error()).with_context("not a clang-tidy report"));
  if (documents->empty()) return fail(ErrorCode::usage, "not a clang-tidy report: it is empty");
  for (const YamlDocument& document : *documents) {
    if (!document.ended) sink.cut_off();
    const Json* diagnostics = find_member(document.root, "Diagnostics");
    if (diagnostics != nullptr && diagnostics->is_string() && string_or(document.root, "Diagnostics").empty())
      continue;
    if (diagnostics == nullptr || !diagnostics->is_array())
      return fail(ErrorCode::usage, "not a clang-tidy report: \"Diagnostics\" is missing");
    const bool whole = std::none_of(diagnostics->begin(), diagnostics->end(), is_compiler_error);
    for (std::size_t i = 0; i < diagnostics->size(); ++i)
      read_diagnostic((*diagnostics)[i], whole, fmt::format("Diagnostics[{}]", i), sink);
  }
  return {};
}

} // namespace emend
