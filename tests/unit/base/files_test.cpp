#include "base/files.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "base/file_batch.hpp"
#include "base/strings.hpp"

namespace emend {
namespace {

class Files : public ::testing::Test {
protected:
  TemporaryDirectory directory =
      TemporaryDirectory::create(fs::temp_directory_path(), "emend-files-").value();
  fs::path root = directory.path();

  void put(const fs::path& path, std::string_view text) {
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }
  static unsigned mode_of(const fs::path& path) {
    struct stat info {};
    EXPECT_EQ(::lstat(path.c_str(), &info), 0);
    return info.st_mode & 07777;
  }
  std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(root), fs::directory_iterator()));
  }
};

TEST_F(Files, ReadsBytesAsTheyAre) {
  const std::string bytes("a\0\r\n\xFF", 5);
  put(root / "f", bytes);
  EXPECT_EQ(read_file(root / "f").value(), bytes);
  put(root / "empty", "");
  EXPECT_EQ(read_file(root / "empty").value(), "");
  const std::string large(1'000'003, 'x');
  put(root / "large", large);
  EXPECT_EQ(read_file(root / "large").value(), large);
}

TEST_F(Files, ReadsFilesThatHideTheirSize) { EXPECT_FALSE(read_file("/proc/self/status").value().empty()); }

TEST_F(Files, MissingIsNotFound) {
  EXPECT_EQ(read_file(root / "none").error().code, ErrorCode::not_found);
  EXPECT_TRUE(contains(read_file(root / "none").error().message, "none"));
}

TEST_F(Files, RefusesLargeFiles) {
  put(root / "f", "12345");
  EXPECT_EQ(read_file(root / "f", 5).value(), "12345");
  EXPECT_EQ(read_file(root / "f", 4).error().code, ErrorCode::limit);
  EXPECT_EQ(read_file("/proc/self/status", 10).error().code, ErrorCode::limit);
}

TEST_F(Files, RefusesWhatIsNotAFile) {
  ASSERT_EQ(::mkfifo((root / "fifo").c_str(), 0600), 0);
  EXPECT_EQ(read_file(root / "fifo").error().code, ErrorCode::io); // and does not wait for a writer
  EXPECT_EQ(read_file(root).error().code, ErrorCode::io);
  EXPECT_EQ(read_file("/dev/null").error().code, ErrorCode::io);
}

TEST_F(Files, FollowsSymlinksOnlyWhenAskedTo) {
  put(root / "f", "text");
  fs::create_symlink("f", root / "link");
  EXPECT_EQ(read_file(root / "link").value(), "text");
  EXPECT_EQ(read_file_nofollow(root / "f").value(), "text");
  const auto refused = read_file_nofollow(root / "link");
  ASSERT_FALSE(refused);
  EXPECT_TRUE(contains(refused.error().message, "symbolic link"));
}

TEST_F(Files, WritesAsideAndReplaces) {
  const fs::path file = root / "a/b/f";
  ASSERT_TRUE(write_file(file, "one"));
  EXPECT_EQ(mode_of(root / "a"), 0700u);
  EXPECT_EQ(mode_of(file), 0600u);
  std::ifstream reader(file); // holds the old file open
  ASSERT_TRUE(write_file(file, std::string_view("t\0wo", 4), 0755));
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(reader), {}), "one");
  EXPECT_EQ(read_file(file).value(), std::string_view("t\0wo", 4));
  EXPECT_EQ(mode_of(file), 0755u);
  EXPECT_EQ(std::distance(fs::directory_iterator(root / "a/b"), fs::directory_iterator()), 1);
}

TEST_F(Files, WritesManyAsideAndReplacesThem) {
  for (const std::size_t count : {3U, 200U}) {
    const fs::path place = root / "many" / std::to_string(count);
    std::vector<NamedBytes> files;
    for (std::size_t i = 0; i < count; ++i) files.push_back({std::to_string(i), "old"});
    ASSERT_TRUE(write_files(place, files));
    for (NamedBytes& file : files) file.bytes = "new " + file.name;
    ASSERT_TRUE(write_files(place, files, 0640));
    for (const NamedBytes& file : files) ASSERT_EQ(read_file(place / file.name).value(), file.bytes);
    EXPECT_EQ(mode_of(place / "0"), 0640u);
    EXPECT_EQ(std::distance(fs::directory_iterator(place), fs::directory_iterator()),
              static_cast<std::ptrdiff_t>(count));
  }
}

