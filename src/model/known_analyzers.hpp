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

struct KnownAnalyzer {
  std::string name;                       // "shellcheck"
  std::string home_page;                  // SARIF viewers link it
  std::string install;                    // how to get it: "apt-get install shellcheck"
  std::string instead_of;                 // the analyzer that reports the same and more; empty = none
  std::vector<std::string> programs;      // names to look for in PATH, best first
  std::vector<std::string> extensions;    // of the files it understands: "sh"
  std::vector<std::string> configuration; // globs of files that steer it: a fix may not change them
  std::string report;                     // the format of its report, by its name for `import --from`
  std::vector<std::string> arguments;     // what stands before the files on its command line
  std::vector<int> exit_codes = {0, 1};   // of a run that did its work
  std::size_t files_per_call = 200;
  std::uint64_t max_file_bytes = 1'000'000;
  std::size_t parallel_calls = 1;
  // By the start of the rule or of the tool's own word for the severity. The first row that fits wins.
  std::vector<std::pair<std::string, Severity>> severities;
  std::vector<std::pair<std::string, std::string>> categories;
  std::vector<std::string> safe_rules; // whose fix-its keep what the program does
};

[[nodiscard]] const std::vector<KnownAnalyzer>& known_analyzers();
// Adds a row. Call it before anything reads the table; references to rows become invalid.
void add_known_analyzer(KnownAnalyzer row);
// nullptr: not one of them.
[[nodiscard]] const KnownAnalyzer* find_known_analyzer(std::string_view name);
// The row of an analyzer that is part of the program. Throws std::out_of_range for any other name.
[[nodiscard]] const KnownAnalyzer& known_analyzer(std::string_view name);

// words: the rule and what the tool calls its severity, in any order. nullopt: no row fits.
[[nodiscard]] std::optional<Severity> severity_by(const KnownAnalyzer& tool,
                                                  std::initializer_list<std::string_view> words);
[[nodiscard]] std::string category_by(const KnownAnalyzer& tool,
                                      std::initializer_list<std::string_view> words);

} // namespace emend
