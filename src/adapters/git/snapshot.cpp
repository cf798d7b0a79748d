#include "adapters/git/snapshot.hpp"

#include <time.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "adapters/git/file_descriptor.hpp"
#include "base/hash.hpp"

namespace emend {

namespace {

constexpr int kTries = 6;
constexpr std::uint64_t kMaxPatchBytes = 500'000'000;
// Coarse file times advance in steps of up to 10 ms: a file written within the step it was read in could
// change again unseen.
constexpr std::int64_t kTimeStepNs = 20'000'000;
// Between the two looks at a tree with fresh files. Short, because its processes have been ended before we
// look: this is for a writer that should not exist. Files of the patch and fresh files are hashed again after
// it, so their times need not be trusted.
constexpr auto kPause = std::chrono::milliseconds(3);

std::int64_t now_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

// Calls use(path) for every base file below the directory.
template <typename Use>
void each_below(const Tree& base, const std::string& directory, const Use& use) {
  const std::string prefix = directory.empty() ? "" : directory + "/";
  for (auto entry = base.lower_bound(prefix); entry != base.end() && entry->first.starts_with(prefix);
       ++entry)
    use(entry->first);
}

bool as_in_base(const Tree& base, const ScanEntry& entry) {
  const auto old = base.find(entry.path);
  return old != base.end() && old->second.mode == entry.mode && old->second.id == entry.id;
}

// The paths that may differ from the base. Whole tree: what is not the same there. Upper layer: what lies in
// it and what it hides.
std::set<std::string> candidates(const TreeScan& scan, const SnapshotSource& source) {
  std::set<std::string> paths;
  for (const ScanEntry& entry : scan.entries)
    if (!as_in_base(*source.base, entry)) paths.insert(entry.path);
  const auto add = [&](const std::string& path) {
    if (scan.find(path) == nullptr) paths.insert(path);
  };
  if (!source.upper_layer) {
    each_below(*source.base, "", add);
    return paths;
  }
  for (const std::string& directory : scan.opaque) each_below(*source.base, directory, add);
  for (const ScanEntry& entry : scan.entries) each_below(*source.base, entry.path, add);
  for (const std::string& directory : scan.directories)
    if (source.base->contains(directory)) add(directory);
  return paths;
}

// Upper layer: is what the base has at this path hidden by something above it?
bool hidden_by_layer(const TreeScan& scan, const std::string& path) {
  if (scan.directories.contains(path)) return true; // a directory where the base has a file
  if (scan.opaque.contains("")) return true;
  for (std::string_view up = parent_of(path); !up.empty(); up = parent_of(up))
    if (scan.opaque.contains(up) || scan.find(up) != nullptr) return true;
  return false;
}

bool refused(const TreeScan& scan, const std::string& path) {
  if (scan.odd.empty()) return false;
  if (scan.odd.contains(path)) return true;
  for (std::string_view up = parent_of(path); !up.empty(); up = parent_of(up))
    if (scan.odd.contains(up)) return true;
  return false;
}

// The change at one path without its contents; nullopt when it is as in the base.
std::optional<FileChange> compare(const TreeScan& scan, const SnapshotSource& source,
                                  const std::string& path) {
  FileChange change;
  change.path = path;
  if (const auto old = source.base->find(path); old != source.base->end()) {
    if (old->second.mode == kModeGitlink) return std::nullopt;
    change.old_mode = old->second.mode;
    change.old_id = old->second.id;
  }
  const ScanEntry* found = scan.find(path);
  if (found != nullptr && found->kind != ScanEntry::Kind::whiteout) {
    change.new_mode = found->mode;
    change.new_id = found->id;
  } else if (found == nullptr && source.upper_layer && !hidden_by_layer(scan, path)) {
    change.new_mode = change.old_mode;
    change.new_id = change.old_id;
  }
  if (change.old_mode == change.new_mode && change.old_id == change.new_id) return std::nullopt;
  return change;
}

std::vector<FileChange> compare_all(const TreeScan& scan, const SnapshotSource& source) {
  std::vector<FileChange> changes;
  for (const std::string& path : candidates(scan, source)) {
    if (refused(scan, path)) continue;
    if (auto change = compare(scan, source, path)) changes.push_back(std::move(*change));
  }
  return changes;
}

const ScanEntry* first_difference(const TreeScan& first, const TreeScan& second) {
  const auto& longer = first.entries.size() >= second.entries.size() ? first.entries : second.entries;
  const auto& other = first.entries.size() >= second.entries.size() ? second.entries : first.entries;
  for (std::size_t i = 0; i < longer.size(); ++i)
    if (i >= other.size() || !longer[i].same_state(other[i])) return &longer[i];
  return nullptr;
}

// One attempt at a snapshot; what stands in its way is in `changing`.
class StableScan {
public:
  StableScan(const SnapshotSource& source, ObjectReader& objects) : source_(source), objects_(objects) {}

