// The static analyzers emend knows, one row each. Whatever else must know about a tool reads its row: the
// adapter that runs it, the reader of its report, doctor, protected paths, SARIF output, init.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/finding.hpp"

namespace emend {

// A rule that reports little that anybody would change. Left out of reviews unless --strict asks for it.
struct QuietRule {
  std::string rule;  // see names_rule() in review_rules.hpp
  std::string files; // a glob: only there; empty = everywhere
  std::string why;   // for people
};

struct KnownAnalyzer {
  std::string name;                       // "shellcheck"
  std::string home_page;                  // SARIF viewers link it
  std::string install;                    // how to get it: "apt-get install shellcheck"
  std::string instead_of;                 // the analyzer that reports the same and more; empty = none
  std::vector<std::string> programs;      // names to look for in PATH, best first
  std::vector<std::string> extensions;    // of the files it understands: "sh"
  std::vector<std::string> files{};       // globs of more of them: "Dockerfile", ".github/workflows/*.yml"
  std::vector<std::string> configuration; // globs of files that steer it: a fix may not change them
  // A file that steers others too, and how the line begins that opens this tool's part of it.
  std::vector<std::pair<std::string, std::string>> sections{};
  // It says much about code that was not written with it: only where the project configures it.
  bool configured_only = false;
  std::vector<std::string> hooks{}; // ids of pre-commit hooks that run it, beside its own name
  // Arguments of such a hook that are not taken over: they change files, or steer what is printed and where.
  // "NAME=" takes its value along, "NAME*" is a beginning.
  std::vector<std::string> not_from_hook{};
  bool runs_scripts = false;          // its program is an interpreter: given a script, it is another tool
  std::string report;                 // the format of its report, by its name for `import --from`;
                                      // "difference": it reports nothing, it changes files, see `fix`
  std::string pattern{};              // report "regex": RE2 of a line, with groups file, line, column,
                                      // severity, rule, message; lines that do not match are left out
  bool on_stderr = false;             // where it prints its report
  std::vector<std::string> arguments; // what stands before the files on its command line, or around
                                      // "{files}"; "{temp}" is a private directory
  // What the configuration adds: where "{more}" stands, else before the files. Goes into `fix`, too.
  std::vector<std::string> more_arguments{};
  std::vector<int> exit_codes = {0, 1}; // of a run that did its work
  std::size_t files_per_call = 200;
  std::uint64_t max_file_bytes = 1'000'000;
  std::size_t parallel_calls = 1;
  std::vector<std::string> version_arguments = {"--version"};
  bool whole_project = false; // it finds the files itself
  // It runs code of the project, or says little without the project's own packages: only where a person
  // allowed the project's tools.
  bool project_code = false;
  // By which name a project asks for a version of its own, which may judge otherwise than the one installed
  // for all; empty = its versions agree.
  std::string package{};
  std::vector<std::string> needs{};       // it has work only where one of these files is; empty = everywhere
  std::vector<std::string> environment{}; // NAME=VALUE; "~" is the person's home, "{temp}" a private
                                          // directory; a value the person has set wins
  // Globs of files that have a say in what it reports about others; a kept result counts only while they
  // are the same.
  std::vector<std::string> depends = {"**"};
  bool follows_includes = false; // so do the files it includes
  // Words of the comments that have a say in what it reports, in any case; nullopt = any comment may have.
  std::optional<std::vector<std::string>> comment_words{};
  // Arguments with which it changes the files it is given, where it can do more than its report says: it is
  // run on a private copy, and the difference becomes the fix-its. The files stand at "{files}", else last.
  std::vector<std::string> fix{};
  std::vector<std::string> fix_programs{}; // another program for that, named like `programs`
  std::vector<int> fix_exit_codes = {0, 1};
  bool fixes_are_safe = false; // by the tool's own word they keep what the program does
  bool on_request = false;     // nobody is told to install it who has no files for it
  // By the start of the rule or of the tool's own word for the severity. The first row that fits wins.
  std::vector<std::pair<std::string, Severity>> severities;
  std::vector<std::pair<std::string, std::string>> categories;
  std::vector<std::string> safe_rules; // whose fix-its keep what the program does
  std::vector<QuietRule> quiet{};
  // With which rules, see names_rule(), or words it says that it cannot see what the code or its own
  // configuration imports. Then what else it says may be untrue.
  std::vector<std::string> blind_rules{}, blind_words{};
  // Rules, see names_rule(), that it reports only where it sees all it needs: they hold nevertheless.
  std::vector<std::string> sure_rules{};
  // Words with which it says that the project asks for a newer one than it is.
  std::vector<std::string> outdated_words{};
  std::string packages{}; // what gets the packages the project depends on: "go mod download"
  // Rules, see names_rule(), that mean little where a test, an example or a benchmark breaks them.
  std::vector<std::string> quiet_in_samples{};
  // Where a rule is explained. "{rule}" stands for its name, "{lower}" for that in small letters, "{name}"
  // for what stands after its last "/" or ":", "{group}" ("{lower_group}") and "{rest}" for what stands
  // before and after its first "-" or "/".
  std::string rule_page{};
  std::string rule_form{}; // RE2 of the names of its rules; empty = no form tells them from others
  // Arguments with which it explains "{rule}" or "{name}"; empty = it cannot.
  std::vector<std::string> explain{};
};

[[nodiscard]] const std::vector<KnownAnalyzer>& known_analyzers();
// The rows it starts with: catalogue/.
[[nodiscard]] std::vector<KnownAnalyzer> catalogue_rows();
// Adds a row. Call it before anything reads the table; references to rows become invalid.
void add_known_analyzer(KnownAnalyzer row);
// nullptr: not one of them.
[[nodiscard]] const KnownAnalyzer* find_known_analyzer(std::string_view name);
// The row of an analyzer that is part of the program. Throws std::out_of_range for any other name.
[[nodiscard]] const KnownAnalyzer& known_analyzer(std::string_view name);

// The page about the rule, or the tool's own; see rule_page.
[[nodiscard]] std::string page_of_rule(const KnownAnalyzer& tool, std::string_view rule);
// "noDoubleEquals" of "lint/suspicious/noDoubleEquals".
[[nodiscard]] std::string_view last_name(std::string_view rule);

// words: the rule and what the tool calls its severity, in any order. nullopt: no row fits.
[[nodiscard]] std::optional<Severity> severity_by(const KnownAnalyzer& tool,
                                                  std::initializer_list<std::string_view> words);
[[nodiscard]] std::string category_by(const KnownAnalyzer& tool,
                                      std::initializer_list<std::string_view> words);

} // namespace emend
