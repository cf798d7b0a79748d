// Both sides of an equality are changed alike, and nothing else is.
#include "engine/probe/other_scale.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

namespace emend {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

// The numbers that were drawn as letters: equal ones get the same letter.
std::string shape(std::string_view path, const std::string& text, std::size_t seed = 7) {
  std::string scaled = on_other_scale(path, text, seed);
  static const std::regex change(R"(\* (\d+) \+ (\d+)\))");
  for (std::smatch found; std::regex_search(scaled, found, change);)
    scaled = found.prefix().str() + "* K + S)" + found.suffix().str();
  return scaled;
}

// How often the first number that stands behind a "*" stands there.
int times_drawn(const std::string& text) {
  std::smatch found;
  if (!std::regex_search(text, found, std::regex(R"(\* (\d+) \+)"))) return 0;
  int times = 0;
  const std::string words = "* " + found[1].str() + " +";
  for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1)) ++times;
  return times;
}

TEST(OtherScale, BothSidesOfAnEqualityGetTheSameFactor) {
  EXPECT_EQ(shape("t.c", "if (f(3) != 10) return 1;\n"),
            "if (((f(3)) * K + S) != ((10) * K + S)) return 1;\n");
  EXPECT_EQ(shape("t.c", "assert(f(3) == -1);\n"), "assert(((f(3)) * K + S) == ((-1) * K + S));\n");
  EXPECT_EQ(shape("t.cpp", "CHECK(\"small\", f(3), 10);\n"),
            "CHECK(\"small\", ((f(3)) * K + S), ((10) * K + S));\n");
  EXPECT_EQ(times_drawn(on_other_scale("t.c", "assert(f(1) == 2);\n", 5)), 2);
  EXPECT_THAT(on_other_scale("t.c", "assert(f(1) == 123456);\n", 5), HasSubstr("(123456) * 13 + "))
      << "a float holds it";
}

TEST(OtherScale, NothingCanBeReckonedBackWhereTheLanguageAllowsIt) {
  EXPECT_THAT(
      on_other_scale("t.py", "self.assertEqual(f(3), 10)\n", 1),
      ContainsRegex(R"(assertEqual\(hash\(\(\(f\(3\)\), ([0-9]+)\)\), hash\(\(\(10\), [0-9]+\)\)\))"));
  EXPECT_THAT(on_other_scale("t.py", "assert x.f(3) == -1\n", 1),
              ContainsRegex(R"(assert hash\(\(\(x.f\(3\)\), [0-9]+\)\) == hash\(\(\(-1\), [0-9]+\)\))"));
  EXPECT_THAT(
      on_other_scale("t.js", "expect(f(3)).toBe(10);\n", 1),
      ContainsRegex(
          R"(expect\(\(\(v\) => Number\(v\) \* [0-9]+ \+ \(Number\(v\) \^ [0-9]+\)\)\(f\(3\)\)\)\.toBe\(\(\(v\) => Number\(v\) \* [0-9]+ \+ \(Number\(v\) \^ [0-9]+\)\)\(10\)\);)"));
}

TEST(OtherScale, EachDrawAndEachPlaceHasItsOwnFactor) {
  const char* text = "assert(f(1) == 2);\nassert(f(2) == 3);\n";
  EXPECT_EQ(times_drawn(on_other_scale("t.c", text, 5)), 2);
  EXPECT_NE(on_other_scale("t.c", text, 5), on_other_scale("t.c", text, 6));
}

TEST(OtherScale, TextsGetTheSameEnding) {
  EXPECT_THAT(on_other_scale("t.py", "self.assertEqual(f(3), 'ab')\n", 1),
              ContainsRegex(R"(assertEqual\(\(\(f\(3\)\) \+ "q[0-9]+z"\), \(\('ab'\) \+ "q[0-9]+z"\)\))"));
  EXPECT_EQ(on_other_scale("t.c", "assert(f(3) == \"ab\");\n", 1), "assert(f(3) == \"ab\");\n")
      << "addresses";
}

TEST(OtherScale, TextsOfCLoseTheirFirstLetter) {
  EXPECT_EQ(on_other_scale("t.c", "CHECK(\"small\", strcmp(f(3), \"ab\") == 0);\n", 1),
            "CHECK(\"small\", strcmp(((f(3)) + 1), ((\"ab\") + 1)) == 0);\n");
  EXPECT_EQ(on_other_scale("t.cpp", "EXPECT_STREQ(\"ab\", f(3));\n", 1),
            "EXPECT_STREQ(((\"ab\") + 1), ((f(3)) + 1));\n");
  EXPECT_THAT(on_other_scale("t.c", "assert(strcmp(f(3), \"\") == 0);\n", 1), testing::Not(HasSubstr("+ 1")))
      << "there is none";
}

