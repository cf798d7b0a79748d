#include "engine/intake/review_scope.hpp"

#include <algorithm>
#include <set>

#include "base/strings.hpp"
#include "model/enum_names.hpp"
#include "model/line_diff.hpp"

namespace emend {
namespace {

constexpr std::size_t kContextLines = 3;

constexpr EnumName<FilterMode> kFilterModes[] = {{FilterMode::added, "added"},
                                                 {FilterMode::diff_context, "diff_context"},
                                                 {FilterMode::file, "file"},
                                                 {FilterMode::nofilter, "nofilter"}};

// The tree without files, which git knows without having it.
std::string empty_tree_like(const std::string& commit) {
  return commit.size() == 64 ? "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321"
                             : "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
}

std::string files_text(const Patch& patch) {
  return std::to_string(patch.changes.size()) + (patch.changes.size() == 1 ? " file" : " files");
}

bool plain(unsigned mode) { return mode == kModeFile || mode == kModeExecutable; }

Result<std::string> base_with(History& repository, const std::string& from, const std::string& to) {
  TRY_ASSIGN(const auto base, repository.merge_base(from, to));
  if (base) return *base;
  return fail(ErrorCode::git, "'" + from + "' and '" + to + "' have no commit in common",
              "in a shallow clone, fetch more history first (git fetch --unshallow; in CI: fetch-depth: 0)");
}

// `emend init` adds the name of its local file to .gitignore.
bool only_ignores_own(const FileChange& change) {
  if (change.path != ".gitignore" || change.deleted()) return false;
  const LineDiff diff = diff_lines(change.old_content, change.new_content);
  if (std::find(diff.removed.begin(), diff.removed.end(), true) != diff.removed.end()) return false;
  for (std::size_t i = 0; i < diff.new_lines.size(); ++i)
    if (diff.added[i] && !trim(diff.new_lines[i]).empty() && !contains(diff.new_lines[i], "emend.local.toml"))
      return false;
  return true;
}

// emend's own files are no change of the project: `emend init` must not make the review after it one of its
// own configuration.
Patch without_own_files(Patch patch) {
  std::erase_if(patch.changes, [](const FileChange& change) {
    const std::string& path = change.path;
    return path == "emend.toml" || path == ".emend.toml" || path == "emend.local.toml" ||
           path == ".config/emend.toml" || path.starts_with(".emend/") || only_ignores_own(change);
  });
  return patch;
}

// Nothing checked out is nothing uncommitted.
Result<Patch> uncommitted_if_any(Checkout& repository, const std::string& head) {
  auto patch = repository.uncommitted(head);
  if (!patch && patch.error().code == ErrorCode::not_found) return Patch{};
  if (!patch) return patch;
  return without_own_files(*std::move(patch));
}

// From `start`, an ancestor of HEAD, to what is on disk.
Result<ScopedTree> changes_since(Checkout& repository, const std::string& start, const std::string& head) {
  ScopedTree tree{head, {}, std::nullopt, {}};
  TRY_ASSIGN(tree.patch, uncommitted_if_any(repository, head));
  TRY_ASSIGN(const Patch committed, repository.diff(start, head));
  tree.diff = without_own_files(compose(committed, tree.patch));
  return tree;
}

Result<ScopedTree> branch_scope(Checkout& repository) {
  TRY_ASSIGN(const std::string head, repository.resolve("HEAD"));
  TRY_ASSIGN(const auto named, repository.default_branch());
  std::optional<std::string> base;
  if (named) {
    TRY_ASSIGN(base, repository.merge_base(*named, head));
  }
  TRY_ASSIGN(ScopedTree tree, changes_since(repository, base.value_or(head), head));
  const std::string against = base ? *named : "HEAD";
  if (tree.diff->empty()) {
    tree.diff.reset();
    tree.words = "nothing changed against " + against + ", so the whole repository with local analyzers";
  } else {
    tree.words = files_text(*tree.diff) + " changed against " + against +
                 (tree.patch.empty() ? "" : ", including uncommitted changes");
  }
  return tree;
}

Result<ScopedTree> base_scope(Checkout& repository, const std::string& from) {
  TRY_ASSIGN(const std::string head, repository.resolve("HEAD"));
  TRY_ASSIGN(const std::string start, base_with(repository, from, head));
  TRY_ASSIGN(ScopedTree tree, changes_since(repository, start, head));
  tree.words = files_text(*tree.diff) + " changed against " + from +
               (tree.patch.empty() ? "" : ", including uncommitted changes");
  return tree;
}

Result<ScopedTree> disk_scope(Checkout& repository, ScopeKind kind) {
  ScopedTree tree;
  TRY_ASSIGN(tree.commit, repository.resolve("HEAD"));
  if (kind == ScopeKind::all) {
    TRY_ASSIGN(tree.patch, uncommitted_if_any(repository, tree.commit));
    tree.words = "the whole repository";
    return tree;
  }
  TRY_ASSIGN(tree.patch, kind == ScopeKind::staged ? repository.staged(tree.commit)
                                                   : repository.uncommitted(tree.commit));
  if (kind == ScopeKind::uncommitted) tree.patch = without_own_files(std::move(tree.patch));
  tree.diff = tree.patch;
  tree.words = files_text(tree.patch) + (kind == ScopeKind::staged ? " staged" : " not committed");
  return tree;
}

Result<std::string> first_parent(History& repository, const std::string& commit) {
  TRY_ASSIGN(const auto facts, repository.published_commits({commit}));
  const auto& parents = facts.front().parents;
  return parents.empty() ? empty_tree_like(commit) : parents.front();
}

Result<ScopedTree> commit_scope(Checkout& repository, const ReviewScope& scope) {
  ScopedTree tree;
  TRY_ASSIGN(tree.commit, repository.resolve(scope.ref));
  if (scope.kind == ScopeKind::revision) {
    tree.words = "the whole repository at " + scope.ref;
    return tree;
  }
  std::string start;
  if (scope.kind == ScopeKind::commit) {
    TRY_ASSIGN(start, first_parent(repository, tree.commit));
  } else if (scope.kind == ScopeKind::range) {
    TRY_ASSIGN(start, base_with(repository, scope.from, scope.ref));
  } else {
    TRY_ASSIGN(start, repository.resolve(scope.from));
  }
  TRY_ASSIGN(tree.diff, repository.diff(start, tree.commit));
  tree.words = files_text(*tree.diff) + (scope.kind == ScopeKind::commit
                                             ? " changed by " + scope.ref
                                             : " changed from " + scope.from + " to " + scope.ref);
  return tree;
}

// Per new line (from 1), whether it was added, or lies within `context` lines of a change.
std::vector<bool> marked_lines(const FileChange& change, std::size_t context) {
  const LineDiff diff = diff_lines(change.old_content, change.new_content);
  std::vector<bool> marks(diff.new_lines.size() + 1, false);
  const auto mark = [&](std::size_t from, std::size_t to) { // [from, to), from 0
    const std::size_t end = std::min(to + context, diff.new_lines.size());
    for (std::size_t i = from - std::min(from, context); i < end; ++i) marks[i + 1] = true;
  };
  std::size_t x = 0, y = 0;
  while (x < diff.old_lines.size() || y < diff.new_lines.size()) {
    const std::size_t start = y;
    const std::size_t before = x;
    while (x < diff.removed.size() && diff.removed[x]) ++x;
    while (y < diff.added.size() && diff.added[y]) ++y;
    if (x != before || y != start)
      mark(start, y);
    else
      ++x, ++y;
  }
  return marks;
}

} // namespace

Result<ReviewScope> parse_range(const std::string& text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string::npos || text.size() < 3)
    return fail(ErrorCode::usage, "--range: \"" + text + "\" is not of the form A..B",
                "for example: --range main..HEAD");
  const std::size_t after = text.find_first_not_of('.', dots);
  ReviewScope scope{ScopeKind::range, after == std::string::npos ? "HEAD" : text.substr(after),
                    dots == 0 ? "HEAD" : text.substr(0, dots)};
  if (scope.ref.find("..") != std::string::npos || (after != std::string::npos && after - dots > 3))
    return fail(ErrorCode::usage, "--range: \"" + text + "\" is not of the form A..B",
                "for example: --range main..HEAD");
  return scope;
}

