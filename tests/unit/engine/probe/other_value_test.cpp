#include "engine/probe/other_value.hpp"

#include <gtest/gtest.h>

#include <string>

namespace emend {
namespace {

std::string other(const std::string& path, const std::string& text, int line = 1) {
  const auto twist = other_value_at(path, text, line, "40961");
  return twist ? twist->text : "";
}

TEST(OtherValue, OfACallThatAssertsEquality) {
  EXPECT_EQ(other("test_a.py", "self.assertEqual(limit(12), 10)\n"), "self.assertEqual(limit(12), 40961)\n");
  EXPECT_EQ(other("test_a.py", "self.assertEqual(10, limit(12), 'why')\n"),
            "self.assertEqual(40961, limit(12), 'why')\n");
  EXPECT_EQ(other("test_a.py", "self.assertEqual(name(3), \"three\")\n"),
            "self.assertEqual(name(3), \"v40961\")\n");
  EXPECT_EQ(other("a.test.js", "assert.strictEqual(limit(12), 10);\n"),
            "assert.strictEqual(limit(12), 40961);\n");
  EXPECT_EQ(other("a.test.js", "expect(limit(12)).toBe(10);\n"), "expect(limit(12)).toBe(40961);\n");
  EXPECT_EQ(other("a_test.cpp", "void f() {\n  EXPECT_EQ(limit(12), 10);\n}\n", 2),
            "void f() {\n  EXPECT_EQ(limit(12), 40961);\n}\n");
  EXPECT_EQ(other("tests/a.rs", "fn t() {\n    assert_eq!(limit(12), 10);\n}\n", 2),
            "fn t() {\n    assert_eq!(limit(12), 40961);\n}\n");
}

TEST(OtherValue, OfAComparison) {
  EXPECT_EQ(other("test_a.py", "assert limit(12) == 10, 'why 11'\n"),
            "assert limit(12) == 40961, 'why 11'\n");
  EXPECT_EQ(other("test_a.c", "void f(void) {\n  assert(limit(12) == 10);\n}\n", 2),
            "void f(void) {\n  assert(limit(12) == 40961);\n}\n");
  EXPECT_EQ(other("check.sh", "[ \"$(sh limit.sh 12)\" = 10 ] || exit 1\n"),
            "[ \"$(sh limit.sh 12)\" = 40961 ] || exit 1\n");
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
