// The probes against the real runners: tests that pass fail once one of their assertions is negated, at that
// line, and a sentinel fails under its name.
#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "adapters/process/supervised_runner.hpp"
#include "engine/probe/failure_places.hpp"
#include "engine/probe/negation.hpp"
#include "engine/probe/reword.hpp"
#include "engine/probe/sentinel.hpp"
#include "tests/support/paths.hpp"

namespace emend {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::HasSubstr;

class ProbedRunners : public testing::Test {
protected:
  ProbedRunners() {
    std::string pattern = fs::temp_directory_path() / "probe-XXXXXX";
    scratch_ = ::mkdtemp(pattern.data());
  }
  ~ProbedRunners() override { fs::remove_all(scratch_); }

  struct Run {
    bool passed = false;
    std::string output;
  };
  Run run(const std::string& text) {
    std::ofstream(scratch_ / file_, std::ios::binary) << text;
    ProcessSpec spec;
    spec.argv = {"sh", "-c", command_};
    spec.cwd = scratch_;
    spec.env = {std::string("PATH=") + std::getenv("PATH"), "HOME=" + scratch_.string()};
    spec.supervise = false;
    spec.wall_limit_ms = 120'000;
    const auto result = runner_.run(spec, {});
    EXPECT_TRUE(result.has_value());
    return {result->ok(), result->out + result->err};
  }

  // Each negation alone, as a runner that stops at the first failure needs it.
  void expect_each_negation_fails(const std::string& text, std::size_t assertions, bool says_where) {
    ASSERT_TRUE(run(text).passed) << run(text).output;
    EXPECT_TRUE(run(reword(file_, text, "zq7")).passed);
    const auto lines = assertion_lines(file_, text);
    EXPECT_EQ(lines.size(), assertions);
    for (const int line : lines) {
      const auto twist = negate_at(file_, text, line);
      ASSERT_TRUE(twist) << line;
      const Run negated = run(twist->text);
      EXPECT_FALSE(negated.passed) << twist->before << " => " << twist->after;
      if (says_where) expect_first_place(negated, *twist);
    }
    const auto sentinel = add_sentinel(file_, text, "zq7");
    ASSERT_TRUE(sentinel);
    const Run failed = run(sentinel->text);
    EXPECT_FALSE(failed.passed);
    EXPECT_THAT(failed.output, HasSubstr("zq7"));
  }
  void expect_first_place(const Run& failed, const Twist& twist) {
    const auto places = failure_places(failed.output, {file_});
    ASSERT_FALSE(places.empty()) << failed.output;
    EXPECT_GE(places[0].line, twist.line) << failed.output;
    EXPECT_LE(places[0].line, twist.last_line) << failed.output;
  }

  std::string file_, command_;
  fs::path scratch_;
  SupervisedRunner runner_{EMEND_EXEC_BINARY};
};

TEST_F(ProbedRunners, PythonUnittest) {
  file_ = "test_a.py";
  command_ = "python3 -B test_a.py";
  expect_each_negation_fails(R"(import unittest


class A(unittest.TestCase):
    def test_a(self):
        self.assertEqual(1 + 1, 2)
        self.assertIn(
            3,
            [1, 2, 3],
        )
        self.assertIsNone({}.get("assert x"), "why")
        self.assertLess(1, 2)

    def test_b(self):
        assert (1 +
                1) == 2, "two, not three"
        if 2 + 2 != 4:
            self.fail("four")


if __name__ == "__main__":
    unittest.main()
)",
                             6, true);
}

TEST_F(ProbedRunners, Node) {
  file_ = "a.test.mjs";
  command_ = "node --test a.test.mjs";
  expect_each_negation_fails(R"(import test from 'node:test';
import assert, { deepStrictEqual } from 'node:assert';

test('a', async () => {
  assert.strictEqual(`a${'`'.length + 1}`, 'a2');
  assert.match('a/b', /a[/]b/);
  deepStrictEqual([1], [1]);
  await assert.rejects(Promise.reject(new Error('no')), /no/);
});
)",
                             4, true);
}

TEST_F(ProbedRunners, Shell) {
  file_ = "a.sh";
  command_ = "sh a.sh";
  expect_each_negation_fails(R"sh(failures=0
fail() {
  echo "FAIL: $1"
  failures=$((failures + 1))
}
[ "$(printf 'a b' | tr ' ' '-')" = "a-b" ] || fail "the dash"
if [ "$(echo 3)" -ne 3 ]; then
  fail "three"
fi
echo abc | grep -q b || fail "grep"
printf 'x\n' > one; printf 'x\n' > two
if cmp -s one two; then echo same; else fail "cmp"; fi
test "$failures" -eq 0 || exit 1
)sh",
                             5, false);
}

TEST_F(ProbedRunners, PlainC) {
  file_ = "a.cpp";
  command_ = "g++ -w -x c++ a.cpp -o a.out && ./a.out";
  expect_each_negation_fails(R"(#include <assert.h>
#include <stdio.h>
static int failures;
#define CHECK(x) do { if (!(x)) { printf("%s:%d: %s\n", __FILE__, __LINE__, #x); failures++; } } while (0)
int main() {
  assert(1 + 1 == 2);
  CHECK(2 + 2 == 4 /* assert(0) */);
  if (1 + 1 != 2) {
    printf("%s:%d: no\n", __FILE__, __LINE__);
    return 1;
  }
  return failures != 0;
}
)",
                             3, true);
}

// One program with everything in it: these assertions go on after a failure.
TEST_F(ProbedRunners, Googletest) {
  file_ = "a_test.cpp";
  command_ = "g++ -w a_test.cpp -o a.out -lgtest -lgtest_main -lpthread && ./a.out";
  std::string text = R"(#include <gtest/gtest.h>
#include <stdexcept>
TEST(A, B) {
  EXPECT_EQ(1 + 1, 2) << "two";
  EXPECT_STREQ("a", "a");
  EXPECT_LT(1, 2);
  EXPECT_THROW(throw std::runtime_error("a, b"), std::runtime_error);
  EXPECT_TRUE(true);
}
)";
  const auto lines = assertion_lines(file_, text);
  ASSERT_EQ(lines.size(), 5U);
  for (const int line : lines) text = negate_at(file_, text, line).value().text;
  const auto sentinel = add_sentinel(file_, text, "zq7");
  ASSERT_TRUE(sentinel);
  const Run failed = run(sentinel->text);
  EXPECT_FALSE(failed.passed);
  EXPECT_THAT(failed.output, HasSubstr("[  FAILED  ] A.zq7"));
  const auto places = failure_places(failed.output, {file_});
  for (const int line : lines) EXPECT_THAT(places, Contains(Place{file_, line})) << failed.output;
  EXPECT_THAT(places, Contains(Place{file_, sentinel->line}));
}

} // namespace
} // namespace emend
