// Ruff: Python, with fixes. The program where it is installed; else its npm build, run by Node.
#pragma once

#include "adapters/analyzers/tool_analyzer.hpp"

namespace emend {

class Ruff : public ToolAnalyzer {
public:
  explicit Ruff(ProcessRunner& processes);
  [[nodiscard]] bool understands(std::string_view path) const override;

protected:
  [[nodiscard]] ToolCall call(const std::vector<std::string>& files, const AnalysisRequest& request,
                              SourceTree& tree) const override;
  [[nodiscard]] bool may_exit_with(int code) const override { return code == 0; }
  [[nodiscard]] Result<ToolOutput> parse(const ProcessResult& result, const std::string& report,
                                         SourceTree& tree) const override;
};

// The npm package @astral-sh/ruff-wasm-nodejs in a global node_modules directory. It cannot read a project's
// configuration, so it works only for projects that have none, and never beside the program.
class RuffWasm : public ToolAnalyzer {
public:
  explicit RuffWasm(ProcessRunner& processes);
  [[nodiscard]] bool understands(std::string_view path) const override;

protected:
  [[nodiscard]] std::string why_skipped(SourceTree& tree) const override;
  [[nodiscard]] std::string find_program(const SourceTree* tree) const override;
  [[nodiscard]] std::vector<std::string> version_arguments() const override;
  [[nodiscard]] ToolCall call(const std::vector<std::string>& files, const AnalysisRequest& request,
                              SourceTree& tree) const override;
  [[nodiscard]] bool may_exit_with(int code) const override { return code == 0; }
  [[nodiscard]] Result<ToolOutput> parse(const ProcessResult& result, const std::string& report,
                                         SourceTree& tree) const override;
};

// `ruff check --output-format json`; the npm build's driver prints the same without "applicability".
[[nodiscard]] Result<ToolOutput> parse_ruff(std::string_view json, SourceTree& tree);

} // namespace emend
