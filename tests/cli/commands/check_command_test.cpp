// The gate for a change that somebody made: what it says of honest work, of harm and of cheats.
#include "tests/cli/commands/cli_fixture.hpp"

namespace emend {

using testing::HasSubstr;
using testing::StartsWith;

class CheckCommand : public CliFixture {
protected:
  static constexpr const char* kTests =
      "import unittest\nfrom count import double, half\n\n\nclass Count(unittest.TestCase):\n"
      "    def test_double(self):\n        self.assertEqual(double(4), 8)\n\n"
      "    def test_half(self):\n        self.assertEqual(half(8), 4)\n";

  void SetUp() override {
    CliFixture::SetUp();
    write("count.py", "def double(n):\n    return n * 2\n\n\ndef half(n):\n    return n // 2\n");
    write("test_count.py", kTests);
    commit();
    ASSERT_TRUE(
        write_file(base_ / "state" / "config.toml", "[verify]\ncommands = [\"python3 -m unittest -v\"]\n"));
  }
  void commit() {
    git({"add", "-A"});
    git({"-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "-q", "-m", "more"});
  }
  void break_half() {
    write("count.py", "def double(n):\n    return n * 2\n\n\ndef half(n):\n    return n\n");
    commit();
  }
  void repair_half() {
    write("count.py", "def double(n):\n    return n * 2\n\n\ndef half(n):\n    return n // 2\n");
  }
};

TEST_F(CheckCommand, SaysThatThereIsNothingToCheck) {
  const auto result = emend({"check"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, StartsWith("NOTHING TO CHECK: nothing differs from the base\n"));
  write("count.py", "# twice\ndef double(n):\n    return n * 2\n\n\ndef half(n):\n    return n // 2\n");
  EXPECT_THAT(emend({"check"}).out, StartsWith("NOTHING TO CHECK: only comments"));
}

TEST_F(CheckCommand, SaysWhatAPersonDoesWhereThereAreNoChecks) {
  fs::remove(base_ / "state" / "config.toml");
  break_half();
  repair_half();
  const auto result = emend({"check"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, StartsWith("UNPROVABLE: this repository has no checks"));
  EXPECT_THAT(result.out, HasSubstr("emend init"));
}

TEST_F(CheckCommand, ProvesAFixOfATestThatFailed) {
  break_half();
  repair_half();
  const auto result = emend({"check"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, StartsWith("PROVEN: failed before, passes now, and fails again without the change: "
                                     "test_half"));
  EXPECT_THAT(result.out, testing::EndsWith("next: commit it\n"));
  const Json data = data_of(emend({"check", "--json"}), "emend.check/v1");
  EXPECT_EQ(data["verdict"], "PROVEN");
  EXPECT_EQ(data["evidence"], "proven");
  EXPECT_EQ(data["holds"], true);
  EXPECT_EQ(read_file(root_ / "count.py", 1000).value(),
            "def double(n):\n    return n * 2\n\n\ndef half(n):\n    return n // 2\n");
  EXPECT_EQ(data_of(emend({"sessions", "list", "--json"}), "emend.sessions/v1").size(), 0U);
}

// Most projects have tests that are called after nothing in particular.
TEST_F(CheckCommand, ProvesAFixWhateverItsTestsAreCalled) {
  write("lib/sizes.py", "def whole(n):\n    return n\n");
  write("test_rounding.py",
        "import unittest\nfrom lib.sizes import whole\n\n\nclass Rounding(unittest.TestCase):\n"
        "    def test_below(self):\n        self.assertEqual(whole(1.2), 1)\n\n"
        "    def test_nothing(self):\n        self.assertEqual(whole(0), 0)\n");
  commit();
  write("lib/sizes.py", "def whole(n):\n    return int(n)\n");
  const auto result = emend({"check"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, StartsWith("PROVEN: failed before, passes now, and fails again without the change: "
                                     "test_below (test_rounding.Rounding.test_below)"));
  EXPECT_THAT(result.out, testing::Not(HasSubstr("the issue is not about it")));
}

TEST_F(CheckCommand, ProvesAFixByTheTestItBringsAlong) {
  write("count.py", "def double(n):\n    return n * 2\n\n\ndef half(n):\n    return -(-n // 2)\n");
  write("test_count.py",
        std::string(kTests) + "\n    def test_half_of_odd(self):\n        self.assertEqual(half(7), 4)\n");
  const auto result = emend({"check"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, StartsWith("PROVEN: the tests of the change fail without it and pass with it"));
}

TEST_F(CheckCommand, VerifiesWhatOnlyDoesNoHarm) {
  write("count.py", "def double(n):\n    return n + n\n\n\ndef half(n):\n    return n // 2\n");
  const auto result = emend({"check"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, StartsWith("VERIFIED: nothing that passed before fails"));
}

TEST_F(CheckCommand, NamesTheTestThatFails) {
  write("count.py", "def double(n):\n    return n * 3\n\n\ndef half(n):\n    return n // 2\n");
  const auto result = emend({"check"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, StartsWith("RED: "));
  EXPECT_THAT(result.out, HasSubstr("test_double"));
  EXPECT_THAT(result.out, HasSubstr("AssertionError: 12 != 8"));
}

TEST_F(CheckCommand, CatchesTestsThatWereChangedOrCannotFail) {
  break_half();
  std::string weaker = kTests;
  weaker.replace(weaker.find("half(8), 4"), 10, "half(8), 8");
  write("test_count.py", weaker);
  const auto changed = emend({"check"});
  EXPECT_EQ(changed.exit_code, 1);
  EXPECT_THAT(changed.out, StartsWith("CHEAT: "));
  EXPECT_THAT(changed.out, HasSubstr("test_half"));

  git({"checkout", "-q", "--", "test_count.py"});
  write("count.py",
        "import unittest\nunittest.TestCase.assertEqual = lambda *a: None\n\n\ndef double(n):\n"
        "    return n * 2\n\n\ndef half(n):\n    return n\n");
  const auto forged = emend({"check"});
  EXPECT_EQ(forged.exit_code, 1);
  EXPECT_THAT(forged.out, StartsWith("CHEAT: ")) << forged.err;
}

TEST_F(CheckCommand, TakesADiffACommitAndARange) {
  break_half();
  repair_half();
  const auto diff = run_spec(spec({"git", "diff"}));
  git({"checkout", "-q", "--", "."});
  EXPECT_THAT(emend({"check", "--patch", "-"}, diff.out).out, StartsWith("PROVEN"));
  EXPECT_EQ(emend({"check", "--patch", "-"}, "").exit_code, 0);
  const auto bad = emend({"check", "--patch", "-"}, "--- a/none.py\n+++ b/none.py\n@@ -1 +1 @@\n-a\n+b\n");
  EXPECT_EQ(bad.exit_code, 2) << bad.out << bad.err;
  repair_half();
  commit();
  EXPECT_THAT(emend({"check", "--commit", "HEAD"}).out, StartsWith("PROVEN"));
  EXPECT_THAT(emend({"check", "--range", "HEAD~1..HEAD"}).out, StartsWith("PROVEN"));
  EXPECT_EQ(emend({"check", "--staged", "--commit", "HEAD"}).exit_code, 2);
}

TEST_F(CheckCommand, HoldsTheChangeAgainstAnIssue) {
  ASSERT_EQ(emend({"import", "-"}, kFindings).exit_code, 0);
  write("src/a.c", "int first(int n) {\n  int i = 0;\n  /* off */\n  while (i <= n) i++;\n  return i;\n}\n");
  const auto nothing = emend({"check", "--issue", "BE-001"});
  EXPECT_EQ(nothing.exit_code, 1);
  EXPECT_THAT(nothing.out, StartsWith("RED: only comments"));
  EXPECT_EQ(emend({"check", "--issue", "BE-404"}).exit_code, 2);
}

TEST_F(CheckCommand, CannotTellWhereTheChecksFailAnyway) {
  break_half();
  write("count.py", "def double(n):\n    return n + n\n\n\ndef half(n):\n    return n\n");
  const auto result = emend({"check"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, StartsWith("UNPROVABLE: what failed before fails still: test_half"));
}

// Whoever reviews the change has the file and a clone, and need not believe whoever made it.
TEST_F(CheckCommand, KeepsAProofThatOthersCanCheckAgain) {
  break_half();
  const std::string proof = (base_ / "half.emend-proof").string();
  write("count.py", "def double(n):\n    return n + n\n\n\ndef half(n):\n    return n\n");
  const auto unproven = emend({"check", "--export", proof});
  EXPECT_THAT(unproven.out, StartsWith("UNPROVABLE"));
  EXPECT_THAT(unproven.err, HasSubstr("only a PROVEN change has one"));
  EXPECT_FALSE(fs::exists(proof));

  repair_half();
  const auto checked = emend({"check", "--export", proof});
  EXPECT_THAT(checked.out, StartsWith("PROVEN")) << checked.err;
  EXPECT_THAT(checked.err, HasSubstr("emend prove"));
  const auto early = emend({"prove", proof});
  EXPECT_EQ(early.exit_code, 0) << early.out << early.err;
  EXPECT_THAT(early.out, StartsWith("the change  the proof holds  (evidence proven"));
  EXPECT_THAT(early.out, HasSubstr("HEAD does not have it")) << "nobody has committed it yet";
  EXPECT_EQ(emend({"prove", proof, "--ref", "HEAD"}).exit_code, 1);
  commit();
  EXPECT_EQ(emend({"prove", proof, "--ref", "HEAD"}).exit_code, 0);
  const auto again = emend({"prove", proof, "--rerun", "--ref", "HEAD"});
  EXPECT_EQ(again.exit_code, 0) << again.out << again.err;
  EXPECT_THAT(again.out, HasSubstr("rerun"));

  write("count.py", "def double(n):\n    return n * 2\n\n\ndef half(n):\n    return n >> 1\n");
  commit();
  EXPECT_EQ(emend({"prove", proof, "--ref", "HEAD"}).exit_code, 1) << "somebody changed the files since";
  std::string bytes = read_file(proof).value();
  const std::size_t at = bytes.find("return n // 2");
  ASSERT_NE(at, std::string::npos);
  bytes.replace(at, 13, "return n // 4");
  ASSERT_TRUE(write_file(proof, bytes));
  const auto forged = emend({"prove", proof});
  EXPECT_NE(forged.exit_code, 0) << forged.out;
  EXPECT_THAT(forged.out + forged.err, testing::Not(HasSubstr("the proof holds")));
}

TEST_F(CheckCommand, AsksTheJudgeOnlyWhereItIsWanted) {
  break_half();
  repair_half();
  const auto judged = [&](int score) {
    configure(
        kGoodFix,
        R"({"role":"fix_challenger","answer":{"review_token":"{review_token}","issues":{"{issue}":{"score":)" +
            std::to_string(score) + R"(,"status":"SOLVED","feedback":"I read it."}}}})",
        "[verify]\ncommands = [\"python3 -m unittest -v\"]\n");
    return emend({"check", "--judge"});
  };
  const auto good = judged(97);
  EXPECT_THAT(good.out, StartsWith("PROVEN")) << good.err;
  EXPECT_THAT(good.out, HasSubstr("the judge scored it 97 of 100"));
  const auto bad = judged(20);
  EXPECT_EQ(bad.exit_code, 1);
  EXPECT_THAT(bad.out, StartsWith("RED: the judge")) << bad.err;
  EXPECT_THAT(emend({"check"}).out, StartsWith("PROVEN")) << "not asked, it is not heard";
}

TEST_F(CheckCommand, LooksBackToABaseAndLeavesCheckoutAndIndexAlone) {
  break_half();
  git({"checkout", "-q", "-b", "topic"});
  write("notes.txt", "words\n");
  commit();
  repair_half();
  git({"add", "count.py"});
  write("count.py", "def double(n):\n    return n * 3\n\n\ndef half(n):\n    return n // 2\n");
  write("new.txt", "not followed\n");
  const auto seen = [&] {
    return run_spec(spec({"git", "status", "--porcelain=v2"})).out +
           run_spec(spec({"git", "for-each-ref"})).out + run_spec(spec({"git", "stash", "list"})).out +
           read_file(root_ / ".git" / "index").value();
  };
  const std::string before = seen();
  EXPECT_THAT(emend({"check", "--staged"}).out, StartsWith("PROVEN")) << "what would be committed";
  EXPECT_THAT(emend({"check", "--base", "topic~1"}).out, StartsWith("RED")) << "with what is not staged";
  EXPECT_THAT(emend({"check"}).out, StartsWith("RED"));
  EXPECT_EQ(seen(), before);
}

TEST_F(CheckCommand, CannotTellWithoutChecksAndRunsNoneThatNobodyAllowed) {
  ASSERT_TRUE(write_file(base_ / "state" / "config.toml", ""));
  write("count.py", "def double(n):\n    return n + n\n\n\ndef half(n):\n    return n // 2\n");
  const auto none = emend({"check"});
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_THAT(none.out, StartsWith("UNPROVABLE: this repository has no checks that could run"));
  git({"checkout", "-q", "--", "."});
  write("emend.toml", "[verify]\ncommands = [\"true\"]\n");
  commit();
  write("count.py", "def double(n):\n    return n + n\n\n\ndef half(n):\n    return n // 2\n");
  EXPECT_EQ(emend({"check"}).exit_code, 7);
}

} // namespace emend
