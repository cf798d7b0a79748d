// Biome: JavaScript and TypeScript; JSON output. Its reports hold no edits, so there are no fix-its.
#pragma once

#include "adapters/analyzers/tool_analyzer.hpp"

namespace emend {

class Biome : public ToolAnalyzer {
public:
  explicit Biome(ProcessRunner& processes);
  [[nodiscard]] bool understands(std::string_view path) const override;

protected:
  [[nodiscard]] ToolCall call(const std::vector<std::string>& files, const AnalysisRequest& request,
                              SourceTree& tree) const override;
  [[nodiscard]] Result<ToolOutput> parse(const ProcessResult& result, const std::string& report,
                                         SourceTree& tree) const override;
};

// `biome lint --reporter=json`, of versions 1 and 2.
[[nodiscard]] Result<ToolOutput> parse_biome(std::string_view json, SourceTree& tree);

} // namespace emend
