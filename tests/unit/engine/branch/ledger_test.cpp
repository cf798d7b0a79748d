// Whether a commit took a fix over with changes, and whether a fix's lines are still there.
#include "engine/branch/ledger.hpp"

#include <gtest/gtest.h>

#include "tests/unit/engine/changes.hpp"

namespace emend {
namespace {

const std::string kBase = "def f(x):\n    return x\n";
const std::string kFix = "def f(x):\n    if x is None:\n        return 0\n    return x\n";

Patch patch(const std::string& before, const std::string& after, const std::string& path = "a.py") {
  return Patch{{changed(path, before, after)}};
}

TEST(Ledger, HalfOfTheLinesInOneCommitIsTheFixEdited) {
  const Patch fix = patch(kBase, kFix);
  EXPECT_TRUE(is_edited_version(
      fix, patch(kBase, "def f(x):\n    if x is None:\n        raise ValueError\n    return x\n")));
  EXPECT_FALSE(is_edited_version(fix, patch(kBase, "def f(x):\n    return x + 1\n")));
  EXPECT_FALSE(is_edited_version(fix, patch(kBase, kFix, "b.py"))) << "of another file";
  EXPECT_FALSE(is_edited_version(patch("{\n", "{\n}\n"), patch("{\n", "{\n}\n"))) << "a brace says nothing";
}

TEST(Ledger, OfAFixThatOnlyRemovesTheRemovedLinesCount) {
  const Patch fix = patch("import os\nimport sys\nwork()\n", "work()\n");
  EXPECT_TRUE(is_edited_version(fix, patch("import os\nimport sys\nwork()\n", "import sys\nwork()\n")));
  EXPECT_FALSE(is_edited_version(fix, patch("import os\nwork()\n", "import os\nwork(1)\n")));
}

TEST(Ledger, LinesThatAreGoneAreCounted) {
  const Patch fix = patch(kBase, kFix);
  EXPECT_EQ(lost_lines(fix, {{"a.py", kFix}}), 0);
  EXPECT_EQ(lost_lines(fix, {{"a.py", "# moved\n" + kFix}}), 0);
  EXPECT_EQ(lost_lines(fix, {{"a.py", "def f(x):\n    if x is None:\n        return 1\n    return x\n"}}), 1);
  EXPECT_EQ(lost_lines(fix, {}), 2);
}

} // namespace
} // namespace emend
