// What around a tool's files has a say in its run: other files of the tree, the project's pre-commit hook,
// its installed packages.
#pragma once

#include <string>
#include <vector>

#include "adapters/analyzers/codespell_rules.hpp"
#include "adapters/analyzers/source_tree.hpp"
#include "model/known_analyzers.hpp"

namespace emend {

// Of the files that have a say in what is reported about others. Empty = there are too many to look at.
[[nodiscard]] std::string hash_of_others(const KnownAnalyzer& tool, const SourceTree& tree);

// Of the packages that are installed for the checkout: another set of them is another key.
[[nodiscard]] std::string packages_key(const std::string& repository_root);

// Names a program file as it is now: another version of it is another file. Empty = it cannot be told.
[[nodiscard]] std::string version_key(const std::string& program, const KnownAnalyzer& tool);

// What the project's .pre-commit-config.yaml says about the hook with this id.
struct HookRules {
  std::vector<FilePattern> excluded, only;
  std::vector<std::string> arguments;

  [[nodiscard]] bool leaves_out(const std::string& file) const;
};
[[nodiscard]] HookRules read_hook(SourceTree& tree, const std::string& id);

// Puts more arguments before the files; "--" and the files stay last.
void add_before_files(std::vector<std::string>& arguments, const std::vector<std::string>& more,
                      const std::vector<std::string>& files);

// Whether what the project says it depends on, or how it runs its checks, names this package.
[[nodiscard]] bool asks_for_package(SourceTree& tree, const std::string& package);

// A private tree has no installed packages; tools of the project look for them beside its files.
void link_packages(const AnalysisRequest& request, const std::string& repository_root);

} // namespace emend
