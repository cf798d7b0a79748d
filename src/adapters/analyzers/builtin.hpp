// Rules that need no tool: what no project wants in its files, whatever the language.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/analyzers/code_mask.hpp"
#include "adapters/analyzers/result_cache.hpp"
#include "formats/source_text.hpp"
#include "model/finding.hpp"
#include "ports/analyzer.hpp"

namespace emend {

class Builtin : public Analyzer {
public:
  explicit Builtin(const AnalyzerSetup& setup)
      : cache_(setup.cache), repository_root_(setup.repository_root) {}

  [[nodiscard]] std::string_view name() const override { return "builtin"; }
  [[nodiscard]] bool understands(std::string_view) const override { return true; }
  [[nodiscard]] std::string version() override;
  [[nodiscard]] std::string remedy() const override { return "nothing to install"; }
  [[nodiscard]] std::string explain(std::string_view rule, std::stop_token stop) override;
  [[nodiscard]] Analysis run(const AnalysisRequest& request, std::stop_token stop) override;

private:
  [[nodiscard]] Analysis look(const AnalysisRequest& request, std::stop_token stop);

  ResultCache cache_;
  std::string repository_root_;
};

// One file as the rules see it.
struct RuleInput {
  const std::string& file;
  const SourceText& text;
  std::function<bool(const std::string&)> exists; // of other files of the tree
};
using RuleFindings = std::vector<Finding>;

// All rules on one file; of findings of one rule on one line the first is kept.
[[nodiscard]] RuleFindings builtin_findings(const RuleInput& input);

// The groups of rules.
void find_text_problems(const RuleInput& input, RuleFindings& findings); // text_rules.cpp
void find_code_problems(const RuleInput& input, RuleFindings& findings); // code_rules.cpp
void find_unsafe_strings(const RuleInput& input, const CodeMask& mask,
                         RuleFindings& findings);                       // string_rules.cpp, C and C++
void find_broken_links(const RuleInput& input, RuleFindings& findings); // link_rules.cpp

// A finding of rule "emend/<name>" at bytes [begin, end) of the file.
struct RuleHit {
  std::string_view name;
  Severity severity;
  std::string_view category;
  std::string message, suggestion;
  std::size_t begin, end;
};
Finding& add_finding(const RuleInput& input, RuleFindings& findings, const RuleHit& hit);

} // namespace emend
