#include "adapters/git/workspace_files.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>

#include "adapters/git/file_descriptor.hpp"
#include "adapters/git/object_reader.hpp"
#include "adapters/git/tree_scan.hpp"
#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/parallel.hpp"

namespace emend {

namespace {

mode_t permissions(unsigned git_mode) {
  return git_mode == kModeExecutable ? 0777 : 0666;
} // the umask takes its part

Status check_patch(const Patch& patch) {
  for (const FileChange& change : patch.changes) {
    if (!is_tree_path(change.path)) return fail(ErrorCode::git, "not a path git can hold: " + change.path);
    for (const unsigned mode : {change.old_mode, change.new_mode})
      if (mode == kModeGitlink) return fail(ErrorCode::git, "submodules cannot be changed: " + change.path);
  }
  return {};
}

Result<FileDescriptor> create_file(int directory, const std::string& name, unsigned git_mode) {
  FileDescriptor file(::openat(directory, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                               permissions(git_mode)));
  if (!file.valid()) return system_error("cannot make", name);
  return file;
}

Status make_link(int directory, const std::string& name, const std::string& target) {
  if (::symlinkat(target.c_str(), directory, name.c_str()) != 0)
    return system_error("cannot make link", name);
  return {};
}

Status write_new(int root, const FileChange& change) {
  TRY_ASSIGN(FileDescriptor parent, directory_beneath(root, parent_of(change.path), true));
  const std::string name(name_of(change.path));
  if (::unlinkat(parent.get(), name.c_str(), 0) != 0 && errno != ENOENT)
    return system_error("cannot replace", change.path);
  if (change.new_mode == kModeSymlink) return make_link(parent.get(), name, change.new_content);
  TRY_ASSIGN(FileDescriptor file, create_file(parent.get(), name, change.new_mode));
  return write_all(file.get(), change.new_content);
}

void remove_empty_parents(int root, std::string_view path) {
  for (path = parent_of(path); !path.empty(); path = parent_of(path)) {
    const auto parent = directory_beneath(root, parent_of(path), false);
    if (!parent || ::unlinkat(parent->get(), std::string(name_of(path)).c_str(), AT_REMOVEDIR) != 0) return;
  }
}

Status remove_old(int root, const FileChange& change) {
  const auto parent = directory_beneath(root, parent_of(change.path), false);
  if (!parent) return fail(ErrorCode::git, "the patch removes a file the base does not have: " + change.path);
  if (::unlinkat(parent->get(), std::string(name_of(change.path)).c_str(), 0) != 0)
    return system_error("cannot remove", change.path);
  remove_empty_parents(root, change.path);
  return {};
}

// Which paths of an upper layer have to be whiteouts so that what the patch removes is gone.
class Whiteouts {
public:
  Whiteouts(const Tree& base, const Patch& patch) : base_(base) {
    for (const FileChange& change : patch.changes)
      (change.deleted() ? removed_ : written_).insert(change.path);
  }

  std::set<std::string> plan() {
    std::set<std::string> whiteouts;
    for (const std::string& path : removed_)
      if (!covered(path)) whiteouts.insert(topmost_emptied(path));
    return whiteouts;
  }

private:
  [[nodiscard]] bool writes_below(const std::string& prefix) const {
    const auto next = written_.lower_bound(prefix);
    return next != written_.end() && next->starts_with(prefix);
  }

  // A file written where a directory above was, or a directory made where this file was, hides it already.
  [[nodiscard]] bool covered(const std::string& path) const {
    for (std::string up = path; !up.empty(); up = parent_of(up))
      if (written_.contains(up)) return true;
    return writes_below(path + "/");
  }

  // A directory the patch empties disappears as a whole, as it would in a fresh checkout.
  std::string topmost_emptied(const std::string& path) {
    std::string top = path;
    for (std::string up(parent_of(path)); !up.empty() && emptied(up); up = parent_of(up)) top = up;
    return top;
  }

  bool emptied(const std::string& directory) {
    const auto [known, fresh] = emptied_.try_emplace(directory, false);
    if (!fresh) return known->second;
    const std::string prefix = directory + "/";
    bool empty = !writes_below(prefix);
    for (auto entry = base_.lower_bound(prefix);
         empty && entry != base_.end() && entry->first.starts_with(prefix); ++entry)
      empty = removed_.contains(entry->first);
    return known->second = empty;
  }

