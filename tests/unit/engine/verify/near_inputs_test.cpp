#include "engine/verify/near_inputs.hpp"

#include <gmock/gmock.h>

#include "base/hash.hpp"
#include "base/strings.hpp"

namespace emend {
namespace {

using testing::Contains;
using testing::Each;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;

Reproducer check_of(const std::string& command, const std::string& file = {}) {
  Reproducer check;
  check.issue_id = "issue-1";
  check.command = command;
  check.expected = {{"answer", "6", false, false}};
  if (!file.empty())
    check.files.changes = {FileChange{".checks/c", 0, kModeFile, "", git_blob_id(file, "sha1"), "", file}};
  return check;
}

std::vector<std::string> commands(const Reproducer& check, std::size_t most = 50) {
  std::vector<std::string> all;
  for (const Reproducer& near : near_checks(check, most, "seed")) all.push_back(near.command);
  return all;
}

TEST(NearInputs, ANumberMovesALittle) {
  for (const std::string& command : commands(check_of("./prog 40")))
    EXPECT_THAT(command, testing::MatchesRegex("./prog (37|38|39|41|42|43)"));
  EXPECT_THAT(commands(check_of("./prog 1")), Each(testing::MatchesRegex("./prog [234]")));
  EXPECT_THAT(commands(check_of("./prog -5")), Each(testing::MatchesRegex("./prog -[2-8]")));
  EXPECT_THAT(commands(check_of("./prog 2.50")), Each(testing::MatchesRegex("./prog [1345].50")));
}

TEST(NearInputs, WhatIsNoInputStays) {
  EXPECT_THAT(commands(check_of("python3 tests/t1.py a-2 x3 $1 ${2} 2>&1")), IsEmpty());
  EXPECT_THAT(commands(check_of("node -e 'console.log(process.argv[1])'")), IsEmpty());
}

TEST(NearInputs, AWordInQuotesOrAloneOnALineIsChanged) {
  EXPECT_THAT(commands(check_of("./prog \"abc\"")),
              Each(testing::AnyOf("./prog \"ab\"", "./prog \"ac\"", "./prog \"bc\"", "./prog \"bbc\"",
                                  "./prog \"acc\"", "./prog \"abd\"")));
  const auto near = near_checks(check_of("./prog < .checks/c", "3\nzz\n"), 50, "seed");
  std::vector<std::string> inputs;
  for (const Reproducer& one : near) {
    inputs.push_back(one.files.changes.front().new_content);
    EXPECT_EQ(one.files.changes.front().new_id, git_blob_id(inputs.back(), "sha1"));
    EXPECT_EQ(one.command, "./prog < .checks/c");
  }
  EXPECT_THAT(inputs, Contains(testing::EndsWith("\nzz\n")));
  EXPECT_THAT(inputs, Contains(testing::StartsWith("3\n")));
  EXPECT_THAT(inputs, Not(Contains("3\nzz\n")));
}

TEST(NearInputs, FollowFromTheSeedAndAreFew) {
  const Reproducer check = check_of("./prog 10 20 30 40");
  std::vector<std::string> first, again, other;
  for (const Reproducer& near : near_checks(check, 3, "a")) first.push_back(near.sha256());
  for (const Reproducer& near : near_checks(check, 3, "a")) again.push_back(near.sha256());
  for (const Reproducer& near : near_checks(check, 3, "b")) other.push_back(near.sha256());
  EXPECT_EQ(first.size(), 3U);
  EXPECT_EQ(first, again);
  EXPECT_NE(first, other);
}

// Runs of a check and of its near checks, as the store has them.
class NearRunsSeen : public testing::Test {
protected:
  Reproducer check = check_of("./prog 3");

  void seen(VerificationKind kind, const std::vector<std::map<std::string, std::string>>& said) {
    Verification run;
    run.kind = kind;
    run.issue_id = "issue-1";
    run.base = "base";
    const bool patched =
        kind == VerificationKind::reproducer_patched || kind == VerificationKind::near_patched;
    run.patch_sha256 = patched ? "patch" : "";
    run.reproducer_sha256 = check.sha256();
    for (const auto& values : said) {
      CommandRun command;
      command.name = "near " + std::to_string(run.commands.size());
      command.values.by_name = values;
      run.commands.push_back(command);
    }
    runs.push_back(run);
  }
  NearAnswers answers() const { return near_answers(check, runs, "base", "patch"); }

