#include "tests/contract/analyzers/analyzers_fixture.hpp"

#include <cstdlib>

#include "model/finding.hpp"
#include "tests/support/paths.hpp"

namespace emend {

AnalyzerTest::AnalyzerTest()
    : scratch_(TemporaryDirectory::create(fs::temp_directory_path(), "analyzer-test-").value()),
      tree_(scratch_.path() / "tree"),
      runner_(EMEND_EXEC_BINARY),
      analyzers_(make_analyzers(runner_, {{}, true, "", ""})),
      path_before_(std::getenv("PATH")) {
  for (const char* name : {"tree", "home", "temp"}) fs::create_directory(scratch_.path() / name);
  request_.root = tree_;
  request_.home = scratch_.path() / "home";
  request_.temp = scratch_.path() / "temp";
}

AnalyzerTest::~AnalyzerTest() { ::setenv("PATH", path_before_.c_str(), 1); }

void AnalyzerTest::write(const std::string& file, const std::string& bytes) const {
  ASSERT_TRUE(make_directories((tree_ / file).parent_path()));
  ASSERT_TRUE(write_scratch_file(tree_ / file, bytes));
}

std::string AnalyzerTest::read(const std::string& file) const {
  return read_file(tree_ / file).value_or("?");
}

Analyzer& AnalyzerTest::analyzer(const std::string& name) const {
  for (const auto& one : analyzers_)
    if (one->name() == name) return *one;
  ADD_FAILURE() << "there is no analyzer " << name;
  return *analyzers_.front();
}

Analysis AnalyzerTest::run(const std::string& name, const std::vector<std::string>& files,
                           std::stop_token stop) {
  request_.files = files;
  Analysis analysis = analyzer(name).run(request_, stop);
  EXPECT_EQ(analysis.analyzer, name);
  return analysis;
}

std::optional<Analysis> AnalyzerTest::run_if_installed(const std::string& name,
                                                       const std::vector<std::string>& files) {
  Analysis analysis = run(name, files);
  if (analyzer(name).version().empty()) {
    EXPECT_EQ(analysis.state, AnalysisState::missing) << analysis.detail;
    EXPECT_NE(analysis.detail.find(analyzer(name).remedy()), std::string::npos) << analysis.detail;
    EXPECT_TRUE(analysis.findings.empty());
    return std::nullopt;
  }
  EXPECT_EQ(analysis.version, analyzer(name).version());
  return analysis;
}

void AnalyzerTest::apply(const Finding& finding) const {
  ASSERT_TRUE(finding.fixit) << finding.rule;
  for (const Edit& edit : finding.fixit->edits) ASSERT_EQ(edit.file, finding.file);
  const auto changed = apply_edits(read(finding.file), finding.file, finding.fixit->edits);
  ASSERT_TRUE(changed) << finding.rule;
  write(finding.file, *changed);
}

fs::path AnalyzerTest::use_private_path() {
  const fs::path directory = scratch_.path() / "tools/bin";
  EXPECT_TRUE(make_directories(directory));
  ::setenv("PATH", directory.c_str(), 1);
  return directory;
}

void AnalyzerTest::write_tool(const std::string& name, const std::string& script) const {
  ASSERT_TRUE(write_file(scratch_.path() / "tools/bin" / name, "#!/bin/sh\n" + script, 0755));
}

const Finding* find_rule(const std::vector<Finding>& findings, const std::string& rule) {
  for (const Finding& finding : findings)
    if (finding.rule == rule) return &finding;
  return nullptr;
}

std::vector<std::string> rules_of(const std::vector<Finding>& findings) {
  std::vector<std::string> rules;
  for (const Finding& finding : findings) rules.push_back(finding.rule);
  return rules;
}

} // namespace emend
