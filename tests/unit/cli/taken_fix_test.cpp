#include "cli/agents/taken_fix.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.hpp"

namespace emend {
namespace {

using testing::HasSubstr;

FileChange changed(const std::string& path, const std::string& before, const std::string& after) {
  FileChange change;
  change.path = path;
  change.old_mode = change.new_mode = kModeFile;
  change.old_content = before;
  change.new_content = after;
  return change;
}
FileChange added(const std::string& path, const std::string& text, unsigned mode = kModeFile) {
  FileChange change = changed(path, "", text);
  change.old_mode = 0;
  change.new_mode = mode;
  return change;
}
FileChange deleted(const std::string& path, const std::string& text) {
  FileChange change = changed(path, text, "");
  change.new_mode = 0;
  return change;
}

// What a proven patch does to a person's files.
class WrittenPatch : public testing::Test {
protected:
  void SetUp() override {
    auto made = TemporaryDirectory::create(fs::temp_directory_path(), "emend-patch-");
    ASSERT_TRUE(made) << made.error().message;
    place_ = std::make_unique<TemporaryDirectory>(*std::move(made));
    root_ = place_->path() / "root";
    put("a.c", "one\n");
    put("old.c", "gone\n");
  }
  void put(const std::string& path, const std::string& text, unsigned mode = 0644) {
    ASSERT_TRUE(write_file(root_ / path, text, mode));
  }
  [[nodiscard]] std::string text(const std::string& path) const {
    return read_file(root_ / path).value_or("(not there)");
  }
  [[nodiscard]] unsigned mode(const std::string& path) const {
    return static_cast<unsigned>(fs::status(root_ / path).permissions());
  }
  Result<std::string> write(std::vector<FileChange> changes, bool dry = false) {
    Patch patch;
    patch.changes = std::move(changes);
    return write_patch(root_.string(), patch, "ask somebody", dry);
  }
  // Refused with these words, and nothing is written: not even what comes before it.
  void expect_refused(FileChange change, const std::string& words) {
    const auto refused = write({changed("a.c", "one\n", "two\n"), std::move(change)});
    ASSERT_FALSE(refused) << *refused;
    EXPECT_EQ(refused.error().code, ErrorCode::conflict);
    EXPECT_THAT(refused.error().message, HasSubstr(words));
    EXPECT_THAT(refused.error().remedy, HasSubstr("ask somebody"));
    EXPECT_EQ(text("a.c"), "one\n");
  }

  std::unique_ptr<TemporaryDirectory> place_;
  fs::path root_;
};

TEST_F(WrittenPatch, ChangesAddsAndDeletes) {
  const std::vector<FileChange> changes = {changed("a.c", "one\n", "two\n"), added("new/deep/b.c", "three\n"),
                                           deleted("old.c", "gone\n")};
  const auto dry = write(changes, true);
  ASSERT_TRUE(dry) << dry.error().message;
  EXPECT_EQ(*dry, "would write:\n  a.c\n  new/deep/b.c\n  old.c\n");
  EXPECT_EQ(text("a.c"), "one\n");
  const auto written = write(changes);
  ASSERT_TRUE(written) << written.error().message;
  EXPECT_EQ(text("a.c"), "two\n");
  EXPECT_EQ(text("new/deep/b.c"), "three\n");
  EXPECT_FALSE(fs::exists(root_ / "old.c"));
  EXPECT_THAT(write(changes).value_or(""), HasSubstr("nothing to write"));
}

TEST_F(WrittenPatch, SaysOnlyWhetherAFileCanBeExecuted) {
  put("secret.sh", "echo\n", 0600);
  put("run.sh", "echo\n", 0755);
  FileChange on = changed("secret.sh", "echo\n", "echo\n"), off = changed("run.sh", "echo\n", "echo 1\n");
  on.new_mode = off.old_mode = kModeExecutable;
  ASSERT_TRUE(write({off, on, added("tool.sh", "echo\n", kModeExecutable)}));
  EXPECT_EQ(mode("secret.sh"), 0700U) << "kept from others as before, and nothing but its mode changed";
  EXPECT_EQ(mode("run.sh"), 0644U);
  EXPECT_EQ(mode("tool.sh"), 0755U);
}

TEST_F(WrittenPatch, OverwritesNothingThatIsNotAsThePatchFoundIt) {
  expect_refused(changed("old.c", "other\n", "x\n"), "old.c is not as the fix found it");
  expect_refused(added("old.c", "x\n"), "old.c exists already");
  expect_refused(deleted("old.c", "other\n"), "old.c is not as the fix found it");
  expect_refused(deleted("never.c", "gone\n"), "never.c is not as the fix found it");
}

TEST_F(WrittenPatch, FollowsNoLink) {
  const fs::path elsewhere = place_->path() / "elsewhere";
  fs::create_directories(elsewhere);
  ASSERT_TRUE(write_file(elsewhere / "c.c", "one\n"));
  fs::create_directory_symlink(elsewhere, root_ / "src");
  fs::create_symlink(elsewhere / "c.c", root_ / "link.c");
  expect_refused(changed("src/c.c", "one\n", "two\n"), "src/c.c is behind a symbolic link");
  expect_refused(added("src/new.c", "x\n"), "src/new.c is behind a symbolic link");
  expect_refused(deleted("src/c.c", "one\n"), "src/c.c is behind a symbolic link");
  expect_refused(changed("link.c", "one\n", "two\n"), "link.c is not as the fix found it");
  expect_refused(added("made.c", "../../etc/passwd", kModeSymlink), "made.c becomes a link");
  EXPECT_EQ(read_file(elsewhere / "c.c").value_or(""), "one\n");
  EXPECT_FALSE(fs::exists(elsewhere / "new.c"));
}

} // namespace
} // namespace emend
