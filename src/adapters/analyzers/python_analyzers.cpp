// flake8, pyflakes where only that is installed, and the npm build of ruff where the program is not.
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "adapters/analyzers/codespell_rules.hpp"
#include "adapters/analyzers/program.hpp"
#include "adapters/analyzers/special_analyzers.hpp"
#include "base/json.hpp"
#include "base/strings.hpp"
#include "model/review_rules.hpp"

namespace emend {

namespace {

bool has_section_anywhere(SourceTree& tree, std::string_view start) {
  for (const char* file : {"setup.cfg", "tox.ini", ".flake8"}) {
    const auto text = tree.text(file);
    if (text == nullptr) continue;
    for (const std::string_view line : lines_of(text->bytes()))
      if (trim(line).starts_with(start)) return true;
  }
  return false;
}

// The Python that flake8 runs with may be older than the project's: what came with 3.10 to 3.12 is no error.
void doubt_newer_syntax(std::vector<Finding>& findings, SourceTree& tree) {
  static const RE2 kNewer(R"(^\s*(?:type \w+|match .*:|case .*:|except\*|(?:async )?def \w+\[|class \w+\[))");
  for (Finding& finding : findings) {
    const auto text = finding.rule == "E999" ? tree.text(finding.file) : nullptr;
    if (text == nullptr || finding.line < 1) continue;
    const auto lines = lines_of(text->bytes());
    const auto at = static_cast<std::size_t>(finding.line) - 1;
    if (at < lines.size() && RE2::PartialMatch(re2::StringPiece(lines[at].data(), lines[at].size()), kNewer))
      mark_doubtful(finding);
  }
}

// pyflakes does not follow `global NAME` in a function, which makes the name one of the whole file.
void doubt_declared_names(std::vector<Finding>& findings, SourceTree& tree) {
  constexpr std::string_view kSaid = "undefined name '";
  for (Finding& finding : findings) {
    const auto at = finding.title.find(kSaid);
    const auto text = at == std::string::npos ? nullptr : tree.text(finding.file);
    if (text == nullptr) continue;
    const std::string_view rest = std::string_view(finding.title).substr(at + kSaid.size());
    const std::string_view name = rest.substr(0, rest.find('\''));
    const std::string quoted = "\"" + std::string(name) + "\"", own = "class " + std::string(name) + ":";
    for (const std::string_view line : lines_of(text->bytes())) {
      // The annotation of a class that is made in a function.
      if (contains(line, own) && contains(text->bytes(), quoted)) mark_doubtful(finding);
      if (!trim(line).starts_with("global ")) continue;
      for (const std::string& declared : split(trim(line).substr(7), ','))
        if (trim(declared) == name) mark_doubtful(finding);
    }
  }
}

class Flake8 : public ToolAnalyzer {
public:
  Flake8(ProcessRunner& processes, const KnownAnalyzer& row, ProjectCode project_code)
      : ToolAnalyzer(processes, row), project_code_(project_code) {}

protected:
  [[nodiscard]] ToolCall call(const std::vector<std::string>& files, const AnalysisRequest&,
                              SourceTree& tree) const override {
    // One process: several of them talk by way of /dev/shm, which the weaker sandboxes keep shut. Tabs: a
    // path may hold anything else.
    ToolCall made{{"--exit-zero", "--no-show-source", "--color=never", "--jobs=1",
                   "--output-file=", "--format=emend\t%(path)s\t%(row)d\t%(col)d\t%(code)s\t%(text)s"},
                  ""};
    if (must_ignore_configuration(tree)) made.arguments.insert(made.arguments.begin(), "--isolated");
    // Without a configuration only what may be a bug; taste is the project's own.
    if (must_ignore_configuration(tree) || !has_section_anywhere(tree, "[flake8]"))
      made.arguments.push_back("--select=F,E9,W6");
    made.arguments.push_back("--");
    made.arguments.insert(made.arguments.end(), files.begin(), files.end());
    return made;
  }

  void settle(std::vector<Finding>& findings, const AnalysisRequest&, SourceTree& tree) const override {
    doubt_newer_syntax(findings, tree);
    doubt_declared_names(findings, tree);
  }

  [[nodiscard]] std::string remark(SourceTree& tree, const AnalysisRequest&) const override {
    return must_ignore_configuration(tree)
               ? "its configuration names local plugins, which are code of the repository, and was ignored"
               : "";
  }

private:
  // Local plugins are code of the repository, which flake8 would load.
  [[nodiscard]] bool must_ignore_configuration(SourceTree& tree) const {
    return project_code_ == ProjectCode::refused && has_section_anywhere(tree, "[flake8:local-plugins");
  }

  ProjectCode project_code_;
};

class Pyflakes : public ToolAnalyzer {
public:
  using ToolAnalyzer::ToolAnalyzer;

protected:
  void settle(std::vector<Finding>& findings, const AnalysisRequest&, SourceTree& tree) const override {
    doubt_declared_names(findings, tree);
  }

