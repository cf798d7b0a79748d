// Findings in code that is in no commit yet: nobody can fix them there, and nobody says that it was tried.
#include "tests/cli/commands/cli_fixture.hpp"

namespace emend {

using testing::HasSubstr;
using testing::Not;

class UncommittedFix : public CliFixture {
protected:
  void SetUp() override {
    CliFixture::SetUp();
    commit_file("src/old.js", "let a = 1;\nlet b = 2;\n");
  }
  void commit_file(const std::string& path, const std::string& text) {
    write(path, text);
    commit();
  }
  void commit() {
    git({"add", "-A"});
    git({"-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "-q", "-m", "more"});
  }
  std::string status(const std::string& code) {
    return data_of(emend({"issues", "show", code, "--json"}), "emend.issue/v1")["status"].get<std::string>();
  }
};

TEST_F(UncommittedFix, StaysOpenAndSaysTheNextStep) {
  write("src/old.js", "let a = 1;\ndebugger;\nlet b = 2;\n");
  write("src/loose.js", "debugger;\n");
  const auto seen = emend({"review", "--analyzers", "builtin", "--format", "text"});
  EXPECT_THAT(seen.out, HasSubstr("next: commit your changes, then emend fix --safe"));
  const auto fixed = emend({"fix", "--safe"});
  EXPECT_EQ(fixed.exit_code, 0) << fixed.err;
  EXPECT_THAT(fixed.out, HasSubstr("FE-001"));
  EXPECT_THAT(fixed.out, HasSubstr("This finding is in code that is not committed yet. Commit it, then run "
                                   "`emend fix --safe` again."));
  EXPECT_THAT(fixed.out, Not(HasSubstr("FAILED")));
  EXPECT_EQ(status("FE-001"), "OPEN");
  EXPECT_EQ(status("FE-002"), "OPEN");

  commit(); // without another review
  const auto again = emend({"fix", "--safe"});
  EXPECT_THAT(again.out, HasSubstr("2 of 2 issues resolved")) << again.out << again.err;
}

TEST_F(UncommittedFix, DoesNotKeepOthersFromBeingFixed) {
  commit_file("src/known.js", "let a;\ndebugger;\n");
  write("src/known.js", "let a;\ndebugger;\nlet b;\ndebugger;\n"); // the same line again, not committed
  const auto seen = emend({"review", "--analyzers", "builtin", "--format", "text"});
  EXPECT_THAT(seen.out, HasSubstr("next: emend fix --safe"));
  const auto fixed = emend({"fix", "--safe"});
  EXPECT_THAT(fixed.out, HasSubstr("1 of 1 issue")) << fixed.out << fixed.err;
  EXPECT_THAT(fixed.out,
              HasSubstr("FE-002  src/known.js:4  OPEN  This finding is in code that is not committed yet."));
  EXPECT_EQ(status("FE-001"), "RESOLVED");
  EXPECT_EQ(status("FE-002"), "OPEN");
}

} // namespace emend
