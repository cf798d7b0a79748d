#include "adapters/analyzers/clang_tidy.hpp"

#include <algorithm>
#include <array>
#include <thread>

#include "adapters/analyzers/fixes_yaml.hpp"
#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::string_view kCompilerError = "clang-diagnostic-error";

// What finds bugs; without checks that fire on most code, whatever it does.
constexpr std::string_view kChecks =
    "-*,bugprone-*,performance-*,clang-analyzer-*,clang-diagnostic-*,misc-redundant-expression,modernize-use-"
    "override,modernize-use-"
    "nullptr,"
    "readability-container-size-empty,readability-delete-null-pointer,readability-redundant-string-cstr,"
    "-bugprone-easily-swappable-parameters,-bugprone-narrowing-conversions,-bugprone-implicit-widening-of-"
    "multiplication-result,"
    "-bugprone-reserved-identifier,-performance-no-int-to-ptr,-performance-enum-size,-performance-avoid-endl,"
    "-clang-analyzer-security.insecureAPI.DeprecatedOrUnsafeBufferHandling,-clang-analyzer-optin.performance."
    "Padding,"
    "-clang-diagnostic-unused-command-line-argument,-clang-diagnostic-unknown-warning-option";

// Fix-its that keep what the program does.
constexpr std::array<std::string_view, 8> kSafe = {"modernize-use-override",
                                                   "modernize-use-nullptr",
                                                   "readability-container-size-empty",
                                                   "readability-delete-null-pointer",
                                                   "readability-redundant-string-cstr",
                                                   "performance-faster-string-find",
                                                   "performance-for-range-copy",
                                                   "performance-implicit-conversion-in-loop"};

bool is_c(std::string_view path) { return has_extension(path, {"c"}); }

std::string compile_commands_directory(const SourceTree& tree) {
  for (const char* directory : {"", "build/", "builddir/", "out/"})
    if (tree.exists(std::string(directory) + "compile_commands.json")) return std::string("./") + directory;
  return {};
}

// clang-tidy takes the nearest .clang-tidy above each file.
bool has_configuration(std::string_view file, const SourceTree& tree) {
  std::string directory(file);
  while (true) {
    const auto slash = directory.rfind('/');
    directory.resize(slash == std::string::npos ? 0 : slash);
    if (tree.exists(directory.empty() ? ".clang-tidy" : directory + "/.clang-tidy")) return true;
    if (directory.empty() || directory == ".") return false;
  }
}

Severity severity_of(std::string_view rule) {
  if (rule.starts_with("clang-analyzer-")) return Severity::high;
  for (const std::string_view start : {"bugprone-", "cert-", "clang-diagnostic-", "concurrency-"})
    if (rule.starts_with(start)) return Severity::medium;
  return Severity::low;
}

std::string category_of(std::string_view rule) {
  if (rule.starts_with("performance-")) return "performance";
  if (rule.starts_with("readability-") || rule.starts_with("modernize-")) return "maintainability";
  return "correctness";
}

std::optional<std::uint64_t> number(const Json& object, std::string_view key) {
  return parse_unsigned(string_or(object, key));
}

// All of a diagnostic's replacements, or none of them.
std::optional<FixIt> fixit_of(const Json& message, const Finding& finding, SourceTree& tree) {
  const Json* replacements = find_member(message, "Replacements");
  if (replacements == nullptr || !replacements->is_array()) return std::nullopt;
  std::vector<Edit> edits;
  for (const Json& item : *replacements) {
    const auto file = tree.relative(string_or(item, "FilePath"));
    const auto offset = number(item, "Offset"), length = number(item, "Length");
    const Json* text = find_member(item, "ReplacementText");
    const auto content = file ? tree.text(*file) : nullptr;
    if (content == nullptr || !offset || !length || text == nullptr || !text->is_string())
      return std::nullopt;
    if (*offset > content->bytes().size() || *length > content->bytes().size() - *offset) return std::nullopt;
    edits.push_back({*file, *offset, *length, text->get<std::string>()});
  }
  const bool safe = std::find(kSafe.begin(), kSafe.end(), finding.rule) != kSafe.end();
  return make_fixit(finding.title, safe, std::move(edits));
}

void set_place_by_offset(Finding& finding, std::uint64_t offset, SourceTree& tree) {
  const auto text = tree.text(finding.file);
  if (text == nullptr || offset > text->bytes().size()) return;
  const TextPlace place = text->place(offset);
  finding.line = place.line;
  finding.column = place.column;
}

