#include "cli/daily/timing_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace emend {
namespace {

using testing::HasSubstr;

SessionTiming two_issues() {
  SessionTiming timing;
  timing.begin_ms = 1'000;
  timing.end_ms = 11'000;
  timing.issues = {{"BE-001",
                    2'000,
                    7'000,
                    {{Waited::agent, "fixer claude", 2'000, 5'000},
                     {Waited::check, "alone: unit", 5'000, 6'000},
                     {Waited::agent, "fix_challenger codex", 6'000, 7'000}}},
                   {"BE-002", 7'000, 10'000, {{Waited::agent, "reproducer claude", 8'000, 9'000}}}};
  timing.shared = {{Waited::check, "baseline: unit, lint", 1'000, 2'000}};
  return timing;
}

TEST(TimingText, DrawsWhoWasWaitedFor) {
  Palette narrow;
  narrow.columns = 44; // 20 for the picture: two columns a second
  EXPECT_EQ(timing_text(two_issues(), 2, narrow),
            "2 issues, 2 at a time: 10 s. Agents and checks alone need 6.0 s.\n"
            "Before the first issue began: 1.0 s. After the last was accepted: 1.0 s.\n\n"
            "BE-001           5.0 s    FFFFFFCCJJ\n"
            "BE-002           3.0 s              ..AA..\n"
            "baseline         1.0 s  CC\n"
            "\nF fixer  J judge  A other agent  C checks  . the engine, or waiting\n");
}

TEST(TimingText, ShortThingsAreSeenAndOddNamesAreHarmless) {
  SessionTiming timing = two_issues();
  timing.issues[0].spans[1].end_ms = 5'001;
  timing.issues[0].code = "B\x1b[2J";
  const std::string text = timing_text(timing, 2, {});
  EXPECT_THAT(text, HasSubstr("C"));
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(timing_text({}, 2, {}), "no issue was worked on\n");
}

} // namespace
} // namespace emend