  // Syntax errors are on stderr, each with the source line and a caret below.
  [[nodiscard]] Result<ToolOutput> parse(const ProcessResult& result, const std::string&,
                                         SourceTree& tree) const override {
    TRY_ASSIGN(ToolOutput output, read_report(tool(), result.out, tree));
    for (const std::string_view line : lines_of(result.err)) {
      const auto error = line.starts_with("./") ? read_report(tool(), std::string(line) + "\n", tree)
                                                : Result<ToolOutput>(ToolOutput{});
      if (!error) continue;
      for (Finding finding : error->findings) {
        finding.rule = "E999"; // flake8's code for it
        finding.severity = severity_by(tool(), {finding.rule}).value_or(Severity::high);
        finding.category = category_by(tool(), {finding.rule});
        output.findings.push_back(std::move(finding));
      }
    }
    if (result.exit_code != 0 && output.findings.empty())
      return fail(ErrorCode::io, first_line(clean_text(result.err), 160));
    return output;
  }
};

// Which files it checks is for the project to say: told others, it takes tests and scripts for checked code.
class Mypy : public ToolAnalyzer {
public:
  using ToolAnalyzer::ToolAnalyzer;

protected:
  [[nodiscard]] ToolCall call(const std::vector<std::string>& files, const AnalysisRequest&,
                              SourceTree& tree) const override {
    ToolCall made{tool().arguments, ""};
    const bool named = std::any_of(kKeys.begin(), kKeys.end(), [&](const char* key) {
      return !listed(tree, "pyproject.toml", "tool.mypy", key).empty() ||
             !listed(tree, "mypy.ini", "mypy", key).empty() ||
             !listed(tree, ".mypy.ini", "mypy", key).empty() ||
             !listed(tree, "setup.cfg", "mypy", key).empty();
    });
    if (named)
      made.arguments.pop_back(); // "--"
    else
      made.arguments.insert(made.arguments.end(), files.begin(), files.end());
    return made;
  }

private:
  static constexpr std::array kKeys = {"files", "packages", "modules"};

  static std::vector<std::string> listed(SourceTree& tree, const char* file, const char* section,
                                         const char* key) {
    const auto text = tree.text(file);
    return text == nullptr ? std::vector<std::string>() : listed_in(text->bytes(), section, key);
  }
};

constexpr const char* kPackage = "@astral-sh/ruff-wasm-nodejs";
constexpr const char* kNpmOptions = "[]";
constexpr std::size_t kPlaceOfOptions = 4; // in the arguments of a call

// Prints the version without files, else a list as the program does, without "applicability". Columns count
// characters, as the program's do. Of the program's options it knows those that choose rules; without any it
// checks what the program checks when nothing is configured.
constexpr const char* kDriver = R"js(
const [path, given, ...files] = process.argv.slice(1);
const { Workspace, PositionEncoding } = require(path);
if (files.length === 0) { console.log("ruff " + Workspace.version()); process.exit(0); }
const settings = { lint: { select: ["E4", "E7", "E9", "F"] } };
const words = JSON.parse(given);
const lists = ["--select", "--ignore", "--extend-select"];
const values = { "--line-length": Number, "--target-version": String };
while (words.length > 0) {
  let [name, value] = words.shift().split("=");
  if (name === "--preview") { settings.preview = true; continue; }
  if (!lists.includes(name) && !(name in values)) {
    console.error("the npm build of ruff does not know " + name); process.exit(2);
  }
  value = value ?? words.shift() ?? "";
  if (lists.includes(name)) settings.lint[name.slice(2)] = value.split(",");
  else settings[name.slice(2)] = values[name](value);
}
const workspace = new Workspace(settings, PositionEncoding.Utf32);
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

bool configures_ruff(SourceTree& tree) {
  if (tree.exists("ruff.toml") || tree.exists(".ruff.toml")) return true;
  const auto project = tree.text("pyproject.toml");
  return project != nullptr && contains(project->bytes(), "[tool.ruff");
}

// The npm package in a global node_modules directory. It cannot read a project's configuration, so it works
// only for projects that have none, and never beside the program.
class RuffWasm : public ToolAnalyzer {
public:
  using ToolAnalyzer::ToolAnalyzer;

protected:
  [[nodiscard]] std::string why_skipped(SourceTree& tree) const override {
    if (configures_ruff(tree)) return "the project configures ruff, and only the ruff program reads that";
    return {};
  }
  [[nodiscard]] std::string find_program(const SourceTree* tree) const override {
    return find_package(tree).empty() ? "" : ToolAnalyzer::find_program(tree);
  }
  [[nodiscard]] std::vector<std::string> version_arguments() const override {
    return {"-e", kDriver, "--", find_package(nullptr), kNpmOptions};
  }
  [[nodiscard]] std::string version_file(const std::string&) const override {
    return find_package(nullptr) + "/package.json";
  }
  [[nodiscard]] ToolCall call(const std::vector<std::string>& files, const AnalysisRequest&,
                              SourceTree& tree) const override {
    ToolCall made{{"-e", kDriver, "--", find_package(&tree), kNpmOptions}, ""};
    made.arguments.insert(made.arguments.end(), files.begin(), files.end());
    return made;
  }
  void add_arguments(std::vector<std::string>& arguments, const std::vector<std::string>& more,
                     const std::vector<std::string>&) const override {
    arguments.at(kPlaceOfOptions) = dump_json(Json(more));
  }
};

} // namespace

std::unique_ptr<ToolAnalyzer> make_ruff_wasm(const KnownAnalyzer& row, ProcessRunner& processes,
                                             ProjectCode) {
  return std::make_unique<RuffWasm>(processes, row);
}

std::unique_ptr<ToolAnalyzer> make_mypy(const KnownAnalyzer& row, ProcessRunner& processes, ProjectCode) {
  return std::make_unique<Mypy>(processes, row);
}

std::unique_ptr<ToolAnalyzer> make_flake8(const KnownAnalyzer& row, ProcessRunner& processes,
                                          ProjectCode project_code) {
  return std::make_unique<Flake8>(processes, row, project_code);
}

std::unique_ptr<ToolAnalyzer> make_pyflakes(const KnownAnalyzer& row, ProcessRunner& processes, ProjectCode) {
  return std::make_unique<Pyflakes>(processes, row);
}

} // namespace emend
