// Inside the table of known_analyzers.cpp: its rows, one file a group of languages, and what they share. A
// tool that needs no more than its row needs no other code.
#pragma once

#include "model/known_analyzers.hpp"

namespace emend {

using Severities = std::vector<std::pair<std::string, Severity>>;
using Categories = std::vector<std::pair<std::string, std::string>>;

// A linter's error is what its authors feel strongly about.
inline const Severities kTaste = {
    {"error", Severity::medium}, {"warning", Severity::low}, {"", Severity::info}};

// As many as the machine has, and no more than `most`.
[[nodiscard]] std::size_t cores(std::size_t most);

// What a formatter would write differently, a file at a time: such a row has a `fix` and no report.
[[nodiscard]] KnownAnalyzer formatter(KnownAnalyzer row);

[[nodiscard]] std::vector<KnownAnalyzer> c_family_rows();
[[nodiscard]] std::vector<KnownAnalyzer> shell_rows();
[[nodiscard]] std::vector<KnownAnalyzer> python_rows();
[[nodiscard]] std::vector<KnownAnalyzer> web_rows();
[[nodiscard]] std::vector<KnownAnalyzer> go_rows();
[[nodiscard]] std::vector<KnownAnalyzer> rust_rows();
[[nodiscard]] std::vector<KnownAnalyzer> java_rows();
[[nodiscard]] std::vector<KnownAnalyzer> ruby_php_rows();
[[nodiscard]] std::vector<KnownAnalyzer> settings_rows();
[[nodiscard]] std::vector<KnownAnalyzer> all_text_rows();

} // namespace emend
