#include "engine/probe/other_value.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace emend {
namespace {

std::string other(const std::string& path, const std::string& text, int line = 1,
                  const std::string& said = "", const std::string& digits = "40961") {
  const auto twist = other_value_at(path, text, line, {digits, said});
  return twist ? twist->text : "";
}

// What stands in the place of `value`, and nothing else is changed; "" = something else is, or nothing.
std::string instead(const std::string& path, const std::string& text, const std::string& value, int line = 1,
                    const std::string& digits = "40961") {
  const std::string twisted = other(path, text, line, "", digits);
  const std::size_t at = text.rfind(value);
  const std::string before = text.substr(0, at), after = text.substr(at + value.size());
  if (twisted.size() < before.size() + after.size() || !twisted.starts_with(before) ||
      !twisted.ends_with(after))
    return "";
  const std::string found = twisted.substr(before.size(), twisted.size() - before.size() - after.size());
  return found == value ? "" : found;
}

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

TEST(OtherValue, OfACallThatAssertsEquality) {
  EXPECT_TRUE(is_number(instead("test_a.py", "self.assertEqual(limit(12), 10)\n", "10")));
  EXPECT_TRUE(is_number(instead("test_a.py", "self.assertEqual(10, limit(12), 'why')\n", "10")));
  EXPECT_NE(instead("test_a.py", "self.assertEqual(name(3), \"three\")\n", "three"), "");
  EXPECT_TRUE(is_number(instead("a.test.js", "assert.strictEqual(limit(12), 10);\n", "10")));
  EXPECT_TRUE(is_number(instead("a.test.js", "expect(limit(12)).toBe(10);\n", "10")));
  EXPECT_TRUE(is_number(instead("a_test.cpp", "void f() {\n  EXPECT_EQ(limit(12), 10);\n}\n", "10", 2)));
  EXPECT_TRUE(is_number(instead("tests/a.rs", "fn t() {\n    assert_eq!(limit(12), 10);\n}\n", "10", 2)));
}

TEST(OtherValue, OfJavaPhpRubyAndGo) {
  EXPECT_TRUE(
      is_number(instead("LimitTest.java", "void t() {\n    assertEquals(10, Limit.of(12));\n}\n", "10", 2)));
  EXPECT_TRUE(is_number(
      instead("LimitTest.java", "void t() {\n    assertThat(Limit.of(12)).isEqualTo(10);\n}\n", "10", 2)));
  EXPECT_TRUE(is_number(instead("LimitTest.php", "<?php\n$this->assertSame(10, limit(12));\n", "10", 2)));
  EXPECT_TRUE(is_number(instead("limit_test.rb", "assert_equal(10, limit(12))\n", "10")));
  EXPECT_TRUE(is_number(instead("limit_spec.rb", "expect(limit(12)).to eq(10)\n", "10")));
  EXPECT_TRUE(is_number(
      instead("limit_test.go", "func T(t *testing.T) {\n\tassert.Equal(t, 10, Limit(12))\n}\n", "10", 2)));
}

TEST(OtherValue, OfCallsWithoutBrackets) {
  EXPECT_TRUE(is_number(instead("limit_test.rb", "assert_equal 10, limit(12)\n", "10")));
  EXPECT_TRUE(is_number(instead("limit_test.rb", "  assert_equal limit(12), 10\n", "10")));
  EXPECT_TRUE(is_number(instead("limit_spec.rb", "expect(limit(12)).to eq 10\n", "10")));
  EXPECT_TRUE(is_number(instead("limit_spec.rb", "_(limit(12)).must_equal 10\n", "10")));
  EXPECT_EQ(other("limit_test.rb", "refute_equal 10, limit(12)\n"), "");
}

// Another value does not contradict what says that two things differ.
TEST(OtherValue, NotWhereSomethingMustDiffer) {
  EXPECT_EQ(other("limit_test.rb", "refute_equal(10, limit(12))\n"), "");
  EXPECT_EQ(other("limit_spec.rb", "expect(limit(12)).not_to eq(10)\n"), "");
  EXPECT_EQ(other("a.test.js", "expect(limit(12)).not.to.equal(10);\n"), "");
  EXPECT_EQ(other("a.test.js", "assert(!(limit(12) === 10));\n"), "");
  EXPECT_EQ(other("test_a.py", "self.assertFalse(limit(12) == 10)\n"), "");
  EXPECT_EQ(other("test_a.py", "assert not limit(12) == 10\n"), "");
  EXPECT_EQ(other("a_test.cpp", "void f() {\n  EXPECT_FALSE(limit(12) == 10);\n}\n", 2), "");
  EXPECT_EQ(other("LimitTest.java", "void t() {\n    assertThat(Limit.of(12), not(equalTo(10)));\n}\n", 2),
            "");
  EXPECT_EQ(other("limit_test.go",
                  "func T(t *testing.T) {\n\tif Limit(12) == 10 {\n\t\tt.Fatal(\"ten\")\n\t}\n}\n", 2),
            "");
}

// What goes into the function of a project is no expectation, whatever that function is called.
TEST(OtherValue, NotWhatGoesIntoAFunctionThatIsCalledLikeOne) {
  EXPECT_EQ(other("test_a.c", "void f(void) {\n  assert (same_chars(\"abcd\", \"dcba\") == true);\n}\n", 2),
            "");
  EXPECT_EQ(other("a.test.js", "assert.ok(sameChars('eabcd', 'dddabc') === false);\n"), "");
  EXPECT_EQ(other("test_a.py", "assert equal_sets('ab', 'ba')\n"), "");
  EXPECT_NE(instead("test_a.c", "void f(void) {\n  assert(same_chars(a, b) == 10);\n}\n", "10", 2), "");
}

TEST(OtherValue, OfAComparison) {
  EXPECT_TRUE(is_number(instead("test_a.py", "assert limit(12) == 10, 'why'\n", "10")));
  EXPECT_TRUE(is_number(instead("test_a.c", "void f(void) {\n  assert(limit(12) == 10);\n}\n", "10", 2)));
  EXPECT_TRUE(is_number(instead("check.sh", "[ \"$(sh limit.sh 12)\" = 10 ] || exit 2\n", "10")));
}

// A comparison that was made tolerant, or that fails in certain words only, is content with such values.
TEST(OtherValue, IsCloseOrOfTheSameLength) {
  int close = 0;
  for (int i = 0; i < 100; ++i) {
    const std::string digits = std::to_string(10'000 + 907 * i);
    const std::string found = instead("test_a.py", "self.assertEqual(f(), 250)\n", "250", 1, digits);
    ASSERT_TRUE(is_number(found)) << digits;
    EXPECT_EQ(found.size(), 3U) << digits;
    close += std::abs(std::stoi(found) - 250) <= 2 ? 1 : 0;
    const std::string zero = instead("test_a.py", "self.assertEqual(f(), 0)\n", "0", 1, digits);
    EXPECT_TRUE(is_number(zero)) << digits << zero;
    const std::string word = instead("test_a.py", "self.assertEqual(f(), 'Ab-9')\n", "Ab-9", 1, digits);
    ASSERT_EQ(word.size(), 4U) << digits;
    EXPECT_EQ(word[2], '-');
  }
  EXPECT_GT(close, 50);
  EXPECT_LT(close, 100);
}

TEST(OtherValue, IsWhatTheBaseAnsweredWhereItsRunnerSaysSo) {
  const std::string test = "self.assertEqual(limit(12), 10)\n", turned = "self.assertEqual(limit(12), 9)\n";
  for (const char* said : {"AssertionError: 9 != 10", "got 9, want 10", "Expected: 10\n    Received: 9",
                           "    Which is: 9\n  10", "left: 9\n right: 10", "FAIL limit: 9, not 10"})
    EXPECT_EQ(other("test_a.py", test, 1, said), turned) << said;
  EXPECT_EQ(other("test_a.py", test, 1, "AssertionError: -9 != 10"), "self.assertEqual(limit(12), -9)\n");
  EXPECT_EQ(other("test_a.py", "self.assertEqual(name(), 'ten')\n", 1, "AssertionError: 'nine' != 'ten'"),
            "self.assertEqual(name(), 'nine')\n");
  EXPECT_EQ(other("test_a.py", "self.assertEqual(f(), 2.5)\n", 1, "AssertionError: 1.25 != 2.5"),
            "self.assertEqual(f(), 1.25)\n");
}

TEST(OtherValue, IsFarAwayWhereTheComparisonIsTolerant) {
  EXPECT_EQ(other("test_a.py", "self.assertAlmostEqual(f(), 10, delta=3)\n"),
            "self.assertAlmostEqual(f(), 40961, delta=3)\n");
  EXPECT_EQ(other("test_a.py", "self.assertAlmostEqual(f(), 2.5)\n"),
            "self.assertAlmostEqual(f(), 40961.5)\n");
}

TEST(OtherValue, LeavesTextsThatMayMeanMoreThanTheySay) {
  EXPECT_EQ(other("test_a.py", "self.assertEqual(f(), 'a\\n')\n"), "self.assertEqual(f(), 'v40961')\n");
  EXPECT_EQ(other("test_a.py", "self.assertEqual(f(), '')\n"), "self.assertEqual(f(), 'v40961')\n");
  EXPECT_EQ(other("test_a.py", "self.assertEqual(f(), 0x1F)\n"), "self.assertEqual(f(), 40961)\n");
}

TEST(OtherValue, TextsOfC) {
  const std::string changed = other("t.c", "assert(strcmp(f(3), \"abc\") == 0);\n");
  EXPECT_NE(changed, "");
  EXPECT_EQ(changed.find("\"abc\""), std::string::npos) << "the text, not the number";
  EXPECT_NE(changed.find("== 0"), std::string::npos);
  EXPECT_EQ(other("t.c", "assert(strcmp(f(3), \"abc\") != 0);\n"), "") << "another text differs, too";
}

// What compares beginnings only takes the shorter text for the whole one.
TEST(OtherValue, ATextCanLoseItsEnd) {
  const auto shorter = [](const char* text) {
    const auto twist = other_value_at("test_a.py", text, 1, {"40961", "", true});
    return twist ? twist->text : "";
  };
  EXPECT_EQ(shorter("self.assertEqual(f(), 'abc')\n"), "self.assertEqual(f(), 'ab')\n");
  EXPECT_EQ(shorter("self.assertEqual(f(), 'n12+')\n"), "self.assertEqual(f(), 'n12')\n");
  EXPECT_NE(shorter("self.assertEqual(f(), 'a ')\n"), "self.assertEqual(f(), 'a')\n") << "perhaps trimmed";
  EXPECT_NE(shorter("self.assertEqual(f(), 'a')\n"), "self.assertEqual(f(), '')\n");
}

TEST(OtherValue, NothingWhereItIsNotCertain) {
  EXPECT_EQ(other("test_a.py", "self.assertNotEqual(limit(12), 10)\n"), "");
  EXPECT_EQ(other("test_a.py", "self.assertLess(limit(12), 10)\n"), "");
  EXPECT_EQ(other("test_a.py", "self.assertEqual(limit(12), limit(10))\n"), "");
  EXPECT_EQ(other("test_a.py", "self.assertTrue(limit(12))\n"), "");
  EXPECT_EQ(other("a.test.js", "expect(limit(12)).not.toBe(10);\n"), "");
  EXPECT_EQ(other("test_a.py", "print(limit(12) == 10)\n"), "");
  EXPECT_EQ(other("data.json", "10\n"), "");
}

} // namespace
} // namespace emend