Result<std::string> rules_commit(Checkout& repository, const ReviewScope& scope) {
  if (scope.kind == ScopeKind::range) return base_with(repository, scope.from, scope.ref);
  if (scope.kind == ScopeKind::base) return base_with(repository, scope.from, "HEAD");
  if (scope.kind == ScopeKind::since) return repository.resolve(scope.from);
  TRY_ASSIGN(const std::string commit,
             repository.resolve(scope.kind == ScopeKind::commit ? scope.ref : "HEAD"));
  if (scope.kind == ScopeKind::commit) {
    TRY_ASSIGN(const auto facts, repository.published_commits({commit}));
    return facts.front().parents.empty() ? std::string() : facts.front().parents.front();
  }
  if (scope.kind != ScopeKind::branch) return commit;
  TRY_ASSIGN(const auto named, repository.default_branch());
  if (!named) return commit;
  TRY_ASSIGN(const auto base, repository.merge_base(*named, commit));
  return base.value_or(commit);
}

Result<ScopedTree> look_up(Checkout& repository, const ReviewScope& scope) {
  switch (scope.kind) {
    case ScopeKind::branch: return branch_scope(repository);
    case ScopeKind::base: return base_scope(repository, scope.from);
    case ScopeKind::staged:
    case ScopeKind::uncommitted:
    case ScopeKind::all: return disk_scope(repository, scope.kind);
    case ScopeKind::commit:
    case ScopeKind::range:
    case ScopeKind::since:
    case ScopeKind::revision: return commit_scope(repository, scope);
  }
  return fail(ErrorCode::internal, "unknown scope");
}

