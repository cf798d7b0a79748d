#include "adapters/analyzers/eslint.hpp"

#include "base/json.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

// The project's configuration for ESLint; empty = it has none.
std::string configuration_of(SourceTree& tree) {
  for (const char* file : {"eslint.config.js", "eslint.config.mjs", "eslint.config.cjs", "eslint.config.ts",
                           "eslint.config.mts", "eslint.config.cts", ".eslintrc", ".eslintrc.js",
                           ".eslintrc.cjs", ".eslintrc.json", ".eslintrc.yaml", ".eslintrc.yml"})
    if (tree.exists(file)) return file;
  const auto package = tree.text("package.json");
  const auto json = package == nullptr ? Result<Json>(Json()) : parse_json(package->bytes());
  return json && find_member(*json, "eslintConfig") != nullptr ? "package.json" : "";
}

std::optional<Edit> edit_of(const Json& fix, const std::string& file, SourceTree& tree) {
  const Json* range = find_member(fix, "range");
  const Json* replacement = find_member(fix, "text");
  const auto text = tree.text(file);
  if (range == nullptr || !range->is_array() || range->size() != 2 || replacement == nullptr ||
      !replacement->is_string())
    return std::nullopt;
  const auto first = exact_int((*range)[0], 0, INT32_MAX), last = exact_int((*range)[1], 0, INT32_MAX);
  if (text == nullptr || !first || !last) return std::nullopt;
  const auto begin = text->offset_of_utf16(*first), end = text->offset_of_utf16(*last);
  if (!begin || !end || *end < *begin) return std::nullopt;
  return Edit{file, *begin, *end - *begin, replacement->get<std::string>()};
}

std::optional<FixIt> fixit_of(const Json& message, const Finding& finding, SourceTree& tree) {
  if (const Json* fix = find_member(message, "fix")) {
    auto edit = edit_of(*fix, finding.file, tree);
    return edit ? make_fixit(finding.title, true, {*std::move(edit)}) : std::nullopt;
  }
  const Json* suggestions = find_member(message, "suggestions");
  if (suggestions == nullptr || !suggestions->is_array() || suggestions->size() != 1)
    return std::nullopt; // several are a choice
  const Json* fix = find_member(suggestions->front(), "fix");
  auto edit = fix == nullptr ? std::nullopt : edit_of(*fix, finding.file, tree);
  return edit ? make_fixit(string_or(suggestions->front(), "desc", finding.title), false, {*std::move(edit)})
              : std::nullopt;
}

void add_message(const Json& message, const std::string& file, SourceTree& tree, ToolOutput& output) {
  const std::string text = string_or(message, "message");
  const Json* fatal = find_member(message, "fatal");
  const bool is_fatal = fatal != nullptr && fatal->is_boolean() && fatal->get<bool>();
  std::string rule = string_or(message, "ruleId");
  if (rule.empty() && !is_fatal) {
    output.notes.push_back(
        file + ": " +
        first_line(clean_text(text), 120)); // "File ignored because of a matching ignore pattern"
    return;
  }
  if (rule.empty()) rule = "parse-error";
  const Severity severity = is_fatal                              ? Severity::high
                            : number_in(message, "severity") >= 2 ? Severity::medium
                                                                  : Severity::low;
  Finding finding = make_finding("eslint", rule, severity, "correctness", file, text.empty() ? rule : text);
  set_place(finding,
            {number_in(message, "line"), number_in(message, "column"), number_in(message, "endLine"),
             number_in(message, "endColumn"), ColumnUnit::utf16},
            tree);
  finding.fixit = fixit_of(message, finding, tree);
  output.findings.push_back(std::move(finding));
}

} // namespace

bool is_script(std::string_view path) {
  return has_extension(path, {"js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts"});
}

Eslint::Eslint(ProcessRunner& processes, ProjectCode project_code)
    : ToolAnalyzer(processes,
                   {.name = "eslint", .programs = {"eslint"}, .remedy = "npm install --global eslint"}),
      project_code_(project_code) {}

bool Eslint::understands(std::string_view path) const { return is_script(path); }

std::string Eslint::why_skipped(SourceTree& tree) const {
  const std::string configuration = configuration_of(tree);
  if (configuration.empty()) return "the project has no ESLint configuration";
  if (project_code_ == ProjectCode::refused)
    return configuration + " makes ESLint run code of the repository, which is not allowed here";
  return {};
}

// Debian 12 has 6.4, which knows neither the flags nor the configuration files of today.
std::string Eslint::why_unusable(std::string_view version) const {
  const std::string_view major = version.substr(0, version.find('.'));
  return major.size() == 1 && major < "8" ? "older than 8" : "";
}

ToolCall Eslint::call(const std::vector<std::string>& files, const AnalysisRequest&, SourceTree&) const {
  ToolCall made{{"--format=json", "--no-color", "--no-error-on-unmatched-pattern", "--"}, ""};
  made.arguments.insert(made.arguments.end(), files.begin(), files.end());
  return made;
}

Result<ToolOutput> Eslint::parse(const ProcessResult& result, const std::string&, SourceTree& tree) const {
  return parse_eslint(result.out, tree);
}

Result<ToolOutput> parse_eslint(std::string_view json, SourceTree& tree) {
  TRY_ASSIGN(const Json root, parse_json(json));
  if (!root.is_array()) return fail(ErrorCode::io, "it is not a list of files");
  ToolOutput output;
  for (const Json& item : root) {
    const Json* messages = find_member(item, "messages");
    if (messages == nullptr || !messages->is_array()) return fail(ErrorCode::io, "a file has no messages");
    const auto file = tree.relative(string_or(item, "filePath"));
    if (!file) continue;
    for (const Json& message : *messages) add_message(message, *file, tree, output);
  }
  return output;
}

} // namespace emend
