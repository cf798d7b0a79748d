#include "adapters/analyzers/analyzers.hpp"

#include "adapters/analyzers/biome.hpp"
#include "adapters/analyzers/builtin.hpp"
#include "adapters/analyzers/clang_tidy.hpp"
#include "adapters/analyzers/codespell.hpp"
#include "adapters/analyzers/cppcheck.hpp"
#include "adapters/analyzers/eslint.hpp"
#include "adapters/analyzers/flake8.hpp"
#include "adapters/analyzers/ruff.hpp"
#include "adapters/analyzers/shellcheck.hpp"

namespace emend {

std::vector<std::unique_ptr<Analyzer>> make_analyzers(ProcessRunner& processes, ProjectCode project_code) {
  std::vector<std::unique_ptr<Analyzer>> analyzers;
  analyzers.push_back(std::make_unique<Builtin>());
  analyzers.push_back(std::make_unique<ClangTidy>(processes));
  analyzers.push_back(std::make_unique<Cppcheck>(processes));
  analyzers.push_back(std::make_unique<Shellcheck>(processes));
  analyzers.push_back(std::make_unique<Ruff>(processes));
  analyzers.push_back(std::make_unique<RuffWasm>(processes));
  analyzers.push_back(std::make_unique<Flake8>(processes, project_code));
  analyzers.push_back(std::make_unique<Pyflakes>(processes));
  analyzers.push_back(std::make_unique<Eslint>(processes, project_code));
  analyzers.push_back(std::make_unique<Biome>(processes));
  analyzers.push_back(std::make_unique<Codespell>(processes));
  return analyzers;
}

} // namespace emend
