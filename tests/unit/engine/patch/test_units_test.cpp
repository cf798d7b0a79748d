// Files of tests cut into named units, in the manner of each language.
#include "engine/patch/test_units.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/strings.hpp"

namespace emend {
namespace {

using testing::ElementsAre;

// "name begin-end", lines from 1, both inclusive.
std::vector<std::string> cut(const std::string& path, const std::string& text) {
  std::vector<std::string> found;
  for (const TestUnit& unit : test_units(path, text))
    found.push_back(unit.name + " " + std::to_string(unit.begin + 1) + "-" + std::to_string(unit.end));
  return found;
}

TEST(TestUnits, Python) {
  EXPECT_THAT(cut("tests/test_a.py", R"(import a

@pytest.mark.parametrize("x", [
    1,
])
def test_one(x):
    """def test_in_a_string():
    """
    assert a.f(x) == 1
    # def test_in_a_comment():

class TestB(unittest.TestCase):
    limit = 3

    def test_two(self):
        def inner():
            return 1
        self.assertEqual(inner(), 1)

async def test_three():
    assert (
a.g()
    )
)"),
              ElementsAre("test_one 3-9", "TestB::test_two 15-18", "test_three 20-23"));
}

TEST(TestUnits, JavaScript) {
  EXPECT_THAT(cut("src/a.test.ts", R"(import { f } from './a'
const table = { a: 1 }
describe('limits', () => {
  beforeEach(() => {
    reset()
  })
  it('stops at "10"', async () => {
    expect(f(10)).toBe(10)
  })
  test.each([[1, 2], [2, 3]])('adds %i', (a, b) => {
    expect(f(a)).toBe(b)
  })
})
function helper(a) {
  return { a }
}
const other = (a) => {
  return a
}
test('short', () => expect(f(1)).toBe(1))
// test('commented', () => {})
)"),
              ElementsAre("limits::beforeEach 4-6", "limits::stops at \"10\" 7-9", "limits::adds %i 10-12",
                          "helper 14-16", "other 17-19", "short 20-20"));
}

TEST(TestUnits, Gtest) {
  EXPECT_THAT(cut("tests/a_test.cpp", R"(#include "a.hpp"
namespace emend {
namespace {

constexpr int kLimit = 3;
int table[] = {1, 2};

class Fixture : public testing::Test {
protected:
  void SetUp() override { reset(); }
  int value_ = 1'000;
};

int helper(int a)
{
  return a;
}

TEST_F(Fixture, Limit) {
  EXPECT_EQ(f(R"x({)x"), 1);
}
#if 0
TEST(A, Never) {
}
#endif
TEST_CASE("catch2 has names", "[tag]") {
  CHECK(f("}") == 1);
}

} // namespace
} // namespace emend
)"),
              ElementsAre("Fixture::SetUp 10-10", "helper 14-17", "Fixture.Limit 19-21", "A.Never 23-24",
                          "catch2 has names 26-28"));
}

TEST(TestUnits, PlainC) {
  EXPECT_THAT(cut("tests/a.c", R"(#include <assert.h>
static int failures;
static void test_limit(void)
{
  assert(f('"') == 1);
}
int main(void) {
  test_limit();
  return failures;
}
)"),
              ElementsAre("test_limit 3-6", "main 7-10"));
}

TEST(TestUnits, Go) {
  EXPECT_THAT(cut("a_test.go", R"(package a

import "testing"

var cases = []struct {
	in, want int
}{
	{1, 2},
}

func TestLimit(t *testing.T) {
	if f(1) != `{` {
		t.Error("x")
	}
}

func (s *Suite) TestOther() {
	s.Equal(1, 1)
}
)"),
              ElementsAre("TestLimit 11-15", "TestOther 17-19"));
}

TEST(TestUnits, Rust) {
  EXPECT_THAT(cut("tests/a.rs", R"(use a::f;

#[cfg(test)]
mod tests {
    #[test]
    #[should_panic(expected = "x")]
    fn limit() {
        let c = 'x';
        assert_eq!(f::<'static>(r#"}"#), c);
    }
    fn helper<'a>(x: &'a str) -> &'a str {
        x
    }
}
)"),
              ElementsAre("tests::limit 5-10", "tests::helper 11-13"));
}

TEST(TestUnits, Java) {
  EXPECT_THAT(cut("src/test/ATest.java", R"java(package a;

import org.junit.jupiter.api.Test;

public class ATest {
    private final int limit = 3;

    @Test
    @DisplayName("limit (3)")
    void limit() throws Exception {
    assertEquals(3, f());
    }

    @ParameterizedTest
    @CsvSource({"1, 2", "2, 3"})
    void adds(int a, int b) {
    assertEquals(b, g(a));
    }
}
)java"),
              ElementsAre("ATest::limit 8-12", "ATest::adds 14-18"));
}

TEST(TestUnits, ShellAndBats) {
  EXPECT_THAT(cut("tests/a.bats", R"(load helper
setup() {
  cd "$BATS_TMPDIR"
}
@test "limit is 3" {
  run f 3
  [ "$status" -eq 0 ]
}
)"),
              ElementsAre("setup 2-4", "limit is 3 5-8"));
  EXPECT_THAT(cut("tests/a.sh", R"(#!/bin/sh
check() { [ "$1" = "$2" ] || exit 1; }
function test_a() {
  cat <<EOF
test_b() {
EOF
  check 1 1
}
test_a
)"),
              ElementsAre("check 2-2", "test_a 3-8"));
}

TEST(TestUnits, Ruby) {
  EXPECT_THAT(cut("spec/a_spec.rb", R"(require 'a'
RSpec.describe 'limits' do
  it 'stops' do
    [1].each do |x|
      expect(f(x)).to eq(1)
    end
  end
end
class TestA < Minitest::Test
  def test_b
    assert_equal 1, f(1)
  end
end
)"),
              ElementsAre("limits::stops 3-7", "TestA::test_b 10-12"));
}

TEST(TestUnits, TheContextNamesTheBlocksAround) {
  const auto units = test_units("a_test.cpp", "#ifdef SLOW\nTEST(A, b) {\n}\n#endif\nTEST(A, c) {\n}\n");
  ASSERT_EQ(units.size(), 2U);
  EXPECT_EQ(units[0].context, "#ifdef SLOW\n");
  EXPECT_EQ(units[1].context, "");
}

TEST(TestUnits, HostileText) {
  for (const char* path :
       {"a_test.py", "a.test.js", "a_test.cpp", "a_test.go", "a.bats", "a_spec.rb", "a.rs"})
    for (const std::string& text :
         {std::string(200'000, '{'), std::string(200'000, '}'), std::string(200'000, '('),
          std::string(200'000, '"'), std::string("TEST(\n\"\"\"'''`<<X\n#if"), std::string(1, '\0')})
      EXPECT_LE(cut(path, text).size(), 1U) << path;
}

} // namespace
} // namespace emend
