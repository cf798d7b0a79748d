// What the analyzer suites share: a small tree, all analyzers with a real runner, tools that misbehave on a
// private PATH.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "adapters/analyzers/analyzers.hpp"
#include "adapters/process/supervised_runner.hpp"
#include "base/files.hpp"

namespace emend {

class AnalyzerTest : public testing::Test {
protected:
  AnalyzerTest();
  ~AnalyzerTest() override;

  void write(const std::string& file, const std::string& bytes) const;
  [[nodiscard]] std::string read(const std::string& file) const;
  [[nodiscard]] Analyzer& analyzer(const std::string& name) const;
  [[nodiscard]] Analysis run(const std::string& name, const std::vector<std::string>& files,
                             std::stop_token stop = {});
  // The same; when the tool is not installed here, checks that exactly this is said, and returns nothing.
  [[nodiscard]] std::optional<Analysis> run_if_installed(const std::string& name,
                                                         const std::vector<std::string>& files);
  // Changes the files as the finding's fix-it says.
  void apply(const Finding& finding) const;

  // From now on PATH holds only this directory; write_tool puts programs there.
  fs::path use_private_path();
  void write_tool(const std::string& name, const std::string& script) const;

  TemporaryDirectory scratch_;
  fs::path tree_;
  SupervisedRunner runner_;
  std::vector<std::unique_ptr<Analyzer>> analyzers_;
  AnalysisRequest request_;

private:
  std::string path_before_;
};

[[nodiscard]] const Finding* find_rule(const std::vector<Finding>& findings, const std::string& rule);
[[nodiscard]] std::vector<std::string> rules_of(const std::vector<Finding>& findings);

} // namespace emend
