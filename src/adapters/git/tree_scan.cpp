#include "adapters/git/tree_scan.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <memory>
#include <mutex>
#include <optional>

#include "adapters/git/file_descriptor.hpp"
#include "adapters/git/object_reader.hpp"
#include "base/hash.hpp"
#include "base/parallel.hpp"

namespace emend {

namespace {

constexpr std::size_t kMaxPathBytes = PATH_MAX - 1;

std::int64_t nanoseconds(const timespec& time) {
  return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

bool has_attribute(int fd, const char* suffix) {
  for (const char* space : {"trusted.overlay.", "user.overlay."}) {
    char value[8];
    if (::fgetxattr(fd, (std::string(space) + suffix).c_str(), value, sizeof value) >= 0) return true;
  }
  return false;
}

class Walker {
public:
  Walker(int root, const ScanRules& rules) : root_(root), rules_(rules) {}

  Result<TreeScan> walk() {
    pending_.emplace_back();
    while (!pending_.empty() && !too_many_) {
      std::string directory = std::move(pending_.back());
      pending_.pop_back();
      TRY(visit_directory(directory));
    }
    std::sort(scan_.entries.begin(), scan_.entries.end(),
              [](const ScanEntry& a, const ScanEntry& b) { return a.path < b.path; });
    std::sort(scan_.violations.begin(), scan_.violations.end());
    return std::move(scan_);
  }

private:
  void violation(std::string_view what, const std::string& path) {
    scan_.violations.push_back(std::string(what) + ": " + path);
    scan_.odd.insert(path);
  }

  // Permission to look was taken away by the agent; the tree is ours, so we give it back.
  FileDescriptor open_directory_again(const std::string& path) {
    FileDescriptor handle = path.empty()
                                ? FileDescriptor(::openat(root_, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC))
                                : open_beneath(root_, path, O_RDONLY | O_DIRECTORY);
    if (handle.valid() || errno != EACCES) return handle;
    const auto parent = directory_beneath(root_, parent_of(path), false);
    if (!parent || ::fchmodat(parent->get(), std::string(name_of(path)).c_str(), 0755, 0) != 0) return {};
    return open_beneath(root_, path, O_RDONLY | O_DIRECTORY);
  }

  Status visit_directory(const std::string& path) {
    FileDescriptor handle = open_directory_again(path);
    if (!handle.valid()) {
      if (errno == ENOENT && !path.empty()) return {}; // gone meanwhile: the second walk will tell
      return system_error("cannot look into", path.empty() ? "the workspace" : path);
    }
    if (rules_.upper_layer) note_layer_marks(handle.get(), path);
    const std::unique_ptr<DIR, int (*)(DIR*)> listing(::fdopendir(handle.get()), ::closedir);
    if (!listing) return system_error("cannot list", path);
    const int fd = handle.release(); // the listing owns it now
    while (const dirent* item = ::readdir(listing.get())) {
      const std::string_view name = item->d_name;
      if (name == "." || name == "..") continue;
      visit_name(fd, path, std::string(name));
      if (too_many_) break;
    }
    return {};
  }

  void note_layer_marks(int fd, const std::string& path) {
    if (has_attribute(fd, "opaque")) scan_.opaque.insert(path);
    if (has_attribute(fd, "redirect")) violation("renamed directory that cannot be read back", path);
  }

  void visit_name(int directory, const std::string& parent, const std::string& name) {
    const std::string path = parent.empty() ? name : parent + "/" + name;
    if (is_dot_git(name)) return visit_repository(parent);
    struct stat info {};
    if (::fstatat(directory, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) return; // gone meanwhile
    if (inside_submodule(parent)) return submodule_touched(parent);
    if (path.size() > kMaxPathBytes) return violation("path too long", path.substr(0, 200) + "…");
    if (++seen_ > rules_.max_entries) return stop_counting();
    if (S_ISDIR(info.st_mode)) {
      scan_.directories.insert(path);
      pending_.push_back(path);
    } else {
      visit_leaf(path, info);
    }
  }

  void visit_repository(const std::string& parent) {
    if (inside_submodule(parent)) return submodule_touched(parent);
    if (parent.empty())
      scan_.notes.emplace_back(kOwnRepositoryNote);
    else
      scan_.violations.push_back("nested repository: " + parent);
  }

  [[nodiscard]] bool is_submodule(const std::string& path) const {
    if (rules_.base == nullptr) return false;
    const auto found = rules_.base->find(path);
    return found != rules_.base->end() && found->second.mode == kModeGitlink;
  }

  // A submodule's directory is empty in the base, so whatever is in it was put there.
  [[nodiscard]] bool inside_submodule(const std::string& parent) const {
    return !parent.empty() && is_submodule(parent);
  }

  void submodule_touched(const std::string& path) {
    if (scan_.odd.insert(path).second) scan_.violations.push_back("inside submodule: " + path);
  }

  void stop_counting() {
    too_many_ = true;
    scan_.violations.push_back("too many files: more than " + std::to_string(rules_.max_entries));
  }

  void visit_leaf(const std::string& path, const struct stat& info) {
    const bool whiteout = S_ISCHR(info.st_mode) && info.st_rdev == makedev(0, 0) && rules_.upper_layer;
    if (is_submodule(path) && !whiteout) return submodule_touched(path);
    if (whiteout) return add(path, ScanEntry::Kind::whiteout, 0, info);
    if (S_ISLNK(info.st_mode)) return add(path, ScanEntry::Kind::symlink, kModeSymlink, info);
    if (S_ISFIFO(info.st_mode)) return violation("fifo", path);
    if (S_ISSOCK(info.st_mode)) return violation("socket", path);
    if (!S_ISREG(info.st_mode)) return violation("device", path);
    visit_file(path, info);
  }

  void visit_file(const std::string& path, const struct stat& info) {
    if (info.st_nlink > 1) return violation("hard link", path);
    if ((info.st_mode & (S_ISUID | S_ISGID | S_ISVTX)) != 0) return violation("special mode bits", path);
    const auto size = static_cast<std::uint64_t>(info.st_size);
    if (size > rules_.max_new_file_bytes && size != size_in_base(path))
      return violation("file too large (" + std::to_string(size) + " bytes)", path);
    add(path, ScanEntry::Kind::file, (info.st_mode & S_IXUSR) != 0 ? kModeExecutable : kModeFile, info);
  }

  [[nodiscard]] std::uint64_t size_in_base(const std::string& path) const {
    if (rules_.base == nullptr) return 0;
    const auto found = rules_.base->find(path);
    return found != rules_.base->end() ? found->second.size : 0;
  }

  void add(const std::string& path, ScanEntry::Kind kind, unsigned mode, const struct stat& info) {
    scan_.entries.push_back(ScanEntry{path,
                                      kind,
                                      mode,
                                      static_cast<std::uint64_t>(info.st_size),
                                      info.st_ino,
                                      nanoseconds(info.st_ctim),
                                      nanoseconds(info.st_mtim),
                                      {}});
  }

  int root_;
  const ScanRules& rules_;
  TreeScan scan_;
  std::vector<std::string> pending_;
  std::size_t seen_ = 0;
  bool too_many_ = false;
};

// A file whose owner may not read it is opened by giving that permission back; the mode git keeps does not
// change by it.
FileDescriptor open_file(int root, const std::string& path) {
  FileDescriptor file = open_beneath(root, path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  if (file.valid() || errno != EACCES) return file;
  const auto parent = directory_beneath(root, parent_of(path), false);
  if (!parent) return {};
  const std::string name(name_of(path));
  struct stat info {};
  if (::fstatat(parent->get(), name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(info.st_mode))
    return {};
  if (::fchmodat(parent->get(), name.c_str(), (info.st_mode & 0777) | S_IRUSR, 0) != 0) return {};
  return open_beneath(root, path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
}

// The change time is left out: giving back the permission to read moves it, and the second walk compares it
// anyway.
bool is_entry(const ScanEntry& entry, const struct stat& info) {
  return S_ISREG(info.st_mode) && info.st_ino == entry.inode &&
         static_cast<std::uint64_t>(info.st_size) == entry.size &&
         nanoseconds(info.st_mtim) == entry.modified_ns && info.st_nlink <= 1;
}

Result<std::optional<std::string>> read_link_entry(int root, const ScanEntry& entry) {
  const auto parent = directory_beneath(root, parent_of(entry.path), false);
  if (!parent) return std::nullopt;
  auto target = read_link_at(parent->get(), std::string(name_of(entry.path)));
  if (!target) return std::nullopt;
  return std::move(*target);
}

} // namespace

bool ScanEntry::same_state(const ScanEntry& other) const {
  return path == other.path && kind == other.kind && mode == other.mode && size == other.size &&
         inode == other.inode && changed_ns == other.changed_ns && modified_ns == other.modified_ns;
}

const ScanEntry* TreeScan::find(std::string_view path) const {
  const auto found = std::lower_bound(entries.begin(), entries.end(), path,
                                      [](const ScanEntry& a, std::string_view b) { return a.path < b; });
  return found != entries.end() && found->path == path ? &*found : nullptr;
}

Result<TreeScan> walk_tree(const std::string& root, const ScanRules& rules) {
  TRY_ASSIGN(FileDescriptor handle, open_directory(root));
  return Walker(handle.get(), rules).walk();
}

Result<std::optional<std::string>> read_entry(int root, const ScanEntry& entry) {
  if (entry.kind == ScanEntry::Kind::symlink) return read_link_entry(root, entry);
  FileDescriptor file = open_file(root, entry.path);
  if (!file.valid()) return std::nullopt;
  struct stat before {};
  struct stat after {};
  if (::fstat(file.get(), &before) != 0 || !is_entry(entry, before)) return std::nullopt;
  if (has_attribute(file.get(), "metacopy"))
    return fail(ErrorCode::internal, "metadata-only copy in an overlay: " + entry.path);
  auto bytes = read_all(file.get(), entry.size);
  if (!bytes && bytes.error().code != ErrorCode::limit) return fail(std::move(bytes).error());
  if (::fstat(file.get(), &after) != 0 || !is_entry(entry, after) || !bytes || bytes->size() != entry.size)
    return std::nullopt;
  return std::move(*bytes);
}

Status hash_entries(const std::string& root, const std::string& algorithm,
                    const std::vector<ScanEntry*>& entries) {
  constexpr std::size_t kChunk = 64;
  TRY_ASSIGN(FileDescriptor handle, open_directory(root));
  std::mutex mutex;
  std::optional<Error> problem;
  parallel_for(
      (entries.size() + kChunk - 1) / kChunk, entries.size() > kChunk ? 2 : 0, [&](std::size_t chunk) {
        for (std::size_t i = chunk * kChunk; i < std::min(entries.size(), (chunk + 1) * kChunk); ++i) {
          if (entries[i]->kind == ScanEntry::Kind::whiteout) continue;
          auto bytes = read_entry(handle.get(), *entries[i]);
          if (!bytes) {
            std::lock_guard lock(mutex);
            problem = bytes.error();
          } else if (*bytes) {
            entries[i]->id = git_blob_id(**bytes, algorithm);
          }
        }
      });
  if (problem) return fail(*problem);
  return {};
}

} // namespace emend
