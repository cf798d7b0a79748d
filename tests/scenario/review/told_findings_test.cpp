// What a review tells while its tools are at work is what it shows in the end.
#include <gmock/gmock.h>

#include "engine/review/review.hpp"
#include "tests/support/world.hpp"

namespace emend::testing_support {
namespace {

using ::testing::ElementsAre;

// Finds something on lines 1, 2 and 4 of every file.
class ThreeLines final : public Analyzer {
public:
  [[nodiscard]] std::string_view name() const override { return "three"; }
  [[nodiscard]] bool understands(std::string_view) const override { return true; }
  [[nodiscard]] std::string version() override { return "1"; }
  [[nodiscard]] std::string remedy() const override { return ""; }
  [[nodiscard]] bool minds_comment(std::string_view) const override { return true; }
  [[nodiscard]] Analysis run(const AnalysisRequest& request, std::stop_token) override {
    Analysis analysis;
    analysis.analyzer = name();
    analysis.state = AnalysisState::done;
    for (const std::string& file : request.files)
      for (const int line : {1, 2, 4}) {
        Finding finding;
        finding.agent = name();
        finding.rule = "T1";
        finding.title = "line " + std::to_string(line);
        finding.file = file;
        finding.line = line;
        analysis.findings.push_back(finding);
      }
    if (request.on_findings) request.on_findings(analysis.findings);
    return analysis;
  }
};

TEST(ToldFindings, CommentsSilenceThemToo) {
  World world(Files{{"a.txt", "one\ntwo # emend: ignore T1 known\n# emend: ignore T1 known\nfour\n"}});
  world.analyzers.push_back(std::make_unique<ThreeLines>());
  ReviewRequest request;
  request.scope = {ScopeKind::revision, "HEAD", {}};
  std::vector<std::string> told, shown;
  request.on_progress = [&](const AnalyzerProgress& progress) {
    for (const Finding& finding : progress.found) told.push_back(finding.title);
  };
  const Review done = must(world.manager().review(world.analyzers, request, {}));
  for (const Issue& issue : done.issues) shown.push_back(issue.finding.title);
  EXPECT_THAT(shown, ElementsAre("line 1"));
  EXPECT_EQ(told, shown);
}

} // namespace
} // namespace emend::testing_support
