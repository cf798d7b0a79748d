// flake8, or pyflakes where only that is installed: Python; line output, no fix-its.
#pragma once

#include "adapters/analyzers/analyzers.hpp"
#include "adapters/analyzers/tool_analyzer.hpp"

namespace emend {

class Flake8 : public ToolAnalyzer {
public:
  Flake8(ProcessRunner& processes, ProjectCode project_code);
  [[nodiscard]] bool understands(std::string_view path) const override;

protected:
  [[nodiscard]] ToolCall call(const std::vector<std::string>& files, const AnalysisRequest& request,
                              SourceTree& tree) const override;
  [[nodiscard]] bool may_exit_with(int code) const override { return code == 0; }
  [[nodiscard]] Result<ToolOutput> parse(const ProcessResult& result, const std::string& report,
                                         SourceTree& tree) const override;
  [[nodiscard]] std::string remark(SourceTree& tree) const override;

private:
  // Local plugins are code of the repository, which flake8 would load.
  [[nodiscard]] bool must_ignore_configuration(SourceTree& tree) const;

  ProjectCode project_code_;
};

class Pyflakes : public ToolAnalyzer {
public:
  explicit Pyflakes(ProcessRunner& processes);
  [[nodiscard]] bool understands(std::string_view path) const override;

protected:
  [[nodiscard]] std::string why_skipped(SourceTree& tree) const override;
  [[nodiscard]] ToolCall call(const std::vector<std::string>& files, const AnalysisRequest& request,
                              SourceTree& tree) const override;
  [[nodiscard]] Result<ToolOutput> parse(const ProcessResult& result, const std::string& report,
                                         SourceTree& tree) const override;
};

[[nodiscard]] bool is_python(std::string_view path);
// By the code of flake8 and ruff: "F821", "E999".
[[nodiscard]] Severity python_severity(std::string_view code);
[[nodiscard]] std::string python_category(std::string_view code);

// Lines in the format the adapter asks for.
[[nodiscard]] Result<ToolOutput> parse_flake8(std::string_view text, SourceTree& tree);
// out: "./a.py:1:1: 'os' imported but unused". err: syntax errors, each with the source line and a caret
// below.
[[nodiscard]] Result<ToolOutput> parse_pyflakes(std::string_view out, std::string_view err, SourceTree& tree);

} // namespace emend