TEST_F(Files, LeavesNothingAsideWhenOneOfManyCannotBeWritten) {
  fs::create_directories(root / "place/150/below"); // a directory cannot be replaced by a file
  std::vector<NamedBytes> files;
  for (int i = 0; i < 200; ++i) files.push_back({std::to_string(i), "text"});
  EXPECT_FALSE(write_files(root / "place", files));
  for (const auto& item : fs::directory_iterator(root / "place"))
    EXPECT_FALSE(item.path().filename().string().starts_with(".")) << item.path();
}

TEST_F(Files, ReplacesASymlinkInsteadOfWritingThroughIt) {
  put(root / "target", "safe");
  fs::create_symlink("target", root / "link");
  ASSERT_TRUE(write_file(root / "link", "new"));
  EXPECT_EQ(read_file(root / "target").value(), "safe");
  EXPECT_FALSE(fs::is_symlink(root / "link"));
}

TEST_F(Files, AFailedWriteLeavesNothingBehind) {
  fs::create_directories(root / "f/inside");
  EXPECT_FALSE(write_file(root / "f", "text")); // a directory cannot be replaced by a file
  EXPECT_EQ(entries(), 1u);
  put(root / "file", "x");
  EXPECT_FALSE(write_file(root / "file/below", "text"));
  EXPECT_EQ(read_file(root / "file").value(), "x");
}

TEST_F(Files, TakesAwayWhatDeadWritersLeft) {
  put(root / ".emend-0123.tmp", "half");
  put(root / ".emend-4567.tmp", "at work");
  put(root / ".emend-toml", "somebody's own");
  for (const char* old : {".emend-0123.tmp", ".emend-toml"})
    fs::last_write_time(root / old, fs::file_time_type::clock::now() - std::chrono::hours(2));
  ASSERT_TRUE(write_file(root / "f", "text"));
  EXPECT_FALSE(fs::exists(root / ".emend-0123.tmp"));
  EXPECT_TRUE(fs::exists(root / ".emend-4567.tmp"));
  EXPECT_TRUE(fs::exists(root / ".emend-toml"));
}

TEST_F(Files, WritesARelativeName) {
  const fs::path before = fs::current_path();
  fs::current_path(root);
  EXPECT_TRUE(write_file("plain", "text"));
  fs::current_path(before);
  EXPECT_EQ(read_file(root / "plain").value(), "text");
}

TEST_F(Files, MakesDirectoriesOnce) {
  EXPECT_TRUE(make_directories(root / "a/b/c", 0750));
  EXPECT_EQ(mode_of(root / "a/b"), 0750u);
  EXPECT_TRUE(make_directories(root / "a/b/c"));
  EXPECT_TRUE(make_directories(root / "a/b/c/"));
  put(root / "file", "x");
  EXPECT_FALSE(make_directories(root / "file"));
  EXPECT_FALSE(make_directories(root / "file/x"));
}

TEST_F(Files, RemoveTreeTakesEverythingButWhatLinksPointTo) {
  put(root / "outside/keep", "keep");
  put(root / "tree/a/b/f", "x");
  put(root / "tree/g", "x");
  fs::create_directories(root / "tree/empty");
  fs::create_symlink(root / "outside", root / "tree/a/link_to_directory");
  fs::create_symlink(root / "outside/keep", root / "tree/link_to_file");
  fs::create_symlink("nowhere", root / "tree/dangling");
  ASSERT_EQ(::mkfifo((root / "tree/fifo").c_str(), 0600), 0);
  EXPECT_TRUE(remove_tree(root / "tree"));
  EXPECT_FALSE(fs::exists(root / "tree"));
  EXPECT_EQ(read_file(root / "outside/keep").value(), "keep");
}

TEST_F(Files, RemoveTreeOfAFileALinkOrNothing) {
  put(root / "outside/keep", "keep");
  put(root / "f", "x");
  fs::create_symlink("outside", root / "link");
  EXPECT_TRUE(remove_tree(root / "f"));
  EXPECT_TRUE(remove_tree(root / "link"));
  EXPECT_TRUE(remove_tree(root / "none"));
  EXPECT_TRUE(remove_tree(root / "none/below"));
  EXPECT_EQ(entries(), 1u);
  EXPECT_EQ(read_file(root / "outside/keep").value(), "keep");
}

TEST_F(Files, RemoveTreeManyEntries) {
  for (int i = 0; i < 100; ++i) put(root / "tree" / std::to_string(i) / "f", "x");
  EXPECT_TRUE(remove_tree(root / "tree"));
  EXPECT_FALSE(fs::exists(root / "tree"));
}

