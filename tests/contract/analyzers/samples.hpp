// Outputs in the tools' formats, for parsers: the files they are about are in sample_tree().
#pragma once

#include <map>
#include <string>

namespace emend {

// ROOT in a sample stands for the tree's path.
struct Samples {
  std::map<std::string, std::string> files; // the tree
  std::string shellcheck, codespell, clang_tidy, cppcheck, eslint, biome, flake8, pyflakes, ruff;
};
[[nodiscard]] Samples samples(const std::string& root);

} // namespace emend
