// What a project's .pre-commit-config.yaml says about the hooks that run one analyzer.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/analyzers/source_tree.hpp"
#include "model/known_analyzers.hpp"

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

struct PreCommitHook {
  std::vector<std::string> args;
  std::string files, exclude;
  bool unclear = false; // what it runs is no plain command line
};
struct PreCommitHooks {
  std::vector<PreCommitHook> hooks; // those with one of the analyzer's ids, or whose `entry` runs its program
  std::string exclude;              // for all
  bool unclear = false;             // it cannot be read, and the analyzer's name is in it
};
[[nodiscard]] PreCommitHooks read_pre_commit(std::string_view yaml, const KnownAnalyzer& tool);

// Of a hook's arguments those that an analysis can take over: none that write files or steer what is printed
// (see KnownAnalyzer::not_from_hook), no subcommands, no paths, and nothing after "--".
[[nodiscard]] std::vector<std::string> arguments_to_take(const KnownAnalyzer& tool,
                                                         const std::vector<std::string>& words);

// What the hooks leave to the analyzer, and with which arguments.
struct HookRules {
  struct Files {
    std::vector<FilePattern> excluded, only;
  };
  std::vector<FilePattern> excluded; // by all
  std::vector<Files> hooks;
  std::vector<std::string> arguments; // of the first hook that has some

  [[nodiscard]] bool leaves_out(const std::string& file) const;
};
[[nodiscard]] HookRules read_hook(SourceTree& tree, const KnownAnalyzer& tool);

} // namespace emend