TEST(OtherScale, LanguagesOfStrictTypesKeepTheirs) {
  EXPECT_THAT(on_other_scale("t.rs", "assert_eq!(f(3), 10);\n", 1),
              ContainsRegex(R"(assert_eq!\(f\(3\) \^ [0-9]+, 10 \^ [0-9]+\))"));
  EXPECT_THAT(
      on_other_scale("t_test.go", "if got := F(3); got != 10 {\n", 1),
      ContainsRegex(R"(if got := F\(3\); \(\(got\) \* 13 \+ [0-9]+\) != \(\(10\) \* 13 \+ [0-9]+\) \{)"));
  EXPECT_THAT(on_other_scale("t_test.go", "if got != \"a\" {\n", 1),
              ContainsRegex(R"(\(\(got\) \+ "q[0-9]+z"\) != \(\("a"\) \+ )"));
  EXPECT_THAT(on_other_scale("t.c", "assert(find(3) == 0);\n", 1), HasSubstr(") ? ")) << "perhaps an address";
}

TEST(OtherScale, JavaPhpRubyAndGo) {
  EXPECT_EQ(shape("LimitTest.java", "        assertEquals(10, Limit.of(12));\n"),
            "        assertEquals(((10) * K + S), ((Limit.of(12)) * K + S));\n");
  EXPECT_EQ(shape("LimitTest.java", "        assertThat(Limit.of(12)).isEqualTo(10);\n"),
            "        assertThat(((Limit.of(12)) * K + S)).isEqualTo(((10) * K + S));\n");
  EXPECT_THAT(
      on_other_scale("LimitTest.java", "assertEquals(\"ab\", name(3));\n", 1),
      ContainsRegex(R"(assertEquals\(\(\("ab"\) \+ "q[0-9]+z"\), \(\(name\(3\)\) \+ "q[0-9]+z"\)\);)"));
  EXPECT_EQ(shape("LimitTest.php", "<?php\n$this->assertSame(10, limit(12));\n"),
            "<?php\n$this->assertSame(((10) * K + S), ((limit(12)) * K + S));\n");
  EXPECT_THAT(on_other_scale("LimitTest.php", "<?php\n$this->assertEquals('ab', name(3));\n", 1),
              ContainsRegex(R"(\(\('ab'\) \. "q[0-9]+z"\), \(\(name\(3\)\) \. "q[0-9]+z"\))"));
  EXPECT_EQ(shape("limit_test.rb", "    assert_equal 10, limit(12)\n"), "    assert_equal 10, limit(12)\n")
      << "a call without brackets stays";
  EXPECT_EQ(shape("limit_test.rb", "    assert_equal(10, limit(12))\n"),
            "    assert_equal(((10) * K + S), ((limit(12)) * K + S))\n");
  EXPECT_EQ(shape("limit_test.go", "\tassert.Equal(t, 10, Limit(12))\n"),
            "\tassert.Equal(t, ((10) * K + S), ((Limit(12)) * K + S))\n");
  EXPECT_EQ(shape("limit_test.go", "\tif Limit(12) != 10 {\n"),
            "\tif ((Limit(12)) * K + S) != ((10) * K + S) {\n");
}

TEST(OtherScale, WordsOfAShellGetTheSameDigits) {
  const std::string text = on_other_scale("t.sh", "check small \"$(f 3)\" 10\n", 3);
  std::smatch found;
  ASSERT_TRUE(std::regex_match(text, found, std::regex("check small \"\\$\\(f 3\\)\"(\\d+) 10(\\d+)\n")))
      << text;
  EXPECT_EQ(found[1], found[2]);
}

TEST(OtherScale, AnOrderStays) {
  for (const char* text : {"self.assertGreater(limit(), 1)\n", "self.assertLessEqual(limit(3), 10)\n",
                           "self.assertNotIn(limit(3), 10)\n"})
    EXPECT_EQ(on_other_scale("test_a.py", text, 7), text);
  for (const char* text : {"EXPECT_GT(limit(3), 1);\n", "ASSERT_LE(limit(3), 10);\n"})
    EXPECT_EQ(on_other_scale("a_test.cpp", text, 7), text);
}

TEST(OtherScale, WhatIsNoPlainEqualityStays) {
  for (const char* text : {"self.assertAlmostEqual(f(3), 10)\n", "self.assertTrue(f(3))\n",
                           "assert f(3) < 10\n", "self.assertEqual(f(3), [1, 2])\n",
                           "self.assertEqual(f(3), g(4))\n", "assert same_chars(f(3), 'ab') == True\n",
                           "x = 10\n", "self.assertEqual(len(f(3)), 1234567)\n", "assert f(3) == 010\n"})
    EXPECT_EQ(on_other_scale("t.py", text, 3), text);
  EXPECT_EQ(on_other_scale("t.unknown", "f(3) == 10\n", 3), "f(3) == 10\n");
  EXPECT_EQ(on_other_scale("t.py", "# assert f(3) == 10\n'f(3) == 10'\n", 3),
            "# assert f(3) == 10\n'f(3) == 10'\n");
}

} // namespace
} // namespace emend
