// A patch as the engine computes it: whole files by bytes and mode, never a tool's opinion of what changed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"

namespace emend {

// git's file modes that can appear in a tree.
inline constexpr unsigned kModeFile = 0100644;
inline constexpr unsigned kModeExecutable = 0100755;
inline constexpr unsigned kModeSymlink = 0120000;
inline constexpr unsigned kModeGitlink = 0160000;

struct FileChange {
  std::string path;        // bytes as git stores them, relative, '/' separated
  unsigned old_mode = 0;   // 0 = file did not exist
  unsigned new_mode = 0;   // 0 = file is gone
  std::string old_id;      // git blob id in the base; empty when new
  std::string new_id;      // git blob id of new_content; empty when deleted
  std::string old_content; // symlinks: the target
  std::string new_content;

  [[nodiscard]] bool added() const { return old_mode == 0; }
  [[nodiscard]] bool deleted() const { return new_mode == 0; }
  [[nodiscard]] bool mode_changed() const { return old_mode != 0 && new_mode != 0 && old_mode != new_mode; }
  // A file nobody reads: every side that is there holds NUL bytes, and neither the base nor the name says
  // that it is text. Text stays text whatever a change puts into it, so one byte can neither switch a rule
  // off nor hide a diff.
  [[nodiscard]] bool binary() const;
  // Text by the base or by its name, and the change puts NUL bytes into it (or it is a new file with some
  // that is no known binary format).
  [[nodiscard]] bool becomes_binary() const;
};

struct Patch {
  std::vector<FileChange> changes; // sorted by path, no path twice

  [[nodiscard]] bool empty() const { return changes.empty(); }
  // Over base id is not included: the same edit on two bases has the same hash. Canonical: path, modes, ids.
  [[nodiscard]] std::string sha256() const;
  [[nodiscard]] const FileChange* find(std::string_view path) const;
  void sort();
};

// One patch that does what the two do one after the other: `second` is relative to the result of `first`.
[[nodiscard]] Patch compose(const Patch& first, const Patch& second);

// A unified diff for people and prompts (git style headers, 3 lines of context, binary files named only).
[[nodiscard]] std::string unified_diff(const Patch& patch, int context = 3);

struct DiffStat {
  int files = 0, insertions = 0, deletions = 0;
};
[[nodiscard]] DiffStat diff_stat(const Patch& patch);

// The same diff for screens and prompts: nothing of it can hide (see visible_text), and UTF-16 is shown as
// text.
[[nodiscard]] std::string shown_diff(const Patch& patch, int context = 3);

// UTF-16 (by its byte order mark) as UTF-8.
[[nodiscard]] FileChange decoded(const FileChange& change);
// The change as compilers and shells read it: decoded, and without NUL bytes, which they skip.
[[nodiscard]] FileChange as_text(const FileChange& change);

// Lines only in the new / only in the old content of one change, without line ends, with 1-based numbers in
// their own side. Binary content is split into lines as well, so a NUL byte hides nothing from those who look
// at added lines.
struct ChangedLine {
  int number = 0;
  std::string text;
};
struct ChangedLines {
  std::vector<ChangedLine> added, removed;
};
[[nodiscard]] ChangedLines changed_lines(const FileChange& change);

[[nodiscard]] Json to_json(const Patch& patch); // contents as base64: bytes survive
[[nodiscard]] Patch patch_from_json(const Json& json);

} // namespace emend
