#include "adapters/git/base_checkout.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "adapters/git/tree_scan.hpp"
#include "base/files.hpp"
#include "base/hash.hpp"

namespace emend {

namespace {

constexpr std::size_t kBasesKept = 4;
constexpr std::size_t kStampsPerUse = 1'000,
                      kStampsOfKept = 100; // the latter where children cannot come near

using Stamp = BaseCheckouts::Stamp;
using Stamps = BaseCheckouts::Stamps;

Stamp stamp_of(const struct stat& info) {
  const auto ns = [](const timespec& time) {
    return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
  };
  return {S_ISDIR(info.st_mode) ? 0 : static_cast<std::uint64_t>(info.st_size), info.st_ino, ns(info.st_ctim),
          ns(info.st_mtim)};
}

Stamp stamp_of(const ScanEntry& entry) {
  return {entry.size, entry.inode, entry.changed_ns, entry.modified_ns};
}

// Of every file and directory, so that an added or removed name shows too.
Result<Stamps> all_stamps(const std::string& directory) {
  TRY_ASSIGN(FileDescriptor root, open_directory(directory));
  TRY_ASSIGN(const TreeScan scan, walk_tree(directory, {.max_new_file_bytes = UINT64_MAX}));
  if (!scan.violations.empty() || !scan.notes.empty())
    return fail(ErrorCode::io, directory + " contains files that a checkout never contains");
  Stamps stamps;
  stamps.reserve(scan.entries.size() + scan.directories.size());
  for (const ScanEntry& entry : scan.entries) stamps.emplace_back(entry.path, stamp_of(entry));
  for (const std::string& path : scan.directories) {
    struct stat info {};
    const bool there = ::fstatat(root.get(), path.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0;
    stamps.emplace_back(path, there ? stamp_of(info) : Stamp{});
  }
  return stamps;
}

// The boot is part of it: after a power cut a file may be shorter than it was when we looked.
std::string digest_of(const Stamps& stamps) {
  std::string text = boot_id() + '\n';
  for (const auto& [path, stamp] : stamps) {
    text.append(path).push_back('\0');
    text.append(reinterpret_cast<const char*>(&stamp), sizeof stamp);
  }
  return sha256_hex(text);
}

// Names that fold into one another on this file system would silently lose a file.
Status check_complete(const std::string& directory, const Tree& tree) {
  TRY_ASSIGN(const TreeScan scan, walk_tree(directory, {.max_new_file_bytes = UINT64_MAX}));
  std::size_t expected = 0;
  for (const auto& [path, entry] : tree) {
    if (entry.mode == kModeGitlink) continue;
    ++expected;
    const ScanEntry* found = scan.find(path);
    if (found == nullptr || found->mode != entry.mode ||
        (entry.mode != kModeSymlink && found->size != entry.size))
      return fail(ErrorCode::git, "the checkout of the base differs from its tree at " + path);
  }
  if (scan.entries.size() != expected)
    return fail(ErrorCode::git, "the checkout of the base has files its tree does not have");
  return {};
}

} // namespace

Result<BaseInUse> BaseCheckouts::take(const std::string& tree_id, const Tree& tree) {
  std::lock_guard lock(mutex_);
  for (int round = 0; round < 10; ++round) {
    TRY_ASSIGN(BaseInUse base, take_locked(tree_id, tree));
    // Between making it and taking the shared lock another process may have made room for others.
    struct stat info {};
    if (base.lock.still_named(path(tree_id) + ".lock") && ::stat(base.directory.c_str(), &info) == 0) {
      base.lock.touch();
      keep_few(tree_id);
      return base;
    }
  }
  return fail(ErrorCode::conflict,
              "the base checkout " + tree_id + " keeps being removed by another process");
}

Result<BaseInUse> BaseCheckouts::take_locked(const std::string& tree_id, const Tree& tree) {
  const std::string lock_path = path(tree_id) + ".lock";
  TRY_ASSIGN(Flock shared, Flock::hold(lock_path, LockMode::shared));
  if (intact(tree_id)) return BaseInUse{path(tree_id), index_of(tree_id), std::move(shared)};
  {
    // One maker at a time; those who use it keep their shared lock, so the maker's is another file.
    TRY_ASSIGN(Flock maker, Flock::hold(store_.bases + "/make.lock", LockMode::exclusive));
    if (!intact_in_full(tree_id)) {
      set_aside(tree_id, "damaged-");
      TRY(make(tree_id, tree));
    }
  }
  return BaseInUse{path(tree_id), index_of(tree_id), std::move(shared)};
}

// In full once per process, then a part of it on every use, so that a new workspace costs milliseconds
// whatever the base's size.
bool BaseCheckouts::intact(const std::string& tree_id) {
  const auto found = known_.find(tree_id);
  if (found == known_.end()) return intact_in_full(tree_id);
  auto root = open_directory(path(tree_id));
  if (!root) return false;
  Known& known = found->second;
  const std::size_t looked_at = store_.contained ? kStampsOfKept : kStampsPerUse;
  for (std::size_t i = 0; i < std::min(looked_at, known.stamps.size()); ++i) {
    const auto& [file, stamp] = known.stamps[known.next];
    known.next = (known.next + 1) % known.stamps.size();
    struct stat info {};
    if (::fstatat(root->get(), file.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0 || stamp_of(info) != stamp)
      return false;
  }
  return true;
}

bool BaseCheckouts::intact_in_full(const std::string& tree_id) {
  known_.erase(tree_id);
  const auto recorded = read_file(path(tree_id) + ".digest");
  std::error_code problem;
  if (!recorded || !fs::exists(index_of(tree_id), problem)) return false;
  auto stamps = all_stamps(path(tree_id));
  if (!stamps || digest_of(*stamps) != *recorded) return false;
  known_[tree_id] = Known{std::move(*stamps), 0};
  return true;
}

Status BaseCheckouts::make(const std::string& tree_id, const Tree& tree) {
  TRY_ASSIGN(TemporaryDirectory fresh, TemporaryDirectory::create(store_.bases, "new-"));
  const std::string directory = (fresh.path() / "tree").string();
  TRY(make_directories(directory, 0755));
  TRY(fill(tree_id, tree, directory, (fresh.path() / "index").string()));
  TRY_ASSIGN(Stamps stamps, all_stamps(directory));
  TRY(write_file(path(tree_id) + ".digest", digest_of(stamps)));
  std::error_code problem;
  fs::rename(fresh.path() / "index", index_of(tree_id), problem);
  if (!problem) fs::rename(directory, path(tree_id), problem);
  if (problem) return fail(ErrorCode::io, "cannot make " + path(tree_id) + ": " + problem.message());
  known_[tree_id] = Known{std::move(stamps), 0};
  return {};
}

Status BaseCheckouts::fill(const std::string& tree_id, const Tree& tree, const std::string& directory,
                           const std::string& index) {
  GitCall call{.args = {"read-tree", tree_id},
               .git_dir = store_.git_dir,
               .cwd = directory,
               .env = {"GIT_INDEX_FILE=" + index, "GIT_WORK_TREE=" + directory}};
  TRY(git_.output(call));
  // With the times and inodes of the files, so that the git of a check need not read them all.
  call.args = {"-c", "checkout.workers=2", "checkout-index", "--all", "--force", "--quiet", "--index"};
  TRY(git_.output(call));
  return check_complete(directory, tree);
}

// Renamed, not removed: somebody may still be running on it.
std::string BaseCheckouts::set_aside(const std::string& tree_id, const std::string& prefix) {
  known_.erase(tree_id);
  const std::string aside = store_.bases + "/" + prefix + random_hex(8);
  std::error_code ignored;
  fs::remove(path(tree_id) + ".digest", ignored);
  fs::remove(index_of(tree_id), ignored);
  fs::rename(path(tree_id), aside, ignored);
  return aside;
}

void BaseCheckouts::keep_few(const std::string& except) {
  std::vector<std::pair<fs::file_time_type, std::string>> others;
  std::error_code ignored;
  for (const auto& item : fs::directory_iterator(store_.bases, ignored)) {
    const std::string name = item.path().filename().string();
    if (!name.ends_with(".lock") || name == "make.lock" || name == except + ".lock") continue;
    others.emplace_back(fs::last_write_time(item.path(), ignored), name.substr(0, name.size() - 5));
  }
  std::sort(others.begin(), others.end());
  for (std::size_t i = 0; i + kBasesKept - 1 < others.size(); ++i) drop(others[i].second);
}

void BaseCheckouts::drop(const std::string& tree_id) {
  const std::string lock_path = path(tree_id) + ".lock";
  auto lock = Flock::attempt(lock_path, LockMode::exclusive);
  if (!lock) return; // in use
  const std::string aside = set_aside(tree_id, "old-");
  std::error_code ignored;
  fs::remove(lock_path, ignored);
  (void)remove_tree(aside);
}

void BaseCheckouts::remove_leftovers() {
  auto maker = Flock::attempt(store_.bases + "/make.lock", LockMode::exclusive);
  if (!maker) return; // what looks half-made may be in the making
  std::error_code ignored;
  for (const auto& item : fs::directory_iterator(store_.bases, ignored)) {
    const std::string name = item.path().filename().string();
    for (const std::string_view dead : {"new-", "old-", "damaged-", ".emend-"})
      if (name.starts_with(dead)) (void)remove_tree(item.path());
  }
}

} // namespace emend
