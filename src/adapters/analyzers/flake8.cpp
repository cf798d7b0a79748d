#include "adapters/analyzers/flake8.hpp"

#include "adapters/analyzers/program.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::string_view kMark = "emend\t";
constexpr std::array kConfigurations = {"setup.cfg", "tox.ini", ".flake8"};

bool has_section(std::string_view ini, std::string_view start) {
  for (const std::string_view line : lines_of(ini))
    if (trim(line).starts_with(start)) return true;
  return false;
}

bool has_section_anywhere(SourceTree& tree, std::string_view start) {
  for (const char* file : kConfigurations) {
    const auto text = tree.text(file);
    if (text != nullptr && has_section(text->bytes(), start)) return true;
  }
  return false;
}

std::int64_t number(std::string_view text) {
  const auto value = parse_unsigned(text);
  return value && *value <= 100'000'000 ? static_cast<std::int64_t>(*value) : 0;
}

struct PyflakesLine {
  std::string_view file, message;
  std::int64_t line = 0, column = 0;
};

// "path:row:col: message" or, in older versions, "path:row: message".
std::optional<PyflakesLine> read_pyflakes_line(std::string_view line) {
  const auto space = line.find(": ");
  if (space == std::string_view::npos) return std::nullopt;
  PyflakesLine found{line.substr(0, space), trim(line.substr(space + 2))};
  std::vector<std::int64_t> numbers;
  while (numbers.size() < 2) {
    const auto colon = found.file.rfind(':');
    if (colon == std::string_view::npos || !parse_unsigned(found.file.substr(colon + 1))) break;
    numbers.push_back(number(found.file.substr(colon + 1)));
    found.file = found.file.substr(0, colon);
  }
  if (numbers.empty() || found.file.empty() || found.message.empty()) return std::nullopt;
  found.line = numbers.back();
  found.column = numbers.size() == 2 ? numbers.front() : 0;
  return found;
}

bool says(std::string_view message, std::initializer_list<std::string_view> parts) {
  for (const std::string_view part : parts)
    if (contains(message, part)) return true;
  return false;
}

// pyflakes has no codes; these are flake8's for the same messages, so that both report the same rule.
std::string_view pyflakes_rule(std::string_view message) {
  if (says(message, {"imported but unused"})) return "F401";
  if (says(message, {"undefined name"})) return says(message, {"__all__"}) ? "F822" : "F821";
  if (says(message, {"assigned to but never used"})) return "F841";
  if (says(message, {"redefinition of unused"})) return "F811";
  if (says(message, {"f-string is missing placeholders"})) return "F541";
  if (says(message, {"to compare constant literals"})) return "F632";
  if (says(message, {"referenced before assignment"})) return "F823";
  return "pyflakes";
}

void add_pyflakes(const PyflakesLine& found, bool syntax_error, SourceTree& tree, ToolOutput& output) {
  const auto file = tree.relative(found.file);
  if (!file) return;
  const std::string rule(syntax_error ? "E999" : pyflakes_rule(found.message));
  Finding finding =
      make_finding("pyflakes", rule, python_severity(rule), python_category(rule), *file, found.message);
  set_place(finding, {found.line, found.column, 0, 0, ColumnUnit::characters}, tree);
  output.findings.push_back(std::move(finding));
}

} // namespace

bool is_python(std::string_view path) { return has_extension(path, {"py", "pyi"}); }

Severity python_severity(std::string_view code) {
  if (code.starts_with("E9") || code.starts_with("F82") || code.starts_with("F50") || code == "F632" ||
      code == "invalid-syntax")
    return Severity::high;
  if (code.starts_with("F") || code.starts_with("W6") || code.starts_with("B") || code.starts_with("S") ||
      code == "pyflakes")
    return Severity::medium;
  return code.starts_with("E") || code.starts_with("W") ? Severity::info : Severity::low;
}

std::string python_category(std::string_view code) {
  if (code.starts_with("F") || code.starts_with("E9") || code.starts_with("B") || code == "pyflakes" ||
      code == "invalid-syntax")
    return "correctness";
  if (code.starts_with("S")) return "security";
  return code.starts_with("E") || code.starts_with("W") || code.starts_with("D") ? "style"
                                                                                 : "maintainability";
}

Flake8::Flake8(ProcessRunner& processes, ProjectCode project_code)
    : ToolAnalyzer(processes, {.name = "flake8", .programs = {"flake8"}, .remedy = "apt-get install flake8"}),
      project_code_(project_code) {}

