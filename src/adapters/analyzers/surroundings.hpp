// What around a tool's files has a say in its run: other files of the tree, the project's installed packages.
#pragma once

#include <string>
#include <vector>

#include "adapters/analyzers/source_tree.hpp"
#include "model/known_analyzers.hpp"

namespace emend {

// Of the files that have a say in what is reported about others. Empty = there are too many to look at.
[[nodiscard]] std::string hash_of_others(const KnownAnalyzer& tool, const SourceTree& tree);

// Of the packages that are installed for the checkout: another set of them is another key.
[[nodiscard]] std::string packages_key(const std::string& repository_root);

// Names a program file as it is now: another version of it is another file. Empty = it cannot be told.
[[nodiscard]] std::string version_key(const std::string& program, const KnownAnalyzer& tool);

// The files where "{files}" stands, else last, unless the tool finds them itself.
[[nodiscard]] std::vector<std::string> with_files(std::vector<std::string> arguments,
                                                  const std::vector<std::string>& files, bool finds_them);

// Puts more arguments where "{more}" stands, else before the files; "--" and the files stay last.
void add_before_files(std::vector<std::string>& arguments, const std::vector<std::string>& more,
                      const std::vector<std::string>& files);

// Whether what the project says it depends on, or how it runs its checks, names this package.
[[nodiscard]] bool asks_for_package(SourceTree& tree, const std::string& package);

// Whether the package.json of the checkout lists it, so that `npm install` there brings it along.
[[nodiscard]] bool npm_package_lists(const std::string& repository_root, const std::string& package);

// A private tree has no installed packages; tools of the project look for them beside its files.
void link_packages(const AnalysisRequest& request, const std::string& repository_root);

} // namespace emend
