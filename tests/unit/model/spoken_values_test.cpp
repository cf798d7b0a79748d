// Values a hidden check prints: which lines count, what is a contradiction, and what the comparison says.
#include "model/spoken_values.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/reproducer.hpp"

namespace emend {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

constexpr const char* kNonce = "4f1d";
const std::vector<ExpectedValue> kExpected = {{"two", "4", false, false}, {"five", "10", true, false}};

CommandRun run_saying(const std::string& output, int exit_code = 0) {
  CommandRun run;
  run.result = exit_code == 0 ? CommandResult::passed : CommandResult::failed;
  run.exit_code = exit_code;
  run.runs = 1;
  run.passes = exit_code == 0 ? 1 : 0;
  run.values = spoken_values(output, kNonce);
  return run;
}

Reproducer check_expecting(std::vector<ExpectedValue> expected) {
  Reproducer check;
  check.command = "sh check.sh \"$1\"";
  check.expected = std::move(expected);
  return check;
}

TEST(SpokenValues, AreTheLinesWithTheNonce) {
  const SpokenValues said = spoken_values("noise\n4f1d two 4\n4f1d five  a b \n4f1d empty\n", kNonce);
  EXPECT_THAT(said.by_name, ElementsAre(Pair("empty", ""), Pair("five", "a b"), Pair("two", "4")));
  EXPECT_THAT(said.unclear, IsEmpty());
}

TEST(SpokenValues, ForgedLinesWithoutTheNonceAreIgnored) {
  EXPECT_TRUE(
      spoken_values("two 4\nffff two 4\n 4f1d two 4\n4f1dtwo 4\n4f1d\n4f1d \nx4f1d two 4\n", kNonce).empty());
  EXPECT_TRUE(spoken_values(" two 4\n", "").empty()) << "a check that got no nonce says nothing";
}

TEST(SpokenValues, ANameSaidTwiceIsAContradiction) {
  for (const char* output :
       {"4f1d two 4\n4f1d two 5\n4f1d five 10\n", "4f1d two 4\n4f1d five 10\n4f1d two 4\n"}) {
    const SpokenValues said = spoken_values(output, kNonce);
    EXPECT_THAT(said.unclear, ElementsAre("two")) << output;
    EXPECT_THAT(wrong_values(kExpected, said), ElementsAre("two"));
  }
}

TEST(SpokenValues, RunsThatDisagreeAreUnclear) {
  SpokenValues said = spoken_values("4f1d a 1\n4f1d b 2\n4f1d c 3\n", kNonce);
  said.join(spoken_values("4f1d a 1\n4f1d b 3\n4f1d d 4\n", kNonce));
  EXPECT_THAT(said.unclear, ElementsAre("b", "c", "d"));
}

TEST(SpokenValues, MissingAndDifferentNamesAreWrong) {
  EXPECT_THAT(wrong_values(kExpected, spoken_values("4f1d two 4\n", kNonce)), ElementsAre("five"));
  EXPECT_THAT(wrong_values(kExpected, spoken_values("4f1d two 5\n4f1d five 10\n", kNonce)),
              ElementsAre("two"));
  EXPECT_THAT(wrong_values(kExpected, spoken_values("4f1d two 4\n4f1d five 10\n4f1d more 1\n", kNonce)),
              IsEmpty());
}

TEST(SpokenValues, TheExitStatusCountsForNothing) {
  const Reproducer check = check_expecting(kExpected);
  const std::string right = "4f1d two 4\n4f1d five 10\n", wrong = "4f1d two 4\n4f1d five 7\n";
  for (const int status : {0, 1, 3}) {
    EXPECT_TRUE(check.green(run_saying(right, status)));
    EXPECT_FALSE(check.red(run_saying(right, status)));
    EXPECT_TRUE(check.red(run_saying(wrong, status)));
    EXPECT_FALSE(check.green(run_saying(wrong, status)));
  }
}

TEST(SpokenValues, ACheckThatSaysNothingIsNeitherRedNorGreen) {
  const Reproducer check = check_expecting(kExpected);
  for (const int status : {0, 1}) {
    EXPECT_FALSE(check.red(run_saying("", status)));
    EXPECT_FALSE(check.green(run_saying("", status)));
  }
}

TEST(SpokenValues, ARunThatDidNotEndSaysNothing) {
  CommandRun run = run_saying("4f1d two 4\n4f1d five 10\n");
  run.result = CommandResult::timed_out;
  EXPECT_FALSE(check_expecting(kExpected).green(run));
  EXPECT_FALSE(check_expecting(kExpected).red(run));
}

TEST(SpokenValues, UnknownNearValuesAreComparedWithTheBaseOnly) {
  const std::vector<ExpectedValue> expected = {
      {"two", "4", false, false}, {"three", "", true, true}, {"six", "", true, true}};
  EXPECT_THAT(wrong_values(expected, spoken_values("4f1d two 4\n", kNonce)), IsEmpty());
  const SpokenValues base = spoken_values("4f1d two 5\n4f1d three 5\n4f1d six 8\n", kNonce);
  const SpokenValues patched = spoken_values("4f1d two 4\n4f1d three 5\n4f1d six 12\n", kNonce);
  EXPECT_THAT(unmoved_values(expected, base, patched), ElementsAre("three"));
}

TEST(SpokenValues, ExpectedValuesAreReadFromLinesAndFromAnAgentsAnswer) {
  const auto lines = parse_expected_values("two 4\n\nfive  a b\nnear-one\n");
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[1], (ExpectedValue{"five", "a b", false, false}));
  EXPECT_EQ(lines[2], (ExpectedValue{"near-one", "", true, true}));
  const auto answer = expected_values_from_json(Json::parse(
      R"([{"name":"two","value":4},{"name":"x","value":"a","near":true},{"name":"y","near":true},"odd"])"));
  EXPECT_THAT(answer, ElementsAre(ExpectedValue{"two", "4", false, false},
                                  ExpectedValue{"x", "a", true, false}, ExpectedValue{"y", "", true, true}));
  EXPECT_EQ(expected_values_from_json(to_json(answer)), answer);
}

TEST(SpokenValues, FaultsAreNamed) {
  EXPECT_EQ(fault_of(kExpected), "");
  EXPECT_NE(fault_of({}), "");
  EXPECT_NE(fault_of({{"a b", "1", false, false}}), "");
  EXPECT_NE(fault_of({{"a", "1", false, false}, {"a", "2", false, false}}), "");
  EXPECT_NE(fault_of({{"a", "", true, true}}), "") << "nothing to compare with";
  EXPECT_NE(fault_of({{"a", "1\n2", false, false}}), "");
}

TEST(SpokenValues, ExpectedValuesArePartOfACheckAndOldOnesKeepTheirDigest) {
  const Reproducer with = check_expecting(kExpected), other = check_expecting({{"two", "5", false, false}});
  EXPECT_NE(with.sha256(), other.sha256());
  EXPECT_EQ(reproducer_from_json(to_json(with)).sha256(), with.sha256());
  EXPECT_TRUE(with.independent());
  const Reproducer old = check_expecting({});
  EXPECT_FALSE(old.independent());
  EXPECT_FALSE(to_json(old).contains("expected"));
}

} // namespace
} // namespace emend
