// [analyzers.NAME] of the configuration as rows of the table of analyzers.
#include <algorithm>
#include <set>
#include <utility>

#include "base/strings.hpp"
#include "config/config.hpp"

namespace emend {

namespace {

Result<std::vector<int>> exit_codes(const std::vector<std::string>& words, const std::string& name) {
  std::vector<int> codes;
  for (const std::string& word : words) {
    const auto code = parse_unsigned(word);
    if (!code || *code > 255)
      return fail(ErrorCode::config, "analyzers." + name + ": \"" + word + "\" is not an exit code");
    codes.push_back(static_cast<int>(*code));
  }
  return codes;
}

void use_command(KnownAnalyzer& row, std::vector<std::string> command) {
  row.programs = {command.front()};
  row.arguments.assign(command.begin() + 1, command.end());
  row.whole_project = true;
  for (std::string& argument : row.arguments) {
    if (argument == "{file}") row.files_per_call = 1, argument = "{files}";
    if (argument == "{files}") row.whole_project = false;
  }
}

// A tool that changes files is given some: what it changed elsewhere nobody would put back.
Status use_fix(KnownAnalyzer& row, std::vector<std::string> command) {
  row.fix_programs = {command.front()};
  row.fix.assign(command.begin() + 1, command.end());
  for (std::string& argument : row.fix)
    if (argument == "{file}") row.files_per_call = 1, argument = "{files}";
  if (std::find(row.fix.begin(), row.fix.end(), "{files}") != row.fix.end()) return {};
  return fail(ErrorCode::config, "analyzers." + row.name + ".fix names no files",
              "write where they stand: fix = [\"" + command.front() + "\", \"--fix\", \"{files}\"]");
}

// Formats that are a line for each finding; the reader is the one for expressions.
constexpr std::pair<std::string_view, const char*> kLineFormats[] = {
    {"msvc",
     R"(^\s*(?P<file>[^()]+?)\((?P<line>\d+)(?:,(?P<column>\d+))?[^)]*\)\s*: (?:fatal )?)"
     R"((?P<severity>error|warning|info|note|message)(?: (?P<rule>[A-Za-z]+\d+))? ?: (?P<message>.*)$)"},
    {"github", R"(^::(?P<severity>error|warning|notice) (?:[^:]*,)?file=(?P<file>[^,:]+),line=(?P<line>\d+))"
               R"((?:,endLine=\d+)?(?:,col(?:umn)?=(?P<column>\d+))?[^:]*::)"
               R"((?:(?P<rule>[A-Z][\w-]*\d|[A-Z]\w*(?:/\w+)+): )?(?P<message>.*)$)"},
    {"stylelint",
     R"(^(?P<file>[^:]+):(?P<line>\d+):(?P<column>\d+): (?P<message>.*?)(?: \((?P<rule>[\w/-]+)\))? )"
     R"(\[(?P<severity>error|warning)\]$)"}};

void use_format(KnownAnalyzer& row, const std::string& format) {
  row.report = format;
  for (const auto& [name, pattern] : kLineFormats)
    if (name == format) row.report = "regex", row.pattern = pattern;
  if (format == "github" || format == "msvc")
    row.severities.insert(row.severities.end(), {{"notice", Severity::info}, {"message", Severity::info}});
}

// It reports nothing, it only writes files differently.
void make_formatter(KnownAnalyzer& row) {
  row.report = "difference";
  row.severities = {{"", Severity::info}};
  row.categories = {{"", "style"}};
}

} // namespace

Result<std::vector<KnownAnalyzer>> Config::analyzer_rows() const {
  std::set<std::string> names;
  for (const auto& [key, setting] : settings_)
    if (key.starts_with("analyzers.")) names.insert(split(key, '.')[1]);
  std::vector<KnownAnalyzer> rows;
  for (const std::string& name : names) {
    const std::string prefix = "analyzers." + name + ".";
    const auto is_set = [&](const char* member) { return settings_.contains(prefix + member); };
    const KnownAnalyzer* known = find_known_analyzer(name);
    if (known == nullptr && !is_set("command") && !is_set("fix"))
      return fail(ErrorCode::config, "analyzers." + name + " has no command",
                  "write: command = [\"" + name + "\", \"{files}\"]");
    KnownAnalyzer row = known == nullptr ? KnownAnalyzer{.name = name, .report = "text"} : *known;
    row.on_request = known != nullptr && known->on_request;
    if (is_set("command")) use_command(row, list(prefix + "command"));
    if (is_set("arguments")) row.more_arguments = list(prefix + "arguments");
    if (is_set("fix")) {
      TRY(use_fix(row, list(prefix + "fix")));
      if (known == nullptr && !is_set("command")) make_formatter(row), row.programs = row.fix_programs;
    }
    if (is_set("files")) row.files = list(prefix + "files"), row.extensions.clear();
    if (is_set("format")) use_format(row, text(prefix + "format"));
    if (is_set("regex")) row.pattern = text(prefix + "regex"), row.report = "regex";
    if (is_set("output")) row.on_stderr = text(prefix + "output") == "stderr";
    if (is_set("needs")) row.needs = list(prefix + "needs");
    if (is_set("version")) row.version_arguments = list(prefix + "version");
    if (is_set("install")) row.install = text(prefix + "install");
    if (is_set("exit_codes")) {
      TRY_ASSIGN(row.exit_codes, exit_codes(list(prefix + "exit_codes"), name + ".exit_codes"));
    }
    if (is_set("fix_exit_codes")) {
      TRY_ASSIGN(row.fix_exit_codes, exit_codes(list(prefix + "fix_exit_codes"), name + ".fix_exit_codes"));
    }
    if (row.install.empty()) row.install = "the program " + row.programs.front();
    rows.push_back(std::move(row));
  }
  return rows;
}

} // namespace emend
