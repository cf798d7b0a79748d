// [analyzers.NAME] of the configuration as rows of the table of analyzers.
#include <set>

#include "base/strings.hpp"
#include "config/config.hpp"

namespace emend {

namespace {

Result<std::vector<int>> exit_codes(const std::vector<std::string>& words, const std::string& name) {
  std::vector<int> codes;
  for (const std::string& word : words) {
    const auto code = parse_unsigned(word);
    if (!code || *code > 255)
      return fail(ErrorCode::config,
                  "analyzers." + name + ".exit_codes: \"" + word + "\" is not an exit code");
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

// Before "--" and the files, so that options stay options.
void add_arguments(KnownAnalyzer& row, const std::vector<std::string>& more) {
  auto at = row.arguments.end();
  if (at != row.arguments.begin() && (*(at - 1) == "--" || *(at - 1) == "{files}")) --at;
  row.arguments.insert(at, more.begin(), more.end());
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
    if (known == nullptr && !is_set("command"))
      return fail(ErrorCode::config, "analyzers." + name + " has no command",
                  "write: command = [\"" + name + "\", \"{files}\"]");
    KnownAnalyzer row = known == nullptr ? KnownAnalyzer{.name = name, .report = "text"} : *known;
    row.on_request = known != nullptr && known->on_request;
    if (is_set("command")) use_command(row, list(prefix + "command"));
    if (is_set("arguments")) add_arguments(row, list(prefix + "arguments"));
    if (is_set("files")) row.files = list(prefix + "files"), row.extensions.clear();
    if (is_set("format")) row.report = text(prefix + "format");
    if (is_set("regex")) row.pattern = text(prefix + "regex"), row.report = "regex";
    if (is_set("output")) row.on_stderr = text(prefix + "output") == "stderr";
    if (is_set("needs")) row.needs = list(prefix + "needs");
    if (is_set("version")) row.version_arguments = list(prefix + "version");
    if (is_set("install")) row.install = text(prefix + "install");
    if (is_set("exit_codes")) {
      TRY_ASSIGN(row.exit_codes, exit_codes(list(prefix + "exit_codes"), name));
    }
    if (row.install.empty()) row.install = "the program " + row.programs.front();
    rows.push_back(std::move(row));
  }
  return rows;
}

} // namespace emend