std::string where(const Json& message, SourceTree& tree) {
  const std::string reported = string_or(message, "FilePath");
  return tree.relative(reported).value_or(reported);
}

} // namespace

// One unit per call: whether a unit could be compiled decides what its diagnostics are worth.
ClangTidy::ClangTidy(ProcessRunner& processes)
    : ToolAnalyzer(processes,
                   {.name = "clang-tidy",
                    .programs = {"clang-tidy", "clang-tidy-19", "clang-tidy-18", "clang-tidy-17",
                                 "clang-tidy-16", "clang-tidy-15", "clang-tidy-14"},
                    .remedy = "apt-get install clang-tidy",
                    .files_per_call = 1,
                    .parallel_calls = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, 16)}) {}

bool ClangTidy::understands(std::string_view path) const {
  return has_extension(path, {"c", "cc", "cpp", "cxx", "c++"});
}

ToolCall ClangTidy::call(const std::vector<std::string>& files, const AnalysisRequest& request,
                         SourceTree& tree) const {
  const fs::path temp = request.temp.empty() ? fs::temp_directory_path() : fs::path(request.temp);
  ToolCall made{{"--quiet"}, (temp / ("clang-tidy-" + random_hex(8) + ".yaml")).string()};
  made.arguments.push_back("--export-fixes=" + made.report_file);
  if (!has_configuration(files.front().substr(2), tree)) {
    made.arguments.push_back("--checks=" + std::string(kChecks));
    made.arguments.push_back("--header-filter=.*");
  }
  const std::string standard = is_c(files.front()) ? "-std=c11" : "-std=c++17";
  const std::string commands = compile_commands_directory(tree);
  // Without -std clang takes an older language than g++ does. Put before, so that what the project says wins.
  if (!commands.empty())
    made.arguments.insert(made.arguments.end(), {"-p=" + commands, "--extra-arg-before=" + standard});
  made.arguments.insert(made.arguments.end(), files.begin(), files.end());
  if (commands.empty()) {
    made.arguments.insert(made.arguments.end(), {"--", standard});
    for (const char* directory : {".", "src", "include"})
      if (tree.exists(directory)) made.arguments.push_back(std::string("-I") + directory);
  }
  return made;
}

std::string ClangTidy::remark(SourceTree& tree) const {
  return compile_commands_directory(tree).empty() ? "no compile_commands.json: the compiler flags are guessed"
                                                  : "";
}

Result<ToolOutput> ClangTidy::parse(const ProcessResult& result, const std::string& report,
                                    SourceTree& tree) const {
  if (!report.empty()) return parse_clang_tidy(report, tree);
  // It writes no report when there is nothing to report; then it prints nothing either.
  if (result.exit_code != 0 || !trim(result.out).empty())
    return fail(
        ErrorCode::io,
        "no report; " + first_line(clean_text(trim(result.err).empty() ? result.out : result.err), 160));
  return ToolOutput{};
}

Result<ToolOutput> parse_clang_tidy(std::string_view yaml, SourceTree& tree) {
  TRY_ASSIGN(const Json root, parse_fixes_yaml(yaml));
  const Json* diagnostics = find_member(root, "Diagnostics");
  if (diagnostics == nullptr || !diagnostics->is_array()) return fail(ErrorCode::io, "it has no diagnostics");
  ToolOutput output;
  for (const Json& item : *diagnostics) {
    const std::string rule = string_or(item, "DiagnosticName");
    const Json* message = find_member(item, "DiagnosticMessage");
    if (rule.empty() || message == nullptr)
      return fail(ErrorCode::io, "a diagnostic has no name or no message");
    if (rule == kCompilerError) {
      if (output.unanalyzed.empty())
        output.unanalyzed.push_back(where(*message, tree) + ": " + string_or(*message, "Message"));
      continue;
    }
    const auto file = tree.relative(string_or(*message, "FilePath"));
    if (!file || !reason_by_name(*file).empty()) continue; // a header of somebody else
    Finding finding = make_finding("clang-tidy", rule, severity_of(rule), category_of(rule), *file,
                                   string_or(*message, "Message", rule));
    if (const auto offset = number(*message, "FileOffset")) set_place_by_offset(finding, *offset, tree);
    finding.fixit = fixit_of(*message, finding, tree);
    output.findings.push_back(std::move(finding));
  }
  if (!output.unanalyzed.empty())
    for (Finding& finding : output.findings) finding.fixit.reset();
  return output;
}

} // namespace emend