  std::vector<Verification> runs;
};

TEST_F(NearRunsSeen, TheSameAnswerAsTheBaseIsCounted) {
  seen(VerificationKind::reproducer_base, {{{"answer", "5"}}});
  seen(VerificationKind::reproducer_patched, {{{"answer", "6"}}});
  seen(VerificationKind::near_base, {{{"answer", "7"}}, {{"answer", "8"}}});
  seen(VerificationKind::near_patched, {{{"answer", "7"}}, {{"answer", "12"}}});
  EXPECT_EQ(answers().compared, 2);
  EXPECT_EQ(answers().same, 1);
  EXPECT_EQ(answers().sentence(), "same answer as the base on 1 of 2 inputs near the reported one");
}

TEST_F(NearRunsSeen, AnInputThatMovesNothingOrBreaksTheCheckSaysNothing) {
  seen(VerificationKind::reproducer_base, {{{"answer", "5"}}});
  seen(VerificationKind::reproducer_patched, {{{"answer", "6"}}});
  seen(VerificationKind::near_base, {{{"answer", "5"}}, {{"answer", "9"}}, {}});
  seen(VerificationKind::near_patched, {{{"answer", "6"}}, {}, {}});
  EXPECT_EQ(answers().compared, 0);
  EXPECT_EQ(answers().sentence(), "");
}

TEST_F(NearRunsSeen, AnswersThatChangedAreShownWithTheirInput) {
  seen(VerificationKind::reproducer_base, {{{"answer", "5"}}});
  seen(VerificationKind::reproducer_patched, {{{"answer", "6"}}});
  seen(VerificationKind::near_base, {{{"answer", "7"}}, {{"answer", "8"}}});
  seen(VerificationKind::near_patched, {{{"answer", "7"}}, {{"answer", "12"}}});
  EXPECT_EQ(answers().other_answers(), "") << "what goes in is not known";
  runs[2].commands[1].run = "`./prog 4` instead of `./prog 3`";
  EXPECT_THAT(answers().other_answers(),
              testing::HasSubstr("right: `./prog 4` instead of `./prog 3`: `8` before, `12` with the fix"));
}

TEST_F(NearRunsSeen, WhatTheJudgeIsShownOfThemIsHidden) {
  const std::vector<Reproducer> near = near_checks(check, 8, "seed");
  const std::string input = near.at(1).command.substr(std::string("./prog ").size());
  seen(VerificationKind::reproducer_base, {{{"answer", "5"}}});
  seen(VerificationKind::reproducer_patched, {{{"answer", "6"}}});
  seen(VerificationKind::near_base, {{{"answer", "7"}}, {{"answer", "apricot"}}});
  seen(VerificationKind::near_patched, {{{"answer", "7"}}, {{"answer", "12"}}});
  for (std::size_t i : {2U, 3U})
    for (std::size_t j = 0; j < 2; ++j) {
      runs[i].commands[j].name = "near " + std::to_string(j + 1);
      runs[i].commands[j].run = "`" + near[j].command + "` instead of `./prog 3`";
    }
  const HiddenWords hidden = hidden_in(answers(), check, "seed", "prog(3) is 5");
  EXPECT_TRUE(hidden.quoted_in("it is wrong for " + input + ", too"));
  EXPECT_TRUE(hidden.quoted_in("./prog " + input));
  EXPECT_TRUE(hidden.quoted_in("it said 'apricot' before"));
  EXPECT_FALSE(hidden.quoted_in("prog(3) is 5 still")) << "the issue says so itself";
  EXPECT_FALSE(hidden.quoted_in("see line 1" + input + "0"));
  EXPECT_TRUE(hidden_in(answers(), check, "seed", "").quoted_in("prog(3) is 5 still"));
}

// Of several values, those that did not move are those of the inputs the check has anyway.
TEST_F(NearRunsSeen, OnlyWhatMovedIsCompared) {
  seen(VerificationKind::reproducer_base, {{{"a", "5"}, {"b", "1"}}});
  seen(VerificationKind::reproducer_patched, {{{"a", "6"}, {"b", "2"}}});
  seen(VerificationKind::near_base, {{{"a", "7"}, {"b", "1"}}});
  seen(VerificationKind::near_patched, {{{"a", "7"}, {"b", "2"}}});
  EXPECT_EQ(answers().same, 1);
  EXPECT_THAT(answers().sentence(), testing::HasSubstr("the fix may know only the reported input"));
}

} // namespace
} // namespace emend
