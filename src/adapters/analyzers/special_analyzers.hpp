// Analyzers that need more than their row in model/known_analyzers.hpp says. Inside this folder only.
#pragma once

#include <memory>

#include "adapters/analyzers/tool_analyzer.hpp"

namespace emend {

using MakeAnalyzer = std::unique_ptr<ToolAnalyzer>(const KnownAnalyzer&, ProcessRunner&, ProjectCode);
MakeAnalyzer make_clang_tidy, make_cppcheck;                        // c_analyzers.cpp
MakeAnalyzer make_ruff_wasm, make_flake8, make_pyflakes, make_mypy; // python_analyzers.cpp
MakeAnalyzer make_shellcheck, make_eslint, make_biome;              // script_analyzers.cpp
MakeAnalyzer make_checkstyle, make_javac;                           // java_analyzers.cpp
MakeAnalyzer make_codespell;                                        // codespell.cpp

} // namespace emend
