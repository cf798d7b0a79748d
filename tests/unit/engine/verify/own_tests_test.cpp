// What the tests a fix brings along show, from three runs.
#include "engine/verify/own_tests.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace emend {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using Ids = std::map<std::string, std::string>;

Verification run(CommandResult result, const Ids& ids = {}) {
  CommandRun one;
  one.name = "test";
  one.result = result;
  one.tests.recognised = !ids.empty();
  one.tests.by_id = ids;
  Verification verification;
  verification.commands = {one};
  return verification;
}

constexpr auto green = CommandResult::passed, red = CommandResult::failed;
const std::vector<VerifyCommand> kCommands = {{"test", "make test", {}, 0}};

TEST(OwnTests, ByIdTheyFailOnTheBaseAndPassWithThePatch) {
  const OwnTests seen = shown_by(kCommands, run(green, {{"old", "passed"}}),
                                 run(red, {{"old", "passed"}, {"new", "failed"}, {"idle", "passed"}}),
                                 run(green, {{"old", "passed"}, {"new", "passed"}, {"idle", "passed"}}), {});
  EXPECT_TRUE(seen.shown);
  EXPECT_THAT(seen.ids, ElementsAre("new"));
  EXPECT_THAT(seen.idle, ElementsAre("idle"));
  EXPECT_THAT(seen.sentence(), HasSubstr("fail without the fix and pass with it (new)"));
}

TEST(OwnTests, ThatPassOnTheBaseShowNothing) {
  const OwnTests seen =
      shown_by(kCommands, run(green, {{"old", "passed"}}), run(green, {{"old", "passed"}, {"new", "passed"}}),
               run(green, {{"old", "passed"}, {"new", "passed"}}), {});
  EXPECT_FALSE(seen.shown);
  EXPECT_THAT(seen.sentence(), HasSubstr("show nothing about it (new)"));
}

TEST(OwnTests, WithoutIdsTheExitStatusSays) {
  EXPECT_TRUE(shown_by(kCommands, run(green), run(red), run(green), {}).shown);
  EXPECT_FALSE(shown_by(kCommands, run(green), run(green), run(green), {}).shown);
  EXPECT_FALSE(shown_by(kCommands, run(red), run(red), run(green), {}).shown)
      << "it fails on the base without them too";
  EXPECT_FALSE(shown_by(kCommands, run(green), run(red), run(red), {}).shown);
  EXPECT_FALSE(shown_by(kCommands, run(green), run(CommandResult::timed_out), run(green), {}).shown);
}

TEST(OwnTests, OnTopOfARedBaseOnlyIdsCount) {
  const Verification base = run(red, {{"broken", "failed"}});
  const OwnTests seen = shown_by(kCommands, base, run(red, {{"broken", "failed"}, {"new", "failed"}}),
                                 run(red, {{"broken", "failed"}, {"new", "passed"}}), {});
  EXPECT_THAT(seen.ids, ElementsAre("new"));
  EXPECT_FALSE(shown_by(kCommands, base, base, run(red, {{"broken", "passed"}}), {}).shown)
      << "what failed on the base without them is not theirs";
}

TEST(OwnTests, ThatCannotEvenBeLoadedOnTheBaseFailThere) {
  EXPECT_TRUE(shown_by(kCommands, run(green, {{"old", "passed"}}), run(red, {{"old", "passed"}}),
                       run(green, {{"old", "passed"}, {"new", "passed"}}), {})
                  .shown);
}

TEST(OwnTests, InACombinationOnlyTheirNamesCount) {
  const Verification base = run(green, {{"old", "passed"}}),
                     with_tests = run(red, {{"t.A.test_a", "failed"}, {"t.A.test_b", "failed"}}),
                     all = run(green, {{"t.A.test_a", "passed"}, {"t.A.test_b", "passed"}});
  EXPECT_THAT(shown_by(kCommands, base, with_tests, all, {"A::test_b"}).ids, ElementsAre("t.A.test_b"));
  EXPECT_FALSE(shown_by(kCommands, base, with_tests, all, {"A::test_c"}).shown);
}

TEST(OwnTests, ThatFailWithThePatchAreNamed) {
  EXPECT_THAT(failing_own_tests(kCommands, run(green, {{"old", "passed"}}),
                                run(red, {{"old", "failed"}, {"new", "failed"}})),
              ElementsAre("new"));
  EXPECT_THAT(failing_own_tests(kCommands, run(green), run(red)), IsEmpty());
}

} // namespace
} // namespace emend
