#include "engine/session/unit_turn.hpp"

#include <gtest/gtest.h>

#include "tests/unit/engine/changes.hpp"

namespace emend {
namespace {

Attempt attempt(const std::string& id, const std::string& text,
                AttemptResult result = AttemptResult::verification_failed) {
  Attempt made;
  made.id = id;
  made.unit_id = "u";
  made.issue_id = "i";
  made.base = "base";
  made.result = result;
  if (!text.empty()) made.patch.changes = {changed("a.c", "0", text)};
  return made;
}

TEST(Convergence, FindsTheEarlierAttemptWithTheSameChange) {
  const std::vector<Attempt> earlier = {attempt("1", "A"), attempt("2", "B"),
                                        attempt("3", "C", AttemptResult::interrupted)};
  ASSERT_NE(same_change(earlier, attempt("4", "A")), nullptr);
  EXPECT_EQ(same_change(earlier, attempt("4", "A"))->id, "1");
  EXPECT_EQ(same_change(earlier, attempt("4", "C")), nullptr) << "what was interrupted was not judged";
  EXPECT_EQ(same_change(earlier, attempt("4", "D")), nullptr);
  EXPECT_EQ(same_change(earlier, attempt("4", "")), nullptr);
  EXPECT_EQ(same_change(earlier, attempt("1", "A")), nullptr) << "not itself";
  Attempt elsewhere = attempt("4", "A");
  elsewhere.base = "another";
  EXPECT_EQ(same_change(earlier, elsewhere), nullptr) << "on another base it is another change";
}

TEST(Convergence, ReturningIsMoreThanStandingStill) {
  std::vector<Attempt> attempts = {attempt("1", "A"), attempt("2", "A", AttemptResult::no_change)};
  attempts[1].cycle = 2;
  EXPECT_FALSE(returned_to(attempts, attempts[0]));
  attempts.push_back(attempt("3", "B"));
  attempts[2].cycle = 3;
  EXPECT_TRUE(returned_to(attempts, attempts[0]));
}

TEST(Convergence, FeedbackIsTheSameBesidesTimesAndPlaces) {
  const Feedback first{"$ make test\nFAILED in 0.12s at 0x7ffe12ab\n/tmp/tree-1a/src/a.c:3",
                       "Verification failed"};
  EXPECT_TRUE(same_feedback(
      first, {"$ make test\nFAILED in 1.5 s at 0x55aa00ff\n/tmp/tree-9z/src/a.c:3", "Verification failed"}));
  EXPECT_FALSE(same_feedback(
      first, {"$ make test\nFAILED in 0.12s at 0x7ffe12ab\n/tmp/tree-1a/src/a.c:4", "Verification failed"}));
  EXPECT_FALSE(same_feedback({}, {}));
  EXPECT_FALSE(same_feedback({}, first));
}

} // namespace
} // namespace emend
