#include "base/crash_point.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include <cstdlib>

namespace emend {
namespace {

void three_points() {
  crash_point("one");
  crash_point("two");
  crash_point("three");
}

// "threadsafe" starts this program anew, which is when the variable is read.
class CrashPointDeathTest : public ::testing::Test {
protected:
  CrashPointDeathTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
  ~CrashPointDeathTest() override { ::unsetenv("EMEND_TEST_CRASH_AT"); }
};

TEST_F(CrashPointDeathTest, KillsAtTheNamedCall) {
  ::setenv("EMEND_TEST_CRASH_AT", "2", 1);
  EXPECT_EXIT(three_points(), ::testing::KilledBySignal(SIGKILL), "crash point: two");
}

TEST_F(CrashPointDeathTest, PastTheLastCallNothingHappens) {
  ::setenv("EMEND_TEST_CRASH_AT", "4", 1);
  EXPECT_EXIT((three_points(), std::_Exit(0)), ::testing::ExitedWithCode(0), "");
}

TEST_F(CrashPointDeathTest, KillsAtAPlaceForTheNthTime) {
  ::setenv("EMEND_TEST_CRASH_AT", "two:2", 1);
  EXPECT_EXIT((crash_point("two"), crash_point("three"), crash_point("one"), three_points()),
              ::testing::KilledBySignal(SIGKILL), "crash point: two");
  EXPECT_EXIT((three_points(), std::_Exit(0)), ::testing::ExitedWithCode(0), "");
}

TEST_F(CrashPointDeathTest, NonsenseIsNoNumber) {
  ::setenv("EMEND_TEST_CRASH_AT", "-1", 1);
  EXPECT_EXIT((three_points(), std::_Exit(0)), ::testing::ExitedWithCode(0), "");
}

TEST(CrashPoint, IsReadOnceWhenTheProgramStarts) {
  ::setenv("EMEND_TEST_CRASH_AT", "1", 1);
  three_points();
  ::unsetenv("EMEND_TEST_CRASH_AT");
}

} // namespace
} // namespace emend
