#include "adapters/analyzers/shellcheck.hpp"

#include <algorithm>
#include <array>
#include <thread>

#include "base/json.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

// A generated configure script of 300 KB takes gigabytes and half a minute.
constexpr std::uint64_t kLargestScript = 256'000;

bool is_shell(std::string_view interpreter_line) {
  if (!interpreter_line.starts_with("#!")) return false;
  for (std::string_view word : split(trim(interpreter_line.substr(2)), ' ')) {
    word = word.substr(word.rfind('/') + 1);
    if (word == "env" || word.empty() || word.starts_with('-')) continue;
    return word == "sh" || word == "bash" || word == "dash" || word == "ksh";
  }
  return false;
}

Severity severity_of(std::string_view level) {
  if (level == "error") return Severity::high;
  if (level == "warning") return Severity::medium;
  return level == "info" ? Severity::low : Severity::info;
}

ReportedRange range_of(const Json& item) {
  return {number_in(item, "line"), number_in(item, "column"), number_in(item, "endLine"),
          number_in(item, "endColumn"), ColumnUnit::characters};
}

// Only the spelling changes: `$((  $x + 1 ))`, and `...` without backslashes, which mean less inside $(...).
bool is_safe(std::int64_t code, const Finding& finding, SourceTree& tree) {
  if (code == 2004) return true;
  const auto text = tree.text(finding.file);
  return code == 2006 && text != nullptr && finding.line == finding.line_end &&
         !contains(text->line(finding.line), "\\");
}

std::optional<FixIt> fixit_of(const Json& comment, const Finding& finding, std::int64_t code,
                              SourceTree& tree) {
  const Json* fix = find_member(comment, "fix");
  const Json* replacements = fix == nullptr ? nullptr : find_member(*fix, "replacements");
  if (replacements == nullptr || !replacements->is_array()) return std::nullopt;
  std::vector<Edit> edits;
  for (const Json& item : *replacements) {
    const Json* text = find_member(item, "replacement");
    if (text == nullptr || !text->is_string()) return std::nullopt;
    auto edit = make_edit(finding.file, range_of(item), text->get<std::string>(), tree);
    if (!edit) return std::nullopt;
    edits.push_back(*std::move(edit));
  }
  return make_fixit(finding.title, is_safe(code, finding, tree), std::move(edits));
}

} // namespace

Shellcheck::Shellcheck(ProcessRunner& processes)
    : ToolAnalyzer(
          processes,
          {.name = "shellcheck",
           .programs = {"shellcheck"},
           .remedy = "apt-get install shellcheck",
           .files_per_call = 1, // it follows `source` into every other file of the call, once per script
           .max_file_bytes = kLargestScript,
           .parallel_calls = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, 2)}) {
} // a long script can take gigabytes

// A file without extension may be a script; its first line tells, see wants().
bool Shellcheck::understands(std::string_view path) const {
  const std::string_view name = file_name(path);
  if (has_extension(path, {"sh", "bash", "dash", "ksh", "bats"})) return true;
  return name == ".bashrc" || name == ".bash_profile" || name == ".profile" ||
         (!name.empty() && name.find('.') == std::string_view::npos);
}

bool Shellcheck::wants(const std::string& file, const SourceTree& tree) const {
  if (file_name(file).find('.') != std::string_view::npos) return true;
  return is_shell(first_line(head_of_file(tree.on_disk(file), 200), 200));
}

ToolCall Shellcheck::call(const std::vector<std::string>& files, const AnalysisRequest&, SourceTree&) const {
  // 1090, 1091: it did not follow a `source`, which is not the script's fault.
  ToolCall made{{"--format=json1", "--color=never", "--exclude=SC1090,SC1091", "--"}, ""};
  made.arguments.insert(made.arguments.end(), files.begin(), files.end());
  return made;
}

Result<ToolOutput> Shellcheck::parse(const ProcessResult& result, const std::string&,
                                     SourceTree& tree) const {
  return parse_shellcheck(result.out, tree);
}

Result<ToolOutput> parse_shellcheck(std::string_view json, SourceTree& tree) {
  TRY_ASSIGN(const Json root, parse_json(json));
  const Json* comments = find_member(root, "comments");
  if (comments == nullptr || !comments->is_array()) return fail(ErrorCode::io, "it has no comments");
  ToolOutput output;
  for (const Json& comment : *comments) {
    const std::int64_t code = number_in(comment, "code");
    if (code == 0) return fail(ErrorCode::io, "a comment has no code");
    const auto file = tree.relative(string_or(comment, "file"));
    if (!file) continue; // a file it was led to by `source`
    const std::string rule = "SC" + std::to_string(code);
    const std::string level = string_or(comment, "level");
    Finding finding =
        make_finding("shellcheck", rule, severity_of(level), level == "style" ? "style" : "correctness",
                     *file, string_or(comment, "message", rule));
    set_place(finding, range_of(comment), tree);
    finding.suggestion = "See https://www.shellcheck.net/wiki/" + rule;
    finding.fixit = fixit_of(comment, finding, code, tree);
    output.findings.push_back(std::move(finding));
  }
  return output;
}

} // namespace emend
