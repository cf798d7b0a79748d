#include "adapters/analyzers/analyzers.hpp"

#include <algorithm>

#include "adapters/analyzers/builtin.hpp"
#include "adapters/analyzers/special_analyzers.hpp"

namespace emend {

namespace {

constexpr std::pair<std::string_view, MakeAnalyzer*> kSpecial[] = {{"clang-tidy", make_clang_tidy},
                                                                   {"cppcheck", make_cppcheck},
                                                                   {"shellcheck", make_shellcheck},
                                                                   {"ruff-wasm", make_ruff_wasm},
                                                                   {"flake8", make_flake8},
                                                                   {"pyflakes", make_pyflakes},
                                                                   {"mypy", make_mypy},
                                                                   {"checkstyle", make_checkstyle},
                                                                   {"javac", make_javac},
                                                                   {"eslint", make_eslint},
                                                                   {"biome", make_biome},
                                                                   {"codespell", make_codespell}};

std::unique_ptr<ToolAnalyzer> make_one(const KnownAnalyzer& row, ProcessRunner& processes,
                                       const AnalyzerSetup& setup) {
  const auto* special = std::find_if(std::begin(kSpecial), std::end(kSpecial),
                                     [&](const auto& one) { return one.first == row.name; });
  auto made = special == std::end(kSpecial)
                  ? std::make_unique<ToolAnalyzer>(processes, row)
                  : special->second(row, processes,
                                    setup.project_tools ? ProjectCode::allowed : ProjectCode::refused);
  made->use(setup);
  return made;
}

} // namespace

std::vector<std::unique_ptr<Analyzer>> make_analyzers(ProcessRunner& processes, const AnalyzerSetup& setup) {
  std::vector<std::unique_ptr<Analyzer>> analyzers;
  analyzers.push_back(std::make_unique<Builtin>(setup));
  std::vector<KnownAnalyzer> rows = known_analyzers();
  for (const KnownAnalyzer& given : setup.rows) {
    const auto known = std::find_if(rows.begin(), rows.end(),
                                    [&](const KnownAnalyzer& row) { return row.name == given.name; });
    if (known == rows.end())
      rows.push_back(given);
    else
      *known = given;
  }
  for (const KnownAnalyzer& row : rows) analyzers.push_back(make_one(row, processes, setup));
  return analyzers;
}

} // namespace emend
