// ShellCheck: shell scripts; json1 output with replacements.
#pragma once

#include "adapters/analyzers/tool_analyzer.hpp"

namespace emend {

class Shellcheck : public ToolAnalyzer {
public:
  explicit Shellcheck(ProcessRunner& processes);
  [[nodiscard]] bool understands(std::string_view path) const override;

protected:
  [[nodiscard]] bool wants(const std::string& file, const SourceTree& tree) const override;
  [[nodiscard]] ToolCall call(const std::vector<std::string>& files, const AnalysisRequest& request,
                              SourceTree& tree) const override;
  [[nodiscard]] Result<ToolOutput> parse(const ProcessResult& result, const std::string& report,
                                         SourceTree& tree) const override;
};

// `shellcheck --format=json1`.
[[nodiscard]] Result<ToolOutput> parse_shellcheck(std::string_view json, SourceTree& tree);

} // namespace emend
