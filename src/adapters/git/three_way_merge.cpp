#include "adapters/git/three_way_merge.hpp"

#include <set>

#include "adapters/git/file_descriptor.hpp"
#include "base/files.hpp"
#include "base/hash.hpp"

namespace emend {

namespace {

bool same_result(const FileChange& a, const FileChange& b) {
  return a.new_mode == b.new_mode && a.new_id == b.new_id;
}

bool regular(unsigned mode) { return mode == kModeFile || mode == kModeExecutable; }

// The value only one side changed, or both to the same.
template <typename T>
std::optional<T> merge_value(const T& base, const T& first, const T& second) {
  if (first == second || second == base) return first;
  if (first == base) return second;
  return std::nullopt;
}

// A file in one patch where the other has a directory.
bool names_clash(const Patch& first, const Patch& second) {
  std::set<std::string, std::less<>> written;
  for (const FileChange& change : first.changes)
    if (!change.deleted()) written.insert(change.path);
  for (const FileChange& change : second.changes) {
    if (change.deleted()) continue;
    for (std::string_view up = parent_of(change.path); !up.empty(); up = parent_of(up))
      if (written.contains(up)) return true;
    const std::string prefix = change.path + "/";
    if (const auto next = written.lower_bound(prefix); next != written.end() && next->starts_with(prefix))
      return true;
  }
  return false;
}

bool changes_nothing(const FileChange& change) {
  return change.old_mode == change.new_mode && change.old_id == change.new_id;
}

} // namespace

Result<std::optional<std::string>> ThreeWayMerge::merge_text(const FileChange& first,
                                                             const FileChange& second) const {
  TRY_ASSIGN(TemporaryDirectory scratch, TemporaryDirectory::create(scratch_dir_, "merge-"));
  TRY(write_scratch_file(scratch.path() / "first", first.new_content));
  TRY(write_scratch_file(scratch.path() / "base", first.old_content));
  TRY(write_scratch_file(scratch.path() / "second", second.new_content));
  // diff3 does not try to make conflicts smaller: what both sides touched and did not touch alike stays a
  // conflict.
  TRY_ASSIGN(ProcessResult merged,
             git_.run(GitCall{.args = {"merge-file", "-p", "-q", "--diff3", "first", "base", "second"},
                              .cwd = scratch.path().string()}));
  if (merged.exit_code == 0) return std::move(merged.out);
  if (merged.exit_code > 0 && merged.exit_code <= 127) return std::nullopt;
  return fail(ErrorCode::git, "git merge-file failed on " + first.path + ": " + git_complaint(merged));
}

Result<std::optional<FileChange>> ThreeWayMerge::merge_file(const FileChange& first,
                                                            const FileChange& second) const {
  if (first.old_mode != second.old_mode || first.old_id != second.old_id)
    return std::nullopt; // not the same base
  if (same_result(first, second)) return first;
  if (!regular(first.old_mode) || !regular(first.new_mode) || !regular(second.new_mode)) return std::nullopt;
  const auto mode = merge_value(first.old_mode, first.new_mode, second.new_mode);
  if (!mode) return std::nullopt;
  FileChange merged = first;
  merged.new_mode = *mode;
  if (const auto id = merge_value(first.old_id, first.new_id, second.new_id)) {
    merged.new_id = *id;
    merged.new_content = *id == first.new_id ? first.new_content : second.new_content;
    return merged;
  }
  for (const std::string* side : {&first.old_content, &first.new_content,
                                  &second.new_content}) // git merges no lines where it sees a NUL
    if (side->find('\0') != std::string::npos) return std::nullopt;
  TRY_ASSIGN(auto text, merge_text(first, second));
  if (!text) return std::nullopt;
  merged.new_id = git_blob_id(*text, algorithm_);
  merged.new_content = std::move(*text);
  return merged;
}

Result<std::optional<Patch>> ThreeWayMerge::merge(const Patch& first, const Patch& second) const {
  if (names_clash(first, second)) return std::nullopt;
  Patch result;
  for (const FileChange& change : first.changes) {
    const FileChange* other = second.find(change.path);
    if (other == nullptr) {
      result.changes.push_back(change);
      continue;
    }
    TRY_ASSIGN(auto merged, merge_file(change, *other));
    if (!merged) return std::nullopt;
    if (!changes_nothing(*merged)) result.changes.push_back(std::move(*merged));
  }
  for (const FileChange& change : second.changes)
    if (first.find(change.path) == nullptr) result.changes.push_back(change);
  result.sort();
  return result;
}

Result<std::optional<Patch>> ThreeWayMerge::rebase(const Patch& patch, const Patch& earlier) const {
  if (names_clash(earlier, patch)) return std::nullopt;
  Patch result;
  for (const FileChange& change : patch.changes) {
    const FileChange* before = earlier.find(change.path);
    if (before == nullptr) {
      result.changes.push_back(change);
      continue;
    }
    TRY_ASSIGN(auto merged, merge_file(*before, change));
    if (!merged) return std::nullopt;
    merged->old_mode = before->new_mode;
    merged->old_id = before->new_id;
    merged->old_content = before->new_content;
    if (!changes_nothing(*merged)) result.changes.push_back(std::move(*merged));
  }
  result.sort();
  return result;
}

} // namespace emend
