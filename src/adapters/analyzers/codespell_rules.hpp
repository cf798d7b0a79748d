// What a project tells codespell to leave alone, wherever it says so: codespell's own configuration and that
// of its pre-commit hook.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/analyzers/source_tree.hpp"

namespace re2 {
class RE2;
}

namespace emend {

// A regular expression of Python's that is searched for in a path.
class FilePattern {
public:
  // nullopt: it means nothing here, or something else than there.
  [[nodiscard]] static std::optional<FilePattern> parse(std::string text);
  [[nodiscard]] bool matches(const std::string& file) const;

private:
  explicit FilePattern(std::shared_ptr<const re2::RE2> regex) : regex_(std::move(regex)) {}
  std::shared_ptr<const re2::RE2> regex_;
};

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

// One hook of a .pre-commit-config.yaml.
struct PreCommitHook {
  std::vector<std::string> args;
  std::string files, exclude;
  bool unclear = false; // what it runs is no plain command line
};
struct PreCommitHooks {
  std::vector<PreCommitHook> hooks; // those with the id, or whose `entry` runs the program of that name
  std::string exclude;              // for all
  bool unclear = false;             // it cannot be read, and the id is in it
};
[[nodiscard]] PreCommitHooks read_pre_commit(std::string_view yaml, std::string_view id);

// The entries of a list in "[section]" of an INI or TOML file: "a, b", one a line, or an array.
[[nodiscard]] std::vector<std::string> listed_in(std::string_view text, std::string_view section,
                                                 std::string_view key);

} // namespace emend
