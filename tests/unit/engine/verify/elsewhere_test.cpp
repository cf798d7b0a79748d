// What passes where the developer runs it and fails elsewhere is named.
#include "engine/verify/elsewhere.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace emend {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Verification of(bool passed, std::map<std::string, std::string> tests = {}) {
  CommandRun run;
  run.name = "test";
  run.result = passed ? CommandResult::passed : CommandResult::failed;
  run.tests.by_id = std::move(tests);
  Verification verification;
  verification.commands = {run};
  return verification;
}

TEST(Elsewhere, NamesWhatFailsThere) {
  EXPECT_THAT(fails_elsewhere(of(true), of(true)), IsEmpty());
  EXPECT_THAT(fails_elsewhere(of(true), of(false)), ElementsAre(HasSubstr("test passes here")));
  EXPECT_THAT(fails_elsewhere(of(true, {{"a", "passed"}, {"b", "passed"}}),
                              of(false, {{"a", "passed"}, {"b", "failed"}})),
              ElementsAre(AllOf(HasSubstr("test: b passes here"), HasSubstr("build server"))));
}

TEST(Elsewhere, SaysNothingOfWhatFailsHereTooOrIsSkippedThere) {
  EXPECT_THAT(fails_elsewhere(of(false), of(false)), IsEmpty());
  EXPECT_THAT(fails_elsewhere(of(false, {{"a", "failed"}, {"b", "passed"}}), of(false, {{"a", "failed"}})),
              IsEmpty());
  EXPECT_THAT(fails_elsewhere(of(true, {{"a", "passed"}}), of(true, {{"a", "skipped"}})), IsEmpty());
}

TEST(Elsewhere, SeesATestThatTurnsRedWhereOthersFailHereToo) {
  EXPECT_THAT(fails_elsewhere(of(false, {{"a", "failed"}, {"b", "passed"}}),
                              of(false, {{"a", "failed"}, {"b", "failed"}})),
              ElementsAre(HasSubstr("test: b")));
}

TEST(Elsewhere, SaysNothingOfACommandThatIsMissingThere) {
  EXPECT_THAT(fails_elsewhere(of(true), Verification{}), IsEmpty());
}

} // namespace
} // namespace emend
