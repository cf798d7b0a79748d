// ESLint: JavaScript and TypeScript of projects that have an ESLint configuration; JSON output with fixes.
#pragma once

#include "adapters/analyzers/analyzers.hpp"
#include "adapters/analyzers/tool_analyzer.hpp"

namespace emend {

class Eslint : public ToolAnalyzer {
public:
  Eslint(ProcessRunner& processes, ProjectCode project_code);
  [[nodiscard]] bool understands(std::string_view path) const override;

protected:
  [[nodiscard]] std::string why_unusable(std::string_view version) const override;
  [[nodiscard]] std::string why_skipped(SourceTree& tree) const override;
  [[nodiscard]] ToolCall call(const std::vector<std::string>& files, const AnalysisRequest& request,
                              SourceTree& tree) const override;
  [[nodiscard]] Result<ToolOutput> parse(const ProcessResult& result, const std::string& report,
                                         SourceTree& tree) const override;

private:
  ProjectCode project_code_;
};

[[nodiscard]] bool is_script(std::string_view path); // JavaScript or TypeScript

// `eslint --format json`. A rule's fix is safe by ESLint's own contract; a single suggestion becomes an
// unsafe one.
[[nodiscard]] Result<ToolOutput> parse_eslint(std::string_view json, SourceTree& tree);

} // namespace emend
