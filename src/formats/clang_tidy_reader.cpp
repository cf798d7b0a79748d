// clang-tidy's --export-fixes: positions and replacements are byte offsets, so they become fix-its.
#include <fmt/format.h>

#include "base/strings.hpp"
#include "formats/json_row.hpp"
#include "formats/readers.hpp"
#include "formats/repo_path.hpp"
#include "formats/severity_map.hpp"
#include "formats/yaml_subset.hpp"

namespace emend {
namespace {

// Scalars are text in the subset; an offset must be one that a file can have.
std::size_t offset_in(const JsonRow& row, std::string_view key, std::string& problem) {
  const auto number = parse_unsigned(row.text(key));
  if (number && *number <= (1ULL << 40)) return static_cast<std::size_t>(*number);
  if (problem.empty()) problem = row.path_of(key) + " is not an offset";
  return 0;
}

std::string path_in(const JsonRow& row, const std::string& build_directory) {
  const std::string path = row.text("FilePath");
  return path.starts_with("../") && !build_directory.empty() ? build_directory + "/" + path : path;
}

std::vector<Edit> edits_in(const JsonRow& message, const std::string& build_directory, std::string& problem) {
  std::vector<Edit> edits;
  for (const Json& item : message.list("Replacements")) {
    const JsonRow row(item, problem, "Replacements");
    edits.push_back({path_in(row, build_directory), offset_in(row, "Offset", problem),
                     offset_in(row, "Length", problem), row.text("ReplacementText")});
  }
  return edits;
}

// Notes propose alternatives; taking them all would apply contradicting edits.
std::string read_notes(const JsonRow& row, const std::string& build_directory, std::string& problem,
                       Finding& finding) {
  std::string told;
  for (const Json& item : row.list("Notes")) {
    const JsonRow note(item, problem, "Notes");
    told += "\nnote: " + note.text("Message");
    for (const Edit& edit : edits_in(note, build_directory, problem))
      add_paragraph(finding.suggestion,
                    fmt::format("{}: replace {} bytes at offset {} by: {}", note.text("Message"), edit.length,
                                edit.offset, edit.text));
  }
  return told;
}

void read_diagnostic(const Json& json, const std::string& place, FindingSink& sink) {
  std::string problem;
  const JsonRow row(json, problem);
  // Before version 9 the message's members stood in the diagnostic itself.
  const JsonRow message = row.has("DiagnosticMessage") ? row.object("DiagnosticMessage") : row;
  const std::string build_directory = row.text("BuildDirectory");
  Finding finding;
  finding.agent = "clang-tidy";
  finding.rule = row.text("DiagnosticName");
  finding.file = path_in(message, build_directory);
  finding.severity = severity_of_word(row.text("Level")).value_or(Severity::medium);
  set_message(finding, message.text("Message") + read_notes(row, build_directory, problem, finding));
  if (!finding.file.empty())
    finding.annotations.push_back(fmt::format("byte_offset:{}", offset_in(message, "FileOffset", problem)));
  if (auto edits = edits_in(message, build_directory, problem); !edits.empty())
    finding.fixit = FixIt{finding.title, false, std::move(edits)};
  if (!problem.empty()) return sink.skip(problem, place);
  sink.add(std::move(finding));
}

} // namespace

Status read_clang_tidy(std::string_view text, FindingSink& sink) {
  auto documents = parse_yaml_subset(text);
  if (!documents) return fail(std::move(documents.error()).with_context("this is no clang-tidy report"));
  for (std::size_t d = 0; d < documents->size(); ++d) {
    const Json& document = (*documents)[d];
    const Json* diagnostics = find_member(document, "Diagnostics");
    if (diagnostics != nullptr && diagnostics->is_string() && string_or(document, "Diagnostics").empty())
      continue;
    if (diagnostics == nullptr || !diagnostics->is_array())
      return fail(ErrorCode::usage, "this is no clang-tidy report: \"Diagnostics\" is missing");
    for (std::size_t i = 0; i < diagnostics->size(); ++i)
      read_diagnostic((*diagnostics)[i], fmt::format("Diagnostics[{}]", i), sink);
  }
  return {};
}

} // namespace emend
