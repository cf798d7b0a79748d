#include "cli/ci/hosted_pages.hpp"

#include <gtest/gtest.h>

namespace emend {

TEST(HostedPagesTest, ThePipelineIsKnownByWhatItsRunnerSays) {
  const std::vector<std::string> github = {"GITHUB_ACTIONS=true", "GITHUB_SERVER_URL=https://github.com",
                                           "GITHUB_REPOSITORY=team/app", "GITHUB_RUN_ID=77"};
  EXPECT_EQ(pipeline_page(github), "https://github.com/team/app/actions/runs/77");
  EXPECT_EQ(pipeline_page({"CI_PIPELINE_URL=https://gitlab.com/team/app/-/pipelines/7"}),
            "https://gitlab.com/team/app/-/pipelines/7");
  std::vector<std::string> gitea = github;
  gitea.emplace_back("GITEA_ACTIONS=true"); // its runs have other addresses
  EXPECT_EQ(pipeline_page(gitea), "");
  EXPECT_EQ(pipeline_page({}), "");
}

TEST(HostedPagesTest, NothingButAnAddressIsLinked) {
  for (const char* page : {"javascript:alert(1)", "https://x/a b", "https://x/)[y](https://evil.example",
                           "https://x/\n/merge", "//evil.example"})
    EXPECT_EQ(pipeline_page({std::string("CI_PIPELINE_URL=") + page}), "") << page;
}

TEST(HostedPagesTest, OneIssueHasItsPageAndSeveralTheirList) {
  Issue issue;
  issue.code = "BE-001";
  HostedPages pages{"https://emend.example.org", "r1", "https://ci/run", false};
  EXPECT_EQ(pages.issue("BE-001"), "https://emend.example.org/issues/BE-001?repo=r1");
  EXPECT_EQ(pages.about({issue}), pages.issue("BE-001"));
  EXPECT_EQ(pages.about({issue, issue}), "https://emend.example.org/issues?repo=r1");
  pages.dashboard.clear();
  EXPECT_EQ(pages.issue("BE-001"), "");
  EXPECT_EQ(pages.about({issue}), "https://ci/run");
}

} // namespace emend
