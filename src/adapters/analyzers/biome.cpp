#include "adapters/analyzers/biome.hpp"

#include "adapters/analyzers/eslint.hpp"
#include "base/json.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

Severity severity_of(std::string_view category, std::string_view level) {
  if (level == "fatal" || category.starts_with("parse") || category.starts_with("lint/security/"))
    return Severity::high;
  if (level == "error") return Severity::medium;
  return level == "warning" ? Severity::low : Severity::info;
}

std::string category_of(std::string_view category) {
  for (const std::string_view name : {"security", "performance", "style", "accessibility"})
    if (category.starts_with("lint/" + std::string(name) + "/") ||
        (name == "accessibility" && category.starts_with("lint/a11y/")))
      return std::string(name);
  return "correctness";
}

// Version 2 has start and end with line and column, version 1 a span of byte offsets.
void set_location(Finding& finding, const Json& location, SourceTree& tree) {
  static const Json kNothing = Json::object();
  const Json* start = find_member(location, "start");
  const Json* end = find_member(location, "end");
  if (start != nullptr) {
    const Json& last = end != nullptr ? *end : kNothing;
    set_place(finding,
              {number_in(*start, "line"), number_in(*start, "column"), number_in(last, "line"),
               number_in(last, "column"), ColumnUnit::characters},
              tree);
    return;
  }
  const Json* span = find_member(location, "span");
  const auto text = tree.text(finding.file);
  if (span == nullptr || !span->is_array() || span->size() != 2 || text == nullptr) return;
  const auto offset = exact_int((*span)[0], 0, static_cast<std::int64_t>(text->bytes().size()));
  if (!offset) return;
  const TextPlace place = text->place(static_cast<std::size_t>(*offset));
  finding.line = place.line;
  finding.column = place.column;
}

// Version 1 says {"file": "a.js"}.
std::string path_in(const Json& location) {
  const Json* path = find_member(location, "path");
  if (path == nullptr) return {};
  return path->is_string() ? path->get<std::string>() : string_or(*path, "file");
}

// Version 2 has a sentence, version 1 pieces of one beside it.
std::string message_of(const Json& item, const std::string& category) {
  const std::string description = string_or(item, "description");
  return description.empty() ? string_or(item, "message", category) : description;
}

} // namespace

Biome::Biome(ProcessRunner& processes)
    : ToolAnalyzer(
          processes,
          {.name = "biome", .programs = {"biome"}, .remedy = "npm install --global @biomejs/biome"}) {}

bool Biome::understands(std::string_view path) const { return is_script(path); }

ToolCall Biome::call(const std::vector<std::string>& files, const AnalysisRequest&, SourceTree& tree) const {
  ToolCall made{
      {"lint", "--reporter=json", "--max-diagnostics=none", "--no-errors-on-unmatched", "--colors=off"}, ""};
  // Without a configuration only what may be a bug; taste is the project's own.
  if (!tree.exists("biome.json") && !tree.exists("biome.jsonc"))
    made.arguments.insert(made.arguments.end(),
                          {"--only=correctness", "--only=suspicious", "--only=security"});
  made.arguments.insert(made.arguments.end(), files.begin(), files.end());
  return made;
}

Result<ToolOutput> Biome::parse(const ProcessResult& result, const std::string&, SourceTree& tree) const {
  return parse_biome(trim(result.out), tree);
}

Result<ToolOutput> parse_biome(std::string_view json, SourceTree& tree) {
  TRY_ASSIGN(const Json root, parse_json(json));
  const Json* diagnostics = find_member(root, "diagnostics");
  if (find_member(root, "summary") == nullptr || diagnostics == nullptr || !diagnostics->is_array())
    return fail(ErrorCode::io, "it has no summary or no diagnostics");
  ToolOutput output;
  for (const Json& item : *diagnostics) {
    const std::string category = string_or(item, "category");
    const Json* location = find_member(item, "location");
    const std::string reported = location == nullptr ? "" : path_in(*location);
    const auto file = reported.empty() ? std::nullopt : tree.relative(reported);
    const std::string message = message_of(item, category);
    if (!file || !(category.starts_with("lint/") || category.starts_with("parse"))) {
      output.notes.push_back(first_line(clean_text(message), 120)); // about itself or its configuration
      continue;
    }
    Finding finding = make_finding("biome", category, severity_of(category, string_or(item, "severity")),
                                   category_of(category), *file, message);
    set_location(finding, *location, tree);
    output.findings.push_back(std::move(finding));
  }
  return output;
}

} // namespace emend
