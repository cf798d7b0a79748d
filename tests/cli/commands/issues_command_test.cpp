#include "tests/cli/commands/cli_fixture.hpp"

namespace emend {

using testing::HasSubstr;

class IssuesCommandTest : public CliFixture {
protected:
  ProcessResult add(const std::string& title, const std::string& file = "src/a.c") {
    return emend({"issues", "add", "--file", file, "--line", "3", "--severity", "major", "--title", title,
                  "--description", "why " + title});
  }
};

TEST_F(IssuesCommandTest, AddListShow) {
  const auto added = add("Off by one");
  EXPECT_EQ(added.exit_code, 0) << added.err;
  EXPECT_THAT(added.out, HasSubstr("BE-001  high      OPEN    src/a.c:3  Off by one"));
  EXPECT_EQ(emend({"issues"}).out, emend({"issues", "list"}).out);
  const auto shown = emend({"issues", "show", "BE-001"});
  EXPECT_THAT(shown.out, HasSubstr("why Off by one"));
  const Json issue = data_of(emend({"issues", "show", "BE-001", "--json"}), "emend.issue/v1");
  EXPECT_EQ(issue["code"], Json("BE-001"));
  EXPECT_EQ(issue["severity"], Json("high"));
}

TEST_F(IssuesCommandTest, AddFromAFileAndFromStdin) {
  ASSERT_TRUE(write_file(base_ / "f.json", kFindings));
  EXPECT_THAT(emend({"issues", "add", "--findings", (base_ / "f.json").string()}).out, HasSubstr("BE-001"));
  EXPECT_THAT(emend({"issues", "add", "--findings", "-"}, kFindings).out, HasSubstr("BE-001"))
      << "the same finding is the same issue";
  EXPECT_EQ(data_of(emend({"issues", "--json"}), "emend.issues/v1").size(), 1U);
}

TEST_F(IssuesCommandTest, ASecretOnlyTheUserKnowsOfIsNeverStored) {
  ASSERT_TRUE(write_file(base_ / "state" / "config.toml", "[redact]\npatterns = [\"CUST-[0-9]{6}\"]\n"));
  EXPECT_THAT(add("Leaks CUST-123456").out, HasSubstr("Leaks [redacted:"));
  const auto imported = emend({"issues", "add", "--findings", "-"},
                              replace_all(kFindings, "\"title\":\"", "\"title\":\"CUST-123456 "));
  EXPECT_EQ(imported.exit_code, 0) << imported.err;
  EXPECT_THAT(emend({"issues", "--json"}).out,
              testing::AllOf(HasSubstr("[redacted:"), testing::Not(HasSubstr("CUST-1"))));
}

TEST_F(IssuesCommandTest, ListFilters) {
  add("one");
  add("two", "check.sh");
  EXPECT_EQ(data_of(emend({"issues", "--json", "--file", "src/**"}), "emend.issues/v1").size(), 1U);
  EXPECT_EQ(data_of(emend({"issues", "--json", "--limit", "1"}), "emend.issues/v1").size(), 1U);
  EXPECT_EQ(data_of(emend({"issues", "--json", "--status", "open,failed"}), "emend.issues/v1").size(), 2U);
  EXPECT_EQ(data_of(emend({"issues", "--json", "--status", "resolved"}), "emend.issues/v1").size(), 0U);
  EXPECT_EQ(emend({"issues", "--status", "opne"}).exit_code, 2);
}

TEST_F(IssuesCommandTest, APersonDecides) {
  add("one");
  add("two");
  auto result = emend({"issues", "ignore", "BE-001", "--reason", "by_design", "--note", "see the manual"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("IGNORED"));
  EXPECT_THAT(result.out, HasSubstr("by_design"));
  EXPECT_THAT(emend({"issues", "reopen", "BE-001"}).out, HasSubstr("OPEN"));
  EXPECT_THAT(emend({"issues", "duplicate", "BE-002", "--of", "BE-001"}).out,
              HasSubstr("duplicate of BE-001"));
  EXPECT_EQ(emend({"issues", "ignore", "BE-001", "--reason", "lazy"}).exit_code, 2);
  EXPECT_EQ(emend({"issues", "show", "BE-099"}).exit_code, 2);
}

TEST_F(IssuesCommandTest, BadInputIsRefusedWithItsPlace) {
  EXPECT_EQ(emend({"issues", "add", "--title", "x"}).exit_code, 2);
  EXPECT_EQ(emend({"issues", "add", "--file", "src/a.c", "--title", "x", "--severity", "awful"}).exit_code,
            2);
  const auto result = emend({"issues", "add", "--findings", "-"}, "{\"findings\": [{\"line\": {}}]}");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("stdin: "));
  EXPECT_EQ(emend({"issues", "add", "--findings", "/nowhere"}).exit_code, 2);
}

TEST_F(IssuesCommandTest, TitlesCannotControlTheTerminal) {
  add("a\x1b[2Jb\nc");
  EXPECT_THAT(emend({"issues"}).out, testing::Not(HasSubstr("\x1b")));
}

TEST_F(IssuesCommandTest, AnIssueThatWasNeverTriedIsExplained) {
  add("one");
  const auto result = emend({"explain", "BE-001"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("OPEN"));
  EXPECT_THAT(result.out, HasSubstr("No fix was tried yet."));
}

} // namespace emend
