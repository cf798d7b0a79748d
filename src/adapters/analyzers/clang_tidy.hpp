// clang-tidy: C and C++ translation units; findings and fix-its from --export-fixes.
#pragma once

#include "adapters/analyzers/tool_analyzer.hpp"

namespace emend {

class ClangTidy : public ToolAnalyzer {
public:
  explicit ClangTidy(ProcessRunner& processes);
  [[nodiscard]] bool understands(std::string_view path) const override;

protected:
  [[nodiscard]] ToolCall call(const std::vector<std::string>& files, const AnalysisRequest& request,
                              SourceTree& tree) const override;
  [[nodiscard]] Result<ToolOutput> parse(const ProcessResult& result, const std::string& report,
                                         SourceTree& tree) const override;
  [[nodiscard]] std::string remark(SourceTree& tree) const override;
};

// The report of one translation unit. A compiler error is no finding: the unit counts as not analyzed, and
// without a whole syntax tree the other diagnostics' fix-its are not to be trusted, so they are dropped.
[[nodiscard]] Result<ToolOutput> parse_clang_tidy(std::string_view yaml, SourceTree& tree);

} // namespace emend