  Result<std::optional<Snapshot>> run() {
    TRY_ASSIGN(scan_, walk());
    TRY(hash_all());
    if (any_recent()) std::this_thread::sleep_for(kPause);
    TRY_ASSIGN(const TreeScan again, walk());
    if (const ScanEntry* different = first_difference(scan_, again)) return moving(different->path);
    if (scan_.violations != again.violations) return moving("");
    Snapshot snapshot;
    snapshot.patch.changes = compare_all(scan_, source_);
    if (!within_limits(snapshot.patch.changes)) snapshot.patch.changes.clear();
    TRY_ASSIGN(const bool stable, read_new_contents(snapshot.patch));
    if (!stable) return std::nullopt;
    TRY(read_old_contents(snapshot.patch));
    snapshot.violations = scan_.violations;
    snapshot.notes = scan_.notes;
    std::sort(snapshot.violations.begin(), snapshot.violations.end());
    return snapshot;
  }

  [[nodiscard]] const std::string& changing() const { return changing_; }

private:
  [[nodiscard]] Result<TreeScan> walk() const {
    ScanRules rules{.upper_layer = source_.upper_layer, .base = source_.base};
    rules.max_entries = 200'000 + (source_.upper_layer ? 0 : source_.base->size() * 2);
    return walk_tree(source_.directory, rules);
  }

  Status hash_all() {
    hashed_at_ns_ = now_ns();
    std::vector<ScanEntry*> entries;
    for (ScanEntry& entry : scan_.entries) entries.push_back(&entry);
    return hash_entries(source_.directory, source_.algorithm, entries);
  }

  [[nodiscard]] bool recent(const ScanEntry& entry) const {
    return entry.changed_ns > hashed_at_ns_ - kTimeStepNs;
  }

  [[nodiscard]] bool any_recent() const {
    return std::any_of(scan_.entries.begin(), scan_.entries.end(),
                       [this](const ScanEntry& entry) { return recent(entry); });
  }

  std::optional<Snapshot> moving(std::string path) {
    changing_ = std::move(path);
    return std::nullopt;
  }

  bool within_limits(const std::vector<FileChange>& changes) {
    std::uint64_t bytes = 0;
    for (const FileChange& change : changes)
      if (const ScanEntry* entry = scan_.find(change.path))
        bytes += entry->size > kMaxFileBytes ? kMaxPatchBytes + 1 : entry->size;
    if (changes.size() > kMaxChangedFiles)
      scan_.violations.push_back("too many changed files: " + std::to_string(changes.size()) + " (limit " +
                                 std::to_string(kMaxChangedFiles) + ")");
    if (bytes > kMaxPatchBytes)
      scan_.violations.push_back("changes too large: more than " + std::to_string(kMaxFileBytes) +
                                 " bytes in one file or " + std::to_string(kMaxPatchBytes) + " in all");
    return changes.size() <= kMaxChangedFiles && bytes <= kMaxPatchBytes;
  }

  // Reads what will be committed and hashes it once more; so it does for files too fresh for their times to
  // be trusted.
  Result<bool> read_new_contents(Patch& patch) {
    TRY_ASSIGN(FileDescriptor root, open_directory(source_.directory));
    for (const ScanEntry& entry : scan_.entries) {
      if (entry.kind == ScanEntry::Kind::whiteout) continue;
      auto change = std::lower_bound(patch.changes.begin(), patch.changes.end(), entry.path,
                                     [](const FileChange& a, const std::string& b) { return a.path < b; });
      const bool changed = change != patch.changes.end() && change->path == entry.path;
      if (!changed && !recent(entry)) continue;
      TRY_ASSIGN(auto bytes, read_entry(root.get(), entry));
      if (!bytes || entry.id.empty() || git_blob_id(*bytes, source_.algorithm) != entry.id) {
        changing_ = entry.path;
        return false;
      }
      if (changed) change->new_content = std::move(*bytes);
    }
    return true;
  }

  Status read_old_contents(Patch& patch) {
    std::vector<std::string> ids;
    for (const FileChange& change : patch.changes)
      if (!change.added()) ids.push_back(change.old_id);
    TRY_ASSIGN(const auto contents, objects_.blobs(ids));
    for (FileChange& change : patch.changes)
      if (!change.added()) change.old_content = contents.at(change.old_id);
    return {};
  }

  const SnapshotSource& source_;
  ObjectReader& objects_;
  TreeScan scan_;
  std::int64_t hashed_at_ns_ = 0;
  std::string changing_;
};

} // namespace

Result<Snapshot> take_snapshot(const SnapshotSource& source, ObjectReader& objects) {
  std::string changing;
  for (int round = 0; round < kTries; ++round) {
    if (round > 0) std::this_thread::sleep_for(std::chrono::milliseconds(20 * round));
    StableScan attempt(source, objects);
    TRY_ASSIGN(auto snapshot, attempt.run());
    if (snapshot) return std::move(*snapshot);
    changing = attempt.changing();
  }
  Snapshot unstable;
  unstable.violations.push_back("still changing: " +
                                (changing.empty() ? std::string("the workspace") : changing));
  return unstable;
}

} // namespace emend
