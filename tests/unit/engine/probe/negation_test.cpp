#include "engine/probe/negation.hpp"

#include <gtest/gtest.h>

#include <string>

namespace emend {
namespace {

// The line after the negation, trimmed; "" when it is not understood.
std::string negated(const std::string& path, const std::string& text, int line = 1) {
  const auto twist = negate_at(path, text, line);
  return twist ? twist->after : std::string();
}

TEST(Negation, PythonStatements) {
  EXPECT_EQ(negated("t.py", "assert x == 1\n"), "assert not (x == 1)");
  EXPECT_EQ(negated("t.py", "assert not x\n"), "assert not (not x)");
  EXPECT_EQ(negated("t.py", "assert f(a, b) == 1, \"two, three\"\n"),
            "assert not (f(a, b) == 1), \"two, three\"");
  EXPECT_EQ(negated("t.py", "assert(x)\n"), "assert not ((x))");
  EXPECT_EQ(negated("t.py", "if a: assert b; print(c)\n"), "if a: assert not (b); print(c)");
  EXPECT_EQ(negated("t.py", "    assert x  # assert y\n"), "assert not (x)  # assert y");
  EXPECT_EQ(negated("t.py", "assert x == 1\r\n"), "assert not (x == 1)");
  EXPECT_EQ(negated("t.py", "assert gr\xc3\xbc\xc3\x9f(\"\xe2\x82\xac\") == '\xe2\x82\xac'\n"),
            "assert not (gr\xc3\xbc\xc3\x9f(\"\xe2\x82\xac\") == '\xe2\x82\xac')");
}

TEST(Negation, PythonStatementsOverSeveralLines) {
  const std::string text = "def test_a():\n    assert (\n        x ==\n        1\n    ), 'why'\n";
  for (const int line : {2, 3, 4, 5}) {
    const auto twist = negate_at("t.py", text, line);
    ASSERT_TRUE(twist) << line;
    EXPECT_EQ(twist->text, "def test_a():\n    assert not ((\n        x ==\n        1\n    )), 'why'\n");
    EXPECT_EQ(twist->line, 2);
    EXPECT_EQ(twist->last_line, 5);
  }
  EXPECT_FALSE(negate_at("t.py", text, 1));
  EXPECT_EQ(negated("t.py", "assert a \\\n  == b\n", 2), "assert not (a \\");
}

TEST(Negation, PythonMethods) {
  EXPECT_EQ(negated("t.py", "self.assertEqual(a, b)\n"), "self.assertNotEqual(a, b)");
  EXPECT_EQ(negated("t.py", "self.assertNotEqual(a, b)\n"), "self.assertEqual(a, b)");
  EXPECT_EQ(negated("t.py", "self.assertTrue(a)\n"), "self.assertFalse(a)");
  EXPECT_EQ(negated("t.py", "self.assertIs(a, b)\n"), "self.assertIsNot(a, b)");
  EXPECT_EQ(negated("t.py", "self.assertIsNot(a, b)\n"), "self.assertIs(a, b)");
  EXPECT_EQ(negated("t.py", "self.assertIsNone(a)\n"), "self.assertIsNotNone(a)");
  EXPECT_EQ(negated("t.py", "self.assertIsNotNone(a)\n"), "self.assertIsNone(a)");
  EXPECT_EQ(negated("t.py", "self.assertIn(a, b)\n"), "self.assertNotIn(a, b)");
  EXPECT_EQ(negated("t.py", "self.assertNotIn(a, b)\n"), "self.assertIn(a, b)");
  EXPECT_EQ(negated("t.py", "self.assertIsInstance(a, B)\n"), "self.assertNotIsInstance(a, B)");
  EXPECT_EQ(negated("t.py", "self.assertNotIsInstance(a, B)\n"), "self.assertIsInstance(a, B)");
  EXPECT_EQ(negated("t.py", "self.assertGreater(a, b)\n"), "self.assertLessEqual(a, b)");
  EXPECT_EQ(negated("t.py", "self.assertLessEqual(a, b)\n"), "self.assertGreater(a, b)");
  EXPECT_EQ(negated("t.py", "self.assertAlmostEqual(a, b)\n"), "self.assertNotAlmostEqual(a, b)");
  EXPECT_EQ(negated("t.py", "self.assertRegex(a, b)\n"), "self.assertNotRegex(a, b)");
  EXPECT_EQ(negated("t.py", "self.assertListEqual(a, b)\n"), "self.assertNotEqual(a, b)");
  EXPECT_EQ(negated("t.py", "self.assertMultiLineEqual(a, b)\n"), "self.assertNotEqual(a, b)");
}

TEST(Negation, WhatIsNotCertainStays) {
  EXPECT_EQ(negated("t.py", "self.assertRaises(ValueError, f)\n"), "");
  EXPECT_EQ(negated("t.py", "with self.assertRaises(ValueError):\n    f()\n"), "");
  EXPECT_EQ(negated("t.py", "self.assertCountEqual(a, b)\n"), "");
  EXPECT_EQ(negated("t.py", "self.fail('no')\n"), "");
  EXPECT_EQ(negated("t.py", "print('assert x == 1')\n"), "");
  EXPECT_EQ(negated("t.py", "# assert x == 1\n"), "");
  EXPECT_EQ(negated("t.py", "\"\"\"\nassert x == 1\n\"\"\"\n", 2), "");
  EXPECT_EQ(negated("t.py", "check(a, b, c)\n"), "");
  EXPECT_EQ(negated("t.py", "x = require('x')\n"), "");
  EXPECT_EQ(negated("t.js", "const assert = require('assert');\n"), "");
  EXPECT_EQ(negated("t.js", "expect.assertions(2);\n"), "");
  EXPECT_EQ(negated("t.js", "assert.isUndefined(a);\n"), "") << "its opposite is isDefined";
  EXPECT_EQ(negated("t.cpp", "EXPECT_FLOAT_EQ(a, b);\n"), "");
  EXPECT_EQ(negated("T.java", "assertArrayEquals(a, b);\n"), "");
  EXPECT_EQ(negated("T.java", "verify(list).add(1);\n"), "");
  EXPECT_EQ(negated("t.go", "t.Error(\"x\")\n"), "");
  EXPECT_EQ(negated("t.py", "if i >= n: raise StopIteration\n"), "") << "an answer to the product";
  EXPECT_EQ(negated("t.py", "if i >= n: raise AssertionError(i)\n"),
            "if not (i >= n): raise AssertionError(i)");
  EXPECT_EQ(negated("t.py", ""), "");
  EXPECT_EQ(negated("t.py", "assert x\n", 2), "");
  EXPECT_EQ(negated("t.unknown", "assert x\n"), "");
}

TEST(Negation, AHelperOfTheTestsStays) {
  EXPECT_EQ(negated("t.py", "def assert_same(a, b):\n    assert a == b\n", 2), "");
  EXPECT_EQ(negated("t.py", "def test_check(tmp):\n    assert a == b\n", 2), "assert not (a == b)");
  EXPECT_EQ(negated("t.c", "static void check(int ok) {\n  if (!ok) { failures++; }\n}\n", 2), "");
  EXPECT_EQ(negated("t.c", "static void check_parse(void) {\n  assert(parse() == 1);\n}\n", 2),
            "assert(!(parse() == 1));");
  EXPECT_EQ(negated("t.c", "#define CHECK(x) do { if (!(x)) { failed = 1; } } while (0)\n"), "");
  EXPECT_EQ(negated("t.js", "function expectSame(a, b) {\n  assert.equal(a, b);\n}\n", 2), "");
  EXPECT_EQ(negated("t.sh", "check() {\n  [ \"$1\" = \"$2\" ] || fail \"$1\"\n}\n", 2), "");
}

TEST(Negation, Cpp) {
  EXPECT_EQ(negated("t.cpp", "EXPECT_EQ(a, b);\n"), "EXPECT_NE(a, b);");
  EXPECT_EQ(negated("t.cpp", "ASSERT_NE(a, b) << \"why\";\n"), "ASSERT_EQ(a, b) << \"why\";");
  EXPECT_EQ(negated("t.cpp", "EXPECT_TRUE(a);\n"), "EXPECT_FALSE(a);");
  EXPECT_EQ(negated("t.cpp", "EXPECT_LT(a, b);\n"), "EXPECT_GE(a, b);");
  EXPECT_EQ(negated("t.cpp", "EXPECT_GT(a, b);\n"), "EXPECT_LE(a, b);");
  EXPECT_EQ(negated("t.cpp", "EXPECT_STREQ(a, b);\n"), "EXPECT_STRNE(a, b);");
  EXPECT_EQ(negated("t.cpp", "EXPECT_STRCASENE(a, b);\n"), "EXPECT_STRCASEEQ(a, b);");
  EXPECT_EQ(negated("t.cpp", "EXPECT_THAT(a, Eq(1));\n"), "EXPECT_THAT(a, ::testing::Not(Eq(1)));");
  EXPECT_EQ(negated("t.cpp", "EXPECT_THROW(f(1, 2), std::out_of_range);\n"), "EXPECT_NO_THROW(f(1, 2));");
  EXPECT_EQ(negated("t.cpp", "EXPECT_NO_THROW(f());\n"), "EXPECT_ANY_THROW(f());");
  EXPECT_EQ(negated("t.cpp", "CHECK(a == b);\n"), "CHECK(!(a == b));");
  EXPECT_EQ(negated("t.cpp", "REQUIRE(is_ok(a));\n"), "REQUIRE(!(is_ok(a)));");
  EXPECT_EQ(negated("t.cpp", "CHECK_FALSE(a);\n"), "CHECK(a);");
  EXPECT_EQ(negated("t.cpp", "BOOST_CHECK_EQUAL(a, b);\n"), "BOOST_CHECK_NE(a, b);");
  EXPECT_EQ(negated("t.cpp", "assert((std::vector<int>{1, 2} == v));\n"),
            "assert(!((std::vector<int>{1, 2} == v)));");
  EXPECT_EQ(negated("t.cpp", "  EXPECT_EQ(f(R\"x(EXPECT_EQ(\")x\"), 1'000);\n"),
            "EXPECT_NE(f(R\"x(EXPECT_EQ(\")x\"), 1'000);");
  EXPECT_EQ(negated("t.cpp", "EXPECT_EQ(a,\n          b);\n", 2), "EXPECT_NE(a,");
}

TEST(Negation, C) {
  EXPECT_EQ(negated("t.c", "assert(strcmp(a, \"b\") == 0);\n"), "assert(!(strcmp(a, \"b\") == 0));");
  EXPECT_EQ(negated("t.c", "CHECK(x);\n"), "CHECK(!(x));");
  EXPECT_EQ(negated("t.c", "check(a == b, \"same\");\n"), "check(!(a == b), \"same\");");
  EXPECT_EQ(negated("t.c", "check(\"same\", a == b);\n"), "check(\"same\", !(a == b));");
  EXPECT_EQ(negated("t.c", "ck_assert_int_eq(a, b);\n"), "ck_assert_int_ne(a, b);");
  EXPECT_EQ(negated("t.c", "assert_int_equal(a, b);\n"), "assert_int_not_equal(a, b);");
  EXPECT_EQ(negated("t.c", "CU_ASSERT_STRING_EQUAL(a, b);\n"), "CU_ASSERT_STRING_NOT_EQUAL(a, b);");
  EXPECT_EQ(negated("t.c", "TEST_ASSERT_EQUAL_INT(1, x);\n"), "TEST_ASSERT_NOT_EQUAL_INT(1, x);");
  EXPECT_EQ(negated("t.c", "g_assert_cmpint(a, ==, b);\n"), "g_assert_cmpint(a, !=, b);");
  EXPECT_EQ(negated("t.c", "if (a != b) { printf(\"no\\n\"); return 1; }\n"),
            "if (!(a != b)) { printf(\"no\\n\"); return 1; }");
  EXPECT_EQ(negated("t.c", "if (a != b)\n  failures++;\n", 2), "if (!(a != b))");
  EXPECT_EQ(negated("t.c", "if (argc < 2) return 1;\n"), "");
  EXPECT_EQ(
      negated("t.c", "#define CHECK_EQ(a, b) run(a, b)\nvoid t(void) {\n  CHECK_EQ(add(1, 2), 3);\n}\n", 3),
      "CHECK_EQ(add(1, 2), 13);");
}

TEST(Negation, JavaScript) {
  EXPECT_EQ(negated("t.js", "assert.strictEqual(a, b);\n"), "assert.notStrictEqual(a, b);");
  EXPECT_EQ(negated("t.js", "assert.notStrictEqual(a, b);\n"), "assert.strictEqual(a, b);");
  EXPECT_EQ(negated("t.js", "assert.deepStrictEqual(a, [1, 2])\n"), "assert.notDeepStrictEqual(a, [1, 2])");
  EXPECT_EQ(negated("t.js", "assert.equal(a, b, 'why');\n"), "assert.notEqual(a, b, 'why');");
  EXPECT_EQ(negated("t.js", "assert.ok(a);\n"), "assert.ok(!(a));");
  EXPECT_EQ(negated("t.js", "assert(a, 'why');\n"), "assert(!(a), 'why');");
  EXPECT_EQ(negated("t.js", "assert.match(a, /x[/]\"(/);\n"), "assert.doesNotMatch(a, /x[/]\"(/);");
  EXPECT_EQ(negated("t.js", "assert.throws(() => f(a > b), /no/);\n"),
            "assert.doesNotThrow(() => f(a > b));");
  EXPECT_EQ(negated("t.js", "await assert.rejects(f());\n"), "await assert.doesNotReject(f());");
  EXPECT_EQ(negated("t.js", "t.equal(a, b)\n"), "t.notEqual(a, b)");
  EXPECT_EQ(negated("t.js", "test('x', () => assert.equal(f(`a${g('`')}`), 1));\n"),
            "test('x', () => assert.notEqual(f(`a${g('`')}`), 1));");
  EXPECT_EQ(negated("t.js", "if (got !== want) throw new Error('x');\n"),
            "if (!(got !== want)) throw new Error('x');");
}

TEST(Negation, Expectations) {
  EXPECT_EQ(negated("t.ts", "expect(a).toBe(b);\n"), "expect(a).not.toBe(b);");
  EXPECT_EQ(negated("t.ts", "expect(a).not.toBe(b);\n"), "expect(a).toBe(b);");
  EXPECT_EQ(negated("t.ts", "await expect(a()).resolves.toEqual({b: 1});\n"),
            "await expect(a()).resolves.not.toEqual({b: 1});");
  EXPECT_EQ(negated("t.js", "expect(a).to.equal(b);\n"), "expect(a).not.to.equal(b);");
  EXPECT_EQ(negated("t.js", "expect(a).to.not.equal(b);\n"), "expect(a).to.equal(b);");
  EXPECT_EQ(negated("t.js", "expect(a).to.be.true;\n"), "expect(a).not.to.be.true;");
  EXPECT_EQ(negated("t.js", "a.should.equal(b);\n"), "a.should.not.equal(b);");
  EXPECT_EQ(negated("t.js", "expect(a)\n  .toBe(b);\n", 2), "expect(a).not");
}

TEST(Negation, ImportsTheOpposite) {
  EXPECT_EQ(negate_at("t.mjs", "import { strictEqual } from 'node:assert';\nstrictEqual(a, b);\n", 2)->text,
            "import { strictEqual, notStrictEqual } from 'node:assert';\nnotStrictEqual(a, b);\n");
  EXPECT_EQ(negate_at("t.js", "const { equal } = require('assert');\nequal(a, b);\n", 2)->text,
            "const { equal, notEqual } = require('assert');\nnotEqual(a, b);\n");
  EXPECT_EQ(negated("t.js", "import { assertEqual } from './own.js';\nassertEqual(a, b);\n", 2), "");
  EXPECT_EQ(
      negate_at("T.java", "import static org.junit.Assert.assertEquals;\nassertEquals(a, b);\n", 2)->text,
      "import static org.junit.Assert.assertEquals; import static org.junit.Assert.assertNotEquals;\n"
      "assertNotEquals(a, b);\n");
}

TEST(Negation, Go) {
  const std::string text =
      "func TestA(t *testing.T) {\n\tif got := f(); got != want {\n\t\tt.Errorf(\"no\")\n\t}\n}\n";
  EXPECT_EQ(negated("a_test.go", text, 3), "if got := f(); !(got != want) {");
  EXPECT_EQ(negated("a_test.go", "if err != nil {\n\tt.Fatal(err)\n}\n", 2), "if !(err != nil) {");
  EXPECT_EQ(negated("a_test.go", "if err != nil {\n\tt.Skip(err)\n}\n"), "");
  EXPECT_EQ(negated("a_test.go", "assert.Equal(t, a, b)\n"), "assert.NotEqual(t, a, b)");
  EXPECT_EQ(negated("a_test.go", "require.NoError(t, err)\n"), "require.Error(t, err)");
  EXPECT_EQ(negated("a_test.go", "assert.True(t, ok, `a\nb`)\n"), "assert.False(t, ok, `a");
  EXPECT_EQ(negated("a_test.go", "assert.Contains(t, a, b)\n"), "assert.NotContains(t, a, b)");
}

TEST(Negation, Rust) {
  EXPECT_EQ(negated("a.rs", "assert_eq!(a, b);\n"), "assert_ne!(a, b);");
  EXPECT_EQ(negated("a.rs", "assert!(a.is_empty(), \"why {}\", x);\n"), "");
  EXPECT_EQ(negated("a.rs", "assert!(a == b, \"why {}\", x);\n"), "assert!(!(a == b), \"why {}\", x);");
  EXPECT_EQ(negated("a.rs", "assert!(a.is_empty());\n"), "assert!(!(a.is_empty()));");
  EXPECT_EQ(negated("a.rs", "fn f<'a>(x: &'a str) { assert_eq!(x, \"'\"); }\n"),
            "fn f<'a>(x: &'a str) { assert_ne!(x, \"'\"); }");
  EXPECT_EQ(negated("a.rs", "/* a /* b */ assert!(x); */\n"), "");
  EXPECT_EQ(negated("a.rs", "assert_eq!(f('\"'), r#\"a\"b\"#);\n"), "assert_ne!(f('\"'), r#\"a\"b\"#);");
}

TEST(Negation, Java) {
  EXPECT_EQ(negated("T.java", "assertEquals(a, b);\n"), "assertNotEquals(a, b);");
  EXPECT_EQ(negated("T.java", "Assertions.assertSame(a, b);\n"), "Assertions.assertNotSame(a, b);");
  EXPECT_EQ(negated("T.java", "assertNull(a);\n"), "assertNotNull(a);");
  EXPECT_EQ(negated("T.java", "assertThat(a).isEqualTo(b);\n"), "assertThat(a).isNotEqualTo(b);");
  EXPECT_EQ(negated("T.java", "assertThat(a)\n    .isNotNull()\n    .isGreaterThan(3);\n", 3),
            ".isLessThanOrEqualTo(3);");
  EXPECT_EQ(negated("T.java", "assertThat(a).contains(b);\n"), "assertThat(a).doesNotContain(b);");
  EXPECT_EQ(negated("T.java", "assertThat(a, is(b));\n"),
            "assertThat(a, org.hamcrest.CoreMatchers.not(is(b)));");
  EXPECT_EQ(negated("T.java", "assert a ? b : c : \"why\";\n"), "assert !(a ? b : c) : \"why\";");
}

TEST(Negation, Php) {
  EXPECT_EQ(negated("T.php", "<?php\n$this->assertSame($a, $b);\n", 2), "$this->assertNotSame($a, $b);");
  EXPECT_EQ(negated("T.php", "<?php\nself::assertEquals(1, $b);\n", 2), "self::assertNotEquals(1, $b);");
  EXPECT_EQ(negated("T.php", "<?php\n$this->assertNotNull($b); # assertNull\n", 2),
            "$this->assertNull($b); # assertNull");
  EXPECT_EQ(negated("T.php", "<?php\nassert($a === $b);\n", 2), "assert(!($a === $b));");
  EXPECT_EQ(negated("T.php", "<?php\n#[Test]\nfunction a() {}\nassert($a === $b);\n", 4),
            "assert(!($a === $b));");
}

TEST(Negation, Ruby) {
  EXPECT_EQ(negated("t.rb", "assert_equal 1, x\n"), "refute_equal 1, x");
  EXPECT_EQ(negated("t.rb", "refute_nil(x)\n"), "assert_nil(x)");
  EXPECT_EQ(negated("t.rb", "assert x == 1, \"why\"\n"), "assert !(x == 1), \"why\"");
  EXPECT_EQ(negated("t.rb", "_(x).must_equal 1\n"), "_(x).wont_equal 1");
  EXPECT_EQ(negated("t.rb", "expect(x).to eq(1)\n"), "expect(x).not_to eq(1)");
  EXPECT_EQ(negated("t.rb", "expect(x).not_to be_nil\n"), "expect(x).to be_nil");
  EXPECT_EQ(negated("t.rb", "expect { f }.to raise_error(E)\n"), "expect { f }.not_to raise_error(E)");
  EXPECT_EQ(negated("t.rb", "assert_raises(E) { f }\n"), "");
  EXPECT_EQ(negated("t.rb", "require 'minitest'\n"), "");
}

TEST(Negation, AssertionLines) {
  EXPECT_EQ(
      assertion_lines("t.py",
                      "import x\n\ndef test_a():\n    assert a\n    b()\n    assert (c ==\n            d)\n"),
      (std::vector<int>{4, 6}));
  EXPECT_EQ(assertion_lines("t.py", ""), std::vector<int>{});
  EXPECT_EQ(assertion_lines("t.txt", "assert x\n"), std::vector<int>{});
}

// The line with the negation in front of the assertion; "" when it takes more than its line.
std::string contradicted(const std::string& path, const std::string& text, int line = 1) {
  const auto twist = contradict_at(path, text, line);
  return twist ? twist->text : std::string();
}

TEST(Contradiction, TheNegationStandsInFrontOfTheAssertion) {
  EXPECT_EQ(contradicted("t.py", "def test_a(self):\n    self.assertTrue(f(3))\n", 2),
            "def test_a(self):\n    self.assertFalse(f(3)); self.assertTrue(f(3))\n");
  EXPECT_EQ(contradicted("t.py", "assert x == 1\n"), "assert not (x == 1); assert x == 1\n");
  EXPECT_EQ(contradicted("t.c", "assert(x);\nassert(y);\n", 2), "assert(x);\nassert(!(y)); assert(y);\n");
}

TEST(Contradiction, AnAssertionOfSeveralLinesStays) {
  EXPECT_EQ(contradicted("t.py", "assert (\n    x == 1\n)\n"), "");
  EXPECT_EQ(contradicted("t.go", "if got != 10 {\n\tt.Fatal()\n}\n"), "");
  EXPECT_EQ(contradicted("t.py", "x = 1\n"), "");
}

} // namespace
} // namespace emend
