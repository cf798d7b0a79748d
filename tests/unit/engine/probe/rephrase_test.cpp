#include "engine/probe/rephrase.hpp"

#include <gtest/gtest.h>

#include "engine/probe/named_value.hpp"

namespace emend {
namespace {

TEST(Rephrase, NumbersThatAreHandedOverBecomeSums) {
  EXPECT_EQ(rephrase("t.py", "self.assertEqual(f(3, -4), 10)\n", 5),
            "self.assertEqual(f((8 - 5), -(9 - 5)), (15 - 5))\n");
  EXPECT_EQ(rephrase("t.c", "assert(f(7) == 0);\n", 2), "assert(f((9 - 2)) == (2 - 2));\n");
  EXPECT_EQ(rephrase("t.js", "check(\"name_3\", f(1), 5); // f(1), 5\n", 1),
            "check(\"name_3\", f((2 - 1)), (6 - 1)); // f(1), 5\n");
  EXPECT_EQ(rephrase("t.rs", "assert_eq!(f(1), 5);\n", 1), "assert_eq!(f(2 - 1), 6 - 1);\n");
  EXPECT_EQ(rephrase("t.sh", "check small \"$(f 1 2)\" 3\n[ \"$x\" = 4 ] || exit 1\n", 1),
            "check small \"$(f 1 2)\" $((4 - 1))\n[ \"$x\" = $((5 - 1)) ] || exit $((2 - 1))\n");
}

TEST(Rephrase, OtherNumbersStay) {
  for (const char* text :
       {"x = [1, 2]\n", "f(0x10, 1.5, 010, 'a3')\n", "f(a[1], 2 + 3)\n", "\"f(1)\"\n", "# f(1)\n"})
    EXPECT_EQ(rephrase("t.py", text, 5), text);
  EXPECT_EQ(rephrase("t.rs", "assert!(matches!(x, 5)); t.0;\n", 5), "assert!(matches!(x, 5)); t.0;\n")
      << "a pattern";
  EXPECT_EQ(rephrase("t.c", "#define N f(1)\nint a[3];\n", 5), "#define N f(1)\nint a[3];\n");
  EXPECT_EQ(rephrase("t.sh", "case $x in 5) f 2>&1 ;; esac\n", 5), "case $x in 5) f 2>&1 ;; esac\n");
  EXPECT_EQ(rephrase("t.unknown", "f(1)\n", 5), "f(1)\n");
}

TEST(NamedValue, ATestIsFoundByTheEndOfItsId) {
  const char* text = "import x\n\nclass Suite:\n    def test_upper(self):\n        pass\n";
  EXPECT_EQ(line_of_test(text, "tests.test_limit.Suite.test_upper"), 4);
  EXPECT_EQ(line_of_test(text, "tests/test_limit.py::Suite::test_upper[3-4]"), 4);
  EXPECT_EQ(line_of_test(text, "test_up"), 0) << "a part of a word is another word";
  EXPECT_EQ(line_of_test("a\nit(\"keeps the upper one\", f)\n", "Limits keeps the upper one"), 2);
  EXPECT_EQ(line_of_test("a\n", "a"), 1);
  EXPECT_EQ(line_of_test("CHECK(\"keeps\", 1);\n", "keeps (tests/t.cpp:#)"), 1);
  EXPECT_EQ(line_of_test("void keeps(void) {\n  puts(\"ok - keeps\");\n", "- keeps"), 1);
  EXPECT_EQ(line_of_test("a\n", ""), 0);
}

TEST(NamedValue, InATableTheLastNumberOfItsLineIsChanged) {
  const auto changed = [](const char* text, const char* name) {
    const auto twist = other_number_beside("tests/cases.txt", text, name, "777");
    return twist ? twist->text : "";
  };
  EXPECT_EQ(changed("low: f(1, 2) = 3\nhigh: f(4, 5) = 6\n", "low"),
            "low: f(1, 2) = 777\nhigh: f(4, 5) = 6\n");
  EXPECT_EQ(changed("low,1,2\nhigh,4,-5\n", "high"), "low,1,2\nhigh,4,-777\n");
  EXPECT_EQ(changed("low:\n  wanted: 3\n", "low"), "") << "whose number that is cannot be told";
  EXPECT_EQ(changed("below: 3\n", "low"), "");
}

TEST(NamedValue, TheLastNumberBehindTheNameIsChanged) {
  const auto changed = [](const char* text, const char* id) {
    const auto twist = other_number_of("tests/run", text, id, "777");
    return twist ? twist->text : "";
  };
  EXPECT_EQ(changed("check first \"$(f 1)\" 2\ncheck other \"$(f 3)\" 4\n", "first"),
            "check first \"$(f 1)\" 777\ncheck other \"$(f 3)\" 4\n");
  EXPECT_EQ(changed("  CHECK(\"keeps_3\", f(1), -5);\n", "keeps_3"), "  CHECK(\"keeps_3\", f(1), -777);\n");
  EXPECT_EQ(changed("void keeps(void) {\n  assert(f(1) == 5);\n}\n", "keeps"),
            "void keeps(void) {\n  assert(f(1) == 777);\n}\n");
  EXPECT_EQ(changed("check name $x v1.5 x2\n", "name"), "") << "names, fractions";
  EXPECT_EQ(changed("puts(\"ok name\");\n  return 0;\n", "name"), "") << "what the program ends with";
  EXPECT_EQ(changed("echo ok name\nexit 1\n", "name"), "");
  EXPECT_EQ(changed("print('ok name')\nsys.exit(0)\n", "name"), "");
  EXPECT_EQ(changed("name: f(x)\n  must_return 3\n", "name"), "name: f(x)\n  must_return 777\n");
  EXPECT_EQ(changed("check name 5\n", "elsewhere"), "");
}

} // namespace
} // namespace emend
