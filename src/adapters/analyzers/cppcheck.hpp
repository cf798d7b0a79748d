// cppcheck: C and C++ sources; XML output, no fix-its.
#pragma once

#include "adapters/analyzers/tool_analyzer.hpp"

namespace emend {

class Cppcheck : public ToolAnalyzer {
public:
  explicit Cppcheck(ProcessRunner& processes);
  [[nodiscard]] bool understands(std::string_view path) const override;

protected:
  [[nodiscard]] ToolCall call(const std::vector<std::string>& files, const AnalysisRequest& request,
                              SourceTree& tree) const override;
  [[nodiscard]] Result<ToolOutput> parse(const ProcessResult& result, const std::string& report,
                                         SourceTree& tree) const override;
};

// `cppcheck --xml`, version 2 of the format.
[[nodiscard]] Result<ToolOutput> parse_cppcheck(std::string_view xml, SourceTree& tree);

} // namespace emend
