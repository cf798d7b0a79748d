#include "base/strings.hpp"
#include "config/config_rows.hpp"
#include "model/finding.hpp"
#include "model/known_analyzers.hpp"

namespace emend {

namespace {

using namespace config_rows;

Texts severity_words() {
  Texts words;
  for (const Severity severity :
       {Severity::critical, Severity::high, Severity::medium, Severity::low, Severity::info})
    words.emplace_back(to_string(severity));
  return words;
}

ConfigKey severity(std::string name, const char* fallback, std::string doc, const Texts& more = {}) {
  Texts words = severity_words();
  words.insert(words.end(), more.begin(), more.end());
  return text(std::move(name), std::string(fallback), std::move(doc), std::move(words));
}

// What is left out of a review is the project's own business; what programs run on whose machine is not.
std::vector<ConfigKey> what_is_shown() {
  ConfigKey per_file{"review.per_file_ignores", KeyType::lists, Json::object(),
                     "rules to leave out in some files: { \"tests/**\" = [\"S101\"] }"};
  return {
      text_list("review.analyzers", {"all"},
                "which analyzers: all, none, names; -NAME leaves one out: [\"all\", \"-codespell\"]"),
      text_list("review.exclude", {},
                "files and directories that are not reviewed; a glob with ! in front takes files back"),
      text_list("review.include", {}, "review only these files and directories; empty = all"),
      text_list("review.select", {},
                "report only these rules: names, beginnings before digits (F4), patterns (bugprone-*), or "
                "ANALYZER: for all of one; empty = all"),
      text_list("review.ignore", {}, "rules that are not reported, named like those of review.select"),
      per_file,
      boolean("review.strict", false, "report rules that are mostly noise, too"),
      severity("review.min_severity", "info", "report only issues of at least this severity"),
      severity("review.fail_on", "high", "exit 1 if an open issue has at least this severity", {"never"}),
      integer("review.max_findings", 50, 0, 1'000'000,
              "most issues shown on a terminal, the most severe first; 0 = all"),
  };
}

std::string names_with_project_code() {
  Texts names;
  for (const KnownAnalyzer& tool : known_analyzers())
    if (tool.project_code) names.push_back(tool.name);
  return join(names, ", ");
}

// A command line, or what becomes part of one.
std::vector<ConfigKey> what_is_run() {
  ConfigKey output = trusted(
      pattern("analyzers.*.output", KeyType::text, "where it prints its report: stdout (default), stderr"));
  output.choices = {"stdout", "stderr"};
  return {
      trusted(
          boolean("review.project_tools", false,
                  "run the project's own tools (node_modules/.bin, .venv/bin), and tools that run code of "
                  "the project: " +
                      names_with_project_code())),
      trusted(
          pattern("analyzers.*.command", KeyType::argv,
                  "program and arguments; {files} stands for the files, {file} for one at a time; without "
                  "either it finds them itself")),
      trusted(pattern("analyzers.*.arguments", KeyType::text_list,
                      "more arguments for a known analyzer, before the files")),
      trusted(pattern("analyzers.*.files", KeyType::text_list, "globs of the files it understands")),
      trusted(pattern(
          "analyzers.*.format", KeyType::text,
          "format of its report: sarif, rdjson, checkstyle, eslint, text, ..., msvc, github, stylelint "
          "(unix), or regex")),
      trusted(pattern("analyzers.*.regex", KeyType::text,
                      "format regex: RE2 of a line, with the groups file, line, column, severity, rule, "
                      "message")),
      output,
      trusted(pattern("analyzers.*.exit_codes", KeyType::text_list,
                      "exit codes of a run that did its work (default 0 and 1)")),
      trusted(
          pattern("analyzers.*.fix", KeyType::argv,
                  "program and arguments that change the files at {files} (or {file}, one at a time); it is "
                  "run on a private copy, and what it changes becomes the fix-its")),
      trusted(pattern("analyzers.*.fix_exit_codes", KeyType::text_list,
                      "exit codes of a fix that did its work (default 0 and 1)")),
      trusted(
          pattern("analyzers.*.needs", KeyType::text_list, "it has work only where one of these files is")),
      trusted(pattern("analyzers.*.version", KeyType::text_list,
                      "arguments that make it print its version (default --version)")),
      trusted(pattern("analyzers.*.install", KeyType::text, "how to install it, for emend doctor")),
  };
}

} // namespace

std::vector<ConfigKey> review_keys() {
  std::vector<ConfigKey> keys = what_is_shown();
  for (ConfigKey& key : what_is_run()) keys.push_back(std::move(key));
  return keys;
}

} // namespace emend