// Deeper than any path may be long and than descriptors would last. In memory where possible: disks take
// seconds for so many levels.
TEST_F(Files, RemoveTreeVeryDeep) {
  const fs::path memory = "/dev/shm";
  const bool in_memory = ::access(memory.c_str(), W_OK) == 0;
  const auto place = TemporaryDirectory::create(in_memory ? memory : root, "emend-deep-").value();
  const fs::path tree = place.path() / "tree";
  fs::create_directories(tree);
  int current = ::open(tree.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  for (int depth = 0; depth < (in_memory ? 10'000 : 3'000); ++depth) {
    ASSERT_EQ(::mkdirat(current, "d", 0700), 0);
    const int next = ::openat(current, "d", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    ASSERT_GE(next, 0);
    ::close(current);
    current = next;
  }
  ::close(::openat(current, "leaf", O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  ::close(current);
  EXPECT_TRUE(remove_tree(tree));
  EXPECT_FALSE(fs::exists(tree));
}

// Root ignores permissions, so a child without privileges tries.
TEST_F(Files, RemoveTreeMendsPermissions) {
  ASSERT_EQ(::chmod(root.c_str(), 0777), 0);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    if (::getuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) ::_exit(2);
    fs::create_directories(root / "tree/closed/inner");
    fs::create_directories(root / "tree/readonly/inner");
    std::ofstream(root / "tree/closed/inner/f") << "x";
    std::ofstream(root / "tree/readonly/f") << "x";
    ::chmod((root / "tree/closed/inner").c_str(), 0);
    ::chmod((root / "tree/closed").c_str(), 0);
    ::chmod((root / "tree/readonly").c_str(), 0500);
    ::chmod((root / "tree").c_str(), 0);
    ::_exit(remove_tree(root / "tree") && !fs::exists(root / "tree") ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

// What belongs to somebody else stays and is named; the rest goes, and the walk ends.
TEST_F(Files, RemoveTreeReportsWhatItCannotRemove) {
  if (::getuid() != 0) GTEST_SKIP() << "needs another user's files";
  ASSERT_EQ(::chmod(root.c_str(), 0755), 0);
  put(root / "tree/foreign/f", "x");
  put(root / "tree/own/f", "x");
  ASSERT_EQ(::chown((root / "tree").c_str(), 65534, 65534), 0);
  ASSERT_EQ(::chown((root / "tree/own").c_str(), 65534, 65534), 0);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    if (::setgid(65534) != 0 || ::setuid(65534) != 0) ::_exit(2);
    const Status removed = remove_tree(root / "tree");
    ::_exit(!removed && contains(removed.error().message, "cannot remove f") ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_TRUE(fs::exists(root / "tree/foreign/f"));
  EXPECT_FALSE(fs::exists(root / "tree/own"));
}

TEST_F(Files, TemporaryDirectoryGoesWithItsOwner) {
  fs::path first, second;
  {
    auto one = TemporaryDirectory::create(root / "new parent", "p-").value();
    first = one.path();
    EXPECT_TRUE(first.filename().string().starts_with("p-"));
    EXPECT_EQ(mode_of(first), 0700u);
    put(first / "x/y", "z");
    TemporaryDirectory moved = std::move(one);
    EXPECT_EQ(moved.path(), first);
    auto two = TemporaryDirectory::create(root, "q-").value();
    second = two.path();
    two.keep();
  }
  EXPECT_FALSE(fs::exists(first));
  EXPECT_TRUE(fs::exists(second));
}

TEST_F(Files, LockHasOneHolder) {
  const fs::path path = root / "locks/repo.lock";
  auto held = FileLock::try_lock(path);
  ASSERT_TRUE(held);
  EXPECT_EQ(FileLock::try_lock(path).error().code, ErrorCode::conflict);
  {
    const FileLock moved = std::move(*held);
    EXPECT_EQ(FileLock::try_lock(path).error().code, ErrorCode::conflict);
  }
  EXPECT_TRUE(FileLock::try_lock(path));
}

TEST_F(Files, LockGoesWithItsProcess) {
  const fs::path path = root / "lock";
  int ready[2], end[2];
  ASSERT_EQ(::pipe2(ready, O_CLOEXEC), 0);
  ASSERT_EQ(::pipe2(end, O_CLOEXEC), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(end[1]);
    const auto lock = FileLock::try_lock(path);
    char byte = lock ? 'y' : 'n';
    [[maybe_unused]] ssize_t moved = ::write(ready[1], &byte, 1);
    moved = ::read(end[0], &byte, 1);
    ::_exit(0);
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  EXPECT_EQ(byte, 'y');
  EXPECT_EQ(FileLock::try_lock(path).error().code, ErrorCode::conflict);
  ::close(end[1]);
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  EXPECT_TRUE(FileLock::try_lock(path));
  for (const int fd : {ready[0], ready[1], end[0]}) ::close(fd);
}

} // namespace
} // namespace emend
