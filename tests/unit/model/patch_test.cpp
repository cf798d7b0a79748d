#include "model/patch.hpp"

#include <gtest/gtest.h>

#include "base/hash.hpp"
#include "base/strings.hpp"

namespace emend {
namespace {

FileChange edit(std::string path, std::string before, std::string after) {
  FileChange change{
      std::move(path), kModeFile, kModeFile, git_blob_id(before, "sha1"), git_blob_id(after, "sha1"),
      before,          after};
  return change;
}

FileChange creation(std::string path, std::string after, unsigned mode = kModeFile) {
  return {std::move(path), 0, mode, {}, git_blob_id(after, "sha1"), {}, after};
}

FileChange deletion(std::string path, std::string before) {
  return {std::move(path), kModeFile, 0, git_blob_id(before, "sha1"), {}, before, {}};
}

std::string diff_of(FileChange change, int context = 3) {
  return unified_diff(Patch{{std::move(change)}}, context);
}

TEST(UnifiedDiff, ReadsLikeGits) {
  EXPECT_EQ(diff_of(edit("src/a.py", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n")),
            "diff --git a/src/a.py b/src/a.py\n--- a/src/a.py\n+++ b/src/a.py\n@@ -2,7 +2,7 @@\n 2\n 3\n "
            "4\n-5\n+five\n 6\n 7\n 8\n");
  EXPECT_EQ(diff_of(edit("a", "1\n2\n", "1\n"), 0),
            "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -2 +1,0 @@\n-2\n");
}

TEST(UnifiedDiff, NewAndDeletedFiles) {
  EXPECT_EQ(diff_of(creation("n.sh", "x\n", kModeExecutable)),
            "diff --git a/n.sh b/n.sh\nnew file mode 100755\n--- /dev/null\n+++ b/n.sh\n@@ -0,0 +1 @@\n+x\n");
  EXPECT_EQ(
      diff_of(deletion("d", "x\ny\n")),
      "diff --git a/d b/d\ndeleted file mode 100644\n--- a/d\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-x\n-y\n");
  EXPECT_EQ(diff_of(creation("empty", "")), "diff --git a/empty b/empty\nnew file mode 100644\n");
}

TEST(UnifiedDiff, MarksAMissingLastNewline) {
  EXPECT_EQ(diff_of(edit("a", "x", "x\n")),
            "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+x\n");
  EXPECT_EQ(
      diff_of(edit("a", "x\ny", "z\ny")),
      "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n-x\n+z\n y\n\\ No newline at end of file\n");
}

TEST(UnifiedDiff, ModesTypesAndBinaries) {
  FileChange mode = edit("run", "x\n", "x\n");
  mode.new_mode = kModeExecutable;
  EXPECT_EQ(diff_of(mode), "diff --git a/run b/run\nold mode 100644\nnew mode 100755\n");
  FileChange type = edit("t", "x\n", "target");
  type.new_mode = kModeSymlink;
  EXPECT_EQ(diff_of(type),
            "diff --git a/t b/t\ndeleted file mode 100644\n--- a/t\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"
            "diff --git a/t b/t\nnew file mode 120000\n--- /dev/null\n+++ b/t\n@@ -0,0 +1 @@\n+target\n\\ No "
            "newline at end of file\n");
  EXPECT_EQ(diff_of(edit("b.png", std::string("\0x", 2), std::string("\0y", 2))),
            "diff --git a/b.png b/b.png\nBinary files a/b.png and b/b.png differ\n");
  EXPECT_EQ(diff_of(creation("b.png", std::string("\0y", 2))),
            "diff --git a/b.png b/b.png\nnew file mode 100644\nBinary files /dev/null and b/b.png differ\n");
  EXPECT_EQ(diff_of(edit("b.c", "x\n", std::string("\0y\n", 3))),
            "diff --git a/b.c b/b.c\n--- a/b.c\n+++ b/b.c\n@@ -1 +1 @@\n-x\n+" + std::string("\0y\n", 3));
  FileChange module{"sub", kModeGitlink, kModeGitlink, "aaaa", "bbbb", {}, {}};
  EXPECT_EQ(diff_of(module),
            "diff --git a/sub b/sub\n--- a/sub\n+++ b/sub\n@@ -1 +1 @@\n-Subproject commit aaaa\n+Subproject "
            "commit bbbb\n");
}

TEST(UnifiedDiff, QuotesOddPathsAsGitDoes) {
  EXPECT_TRUE(
      diff_of(edit("a b", "x\n", "y\n")).starts_with("diff --git a/a b b/a b\n--- a/a b\t\n+++ b/a b\t\n"));
  EXPECT_TRUE(
      diff_of(edit("q\"\t\\\x01\xC3\xA4", "x\n", "y\n"))
          .starts_with(
              "diff --git \"a/q\\\"\\t\\\\\\001\\303\\244\" \"b/q\\\"\\t\\\\\\001\\303\\244\"\n--- \"a/q"));
}

TEST(UnifiedDiff, NearEditsShareAHunk) {
  std::string before, near, far;
  for (int i = 1; i <= 30; ++i) {
    before += std::to_string(i) + "\n";
    near += i == 10 || i == 17 ? "x\n" : std::to_string(i) + "\n";
    far += i == 10 || i == 18 ? "x\n" : std::to_string(i) + "\n";
  }
  const auto hunks = [](const std::string& diff) { return split(diff, '@').size() / 4; };
  EXPECT_EQ(hunks(diff_of(edit("a", before, near))), 1u);
  EXPECT_EQ(hunks(diff_of(edit("a", before, far))), 2u);
}

TEST(DiffStat, CountsLinesButNotOfBinaries) {
  const Patch patch{{edit("a", "1\n2\n3\n", "1\ntwo\nthree\n3\n"), creation("n", "x\ny\n"),
                     deletion("d", "z"), edit("b.png", std::string("\0x\n", 3), std::string("\0\n", 2))}};
  const DiffStat stat = diff_stat(patch);
  EXPECT_EQ(stat.files, 4);
  EXPECT_EQ(stat.insertions, 4);
  EXPECT_EQ(stat.deletions, 2);
  EXPECT_EQ(diff_stat({}).files, 0);
}

TEST(ChangedLinesOf, NumberEachSide) {
  const ChangedLines lines = changed_lines(edit("a", "1\n2\n3\n4\n", "1\r\n2\n3\nx\ny"));
  ASSERT_EQ(lines.added.size(), 3u);
  EXPECT_EQ(lines.added[0].number, 1);
  EXPECT_EQ(lines.added[0].text, "1");
  EXPECT_EQ(lines.added[2].number, 5);
  EXPECT_EQ(lines.added[2].text, "y");
  ASSERT_EQ(lines.removed.size(), 2u);
  EXPECT_EQ(lines.removed[1].number, 4);
  EXPECT_EQ(lines.removed[1].text, "4");
}

// A NUL byte must not hide what was added from those who look at added lines.
TEST(ChangedLinesOf, BinaryContentIsNotHidden) {
  const ChangedLines lines = changed_lines(creation("a", std::string("x\n\0\nexit(0)\n", 12)));
  ASSERT_EQ(lines.added.size(), 3u);
  EXPECT_EQ(lines.added[2].text, "exit(0)");
}

const std::string kNul("\0", 1);

// One byte must not turn a source into something nobody looks at.
TEST(FileChangeKind, TextStaysText) {
  for (const char* path :
       {"a.c", "a.py", "lib/a.js", "run.sh", "Makefile", "bin/tool", ".gitignore", "notes.txt"}) {
    EXPECT_FALSE(edit(path, "x", "x" + kNul).binary()) << path;
    EXPECT_TRUE(edit(path, "x", "x" + kNul).becomes_binary()) << path;
    EXPECT_FALSE(edit(path, "x" + kNul, "y" + kNul).binary()) << path;
    EXPECT_FALSE(edit(path, "x" + kNul, "y" + kNul).becomes_binary()) << "it was like that";
    EXPECT_TRUE(creation(path, "x" + kNul).becomes_binary()) << path;
    EXPECT_TRUE(edit(path, "x", std::string(100'000, 'x') + kNul).becomes_binary()) << "wherever it is";
  }
  EXPECT_TRUE(edit("data.odd", "x", "x" + kNul).becomes_binary()) << "text by what the base has";
  EXPECT_FALSE(edit("data.odd", "x", "x" + kNul).binary());
  EXPECT_TRUE(creation("data.odd", kNul).becomes_binary());
  EXPECT_FALSE(edit("a.c", "x" + kNul, "x").becomes_binary());
}

TEST(FileChangeKind, BinaryIsWhatNobodyReads) {
  EXPECT_TRUE(edit("a.png", kNul, "x" + kNul).binary());
  EXPECT_TRUE(edit("data.odd", kNul, "x" + kNul).binary());
  EXPECT_TRUE(creation("a.png", kNul).binary());
  EXPECT_FALSE(creation("a.png", kNul).becomes_binary());
  EXPECT_TRUE(deletion("a.png", kNul).binary());
  EXPECT_FALSE(edit("a.png", kNul, "#!/bin/sh\n").binary()) << "it is text now";
  EXPECT_FALSE(edit("a", "\xFF", "\x01").binary());
}

TEST(ShownDiff, LeavesNothingOut) {
  const std::string shown =
      shown_diff(Patch{{edit("a.sh", "x\n", "e" + kNul + "xit 0 # \u202E\x1b[8m\xFF\ry\n")}});
  EXPECT_NE(shown.find("+e<U+0000>xit 0 # <U+202E><U+001B>[8m<byte FF><U+000D>y\n"), std::string::npos)
      << shown;
}

TEST(ShownDiff, ReadsUtf16) {
  const std::string before("\xFF\xFEx\0\n\0", 6), after("\xFF\xFEy\0\n\0", 6);
  EXPECT_NE(shown_diff(Patch{{edit("a.rc", before, after)}}).find("-x\n+y\n"), std::string::npos);
  EXPECT_EQ(as_text(edit("a.rc", before, "\xFE\xFF" + std::string("\0\xE9\xD8\x3D\xDE\x00", 6))).new_content,
            "\u00E9\U0001F600");
  EXPECT_EQ(as_text(edit("a.c", "x", "e" + kNul + "xit")).new_content, "exit");
}

TEST(PatchHash, CoversPathModesAndIdsInAnyOrder) {
  const Patch patch{{edit("a", "1", "2"), edit("b", "3", "4")}};
  const std::string hash = patch.sha256();
  EXPECT_EQ(hash.size(), 64u);
  EXPECT_EQ((Patch{{patch.changes[1], patch.changes[0]}}).sha256(), hash);
  EXPECT_NE(Patch{}.sha256(), hash);
  for (auto change :
       {+[](FileChange& one) { one.path = "c"; }, +[](FileChange& one) { one.old_mode = 0; },
        +[](FileChange& one) { one.new_mode = kModeExecutable; }, +[](FileChange& one) { one.old_id += "0"; },
        +[](FileChange& one) { one.new_id.pop_back(); }}) {
    Patch other = patch;
    change(other.changes[0]);
    EXPECT_NE(other.sha256(), hash);
  }
}

TEST(PatchHash, FieldsCannotRunTogether) {
  FileChange one{"p", 1, 2, "ab", "c", {}, {}}, two{"p", 1, 2, "a", "bc", {}, {}};
  EXPECT_NE(Patch{{one}}.sha256(), Patch{{two}}.sha256());
}

TEST(PatchFind, ByExactPath) {
  Patch patch{{edit("b", "1", "2"), edit("a", "1", "2")}};
  patch.sort();
  EXPECT_EQ(patch.changes[0].path, "a");
  EXPECT_EQ(patch.find("b"), &patch.changes[1]);
  EXPECT_EQ(patch.find("c"), nullptr);
}

TEST(PatchJson, BytesSurvive) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  const Patch patch{
      {edit("dir/\xFF\n", bytes, "x"), creation("new", bytes, kModeExecutable), deletion("old", "y")}};
  const Patch back = patch_from_json(parse_json(dump_json(to_json(patch))).value());
  ASSERT_EQ(back.changes.size(), 3u);
  EXPECT_EQ(back.sha256(), patch.sha256());
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(back.changes[i].path, patch.changes[i].path);
    EXPECT_EQ(back.changes[i].old_content, patch.changes[i].old_content);
    EXPECT_EQ(back.changes[i].new_content, patch.changes[i].new_content);
  }
  EXPECT_TRUE(patch_from_json(Json()).empty());
}

} // namespace
} // namespace emend
