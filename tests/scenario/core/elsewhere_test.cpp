// The whole once more where the checks look as on a build server, with other values in the tests: what counts
// against a fix there, and what the base is tried with first.
#include "engine/verify/elsewhere.hpp"

#include <gmock/gmock.h>

#include "base/hash.hpp"
#include "base/strings.hpp"
#include "tests/support/world.hpp"

namespace emend::testing_support {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kUsual = "exit 0\n";
constexpr const char* kFailsWithTheFix = "! grep -q fixed value.txt\n";
constexpr const char* kFailsEverywhere = "exit 1\n";

FileChange change_of(const std::string& path, const std::string& before, const std::string& after) {
  return {path, kModeFile, kModeFile, git_blob_id(before, "sha1"), git_blob_id(after, "sha1"), before, after};
}

class OtherDraws : public ::testing::Test {
protected:
  OtherDraws() : world(Files{{"value.txt", "broken\n"}, {"check.sh", kUsual}}) {
    world.policy.commands = {{"check", "sh check.sh", {}, 0}};
    session.id = "abcdefgh";
    session.policy = world.policy;
    session.base = std::string(trim(world.git({"rev-parse", "HEAD"})));
    session.repository_id = world.repository().id();
    Change begun;
    begun.sessions.push_back(session);
    must(world.store().apply(begun, 1));
    fix.changes = {change_of("value.txt", "broken\n", "fixed\n")};
  }

  // What the gate would say, with these texts of the test one draw after the other.
  std::vector<std::string> held_against(const std::vector<std::string>& texts) {
    const Ports ports = world.ports();
    EventLog events(ports.store, ports.clock, {});
    RunContext context(ports, events, world.home, session, Redactor());
    Verifier verifier(context);
    const Verification here =
        must(verifier.execute(VerificationKind::combined, session.base, fix, session.policy.commands, {}));
    drawn = 0;
    const auto draw = [&]() -> Result<Patch> {
      Patch twist;
      const std::string& text = texts.at(drawn++);
      if (text != kUsual) twist.changes = {change_of("check.sh", kUsual, text)};
      return twist;
    };
    seen =
        must(run_elsewhere(context, verifier, {session.base, fix, here}, session.policy.commands, {}, draw));
    return fails_elsewhere(here, seen);
  }

  World world;
  Session session;
  Patch fix;
  Verification seen;
  std::size_t drawn = 0;
};

TEST_F(OtherDraws, OneThatHoldsIsEnough) {
  EXPECT_THAT(held_against({"# other words\nexit 0\n"}), IsEmpty());
  EXPECT_EQ(seen.commands.front().spent, 0);
}

TEST_F(OtherDraws, ASecondOneThatHoldsClearsTheFix) {
  EXPECT_THAT(held_against({kFailsWithTheFix, "# other words\nexit 0\n"}), IsEmpty());
  EXPECT_EQ(drawn, 2U);
}

TEST_F(OtherDraws, TwoThatOnlyTheFixFailsCount) {
  EXPECT_THAT(held_against({kFailsWithTheFix, kFailsWithTheFix}),
              ElementsAre(HasSubstr("check passes here, but fails where")));
  EXPECT_EQ(seen.commands.front().spent, 4)
      << "each draw with the fix and on the base, and the last once more";
}

// The first draw is borne by the base and the second one is not: it says nothing of the fix.
TEST_F(OtherDraws, WhatTheBaseFailsWithTheSameValuesIsNotHeldAgainstTheFix) {
  EXPECT_THAT(held_against({kFailsWithTheFix, kFailsEverywhere}), IsEmpty());
  EXPECT_EQ(drawn, 2U);
  EXPECT_THAT(held_against({kFailsEverywhere}), IsEmpty()) << "nor with the first";
}

} // namespace
} // namespace emend::testing_support
