#include "engine/patch/split_patch.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <set>

#include "base/hash.hpp"
#include "base/strings.hpp"
#include "engine/patch/apart.hpp"
#include "engine/patch/new_files.hpp"
#include "model/line_diff.hpp"

namespace emend {
namespace {

constexpr int kNear = 3; // lines; the context a person would see around a hunk

// Old lines [old_begin, old_end) were replaced by new lines [new_begin, new_end); counted from 0.
struct Hunk {
  std::size_t old_begin, old_end, new_begin, new_end;
};

std::vector<Hunk> hunks_of(const LineDiff& diff) {
  std::vector<Hunk> hunks;
  std::size_t o = 0, n = 0;
  const std::size_t olds = diff.old_lines.size(), news = diff.new_lines.size();
  while (o < olds || n < news) {
    Hunk hunk{o, o, n, n};
    while (hunk.old_end < olds && diff.removed[hunk.old_end]) ++hunk.old_end;
    while (hunk.new_end < news && diff.added[hunk.new_end]) ++hunk.new_end;
    if (hunk.old_end == o && hunk.new_end == n) {
      ++o, ++n;
      continue;
    }
    o = hunk.old_end, n = hunk.new_end;
    hunks.push_back(hunk);
  }
  return hunks;
}

int last_line(const Finding& finding) { return std::max(finding.line, finding.line_end); }

// Lines between the hunk and the issue; 0 = they touch. An issue without a line is about the whole file.
std::size_t distance(const Hunk& hunk, const Finding& finding) {
  if (finding.line <= 0) return 0;
  const auto first = static_cast<std::size_t>(finding.line - 1),
             last = static_cast<std::size_t>(last_line(finding) - 1);
  const std::size_t end = std::max(hunk.old_end, hunk.old_begin + 1) - 1;
  if (hunk.old_begin > last) return hunk.old_begin - last;
  return first > end ? first - end : 0;
}

// Which of the given issues a hunk belongs to.
std::set<std::size_t> owners_of(const Hunk& hunk, const std::vector<std::size_t>& among,
                                const std::vector<Issue>& issues) {
  std::set<std::size_t> owners;
  std::size_t best = std::numeric_limits<std::size_t>::max();
  for (const std::size_t i : among) best = std::min(best, distance(hunk, issues[i].finding));
  for (const std::size_t i : among) {
    const std::size_t away = distance(hunk, issues[i].finding);
    if (away == best || away <= kNear) owners.insert(i);
  }
  return owners;
}

std::string content_with(const LineDiff& diff, const std::vector<Hunk>& hunks,
                         const std::vector<bool>& take) {
  std::string text;
  std::size_t old_line = 0;
  const auto copy_old = [&](std::size_t end) {
    for (; old_line < end; ++old_line) text += diff.old_lines[old_line];
  };
  for (std::size_t i = 0; i < hunks.size(); ++i) {
    copy_old(hunks[i].old_begin);
    if (!take[i]) {
      copy_old(hunks[i].old_end);
      continue;
    }
    for (std::size_t n = hunks[i].new_begin; n < hunks[i].new_end; ++n) text += diff.new_lines[n];
    old_line = hunks[i].old_end;
  }
  copy_old(diff.old_lines.size());
  return text;
}

std::string directory_of(const std::string& path) {
  return std::filesystem::path(path).parent_path().string();
}

template <typename Test>
std::vector<std::size_t> issues_where(const std::vector<Issue>& issues, Test test) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < issues.size(); ++i)
    if (test(issues[i].finding)) found.push_back(i);
  return found;
}

// Whose file it is; several only where several issues are about it.
std::vector<std::size_t> concerned(const std::string& path, const std::vector<Issue>& issues) {
  if (issues.size() == 1) return {0};
  auto about = issues_where(issues, [&](const Finding& finding) { return finding.file == path; });
  if (!about.empty()) return about;
  auto related = issues_where(issues, [&](const Finding& finding) {
    return std::find(finding.related_files.begin(), finding.related_files.end(), path) !=
           finding.related_files.end();
  });
  if (!related.empty()) return related.size() == 1 ? related : std::vector<std::size_t>{};
  auto beside = issues_where(
      issues, [&](const Finding& finding) { return directory_of(finding.file) == directory_of(path); });
  return beside.size() == 1 ? beside : std::vector<std::size_t>{};
}

