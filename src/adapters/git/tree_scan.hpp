// Looks at a directory tree an agent may have worked in: what is there, by lstat and by hash, never following
// or blocking on anything.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "ports/repository.hpp"

namespace emend {

inline constexpr std::uint64_t kMaxFileBytes = 100'000'000;
inline constexpr std::size_t kMaxChangedFiles = 20'000;

// Said of a .git at the top of the tree: whatever it is, it is no part of a patch.
inline constexpr const char* kOwnRepositoryNote = "the agent made its own .git; ignored";

struct ScanEntry {
  enum class Kind { file, symlink, whiteout };
  std::string path;
  Kind kind = Kind::file;
  unsigned mode = 0; // git's mode; 0 for a whiteout
  std::uint64_t size = 0;
  std::uint64_t inode = 0;
  std::int64_t changed_ns = 0;  // ctime
  std::int64_t modified_ns = 0; // mtime
  std::string id;               // blob id, once hashed

  // Everything but the hash.
  [[nodiscard]] bool same_state(const ScanEntry& other) const;
};

struct ScanRules {
  bool upper_layer =
      false; // read as an overlay's upper directory: whiteouts and opaque directories mean something
  const Tree* base = nullptr; // knows which paths are submodules
  std::size_t max_entries = 5'000'000;
  std::uint64_t max_new_file_bytes =
      kMaxFileBytes; // a file of the base may be larger while it keeps its size
};

struct TreeScan {
  std::vector<ScanEntry> entries; // sorted by path
  std::set<std::string, std::less<>>
      opaque; // upper layer: directories that hide what the base has below them
  std::set<std::string, std::less<>> directories; // all directories seen
  std::set<std::string, std::less<>> odd;         // paths that were refused and are not compared
  std::vector<std::string> violations;
  std::vector<std::string> notes;

  [[nodiscard]] const ScanEntry* find(std::string_view path) const;
};

// By lstat alone. What cannot be part of a patch (fifos, hard links, nested repositories, ...) ends in
// violations. Directories and files without permission are made readable: the tree is ours.
[[nodiscard]] Result<TreeScan> walk_tree(const std::string& root, const ScanRules& rules);

// Fills in `id`. An entry that changed since it was seen keeps an empty one. Two threads.
[[nodiscard]] Status hash_entries(const std::string& root, const std::string& algorithm,
                                  const std::vector<ScanEntry*>& entries);

// A file's bytes or a symlink's target. nullopt: it is not (any more) what the entry says.
[[nodiscard]] Result<std::optional<std::string>> read_entry(int root, const ScanEntry& entry);

} // namespace emend
