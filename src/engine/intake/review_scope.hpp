// What a review looks at: one tree, and, where it is about changes, which of its files and lines are new.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "model/finding.hpp"
#include "model/patch.hpp"
#include "ports/repository.hpp"

namespace emend {

enum class ScopeKind {
  branch, // since the merge base with the default branch, committed or not; the whole repository when that is
          // nothing, or at first
  staged, // HEAD -> index
  uncommitted, // HEAD -> working tree
  commit,      // first parent of `ref` -> ref
  range,       // merge base of `from` and `ref` -> ref
  base,        // merge base of `from` and HEAD -> working tree
  since,       // `from` -> ref
  all,         // the working tree, or HEAD where there is none
  revision,    // all of `ref`
};

struct ReviewScope {
  ScopeKind kind = ScopeKind::branch;
  std::string ref = "HEAD";
  std::string from = {};
};

// "A..B" or "A...B"; an empty side is HEAD. ErrorCode::usage for anything else.
[[nodiscard]] Result<ReviewScope> parse_range(const std::string& text);

struct ScopedTree {
  std::string commit;        // a commit that exists,
  Patch patch;               // and what is laid over it: together the tree looked at
  std::optional<Patch> diff; // what changed in it; nullopt = not about changes
  std::string words;         // "2 files staged": for people
};
// The commit whose rules hold for what is looked at: where a change starts, else HEAD. Empty = a change that
// starts from nothing.
[[nodiscard]] Result<std::string> rules_commit(Checkout& repository, const ReviewScope& scope);

// Changes on disk to emend's own files (emend.toml, .emend/) are left out.
[[nodiscard]] Result<ScopedTree> look_up(Checkout& repository, const ReviewScope& scope);

// Plain files of the tree (no symlinks, no submodules), sorted.
[[nodiscard]] Result<std::vector<std::string>> files_of(CommittedFiles& repository, const ScopedTree& tree);
[[nodiscard]] Result<std::string> read_from(CommittedFiles& repository, const ScopedTree& tree,
                                            const std::string& path); // not_found

// Which findings belong to a change.
enum class FilterMode {
  added,        // on a line that was added or changed
  diff_context, // or within three lines of a change
  file,         // anywhere in a changed file
  nofilter,     // anywhere
};
[[nodiscard]] std::optional<FilterMode> parse_filter_mode(std::string_view name);

class DiffFilter {
public:
  // No diff: everything is kept.
  DiffFilter(const std::optional<Patch>& diff, FilterMode mode);

  [[nodiscard]] bool looks_at(const std::string& file) const;
  // A finding about a whole file belongs to a change that made the file.
  [[nodiscard]] bool keeps(const Finding& finding) const;

private:
  struct ChangedFile {
    bool made = false;
    std::vector<bool> lines; // [n]: line n belongs to the change
  };
  FilterMode mode_;
  std::map<std::string, ChangedFile, std::less<>> files_;
};

} // namespace emend