Result<std::vector<std::string>> files_of(CommittedFiles& repository, const ScopedTree& tree) {
  TRY_ASSIGN(const Tree* base, repository.tree(tree.commit));
  std::set<std::string> files;
  for (const auto& [path, entry] : *base)
    if (plain(entry.mode)) files.insert(path);
  for (const FileChange& change : tree.patch.changes) {
    if (plain(change.new_mode))
      files.insert(change.path);
    else
      files.erase(change.path);
  }
  return std::vector<std::string>(files.begin(), files.end());
}

Result<std::string> read_from(CommittedFiles& repository, const ScopedTree& tree, const std::string& path) {
  const FileChange* change = tree.patch.find(path);
  if (change == nullptr) return repository.read(tree.commit, path);
  if (change->deleted()) return fail(ErrorCode::not_found, path + " was removed");
  return change->new_content;
}

std::optional<FilterMode> parse_filter_mode(std::string_view name) { return value_of(kFilterModes, name); }

DiffFilter::DiffFilter(const std::optional<Patch>& diff, FilterMode mode)
    : mode_(diff ? mode : FilterMode::nofilter) {
  if (!diff) return;
  std::set<std::string> removed; // a file of the same bytes under a new name is moved, not written
  for (const FileChange& change : diff->changes)
    if (change.deleted()) removed.insert(change.old_id);
  for (const FileChange& change : diff->changes) {
    if (change.deleted()) continue;
    ChangedFile& file = files_[change.path];
    if (change.added() && removed.contains(change.new_id)) continue;
    file.made = change.added();
    if (mode_ == FilterMode::added || mode_ == FilterMode::diff_context)
      file.lines = marked_lines(change, mode_ == FilterMode::added ? 0 : kContextLines);
  }
}

bool DiffFilter::looks_at(const std::string& file) const {
  return mode_ == FilterMode::nofilter || files_.contains(file);
}

bool DiffFilter::keeps(const Finding& finding) const {
  if (mode_ == FilterMode::nofilter) return true;
  const auto found = files_.find(finding.file);
  if (found == files_.end()) return false;
  const ChangedFile& file = found->second;
  if (mode_ == FilterMode::file) return true;
  if (finding.line < 1) return file.made;
  const auto end = static_cast<std::size_t>(std::max(finding.line, finding.line_end));
  for (auto line = static_cast<std::size_t>(finding.line); line <= end && line < file.lines.size(); ++line)
    if (file.lines[line]) return true;
  return false;
}

} // namespace emend
