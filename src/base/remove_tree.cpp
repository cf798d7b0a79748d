// remove_tree of files.hpp: its own file, because it must cope with whatever an agent left behind.
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "base/files.hpp"
#include "base/owned_fd.hpp"

namespace emend {

namespace {

constexpr int kOpenDirectory = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

struct CloseDirectory {
  void operator()(DIR* stream) const { ::closedir(stream); }
};
using DirectoryStream = std::unique_ptr<DIR, CloseDirectory>;

bool is_dots(const char* name) { return std::strcmp(name, ".") == 0 || std::strcmp(name, "..") == 0; }

// Opens a directory, giving ourselves the permission first when it is missing. The chmod goes through a
// descriptor of the very directory, so it cannot be led elsewhere by a symlink.
OwnedFd open_mended(int parent, const char* name) {
  OwnedFd fd(::openat(parent, name, kOpenDirectory));
  if (!fd && errno == EACCES) {
    const OwnedFd handle(::openat(parent, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    const std::string link = "/proc/self/fd/" + std::to_string(handle.get());
    if (handle && ::chmod(link.c_str(), 0700) == 0) fd = OwnedFd(::openat(parent, name, kOpenDirectory));
  }
  struct stat info {};
  if (fd && ::fstat(fd.get(), &info) == 0 && (info.st_mode & 0700) != 0700) ::fchmod(fd.get(), 0700);
  return fd;
}

// Walks with one open descriptor, down by name and up by "..", so depth costs neither descriptors nor stack.
class TreeRemover {
public:
  TreeRemover(OwnedFd root, const struct stat& info) : current_(std::move(root)), device_(info.st_dev) {
    levels_.push_back({{}, info.st_ino, {}});
  }

  // Empties the root directory. The error is the first thing that could not be removed; everything else is
  // gone then.
  Status run() {
    while (!levels_.empty()) {
      const std::optional<std::string> directory = remove_files();
      if (directory) {
        descend(*directory);
      } else if (levels_.size() == 1) {
        break;
      } else if (!ascend()) {
        break;
      }
    }
    if (!problem_.empty()) return fail(ErrorCode::io, problem_);
    return {};
  }

private:
  struct Level {
    std::string name; // in its parent
    ino_t inode;
    std::set<std::string> stuck; // entries that could not be removed
  };

  void note(const std::string& what, int error) {
    if (problem_.empty()) problem_ = "cannot remove " + what + ": " + std::strerror(error);
  }

  void stuck(const std::string& name, int error) {
    note(name, error);
    levels_.back().stuck.insert(name);
  }

  // Unlinks everything in the current directory up to the first directory that is not empty, and names that
  // one.
  std::optional<std::string> remove_files() {
    OwnedFd copy(::openat(current_.get(), ".", kOpenDirectory));
    const DirectoryStream stream(copy ? ::fdopendir(copy.get()) : nullptr);
    if (!stream) {
      note(levels_.back().name, errno);
      return std::nullopt;
    }
    [[maybe_unused]] const int owned_by_stream = copy.release();
    while (const dirent* entry = ::readdir(stream.get())) {
      if (is_dots(entry->d_name) || levels_.back().stuck.contains(entry->d_name)) continue;
      if (!remove_entry(*entry)) return entry->d_name;
    }
    return std::nullopt;
  }

  // False when it is a directory that must be emptied first.
  bool remove_entry(const dirent& entry) {
    const char* name = entry.d_name;
    if (entry.d_type == DT_DIR) { // most are still what the list says, which saves a call
      if (::unlinkat(current_.get(), name, AT_REMOVEDIR) == 0 || errno == ENOENT) return true;
      if (errno == ENOTEMPTY || errno == EEXIST) return false;
    }
    if (::unlinkat(current_.get(), name, 0) == 0 || errno == ENOENT) return true;
    if (errno != EISDIR && errno != EPERM) {
      stuck(name, errno);
      return true;
    }
    if (::unlinkat(current_.get(), name, AT_REMOVEDIR) == 0) return true;
    if (errno == ENOTEMPTY || errno == EEXIST) return false;
    stuck(name, errno == ENOTDIR ? EPERM : errno);
    return true;
  }

  void descend(const std::string& name) {
    OwnedFd child = open_mended(current_.get(), name.c_str());
    struct stat info {};
    if (!child || ::fstat(child.get(), &info) != 0) {
      stuck(name, errno);
    } else if (info.st_dev != device_) {
      stuck(name, EXDEV); // a mount: what is behind it is not ours to remove
    } else {
      current_ = std::move(child);
      levels_.push_back({name, info.st_ino, {}});
    }
  }

  bool ascend() {
    const Level done = std::move(levels_.back());
    levels_.pop_back();
    OwnedFd parent(::openat(current_.get(), "..", kOpenDirectory));
    struct stat info {};
    if (!parent || ::fstat(parent.get(), &info) != 0 || info.st_ino != levels_.back().inode ||
        info.st_dev != device_) {
      note(done.name + " (it was moved meanwhile)", ESTALE);
      return false;
    }
    current_ = std::move(parent);
    if (::unlinkat(current_.get(), done.name.c_str(), AT_REMOVEDIR) != 0 && errno != ENOENT)
      stuck(done.name, errno);
    return true;
  }

  OwnedFd current_;
  dev_t device_;
  std::vector<Level> levels_;
  std::string problem_;
};

} // namespace

Status remove_tree(const fs::path& path) {
  if (::unlink(path.c_str()) == 0 || errno == ENOENT || errno == ENOTDIR) return {};
  if (errno != EISDIR && errno != EPERM && errno != EACCES) {
    return fail(ErrorCode::io, "cannot remove " + path.string() + ": " + std::strerror(errno));
  }
  OwnedFd root = open_mended(AT_FDCWD, path.c_str());
  struct stat info {};
  if (!root || ::fstat(root.get(), &info) != 0) {
    return fail(ErrorCode::io, "cannot open " + path.string() + " to remove it: " + std::strerror(errno));
  }
  TRY(TreeRemover(std::move(root), info).run());
  if (::rmdir(path.c_str()) != 0 && errno != ENOENT) {
    return fail(ErrorCode::io, "cannot remove " + path.string() + ": " + std::strerror(errno));
  }
  return {};
}

} // namespace emend
