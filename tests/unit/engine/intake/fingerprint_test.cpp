#include "engine/intake/fingerprint.hpp"

#include <gtest/gtest.h>

#include "engine/intake/effort.hpp"
#include "model/same_rules.hpp"

namespace emend {
namespace {

Finding at(int line, int column = 0, const std::string& rule = "R1") {
  Finding finding;
  finding.file = "src/a.c";
  finding.line = line;
  finding.column = column;
  finding.rule = rule;
  return finding;
}

std::string content(const std::string& text, int line, int column = 0) {
  return FingerprintText(text).fingerprints(at(line, column)).content;
}

TEST(FingerprintContent, TheTextAfterThePlaceCountsAndNotWhatIsAboveIt) {
  EXPECT_EQ(content("a = 1;\nb = 2;\n", 2), content("other();\nthings();\nb = 2;\n", 3));
  EXPECT_NE(content("b = 2;\n", 1), content("b = 3;\n", 1));
}

TEST(FingerprintContent, AnEditAFewStatementsAwayDoesNotCount) {
  const std::string far = "call(first, second, third, fourth, fifth);\nmore(things, to, do);\n";
  EXPECT_EQ(content(far + "x = 1;\n", 1), content(far + "x = 2;\n", 1));
}

TEST(FingerprintContent, WhatFormattersChangeDoesNotCount) {
  const std::string plain = content("f(a, 'b');\n", 1);
  EXPECT_EQ(plain, content("f(a, \"b\")\n", 1)) << "quotes and semicolons";
  EXPECT_EQ(plain, content("f(\n  a,\n  'b',\n);\n", 1)) << "wrapped, with a trailing comma";
  EXPECT_EQ(plain, content("\tf( a , \\\n 'b' );\r\n", 1)) << "continued by a backslash";
  EXPECT_NE(plain, content("f(a, 'b', c);\n", 1));
  EXPECT_NE(plain, content("f(a, '\\b');\n", 1)) << "a backslash inside a line is text";
}

TEST(FingerprintContent, TheColumnPointsIntoTheStatementHoweverItIsWrapped) {
  EXPECT_EQ(content("x = one(two(3));\n", 1, 9), content("x = one(\n    two(3));\n", 2, 5));
  EXPECT_NE(content("x = one(two(3));\n", 1, 9), content("x = one(two(3));\n", 1, 5));
}

TEST(FingerprintContent, WithoutAPlaceTheFilesNameAndTheRuleAreAllThereIs) {
  Finding here = at(0), moved = at(0), renamed = at(0);
  moved.file = "lib/a.c";
  renamed.file = "src/b.c";
  const FingerprintText text("x\n");
  EXPECT_EQ(text.fingerprints(here).content, text.fingerprints(moved).content);
  EXPECT_NE(text.fingerprints(here).content, text.fingerprints(renamed).content);
  EXPECT_EQ(text.fingerprints(here).line_key, "");
}

TEST(FingerprintContent, OddPlacesAreNoTrouble) {
  for (const int line : {-1, 0, 1, 2, 3, 1'000'000})
    for (const int column : {-5, 0, 1, 2, 1'000'000})
      EXPECT_EQ(FingerprintText("ab\n\n").fingerprints(at(line, column)).content.size(), 32U);
  EXPECT_EQ(FingerprintText().fingerprints(at(3)).content.size(), 32U);
  EXPECT_EQ(FingerprintText(std::string("\0\xff\xfe", 3)).fingerprints(at(1)).content.size(), 32U);
}

TEST(FingerprintLineKey, IsTheWholeLineAndNothingElse) {
  const auto key = [](const std::string& text, int line) {
    return FingerprintText(text).fingerprints(at(line, 3)).line_key;
  };
  EXPECT_EQ(key("a\n  b = 2\nc\n", 2), key("x\nb=2\ny\n", 2));
  EXPECT_NE(key("b = 2\n", 1), key("b = 3\n", 1));
  EXPECT_EQ(key("a\n   \nb\n", 2), "") << "a blank line says nothing";
}

TEST(FingerprintGiver, EqualContentIsToldApartByOrderAndAPlaceIsItself) {
  FingerprintGiver giver;
  const std::string first = giver.give("c", at(3)), second = giver.give("c", at(9)),
                    third = giver.give("c", at(9, 4));
  EXPECT_NE(first, second);
  EXPECT_NE(second, third);
  EXPECT_EQ(giver.give("c", at(3)), first);
  EXPECT_EQ(giver.give("c", at(9)), second);
  Finding elsewhere = at(3);
  elsewhere.file = "b.c";
  EXPECT_NE(giver.give("c", elsewhere), first);
}

TEST(RuleNames, OnlyKnownEqualsAreOne) {
  EXPECT_EQ(canonical_rule("unused-import"), canonical_rule("F401"));
  EXPECT_EQ(canonical_rule("clang-analyzer-core.NullDereference"), "core.NullDereference");
  for (const char* rule : {"no-debugger", "lint/suspicious/noDebugger", "no-console"})
    EXPECT_EQ(canonical_rule(rule), canonical_rule("emend/debug-leftover")) << rule;
  EXPECT_EQ(canonical_rule("bugprone-x"), "bugprone-x");
  EXPECT_NE(canonical_rule("F811"), canonical_rule("F401"));
}

TEST(Effort, IsEstimatedOnlyWhereTheReviewerSaidNothing) {
  Finding said = at(1);
  said.effort = 5;
  said.files_count = 9;
  estimate_effort(said);
  EXPECT_EQ(said.effort, 5);
  EXPECT_EQ(said.files_count, 9);

  Finding fixable = at(1);
  fixable.severity = Severity::critical;
  fixable.fixit = FixIt{"x", true, {{"src/a.c", 0, 1, ""}}, {}};
  estimate_effort(fixable);
  EXPECT_EQ(fixable.effort, 1);
  EXPECT_EQ(fixable.files_count, 1);

  Finding wide = at(1);
  wide.severity = Severity::high;
  wide.category = "security";
  wide.related_files = {"b.c", "c.c", "d.c", "src/a.c"};
  estimate_effort(wide);
  EXPECT_EQ(wide.files_count, 4);
  EXPECT_EQ(wide.effort, 5);

  Finding style = at(1);
  style.severity = Severity::high;
  style.category = "Style";
  estimate_effort(style);
  EXPECT_EQ(style.effort, 1);
  Finding plain = at(1);
  estimate_effort(plain);
  EXPECT_EQ(plain.effort, 2);
}

} // namespace
} // namespace emend
