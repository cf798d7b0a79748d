#include "engine/forge/told_findings.hpp"

#include <gmock/gmock.h>

#include "engine/forge/forge_text.hpp"
#include "engine/forge/threads.hpp"

namespace emend {

using testing::HasSubstr;
using testing::Not;

class ToldFindings : public testing::Test {
protected:
  ToldFindings() {
    says("**high**: Off by one (BE-007)\n\n" + harmless("The loop runs too far, says @team.") +
         "\n\nUse <.\n\n```suggestion\nint i;\n```\n\nfound by one, two\n\n" +
         to_string(Mark{"0123456789abcdef", "k3f9"}));
    thread_.path = "src/a.c";
    thread_.line = 3;
  }

  void says(const std::string& body, bool own = true) {
    Remark remark;
    remark.own = own;
    remark.body = body;
    thread_.remarks.push_back(remark);
  }

  ReviewThread thread_;
};

TEST_F(ToldFindings, AFindingIsReadBackFromItsThread) {
  const auto told = told_finding(thread_);
  ASSERT_TRUE(told);
  EXPECT_EQ(told->code, "BE-007");
  EXPECT_EQ(told->fingerprint, "0123456789abcdef");
  EXPECT_EQ(told->finding.severity, Severity::high);
  EXPECT_EQ(told->finding.title, "Off by one");
  EXPECT_EQ(told->finding.file, "src/a.c");
  EXPECT_EQ(told->finding.line, 3);
  EXPECT_THAT(told->finding.description, HasSubstr("The loop runs too far"));
  EXPECT_THAT(told->finding.description, HasSubstr("Use"));
  EXPECT_THAT(told->finding.description, Not(HasSubstr("suggestion")));
  EXPECT_THAT(told->finding.description, Not(HasSubstr("found by")));
  EXPECT_EQ(told->dismissed, "");
}

TEST_F(ToldFindings, AnOutdatedThreadHasTheLineItHad) {
  thread_.line = 0;
  thread_.line_then = 9;
  EXPECT_EQ(told_finding(thread_)->finding.line, 9);
}

TEST_F(ToldFindings, OnlyOurOwnAnswerDismisses) {
  const std::string mark = to_string(Mark{kDismissedMark, "thread"});
  says("Dismissed: BE-007, mallory\n\n" + mark, false);
  EXPECT_EQ(told_finding(thread_)->dismissed, "");
  says("Dismissed: BE-007, alice: it is fine\n\n" + mark);
  EXPECT_EQ(told_finding(thread_)->dismissed, "Dismissed: BE-007, alice: it is fine");
}

TEST_F(ToldFindings, WhatEmendDidNotBeginIsNoFinding) {
  thread_.remarks.front().own = false;
  EXPECT_FALSE(told_finding(thread_));
  thread_.remarks.front().own = true;
  for (const std::string body :
       {"Off by one (BE-007)", "**high**: Off by one", "**worst**: Off by one (BE-007)",
        "**high**: Off by one (BE-7)", "**high**: Off by one (../x)"}) {
    thread_.remarks.front().body = body + "\n\n" + to_string(Mark{"0123456789abcdef", "k3f9"});
    EXPECT_FALSE(told_finding(thread_)) << body;
  }
}

} // namespace emend
