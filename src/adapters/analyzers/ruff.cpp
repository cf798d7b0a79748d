#include "adapters/analyzers/ruff.hpp"

#include <algorithm>
#include <array>

#include "adapters/analyzers/flake8.hpp"
#include "adapters/analyzers/program.hpp"
#include "base/json.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr const char* kPackage = "@astral-sh/ruff-wasm-nodejs";
constexpr const char* kNpmRules =
    R"(["E4","E7","E9","F"])"; // what the program checks when nothing is configured

// Prints the version without files, else a list as the program does. Columns count characters, as the
// program's do.
constexpr const char* kDriver = R"js(
const [path, rules, ...files] = process.argv.slice(1);
const { Workspace, PositionEncoding } = require(path);
if (files.length === 0) { console.log("ruff " + Workspace.version()); process.exit(0); }
const workspace = new Workspace({ lint: { select: JSON.parse(rules) } }, PositionEncoding.Utf32);
const fs = require("fs");
const out = [];
for (const filename of files)
  for (const d of workspace.check(fs.readFileSync(filename, "utf8")))
    out.push({ filename, code: d.code, message: d.message, location: d.start_location, end_location: d.end_location, fix: d.fix });
process.stdout.write(JSON.stringify(out));
)js";

// Where `npm install --global` puts packages: beside each bin directory of PATH.
std::string find_package(const SourceTree* tree) {
  for (const std::string& directory : search_directories(tree)) {
    const auto prefix = std::filesystem::path(directory).parent_path();
    const std::string candidate = (prefix / "lib/node_modules" / kPackage).string();
    std::error_code problem;
    if (std::filesystem::is_directory(candidate, problem) && (tree == nullptr || !tree->holds(candidate)))
      return candidate;
  }
  return {};
}

bool has_configuration(SourceTree& tree) {
  if (tree.exists("ruff.toml") || tree.exists(".ruff.toml")) return true;
  const auto project = tree.text("pyproject.toml");
  return project != nullptr && contains(project->bytes(), "[tool.ruff");
}

ReportedRange range_of(const Json& item) {
  static const Json kNothing = Json::object();
  const auto member = [&](std::string_view key) -> const Json& {
    const Json* found = find_member(item, key);
    return found == nullptr ? kNothing : *found;
  };
  const Json &begin = member("location"), &end = member("end_location");
  return {number_in(begin, "row"), number_in(begin, "column"), number_in(end, "row"),
          number_in(end, "column"), ColumnUnit::characters};
}

// The npm build does not say which fixes are safe. These are by the program's own account, in every file but
// a package's __init__.
bool is_known_safe(std::string_view code, std::string_view file) {
  static constexpr std::array<std::string_view, 5> kCodes = {"F401", "F541", "E703", "E713", "E714"};
  if (code == "F401" && file_name(file) == "__init__.py") return false;
  return std::find(kCodes.begin(), kCodes.end(), code) != kCodes.end();
}

std::optional<FixIt> fixit_of(const Json& item, const Finding& finding, SourceTree& tree) {
  const Json* fix = find_member(item, "fix");
  const Json* list = fix == nullptr ? nullptr : find_member(*fix, "edits");
  if (list == nullptr || !list->is_array()) return std::nullopt;
  const std::string applicability = string_or(*fix, "applicability");
  if (applicability == "display") return std::nullopt; // for the eye only
  std::vector<Edit> edits;
  for (const Json& one : *list) {
    auto edit = make_edit(finding.file, range_of(one), string_or(one, "content"), tree);
    if (!edit) return std::nullopt;
    edits.push_back(*std::move(edit));
  }
  const bool safe =
      applicability.empty() ? is_known_safe(finding.rule, finding.file) : applicability == "safe";
  return make_fixit(string_or(*fix, "message", finding.title), safe, std::move(edits));
}

} // namespace

Ruff::Ruff(ProcessRunner& processes)
    : ToolAnalyzer(
          processes,
          {.name = "ruff", .programs = {"ruff"}, .remedy = "see https://docs.astral.sh/ruff/installation/"}) {
}

bool Ruff::understands(std::string_view path) const { return is_python(path); }

// --no-fix: a project's configuration may ask for changes to be written.
ToolCall Ruff::call(const std::vector<std::string>& files, const AnalysisRequest&, SourceTree&) const {
  ToolCall made{{"check", "--output-format=json", "--no-fix", "--exit-zero", "--no-cache", "--force-exclude",
                 "--quiet", "--"},
                ""};
  made.arguments.insert(made.arguments.end(), files.begin(), files.end());
  return made;
}

Result<ToolOutput> Ruff::parse(const ProcessResult& result, const std::string&, SourceTree& tree) const {
  return parse_ruff(result.out, tree);
}

RuffWasm::RuffWasm(ProcessRunner& processes)
    : ToolAnalyzer(processes, {.name = "ruff-wasm",
                               .programs = {"node"},
                               .remedy = "npm install --global @astral-sh/ruff-wasm-nodejs"}) {}

bool RuffWasm::understands(std::string_view path) const { return is_python(path); }

std::string RuffWasm::why_skipped(SourceTree& tree) const {
  if (!find_tool({"ruff"}, &tree).empty()) return "ruff itself is installed";
  if (has_configuration(tree)) return "the project configures ruff, and only the ruff program reads that";
  return {};
}

std::string RuffWasm::find_program(const SourceTree* tree) const {
  return find_package(tree).empty() ? "" : ToolAnalyzer::find_program(tree);
}

std::vector<std::string> RuffWasm::version_arguments() const {
  return {"-e", kDriver, "--", find_package(nullptr), kNpmRules};
}

ToolCall RuffWasm::call(const std::vector<std::string>& files, const AnalysisRequest&,
                        SourceTree& tree) const {
  ToolCall made{{"-e", kDriver, "--", find_package(&tree), kNpmRules}, ""};
  made.arguments.insert(made.arguments.end(), files.begin(), files.end());
  return made;
}

Result<ToolOutput> RuffWasm::parse(const ProcessResult& result, const std::string&, SourceTree& tree) const {
  TRY_ASSIGN(ToolOutput output, parse_ruff(result.out, tree));
  for (Finding& finding : output.findings) {
    finding.agent = "ruff-wasm";
    finding.found_by = {"ruff-wasm"};
  }
  return output;
}

Result<ToolOutput> parse_ruff(std::string_view json, SourceTree& tree) {
  TRY_ASSIGN(const Json root, parse_json(json));
  if (!root.is_array()) return fail(ErrorCode::io, "it is not a list of findings");
  ToolOutput output;
  for (const Json& item : root) {
    if (!item.is_object()) return fail(ErrorCode::io, "something that is no finding");
    const std::string message = string_or(item, "message");
    const std::string code =
        string_or(item, "code", "invalid-syntax"); // older versions give syntax errors no code
    const auto file = tree.relative(string_or(item, "filename"));
    if (message.empty()) return fail(ErrorCode::io, "a finding has no message");
    if (!file) continue;
    Finding finding =
        make_finding("ruff", code, python_severity(code), python_category(code), *file, message);
    set_place(finding, range_of(item), tree);
    finding.fixit = fixit_of(item, finding, tree);
    output.findings.push_back(std::move(finding));
  }
  return output;
}

} // namespace emend
