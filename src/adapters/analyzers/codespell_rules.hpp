// What a project tells codespell to leave alone, wherever it says so: codespell's own configuration and that
// of its pre-commit hook.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/analyzers/pre_commit.hpp"
#include "adapters/analyzers/source_tree.hpp"

namespace emend {

struct CodespellRules {
  std::set<std::string> words;       // lower case
  std::vector<std::string> skipped;  // globs as codespell takes them
  std::vector<FilePattern> excluded; // of the hook: files that match are not its business
  std::vector<FilePattern> only;     // of the hook: so are files that match none of these, if there are any
  std::string unclear; // a file that says something about it which cannot be read here; empty = all was read

  [[nodiscard]] bool ignores(const std::string& file, const std::string& word) const;
};

// .codespellrc, setup.cfg, pyproject.toml, .pre-commit-config.yaml, and the files with words these name.
[[nodiscard]] CodespellRules read_codespell_rules(SourceTree& tree);

// The entries of a list in "[section]" of an INI or TOML file: "a, b", one a line, or an array.
[[nodiscard]] std::vector<std::string> listed_in(std::string_view text, std::string_view section,
                                                 std::string_view key);

} // namespace emend
