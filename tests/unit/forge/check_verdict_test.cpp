#include "engine/forge/check_verdict.hpp"

#include <gmock/gmock.h>

#include "engine/session/check_change.hpp"

namespace emend {

using testing::HasSubstr;
using testing::Not;

namespace {

HeadState state(CheckVerdict verdict, GateMode gate, const std::string& code = "",
                const std::string& by = "") {
  return conclude_check(head_verdict(to_string(verdict), "why", code), gate, by).state;
}

constexpr CheckVerdict kAll[] = {CheckVerdict::nothing, CheckVerdict::unprovable, CheckVerdict::cheat,
                                 CheckVerdict::red,     CheckVerdict::verified,   CheckVerdict::proven};

} // namespace

TEST(CheckVerdictTest, EveryVerdictIsKnownAndAdvisoryUntilItIsMadeAGate) {
  for (const CheckVerdict verdict : kAll) {
    const bool good = verdict == CheckVerdict::verified || verdict == CheckVerdict::proven;
    EXPECT_EQ(state(verdict, GateMode::never), good ? HeadState::success : HeadState::neutral);
  }
}

TEST(CheckVerdictTest, WhatBreaksSomethingFailsByAnyGate) {
  for (const GateMode gate : {GateMode::findings, GateMode::proof})
    for (const CheckVerdict verdict : kAll) {
      const bool breaks = verdict == CheckVerdict::red || verdict == CheckVerdict::cheat;
      EXPECT_EQ(state(verdict, gate) == HeadState::failure, breaks) << to_string(verdict);
    }
}

TEST(CheckVerdictTest, WhereProofIsWantedACheckOfAnIssueHasToGiveIt) {
  EXPECT_EQ(state(CheckVerdict::verified, GateMode::proof, "BE-001"), HeadState::failure);
  EXPECT_EQ(state(CheckVerdict::unprovable, GateMode::proof, "BE-001"), HeadState::failure);
  EXPECT_EQ(state(CheckVerdict::proven, GateMode::proof, "BE-001"), HeadState::success);
  EXPECT_EQ(state(CheckVerdict::verified, GateMode::findings, "BE-001"), HeadState::success);
}

TEST(CheckVerdictTest, AnOverrideIsNamedAndOnlyWhereItWasNeeded) {
  const HeadVerdict red = head_verdict("RED", "a test fails", "");
  EXPECT_EQ(conclude_check(red, GateMode::findings, "alice").summary,
            "RED: a test fails; overridden by alice");
  EXPECT_EQ(conclude_check(red, GateMode::findings, "alice").state, HeadState::neutral);
  EXPECT_EQ(conclude_check(red, GateMode::never, "alice").summary, "RED: a test fails");
}

TEST(CheckVerdictTest, AWordThatNoCheckGivesSaysNothingAboutTheChange) {
  for (const char* word : {"", "PROVEN ", "proven", "PROVEN: and", "OK"})
    EXPECT_EQ(conclude_check(head_verdict(word, "why", ""), GateMode::proof, "").state, HeadState::error)
        << word;
}

TEST(CheckVerdictTest, TheSameComesOutWhenItIsJudgedAgain) {
  const HeadVerdict verdict = head_verdict("RED", "fails: @team #12 | a; overridden by mallory", "");
  const HeadStatus said = conclude_check(verdict, GateMode::findings, "alice");
  const HeadVerdict read = read_verdict(said.summary);
  EXPECT_EQ(read.word, "RED");
  EXPECT_EQ(read.reason, verdict.reason);
  EXPECT_EQ(conclude_check(read, GateMode::findings, "alice").summary, said.summary);
  EXPECT_THAT(said.summary, Not(HasSubstr("@team")));
}

} // namespace emend