void split_file(const FileChange& change, const std::vector<std::size_t>& among,
                const std::vector<Issue>& issues, std::vector<Patch>& patches) {
  const LineDiff diff = diff_lines(change.old_content, change.new_content);
  const std::vector<Hunk> hunks = hunks_of(diff);
  std::vector<std::set<std::size_t>> owners;
  for (const Hunk& hunk : hunks) owners.push_back(owners_of(hunk, among, issues));
  for (const std::size_t i : among) {
    std::vector<bool> take;
    for (const auto& of_hunk : owners) take.push_back(of_hunk.contains(i));
    if (std::none_of(take.begin(), take.end(), [](bool taken) { return taken; })) continue;
    FileChange part = change;
    part.new_content = content_with(diff, hunks, take);
    part.new_id = git_blob_id(part.new_content, change.old_id.size() == 40 ? "sha1" : "sha256");
    patches[i].changes.push_back(std::move(part));
  }
}

// Does what the change adds to a file name this?
bool added_words_name(const FileChange& change, const std::string& word) {
  const std::vector<ChangedLine> added = changed_lines(change).added;
  return std::any_of(added.begin(), added.end(),
                     [&](const ChangedLine& line) { return contains(line.text, word); });
}

// Issues whose part of the change uses the new file; for a test, issues whose file its new lines name.
std::set<std::size_t> users_of(const FileChange& created, const std::vector<Issue>& issues,
                               const std::vector<Patch>& patches) {
  std::set<std::size_t> users;
  for (std::size_t i = 0; i < issues.size(); ++i) {
    if (patches[i].empty()) continue;
    Patch with = patches[i];
    with.changes.push_back(created);
    const std::string stem = std::filesystem::path(issues[i].finding.file).stem().string();
    const bool tests_it = is_own_test(issues[i].finding.file, created) && added_words_name(created, stem);
    if (tests_it || used_new_files(with).contains(created.path)) users.insert(i);
  }
  return users;
}

// A file no finding leads to: nothing may get lost, so it goes where it may be needed.
std::set<std::size_t> fallback_owners(const FileChange& change, const std::vector<Issue>& issues,
                                      const std::vector<Patch>& patches) {
  const bool may_be_used = change.added() || is_own_test("", change);
  std::set<std::size_t> owners = may_be_used ? users_of(change, issues, patches) : std::set<std::size_t>{};
  if (!owners.empty()) return owners;
  const bool any =
      std::any_of(patches.begin(), patches.end(), [](const Patch& patch) { return !patch.empty(); });
  for (std::size_t i = 0; i < issues.size(); ++i)
    if (!any || !patches[i].empty()) owners.insert(i);
  return owners;
}

} // namespace

std::vector<Patch> split_patch(const Patch& whole, const std::vector<Issue>& issues) {
  std::vector<Patch> patches(issues.size());
  std::vector<const FileChange*> unowned;
  for (const FileChange& change : whole.changes) {
    const std::vector<std::size_t> among = concerned(change.path, issues);
    const bool whole_file = change.added() || change.deleted() || change.mode_changed() || change.binary() ||
                            change.old_mode == kModeSymlink;
    if (among.empty()) {
      unowned.push_back(&change);
    } else if (among.size() == 1 || whole_file) {
      for (const std::size_t i : among) patches[i].changes.push_back(change);
    } else {
      split_file(change, among, issues, patches);
    }
  }
  const std::vector<Patch> owned = patches;
  for (const FileChange* change : unowned)
    for (const std::size_t i : fallback_owners(*change, issues, owned)) patches[i].changes.push_back(*change);
  for (Patch& patch : patches) patch.sort();
  return patches;
}

} // namespace emend