  const Tree& base_;
  std::set<std::string> removed_, written_;
  std::map<std::string, bool> emptied_;
};

Status make_whiteout(int root, const std::string& path) {
  TRY_ASSIGN(FileDescriptor parent, directory_beneath(root, parent_of(path), true));
  const std::string name(name_of(path));
  if (::mknodat(parent.get(), name.c_str(), S_IFCHR, makedev(0, 0)) == 0) return {};
  if (errno == EPERM || errno == EOPNOTSUPP || errno == EINVAL)
    return fail(ErrorCode::limit, "this system makes no overlay whiteouts");
  return system_error("cannot make whiteout", path);
}

Status copy_bytes(int from, int to) {
  if (::ioctl(to, FICLONE, from) == 0) return {};
  for (;;) {
    const ssize_t copied = ::copy_file_range(from, nullptr, to, nullptr, 1U << 30, 0);
    if (copied == 0) return {};
    if (copied < 0) break;
  }
  if (errno != EXDEV && errno != EINVAL && errno != ENOSYS && errno != EOPNOTSUPP && errno != EPERM)
    return system_error("cannot copy", "file");
  TRY_ASSIGN(const std::string bytes, read_all(from, UINT64_MAX - 1));
  return write_all(to, bytes);
}

Status copy_one(int from_root, int to_root, const std::string& path, unsigned mode) {
  TRY_ASSIGN(FileDescriptor parent, directory_beneath(to_root, parent_of(path), true));
  const std::string name(name_of(path));
  if (mode == kModeGitlink) {
    if (::mkdirat(parent.get(), name.c_str(), 0777) != 0 && errno != EEXIST)
      return system_error("cannot make directory", path);
    return {};
  }
  if (mode == kModeSymlink) {
    TRY_ASSIGN(FileDescriptor from_parent, directory_beneath(from_root, parent_of(path), false));
    TRY_ASSIGN(const std::string target, read_link_at(from_parent.get(), name));
    return make_link(parent.get(), name, target);
  }
  FileDescriptor from = open_beneath(from_root, path, O_RDONLY);
  if (!from.valid()) return system_error("cannot open", path);
  TRY_ASSIGN(FileDescriptor to, create_file(parent.get(), name, mode));
  return copy_bytes(from.get(), to.get());
}

Status copy_paths(const std::string& from, const std::string& to,
                  const std::vector<Tree::const_iterator>& wanted) {
  constexpr std::size_t kChunk = 128;
  TRY_ASSIGN(FileDescriptor from_root, open_directory(from));
  TRY_ASSIGN(FileDescriptor to_root, open_directory(to));
  std::mutex mutex;
  std::optional<Error> problem;
  parallel_for((wanted.size() + kChunk - 1) / kChunk, wanted.size() > kChunk ? 2 : 0, [&](std::size_t chunk) {
    for (std::size_t i = chunk * kChunk; i < std::min(wanted.size(), (chunk + 1) * kChunk); ++i) {
      auto copied = copy_one(from_root.get(), to_root.get(), wanted[i]->first, wanted[i]->second.mode);
      if (copied) continue;
      std::lock_guard lock(mutex);
      problem = copied.error();
    }
  });
  if (problem) return fail(*problem);
  return {};
}

std::set<std::string> directories_of(const Tree& base) {
  std::set<std::string> directories;
  for (const auto& [path, entry] : base) {
    if (entry.mode == kModeGitlink) directories.insert(path);
    for (std::string_view up = parent_of(path); !up.empty() && directories.insert(std::string(up)).second;
         up = parent_of(up)) {
    }
  }
  return directories;
}

// Removes what the base does not have and collects the files that may still be right.
class CopySorter {
public:
  CopySorter(std::string root, const Tree& base)
      : root_(std::move(root)), base_(base), directories_(directories_of(base)) {}

  Status sort_out() {
    pending_.emplace_back();
    while (!pending_.empty()) {
      const std::string directory = std::move(pending_.back());
      pending_.pop_back();
      TRY(visit(directory));
    }
    return {};
  }

