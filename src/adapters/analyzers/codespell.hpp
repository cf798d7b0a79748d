// codespell: common misspellings in any text.
#pragma once

#include "adapters/analyzers/tool_analyzer.hpp"

namespace emend {

class Codespell : public ToolAnalyzer {
public:
  explicit Codespell(ProcessRunner& processes);
  [[nodiscard]] bool understands(std::string_view path) const override;

protected:
  [[nodiscard]] std::string why_skipped(SourceTree& tree) const override;
  [[nodiscard]] ToolCall call(const std::vector<std::string>& files, const AnalysisRequest& request,
                              SourceTree& tree) const override;
  [[nodiscard]] bool may_exit_with(int code) const override { return code == 0 || code == 65; }
  [[nodiscard]] Result<ToolOutput> parse(const ProcessResult& result, const std::string& report,
                                         SourceTree& tree) const override;
  void settle(std::vector<Finding>& findings, SourceTree& tree) const override;
};

// Drops what the project's own rules ignore, and calls a correction safe where it is one (see spelling.hpp);
// of the others it says why not.
void judge_spellings(std::vector<Finding>& findings, SourceTree& tree);

// No fix-it is safe yet. Lines "./file:12: teh ==> the".
[[nodiscard]] Result<ToolOutput> parse_codespell(std::string_view text, SourceTree& tree);

// Whether a section "[name]" of an INI or TOML file sets one of the keys ("write-changes" and "write_changes"
// are the same).
[[nodiscard]] bool section_sets(std::string_view ini, std::string_view section,
                                std::initializer_list<std::string_view> keys);

} // namespace emend
