#include "cli/daily/interview.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

namespace emend {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class InterviewTest : public testing::Test {
protected:
  InterviewTest() {
    for (int i = 1; i <= 2; ++i) {
      InterviewQuestion question;
      question.heading = "BE-00" + std::to_string(i);
      question.question.question_id = "BE-00" + std::to_string(i) + "-q1";
      question.question.question = "How \x1b[2J?";
      question.question.suggestions = {"first", "second"};
      questions_.push_back(question);
    }
  }
  // Types these lines; then the keyboard is closed.
  bool with(std::deque<std::string> lines) {
    Interviewer interviewer;
    interviewer.show = [this](std::string_view text) { screen_ += text; };
    interviewer.read = [this, &lines](std::string_view prompt) -> Result<std::optional<std::string>> {
      screen_ += prompt;
      if (lines.empty()) return std::optional<std::string>();
      std::optional<std::string> line = lines.front();
      lines.pop_front();
      return line;
    };
    interviewer.keep = [this](const GivenAnswer& answer) -> Status {
      kept_.push_back(answer.question_id + (answer.skip ? " skipped" : "=" + answer.answer));
      return {};
    };
    return interview(questions_, interviewer, Palette{}).value();
  }
  std::vector<InterviewQuestion> questions_;
  std::vector<std::string> kept_;
  std::string screen_;
};

TEST_F(InterviewTest, NumbersAndWords) {
  EXPECT_TRUE(with({"2", "  my own words "}));
  EXPECT_THAT(kept_, ElementsAre("BE-001-q1=second", "BE-002-q1=my own words"));
  EXPECT_THAT(screen_, HasSubstr("(1 of 2)"));
  EXPECT_THAT(screen_, HasSubstr("2) second"));
  EXPECT_THAT(screen_, Not(HasSubstr("\x1b")));
}

TEST_F(InterviewTest, ANumberThatIsNoSuggestionIsAnAnswer) {
  EXPECT_TRUE(with({"5", "0"}));
  EXPECT_THAT(kept_, ElementsAre("BE-001-q1=5", "BE-002-q1=0"));
}

TEST_F(InterviewTest, SkipAndBack) {
  EXPECT_TRUE(with({"b", "s", "b", "1", "2"})) << "back at the first question stays there";
  EXPECT_THAT(kept_, ElementsAre("BE-001-q1 skipped", "BE-001-q1=first", "BE-002-q1=second"));
}

TEST_F(InterviewTest, EnterAloneAsksAgain) {
  EXPECT_TRUE(with({"", " ", "1", "1"}));
  EXPECT_EQ(kept_.size(), 2U);
}

TEST_F(InterviewTest, LeavingKeepsWhatWasSaid) {
  EXPECT_FALSE(with({"1", "q"}));
  EXPECT_THAT(kept_, ElementsAre("BE-001-q1=first"));
  EXPECT_FALSE(with({})) << "a closed keyboard answers nothing";
}

} // namespace
} // namespace emend