  std::vector<ScanEntry> kept;

private:
  [[nodiscard]] std::string full(const std::string& path) const {
    return path.empty() ? root_ : root_ + "/" + path;
  }

  Status visit(const std::string& directory) {
    if (::chmod(full(directory).c_str(), 0755) != 0)
      return system_error("cannot fix the mode of", full(directory));
    const std::unique_ptr<DIR, int (*)(DIR*)> listing(::opendir(full(directory).c_str()), ::closedir);
    if (!listing) return system_error("cannot list", full(directory));
    while (const dirent* item = ::readdir(listing.get())) {
      const std::string name = item->d_name;
      if (name != "." && name != "..") TRY(visit_name(directory.empty() ? name : directory + "/" + name));
    }
    return {};
  }

  Status visit_name(const std::string& path) {
    struct stat info {};
    if (::lstat(full(path).c_str(), &info) != 0) return system_error("cannot read", full(path));
    if (S_ISDIR(info.st_mode) && directories_.contains(path)) {
      pending_.push_back(path);
      return {};
    }
    const auto expected = base_.find(path);
    const bool plain = S_ISREG(info.st_mode) && info.st_nlink == 1;
    if (!plain || expected == base_.end() || (expected->second.mode & S_IFMT) != S_IFREG ||
        expected->second.size != static_cast<std::uint64_t>(info.st_size))
      return remove_tree(full(path));
    if (::chmod(full(path).c_str(), expected->second.mode == kModeExecutable ? 0755 : 0644) != 0)
      return system_error("cannot fix the mode of", full(path));
    kept.push_back(
        ScanEntry{path,
                  ScanEntry::Kind::file,
                  expected->second.mode,
                  expected->second.size,
                  info.st_ino,
                  0,
                  static_cast<std::int64_t>(info.st_mtim.tv_sec) * 1'000'000'000 + info.st_mtim.tv_nsec,
                  {}});
    return {};
  }

  std::string root_;
  const Tree& base_;
  std::set<std::string> directories_;
  std::vector<std::string> pending_;
};

} // namespace

Status lay_patch_over_copy(const std::string& directory, const Patch& patch) {
  TRY(check_patch(patch));
  TRY_ASSIGN(FileDescriptor root, open_directory(directory));
  for (const FileChange& change : patch.changes)
    if (change.deleted()) TRY(remove_old(root.get(), change));
  for (const FileChange& change : patch.changes)
    if (!change.deleted()) TRY(write_new(root.get(), change));
  return {};
}

Status lay_patch_over_layer(const std::string& upper, const Tree& base, const Patch& patch) {
  TRY(check_patch(patch));
  TRY_ASSIGN(FileDescriptor root, open_directory(upper));
  for (const std::string& path : Whiteouts(base, patch).plan()) TRY(make_whiteout(root.get(), path));
  for (const FileChange& change : patch.changes)
    if (!change.deleted()) TRY(write_new(root.get(), change));
  return {};
}

Status copy_base(const std::string& base_directory, const Tree& base, const std::string& target) {
  std::vector<Tree::const_iterator> wanted;
  wanted.reserve(base.size());
  for (auto entry = base.begin(); entry != base.end(); ++entry) wanted.push_back(entry);
  return copy_paths(base_directory, target, wanted);
}

Status restore_copy(const std::string& base_directory, const Tree& base, const std::string& algorithm,
                    const std::string& target) {
  CopySorter sorter(target, base);
  TRY(sorter.sort_out());
  std::vector<ScanEntry*> to_hash;
  for (ScanEntry& entry : sorter.kept) to_hash.push_back(&entry);
  TRY(hash_entries(target, algorithm, to_hash));
  std::set<std::string> right;
  for (const ScanEntry& entry : sorter.kept) {
    if (entry.id == base.at(entry.path).id)
      right.insert(entry.path);
    else
      TRY(remove_tree(target + "/" + entry.path));
  }
  std::vector<Tree::const_iterator> wanted;
  for (auto entry = base.begin(); entry != base.end(); ++entry)
    if (!right.contains(entry->first)) wanted.push_back(entry);
  return copy_paths(base_directory, target, wanted);
}

} // namespace emend
