#include "engine/probe/sentinel.hpp"

#include <gtest/gtest.h>

#include <string>

#include "base/strings.hpp"

namespace emend {
namespace {

std::string with_sentinel(const std::string& path, const std::string& text) {
  const auto twist = add_sentinel(path, text, "zq7");
  if (!twist) return "";
  EXPECT_EQ(twist->name, "zq7");
  EXPECT_EQ(twist->kind, Twist::Kind::sentinel);
  const auto lines = lines_of(twist->text);
  EXPECT_LE(twist->line, static_cast<int>(lines.size()));
  EXPECT_EQ(trim(lines[static_cast<std::size_t>(twist->line - 1)]), twist->after);
  return twist->text;
}

TEST(Sentinel, Python) {
  EXPECT_EQ(with_sentinel("t.py", "def test_a():\n    assert f() == 1\n"),
            "def test_a():\n    assert f() == 1\n\n\ndef test_zq7():\n    assert \"zq7\" == \"\"\n\n\n");
  EXPECT_EQ(with_sentinel("t.py",
                          "import unittest\n\nclass A(unittest.TestCase):\n    def test_a(self):\n        "
                          "self.assertEqual(1, f())\n\n\n"
                          "if __name__ == '__main__':\n    unittest.main()\n"),
            "import unittest\n\nclass A(unittest.TestCase):\n    def test_a(self):\n        "
            "self.assertEqual(1, f())\n"
            "\n    def test_zq7(self):\n        self.assertEqual(\"zq7\", \"\")\n\n\n"
            "if __name__ == '__main__':\n    unittest.main()\n");
  EXPECT_EQ(with_sentinel("t.py", "assert f() == 1\nprint('ok')\n"),
            "assert f() == 1\nassert \"zq7\" == \"\", \"zq7\"\nprint('ok')\n");
  EXPECT_EQ(with_sentinel("t.py", "print('assert x')\n"), "");
  EXPECT_EQ(with_sentinel("t.py", ""), "");
}

TEST(Sentinel, JavaScript) {
  EXPECT_EQ(with_sentinel("t.mjs", "test('a', () => { assert.strictEqual(f(), 1); });\n"),
            "test('a', () => { assert.strictEqual(f(), 1); });\n\ntest(\"zq7\", () => {\n  "
            "assert.strictEqual(\"zq7\", \"\");\n});\n");
  EXPECT_EQ(with_sentinel("t.ts", "it('a', () => { expect(f()).toBe(1); });"),
            "it('a', () => { expect(f()).toBe(1); });\n\nit(\"zq7\", () => {\n  "
            "expect(\"zq7\").toBe(\"\");\n});\n");
  EXPECT_EQ(with_sentinel("t.js", "it('a', () => { expect(f()).to.equal(1); });\n"),
            "it('a', () => { expect(f()).to.equal(1); });\n\nit(\"zq7\", () => {\n  "
            "expect(\"zq7\").to.equal(\"\");\n});\n");
  EXPECT_EQ(
      with_sentinel("t.js", "const assert = require('assert');\nassert.equal(f(), 1);\nprocess.exit(0);\n"),
      "const assert = require('assert');\nassert.equal(f(), 1);\nassert.equal(\"zq7\", "
      "\"\");\nprocess.exit(0);\n");
}

TEST(Sentinel, CAndCpp) {
  EXPECT_EQ(with_sentinel("t.cpp", "namespace {\nTEST_F(Suite, A) {\n  EXPECT_EQ(f(), 1);\n}\n}\n"),
            "namespace {\nTEST_F(Suite, A) {\n  EXPECT_EQ(f(), 1);\n}\n\nTEST_F(Suite, zq7) {\n  "
            "EXPECT_STREQ(\"zq7\", \"\");\n}\n}\n");
  EXPECT_EQ(with_sentinel("t.cpp", "TEST_CASE(\"a\") {\n  CHECK(f() == 1);\n}\n"),
            "TEST_CASE(\"a\") {\n  CHECK(f() == 1);\n}\n\nTEST_CASE(\"zq7\") {\n  CHECK(0 == 1);\n}\n");
  EXPECT_EQ(with_sentinel("t.c", "int main(void) {\n  assert(f() == 1);\n  return 0;\n}\n"),
            "int main(void) {\n  assert(f() == 1);\n  assert(0 && \"zq7\");\n  return 0;\n}\n");
  EXPECT_EQ(with_sentinel("t.c", "int main(void) {\n\tcheck(f() == 1, \"one\");\n\treturn failures;\n}\n"),
            "int main(void) {\n\tcheck(f() == 1, \"one\");\n\tcheck(0 && \"zq7\", \"zq7\");\n\treturn "
            "failures;\n}\n");
  EXPECT_EQ(with_sentinel("t.c", "int main(void) {\n  return f();\n}\n"), "");
}

TEST(Sentinel, GoRustJava) {
  EXPECT_EQ(
      with_sentinel("a_test.go", "func TestA(t *testing.T) {\n\tif f() != 1 {\n\t\tt.Error(1)\n\t}\n}\n"),
      "func TestA(t *testing.T) {\n\tif f() != 1 {\n\t\tt.Error(1)\n\t}\n}\n\nfunc Test_zq7(t *testing.T) "
      "{\n\tt.Error(\"zq7\")\n}\n");
  EXPECT_EQ(with_sentinel("a.rs",
                          "mod tests {\n    #[test]\n    fn a() {\n        assert_eq!(f(), 1);\n    }\n}\n"),
            "mod tests {\n    #[test]\n    fn a() {\n        assert_eq!(f(), 1);\n    }\n\n    #[test]\n    "
            "fn zq7() {\n        assert_eq!(\"zq7\", \"\");\n    }\n}\n");
  EXPECT_EQ(with_sentinel("T.java", "class T {\n  @Test\n  void a() {\n    assertEquals(1, f());\n  }\n}\n"),
            "class T {\n  @Test\n  void a() {\n    assertEquals(1, f());\n  }\n\n  @Test\n  public void "
            "zq7() {\n    assertEquals(\"zq7\", \"\");\n  }\n}\n");
}

TEST(Sentinel, PhpAndRuby) {
  EXPECT_EQ(
      with_sentinel("T.php",
                    "<?php\nclass T extends TestCase\n{\n    public function testA(): void\n    {\n        "
                    "$this->assertSame(1, f());\n    }\n}\n"),
      "<?php\nclass T extends TestCase\n{\n    public function testA(): void\n    {\n        "
      "$this->assertSame(1, f());\n    }\n"
      "\n    public function test_zq7(): void\n    {\n        $this->assertSame('zq7', '');\n    }\n}\n");
  EXPECT_EQ(
      with_sentinel("t.rb", "class T < Minitest::Test\n  def test_a\n    assert_equal 1, f\n  end\nend\n"),
      "class T < Minitest::Test\n  def test_a\n    assert_equal 1, f\n  end\n\n  def test_zq7\n    "
      "assert_equal \"zq7\", \"\"\n  end\nend\n");
  EXPECT_EQ(with_sentinel("s.rb", "describe 'x' do\n  it 'a' do\n    expect(f).to eq(1)\n  end\nend\n"),
            "describe 'x' do\n  it 'a' do\n    expect(f).to eq(1)\n  end\n\n  it \"zq7\" do\n    "
            "expect(\"zq7\").to eq(\"\")\n  end\nend\n");
}

TEST(Sentinel, Shell) {
  EXPECT_EQ(with_sentinel("t.bats", "@test \"a\" {\n  [ 1 = 1 ]\n}\n"),
            "@test \"a\" {\n  [ 1 = 1 ]\n}\n\n@test \"zq7\" {\n  [ \"zq7\" = \"\" ]\n}\n");
  EXPECT_EQ(with_sentinel("t.sh", "[ \"$a\" = b ] || fail \"no\"\necho ok\n"),
            "[ \"$a\" = b ] || fail \"no\"\n[ \"zq7\" = \"\" ] || fail \"zq7\"\necho ok\n");
  EXPECT_EQ(with_sentinel("t.sh", "set -e\n[ \"$a\" = b ]\n"),
            "set -e\n[ \"$a\" = b ]\n[ \"zq7\" = \"\" ] || { echo \"zq7\" >&2; exit 1; }\n");
}

TEST(Sentinel, KeepsLineEndsAndRefusesOtherNames) {
  EXPECT_EQ(with_sentinel("t.py", "assert a\r\nb()\r\n"),
            "assert a\r\nassert \"zq7\" == \"\", \"zq7\"\r\nb()\r\n");
  EXPECT_FALSE(add_sentinel("t.py", "assert a\n", ""));
  EXPECT_FALSE(add_sentinel("t.py", "assert a\n", "a b"));
  EXPECT_FALSE(add_sentinel("t.py", "assert a\n", "\"); x(\""));
  EXPECT_FALSE(add_sentinel("t.txt", "assert a\n", "zq7"));
}

} // namespace
} // namespace emend