bool Flake8::understands(std::string_view path) const { return is_python(path); }

bool Flake8::must_ignore_configuration(SourceTree& tree) const {
  return project_code_ == ProjectCode::refused && has_section_anywhere(tree, "[flake8:local-plugins");
}

std::string Flake8::remark(SourceTree& tree) const {
  return must_ignore_configuration(tree)
             ? "its configuration names local plugins, which are code of the repository, and was ignored"
             : "";
}

ToolCall Flake8::call(const std::vector<std::string>& files, const AnalysisRequest&, SourceTree& tree) const {
  // One process: several of them talk by way of /dev/shm, which the weaker sandboxes keep shut.
  ToolCall made{{"--exit-zero", "--no-show-source", "--color=never", "--jobs=1", "--output-file=",
                 "--format=" + std::string(kMark) + "%(path)s\t%(row)d\t%(col)d\t%(code)s\t%(text)s"},
                ""};
  if (must_ignore_configuration(tree)) made.arguments.insert(made.arguments.begin(), "--isolated");
  // Without a configuration only what may be a bug; taste is the project's own.
  if (must_ignore_configuration(tree) || !has_section_anywhere(tree, "[flake8]"))
    made.arguments.push_back("--select=F,E9,W6");
  made.arguments.push_back("--");
  made.arguments.insert(made.arguments.end(), files.begin(), files.end());
  return made;
}

Result<ToolOutput> Flake8::parse(const ProcessResult& result, const std::string&, SourceTree& tree) const {
  return parse_flake8(result.out, tree);
}

Result<ToolOutput> parse_flake8(std::string_view text, SourceTree& tree) {
  ToolOutput output;
  if (!text.empty() && !text.ends_with('\n')) return fail(ErrorCode::io, "it is cut off");
  for (const std::string_view line : lines_of(text)) {
    const std::vector<std::string> fields = split(line, '\t');
    if (!line.starts_with(kMark) || fields.size() < 6 || number(fields[2]) == 0 || fields[4].empty())
      return fail(ErrorCode::io, "unexpected line: " + first_line(clean_text(line), 100));
    const auto file = tree.relative(fields[1]);
    if (!file) continue;
    const std::vector<std::string> words(fields.begin() + 5, fields.end());
    const std::string code = clean_text(fields[4]);
    Finding finding =
        make_finding("flake8", code, python_severity(code), python_category(code), *file, join(words, "\t"));
    set_place(finding, {number(fields[2]), number(fields[3]), 0, 0, ColumnUnit::characters}, tree);
    output.findings.push_back(std::move(finding));
  }
  return output;
}

Pyflakes::Pyflakes(ProcessRunner& processes)
    : ToolAnalyzer(processes, {.name = "pyflakes",
                               .programs = {"pyflakes3", "pyflakes"},
                               .remedy = "apt-get install pyflakes3"}) {}

bool Pyflakes::understands(std::string_view path) const { return is_python(path); }

std::string Pyflakes::why_skipped(SourceTree& tree) const {
  return find_tool({"flake8"}, &tree).empty() ? "" : "flake8 reports the same and more";
}

ToolCall Pyflakes::call(const std::vector<std::string>& files, const AnalysisRequest&, SourceTree&) const {
  return {files, ""};
}

Result<ToolOutput> Pyflakes::parse(const ProcessResult& result, const std::string&, SourceTree& tree) const {
  TRY_ASSIGN(ToolOutput output, parse_pyflakes(result.out, result.err, tree));
  if (result.exit_code != 0 && output.findings.empty())
    return fail(ErrorCode::io, first_line(clean_text(result.err), 160));
  return output;
}

Result<ToolOutput> parse_pyflakes(std::string_view out, std::string_view err, SourceTree& tree) {
  ToolOutput output;
  if (!out.empty() && !out.ends_with('\n')) return fail(ErrorCode::io, "it is cut off");
  for (const std::string_view line : lines_of(out)) {
    const auto found = read_pyflakes_line(line);
    if (!found) return fail(ErrorCode::io, "unexpected line: " + first_line(clean_text(line), 100));
    add_pyflakes(*found, false, tree, output);
  }
  for (const std::string_view line : lines_of(err))
    if (const auto found = line.starts_with("./") ? read_pyflakes_line(line) : std::nullopt)
      add_pyflakes(*found, true, tree, output);
  return output;
}

} // namespace emend
