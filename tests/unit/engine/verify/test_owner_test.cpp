#include "engine/verify/test_owner.hpp"

#include <gtest/gtest.h>

namespace emend {
namespace {

TEST(TestOwner, ByTheNameOfTheFile) {
  EXPECT_TRUE(names_file("test_trim (tests.test_slug.SlugTest.test_trim)", "src/slug.py"));
  EXPECT_TRUE(names_file("tests/test_slug.py::test_trim", "src/slug.py"));
  EXPECT_TRUE(names_file("StringUtilsTest.trims", "lib/string_utils.cpp"));
  EXPECT_TRUE(names_file("string_utils > trims", "lib/stringUtils.ts"));
  EXPECT_TRUE(names_file("src/slug.test.js > trims", "src/slug.js"));
  EXPECT_TRUE(names_file("package example.com/slug", "slug/slug.go"));
  EXPECT_FALSE(names_file("tests/test_slugger.py::test_trim", "src/slug.py"));
  EXPECT_FALSE(names_file("tests/test_money.py::test_add", "src/slug.py"));
  EXPECT_FALSE(names_file("test 1", ""));
}

TEST(TestOwner, ByWhatTheFixerSays) {
  const char* id = "test_trims_dashes (tests.test_slug.SlugTest.test_trims_dashes)";
  EXPECT_TRUE(mentions_test("This makes test_trims_dashes pass.", id));
  EXPECT_TRUE(mentions_test("All of tests.test_slug.SlugTest.test_trims_dashes", id));
  EXPECT_TRUE(mentions_test("SlugTest failed for the same reason", id));
  EXPECT_TRUE(mentions_test("see tests/test_a.py", "tests/test_a.py::test_b"));
  EXPECT_TRUE(mentions_test("now `adder > adds two` passes", "adder > adds two"));
  EXPECT_FALSE(mentions_test("the tests pass now", id)) << "a word anybody writes";
  EXPECT_FALSE(mentions_test("test_trims_dashes_twice", id));
  EXPECT_FALSE(mentions_test("", id));
}

} // namespace
} // namespace emend
