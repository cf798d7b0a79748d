// What is drawn while a review works.
#include "cli/daily/review_screen.hpp"

#include <gmock/gmock.h>

#include "base/columns.hpp"
#include "base/strings.hpp"

namespace emend {
namespace {

using testing::HasSubstr;
using testing::Not;

class ReviewScreenTest : public testing::Test {
protected:
  static Finding finding(Severity severity, const std::string& rule) {
    Finding found;
    found.severity = severity;
    found.rule = rule;
    found.file = "src/a.c";
    found.line = 7;
    found.title = "what is wrong";
    return found;
  }
  void at(const std::string& tool, std::size_t done, std::size_t all, std::vector<Finding> found = {},
          bool ended = false) {
    review_.take({tool, done, all, ended, std::move(found)});
  }
  [[nodiscard]] std::vector<std::string> lines(std::size_t columns = 80, std::size_t rows = 24) const {
    LiveStyle style;
    style.columns = columns;
    style.rows = rows;
    style.ascii = true;
    return render_review(review_, 4'200, style);
  }
  ReviewSoFar review_;
};

TEST_F(ReviewScreenTest, ALineForEachToolAtWorkWithABarOverItsFiles) {
  at("clang-tidy", 5, 10);
  at("codespell", 0, 0);
  at("shellcheck", 3, 3, {}, true);
  EXPECT_EQ(join(lines(), "\n"),
            "clang-tidy  ##########----------  5 of 10 files\n"
            "codespell   --------------------  \n"
            "0 findings so far, 1 analyzer done, 4 s; Ctrl-C keeps the results so far");
}

TEST_F(ReviewScreenTest, TheWorstFindingsStandAboveWhateverCameFirst) {
  at("codespell", 1, 2, {finding(Severity::low, "word"), finding(Severity::low, "other")});
  at("cppcheck", 1, 2, {finding(Severity::high, "doubleFree")});
  const auto shown = lines();
  EXPECT_THAT(shown[0], HasSubstr("high"));
  EXPECT_THAT(shown[0], HasSubstr("src/a.c:7  doubleFree  what is wrong"));
  EXPECT_THAT(shown[1], HasSubstr("word"));
  EXPECT_THAT(shown.back(), HasSubstr("3 findings so far"));
  EXPECT_THAT(join(shown, "\n"), HasSubstr("1 of 2 files, 2 findings"));
}

TEST_F(ReviewScreenTest, ProgressNeverGoesBackAndAnEndedToolLeaves) {
  at("cppcheck", 5, 10);
  at("cppcheck", 3, 10);
  EXPECT_THAT(lines()[0], HasSubstr("5 of 10"));
  at("cppcheck", 0, 0, {}, true);
  EXPECT_EQ(lines().size(), 1U);
}

TEST_F(ReviewScreenTest, NeverMoreThanHalfOfTheRowsNorWiderThanTheTerminal) {
  for (int i = 0; i < 30; ++i) {
    Finding wide = finding(Severity::high, std::string(90, 'r'));
    wide.title = "\x1b[31m" + std::string(300, 'w') + "\n";
    at("tool" + std::to_string(i), 1, 2, {wide});
  }
  for (const std::size_t rows : {1U, 6U, 24U})
    for (const std::size_t columns : {1U, 20U, 80U}) {
      const auto shown = lines(columns, rows);
      EXPECT_LE(shown.size(), std::max<std::size_t>(rows / 2, 3));
      for (const std::string& line : shown) {
        EXPECT_LT(columns_of(line), std::max<std::size_t>(columns, 2)) << line;
        EXPECT_THAT(line, Not(HasSubstr("\x1b[31m"))) << "what a tool says may not colour the screen";
      }
    }
}

} // namespace
} // namespace emend
