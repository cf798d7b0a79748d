#include "tests/cli/commands/cli_fixture.hpp"

namespace emend {

using testing::HasSubstr;

class BaselineCommandTest : public CliFixture {
protected:
  void commit(const std::string& message = "more") {
    git({"add", "-A"});
    git({"-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "-q", "-m", message});
  }
  void commit_file(const std::string& path, const std::string& text) {
    write(path, text);
    commit();
  }
  static std::string conflict() {
    return std::string("int b;\n") + "<<<<<<" + "< ours\nint c;\n=======\nint d;\n" + ">>>>>>" + "> theirs\n";
  }
  ProcessResult review(std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"review", "--rev", "HEAD", "--analyzers", "builtin"});
    return emend(std::move(more));
  }
  Json review_data(std::vector<std::string> more = {}) {
    more.emplace_back("--json");
    return data_of(review(std::move(more)), "emend.review/v1");
  }
};

TEST_F(BaselineCommandTest, WhatIsAcceptedDoesNotFailAReviewAndWhatIsNewDoes) {
  commit_file("src/b.c", conflict());
  EXPECT_EQ(review().exit_code, 1);
  const auto created = emend({"baseline", "create"});
  EXPECT_EQ(created.exit_code, 0) << created.err;
  EXPECT_THAT(created.err, HasSubstr(".emend/baseline.json"));
  const auto accepted = review();
  EXPECT_EQ(accepted.exit_code, 0) << accepted.out << accepted.err;
  EXPECT_EQ(review({"--no-baseline"}).exit_code, 1);
  const Json data = review_data();
  ASSERT_FALSE(data["issues"].empty());
  for (const Json& issue : data["issues"]) {
    EXPECT_EQ(issue["state"], Json("unchanged"));
    EXPECT_EQ(issue["in_baseline"], Json(true));
  }
  git({"mv", "src/b.c", "src/moved.c"});
  commit();
  EXPECT_EQ(review().exit_code, 0) << "a rename is not new";
  commit_file("src/c.c", conflict());
  EXPECT_EQ(review().exit_code, 1) << "a copy is";
}

TEST_F(BaselineCommandTest, CreateDoesNotOverwriteUpdateAddsPruneDrops) {
  commit_file("src/b.c", conflict());
  EXPECT_EQ(emend({"baseline", "create"}).exit_code, 2) << "nothing is known yet";
  EXPECT_EQ(emend({"baseline", "show"}).exit_code, 2);
  review();
  ASSERT_EQ(emend({"baseline", "create", "--reason", "legacy"}).exit_code, 0);
  const auto again = emend({"baseline", "create"});
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_THAT(again.err, HasSubstr("--force"));
  const std::size_t before = data_of(emend({"baseline", "show", "--json"}), "emend.baseline/v1").size();
  ASSERT_GT(before, 0U);

  commit_file("src/c.js", "debugger;\n");
  review();
  const Json updated = data_of(emend({"baseline", "update", "--json"}), "emend.baseline_change/v1");
  EXPECT_GT(updated["added"], Json(0));
  const Json entries = data_of(emend({"baseline", "show", "--json"}), "emend.baseline/v1");
  EXPECT_EQ(entries[0]["reason"], Json("legacy")) << "src/b.c keeps its reason";

  commit_file("src/b.c", "int b;\n");
  const auto pruned = emend({"baseline", "prune", "--json"});
  EXPECT_EQ(pruned.exit_code, 0) << pruned.err;
  EXPECT_GE(data_of(pruned, "emend.baseline_change/v1")["removed"], Json(1)) << pruned.out;
  for (const Json& entry : data_of(emend({"baseline", "show", "--json"}), "emend.baseline/v1"))
    EXPECT_NE(entry["file"], Json("src/b.c"));
}

TEST_F(BaselineCommandTest, ABaselineThatIsNoneOrMissingIsAnErrorThatSaysSo) {
  write(".emend/baseline.json", "[]");
  const auto broken = review();
  EXPECT_NE(broken.exit_code, 0);
  EXPECT_THAT(broken.err, HasSubstr("baseline.json"));
  EXPECT_EQ(review({"--baseline", "nowhere.json"}).exit_code, 2);
  EXPECT_EQ(review({"--no-baseline"}).exit_code, 0);
}

TEST_F(BaselineCommandTest, AnIssueThatIsNotFoundAnyMoreIsToldAndListedAsSuch) {
  commit_file("src/b.js", "debugger;\n");
  EXPECT_FALSE(review_data()["new"].empty());
  EXPECT_FALSE(data_of(emend({"issues", "--new", "--json"}), "emend.issues/v1").empty());
  review();
  EXPECT_TRUE(data_of(emend({"issues", "--new", "--json"}), "emend.issues/v1").empty());
  commit_file("src/b.js", "run();\n");
  const Json after = review_data();
  EXPECT_FALSE(after["absent"].empty()) << after.dump();
  EXPECT_THAT(emend({"issues"}).out, HasSubstr("not seen since"));
  EXPECT_TRUE(data_of(emend({"issues", "--regressed", "--json"}), "emend.issues/v1").empty());
  EXPECT_EQ(emend({"issues", "--new", "--regressed"}).exit_code, 2);
}

TEST_F(BaselineCommandTest, NothingButTheBaselineIsWrittenIntoTheCheckout) {
  commit_file("src/b.js", "debugger;\n");
  review();
  emend({"baseline", "create"});
  const auto status = run_spec(spec({"git", "status", "--porcelain", "--untracked-files=all"}));
  EXPECT_EQ(status.out, "?? .emend/baseline.json\n");
}

} // namespace emend
