#include "adapters/analyzers/analyzers.hpp"

#include <algorithm>

#include "adapters/analyzers/builtin.hpp"
#include "adapters/analyzers/special_analyzers.hpp"

namespace emend {

namespace {

constexpr std::pair<std::string_view, MakeAnalyzer*> kSpecial[] = {
    {"clang-tidy", make_clang_tidy}, {"cppcheck", make_cppcheck}, {"shellcheck", make_shellcheck},
    {"ruff-wasm", make_ruff_wasm},   {"flake8", make_flake8},     {"pyflakes", make_pyflakes},
    {"eslint", make_eslint},         {"biome", make_biome},       {"codespell", make_codespell}};

} // namespace

std::vector<std::unique_ptr<Analyzer>> make_analyzers(ProcessRunner& processes, ProjectCode project_code) {
  std::vector<std::unique_ptr<Analyzer>> analyzers;
  analyzers.push_back(std::make_unique<Builtin>());
  for (const KnownAnalyzer& row : known_analyzers()) {
    const auto* special = std::find_if(std::begin(kSpecial), std::end(kSpecial),
                                       [&](const auto& one) { return one.first == row.name; });
    analyzers.push_back(special == std::end(kSpecial) ? std::make_unique<ToolAnalyzer>(processes, row)
                                                      : special->second(row, processes, project_code));
  }
  return analyzers;
}

} // namespace emend
