// The text of unified_diff, given to the real git, must produce exactly the bytes of the patch.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <random>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "model/patch.hpp"

extern char** environ;

namespace emend {
namespace {

int run(std::vector<std::string> words) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t child = 0;
  if (::posix_spawnp(&child, argv[0], nullptr, nullptr, argv.data(), environ) != 0) return -1;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

class GitApply : public ::testing::Test {
protected:
  void SetUp() override {
    if (run({"git", "init", "-q", root.string()}) != 0) FAIL() << "git is needed";
  }

  void put(const std::string& path, unsigned mode, const std::string& content) {
    fs::create_directories((root / path).parent_path());
    if (mode == kModeSymlink) {
      fs::create_symlink(content, root / path);
    } else if (mode != 0) {
      std::ofstream(root / path, std::ios::binary)
          << content; // not write_file: hundreds of syncs would only be slow
      ASSERT_EQ(::chmod((root / path).c_str(), mode & 0777), 0);
    }
  }

  void expect_after(const FileChange& change) {
    const fs::path path = root / change.path;
    if (change.new_mode == 0) {
      EXPECT_FALSE(fs::exists(fs::symlink_status(path))) << change.path;
    } else if (change.new_mode == kModeSymlink) {
      ASSERT_TRUE(fs::is_symlink(path)) << change.path;
      EXPECT_EQ(fs::read_symlink(path).string(), change.new_content);
    } else {
      const auto content = read_file_nofollow(path);
      ASSERT_TRUE(content) << change.path;
      EXPECT_EQ(*content, change.new_content) << change.path;
      struct stat info {};
      ASSERT_EQ(::stat(path.c_str(), &info), 0);
      EXPECT_EQ((info.st_mode & 0100) != 0, change.new_mode == kModeExecutable) << change.path;
    }
  }

  void check(Patch patch, int context = 3) {
    patch.sort();
    for (const FileChange& change : patch.changes) put(change.path, change.old_mode, change.old_content);
    const fs::path file = directory.path() / "patch";
    const std::string text = unified_diff(patch, context);
    ASSERT_TRUE(write_file(file, text));
    std::vector<std::string> command = {"git", "-C", root.string(), "apply", "--whitespace=nowarn"};
    if (context == 0) command.emplace_back("--unidiff-zero");
    command.push_back(file.string());
    ASSERT_EQ(run(command), 0) << text;
    for (const FileChange& change : patch.changes) expect_after(change);
  }

  TemporaryDirectory directory =
      TemporaryDirectory::create(fs::temp_directory_path(), "emend-apply-").value();
  fs::path root = directory.path() / "tree";
};

FileChange change(std::string path, unsigned old_mode, unsigned new_mode, std::string before,
                  std::string after) {
  return {std::move(path),
          old_mode,
          new_mode,
          old_mode ? git_blob_id(before, "sha1") : "",
          new_mode ? git_blob_id(after, "sha1") : "",
          before,
          after};
}

TEST_F(GitApply, EveryKindOfChange) {
  check(
      {{change("edit", kModeFile, kModeFile, "1\n2\n3\n", "1\ntwo\n3\n"),
        change("new/file", 0, kModeFile, "", "x\n"), change("new/empty", 0, kModeFile, "", ""),
        change("new/script", 0, kModeExecutable, "", "#!/bin/sh\n"),
        change("new/link", 0, kModeSymlink, "", "../edit"), change("gone", kModeFile, 0, "x\ny", ""),
        change("gone_empty", kModeFile, 0, "", ""), change("mode", kModeFile, kModeExecutable, "x\n", "x\n"),
        change("mode_and_text", kModeExecutable, kModeFile, "x\n", "y\n"),
        change("emptied", kModeFile, kModeFile, "x\n", ""), change("filled", kModeFile, kModeFile, "", "x"),
        change("relinked", kModeSymlink, kModeSymlink, "edit", "mode"),
        change("becomes_link", kModeFile, kModeSymlink, "x\n", "edit"),
        change("becomes_file", kModeSymlink, kModeFile, "edit", "x\n"),
        change("newline_lost", kModeFile, kModeFile, "a\nb\n", "a\nb"),
        change("newline_gained", kModeFile, kModeFile, "a\nb", "a\nb\n"),
        change("no_newline_both", kModeFile, kModeFile, "a\nb", "x\nb"),
        change("crlf", kModeFile, kModeFile, "a\r\nb\r\n", "a\nb\r\n"),
        change("bytes", kModeFile, kModeFile, "\xFF\xFE\n\x01\n", "\xFF\n\x80\x81\n")}});
}

TEST_F(GitApply, OddPaths) {
  Patch patch;
  for (const char* name :
       {"a b", " lead", "trail ", "tab\there", "new\nline", "quo\"te", "back\\slash", "\xC3\xA4", "\xFF\xFE",
        "bell\a", "c d/e f", "-dash", "g/h", "diff --git", "x b/x"}) {
    patch.changes.push_back(change(std::string("e/") + name + ".x", kModeFile, kModeFile, "1\n", "2\n"));
    patch.changes.push_back(change(std::string("n/") + name, 0, kModeFile, "", "2\n"));
    patch.changes.push_back(change(std::string("d/") + name + "x", kModeFile, 0, "1\n", ""));
    patch.changes.push_back(
        change(std::string("m/") + name + ".y", kModeFile, kModeExecutable, "1\n", "1\n"));
  }
  check(std::move(patch));
}

std::string random_text(std::mt19937& random) {
  std::string text;
  const unsigned lines = random() % 40;
  for (unsigned i = 0; i < lines; ++i)
    text += std::string(1, static_cast<char>('a' + random() % 5)) + (random() % 9 == 0 ? "\r\n" : "\n");
  if (random() % 4 == 0 && !text.empty()) text.pop_back();
  return text;
}

std::string random_edit(const std::string& text, std::mt19937& random) {
  std::string edited = text;
  const unsigned edits = 1 + random() % 5;
  for (unsigned i = 0; i < edits; ++i) {
    const std::size_t at = edited.empty() ? 0 : random() % edited.size();
    if (random() % 2 == 0) {
      edited.erase(at, random() % 8);
    } else {
      edited.insert(at, random() % 2 == 0 ? "x\ny\n" : "z");
    }
  }
  return edited;
}

TEST_F(GitApply, RandomEdits) {
  std::mt19937 random(42);
  for (const int context : {0, 1, 3, 10}) {
    Patch patch;
    for (int i = 0; i < 150; ++i) {
      const std::string before = random_text(random), after = random_edit(before, random);
      if (before == after) continue;
      patch.changes.push_back(change("r" + std::to_string(context) + "/" + std::to_string(i), kModeFile,
                                     kModeFile, before, after));
    }
    check(std::move(patch), context);
  }
}

} // namespace
} // namespace emend
