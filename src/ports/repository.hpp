// A git repository seen as objects: what the base holds, private workspaces, patches by bytes, commits on a
// branch of our own. Nothing here changes a byte, mode or mtime in the user's checkout or index. `Repository`
// is the whole; each user takes the part it needs.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/patch.hpp"
#include "ports/process.hpp"

namespace emend {

struct TreeEntry {
  unsigned mode = 0;
  std::string id; // blob id (commit id for gitlinks)
  std::uint64_t size = 0;
};
using Tree = std::map<std::string, TreeEntry, std::less<>>; // path -> entry, all files, no directories

// Places no child has any business in, by path: what can be seen of each without reading it. The first two
// words are mode and owner.
using Surroundings = std::map<std::string, std::string>;
// The third word where only rights are watched; the fourth one is then the inode. What it stands for may be
// made, replaced and removed by anybody.
inline constexpr std::string_view kAnySize = "-";

// A workspace's own account of itself after an agent has ended.
struct Snapshot {
  Patch patch; // every difference to the base commit, the patch it started with included
  std::vector<std::string>
      violations; // "hard link: src/a.c", "nested repository: sub/.git", "device: x", "fifo: y"
  std::vector<std::string> notes; // "the agent made its own .git; ignored"
};

// How a check sees the machine. Both are ordinary, and in neither does anything say that emend runs it: a fix
// that behaves well only while it is checked must not be able to tell. The second differs in all a program
// could know the first one by: path, HOME, TMPDIR, host name, process ids.
enum class Look { first, second };

struct CheckPlace {
  std::string path; // of the tree: the check's working directory
  std::string temp; // its TMPDIR
  std::string home; // its HOME; empty = the person's, as it is or as `mount` shows it
  bool has_git = false;
  OverlayMount mount;
};

// A disposable private tree: base + optional patch. No remotes, no history, and no .git unless it is asked
// for. Removed with its owner.
class Workspace {
public:
  virtual ~Workspace() = default;
  // Where a child finds the tree (its working directory).
  [[nodiscard]] virtual const std::string& path() const = 0;
  // How a child must be started to see it and to be kept in it; an empty lower means the tree is really at
  // path().
  [[nodiscard]] virtual OverlayMount overlay() const = 0;
  // For an agent: the tree becomes a git repository of its own, with one commit that holds the base's files;
  // the patch is not committed. Whatever is done to it changes nothing elsewhere, and snapshot() does not
  // look at it. A second call keeps what is there.
  [[nodiscard]] virtual Status make_repository() { return {}; }
  // For a check: where the machine allows it, the tree stands at the path of the person's checkout, and it is
  // a git repository of its own: HEAD is the base, the patch is not committed, nothing leads to the person's.
  [[nodiscard]] virtual Result<CheckPlace> check_place(Look /*look*/) {
    return CheckPlace{path(), temp_dir(), {}, false, overlay()};
  }
  // Two scans must agree (a late writer is noticed); the second one is returned. Hashes bytes, never trusts
  // stat or git.
  [[nodiscard]] virtual Result<Snapshot> snapshot() = 0;
  // Private directories for the child, beside the tree, emptied with it.
  [[nodiscard]] virtual std::string home_dir() const = 0;
  [[nodiscard]] virtual std::string temp_dir() const = 0;
  [[nodiscard]] virtual std::string_view kind() const = 0; // "overlay", "copy"
};

struct CommitRequest {
  std::string parent;                    // commit id
  Patch patch;                           // relative to parent's tree
  std::string message;                   // UTF-8, with trailers
  std::string author_name, author_email; // the user's identity
  std::int64_t time_s = 0;               // given, so that making the same commit again gives the same id
};

struct CommitPair {
  std::string from, to; // commit ids
};

struct CommitFacts {
  std::vector<std::string> parents;
  std::string message;
  std::int64_t time_s = 0; // when it was committed
};

struct Identity {
  std::string name, email;
};

// The first-parent line of a branch: the states it was published in, one after the other.
struct LineQuery {
  std::string tip;   // commit id
  std::string since; // this commit and everything it was made from are left out; empty = nothing is
  std::vector<std::string> paths =
      {};                    // only commits that change one of these against their first parent; empty = all
  std::size_t limit = 5'000; // the newest so many; an answer of this length may have been cut off
};

// Where the person's git fetches from and pushes to.
struct Remote {
  std::string name;
  std::string url; // as git would use it
};

// Where it is, whose it is, and where it comes from.
class RepositoryPlace {
public:
  virtual ~RepositoryPlace() = default;

  [[nodiscard]] virtual const std::string& root() const = 0; // real path of the top level (git dir when bare)
  [[nodiscard]] virtual const std::string& id() const = 0;   // stable for this path on this machine
  [[nodiscard]] virtual const std::vector<std::string>& warnings()
      const = 0; // said at open: dirty, mid-merge, submodules, LFS, ...

  [[nodiscard]] virtual Result<Identity> identity() = 0; // user.name/user.email, else a clear fallback

  [[nodiscard]] virtual Result<std::vector<Remote>> remotes() = 0; // nothing is asked of them
};

// Files as commits hold them, and how two commits differ.
class CommittedFiles {
public:
  virtual ~CommittedFiles() = default;

  [[nodiscard]] virtual Result<std::string> resolve(std::string_view ref) = 0; // -> commit id

  // Reading the base. Trees are cached; the reference lives as long as the repository.
  [[nodiscard]] virtual Result<const Tree*> tree(const std::string& commit) = 0;
  [[nodiscard]] virtual Result<std::string> read(const std::string& commit,
                                                 std::string_view path) = 0; // not_found when absent
  // Several at once, in the order asked for.
  [[nodiscard]] virtual Result<std::vector<std::string>> read_each(const std::string& commit,
                                                                   const std::vector<std::string>& paths) {
    std::vector<std::string> texts;
    for (const std::string& path : paths) {
      TRY_ASSIGN(texts.emplace_back(), read(commit, path));
    }
    return texts;
  }
  // diff between two commits by bytes: what `to` changed against `from`, from the objects alone.
  [[nodiscard]] virtual Result<Patch> diff(const std::string& from, const std::string& to) = 0;
  // The same for these paths alone, whatever else lies between the two.
  [[nodiscard]] virtual Result<Patch> diff(const std::string& from, const std::string& to,
                                           const std::vector<std::string>& paths) = 0;
  // Several at once, in the order asked for.
  [[nodiscard]] virtual Result<std::vector<Patch>> diffs(const std::vector<CommitPair>& pairs) = 0;

  // True if base's ignore rules would ignore this new path.
  [[nodiscard]] virtual Result<bool> is_ignored(const std::string& commit, std::string_view path) = 0;
};

// The same with what lies between commits.
class History : public CommittedFiles {
public:
  // Commit ids, newest first.
  [[nodiscard]] virtual Result<std::vector<std::string>> line(const LineQuery& query) = 0;

  // The best common ancestor of two commits; nullopt = their histories have nothing in common (or a shallow
  // clone cut it off).
  [[nodiscard]] virtual Result<std::optional<std::string>> merge_base(const std::string& a,
                                                                      const std::string& b) = 0;
  // True when `a` is `b` or one of its ancestors.
  [[nodiscard]] virtual Result<bool> is_ancestor(const std::string& a, const std::string& b) = 0;
  // What people's branches start from, as a name resolve() knows: where origin/HEAD points, else main, master
  // or trunk; nullopt = none.
  [[nodiscard]] virtual Result<std::optional<std::string>> default_branch() = 0;

  // The commits as the user's repository has them, in the order asked for.
  [[nodiscard]] virtual Result<std::vector<CommitFacts>> published_commits(
      const std::vector<std::string>& commits) = 0;
};

// The same with what the person has not committed.
class Checkout : public History {
public:
  // What the person has not committed, relative to `commit`. Read through a private copy of the index;
  // submodules are left out, and so are files of which git keeps only a filter's product (LFS, git-crypt).
  // ErrorCode::not_found when nothing is checked out (bare). The index: what `git commit` would take now.
  // Unresolved conflicts are an error.
  [[nodiscard]] virtual Result<Patch> staged(const std::string& commit) = 0;
  // The files on disk: tracked ones and untracked ones that are not ignored. Untracked files that cannot be
  // read or are huge are left out.
  [[nodiscard]] virtual Result<Patch> uncommitted(const std::string& commit) = 0;
};

// Patches made of patches, nothing stored.
class PatchWork {
public:
  virtual ~PatchWork() = default;

  // Two patches against the same base made one; nullopt = they conflict. Same file: three-way merge of the
  // bytes.
  [[nodiscard]] virtual Result<std::optional<Patch>> merge(const Patch& first, const Patch& second) = 0;
  // `patch` was made against a base over which `earlier` has since been applied: the same change relative to
  // the result; nullopt = conflict.
  [[nodiscard]] virtual Result<std::optional<Patch>> rebase(const Patch& patch, const Patch& earlier) = 0;

  // What a unified diff that somebody brought would change in `commit`; nothing of it is applied anywhere.
  // ErrorCode::usage with git's words when it does not fit there.
  [[nodiscard]] virtual Result<Patch> apply_diff(const std::string& /*commit*/,
                                                 const std::string& /*unified_diff*/) {
    return fail(ErrorCode::usage, "this repository takes no diffs");
  }
};

// Private trees for children, and how far these are contained.
class Workspaces {
public:
  virtual ~Workspaces() = default;

  // `patch` (may be empty) is laid over the base's files. Thread-safe.
  [[nodiscard]] virtual Result<std::unique_ptr<Workspace>> make_workspace(const std::string& commit,
                                                                          const Patch& patch) = 0;

  // How children of its workspaces are contained.
  [[nodiscard]] virtual SandboxKind sandbox() const { return SandboxKind::none; }
  // The person's checkout and what starts things in their home, as they are now.
  [[nodiscard]] virtual Surroundings surroundings() { return {}; }

  // Removes workspaces a dead engine left behind. Call with the repository's lock held.
  virtual void clean_leftovers() = 0;
};

// Commits of ours, and the branches they are published on.
class Branches {
public:
  virtual ~Branches() = default;

  // In the engine's own object store; nothing of the user's changes. Deterministic.
  [[nodiscard]] Result<std::string> commit(const CommitRequest& request) {
    TRY_ASSIGN(const std::vector<std::string> made, commit_chain({request}));
    return made.front();
  }
  // One on the other: the first on its parent, each of the rest on the one before it, whatever it names. All
  // or none; `requests` is not empty.
  [[nodiscard]] virtual Result<std::vector<std::string>> commit_chain(
      const std::vector<CommitRequest>& requests) = 0;
  // Copies the objects reachable from tip into the user's repository, then creates refs/heads/<branch> there
  // if and only if it does not exist (or already points at tip). ErrorCode::conflict when it exists and
  // points elsewhere. Durable when it returns.
  [[nodiscard]] virtual Status publish(const std::string& branch, const std::string& tip,
                                       const std::string& base) = 0;
  // Moves a branch of ours on: copies the objects, then refs/heads/<branch> from `from` to `to`, one of its
  // descendants, if and only if it points at `from` (or already at `to`) and is nowhere in use.
  // ErrorCode::conflict when it is not so. Durable when it returns.
  [[nodiscard]] virtual Status advance(const std::string& branch, const std::string& from,
                                       const std::string& to) = 0;
  // Deletes refs/heads/<branch> if and only if it points at `tip` and is nowhere in use; its absence is fine.
  // Otherwise ErrorCode::conflict.
  [[nodiscard]] virtual Status remove_branch(const std::string& branch, const std::string& tip) = 0;
  // Who would notice if the branch moved, in words ("it is checked out in /path"); nullopt = nobody.
  [[nodiscard]] virtual Result<std::optional<std::string>> branch_in_use(const std::string& branch) = 0;
  // Commit a branch of the user's repository points at; nullopt = no such branch.
  [[nodiscard]] virtual Result<std::optional<std::string>> branch_tip(const std::string& branch) = 0;
  // Is commit reachable from that branch, read from the user's repository?
  [[nodiscard]] virtual Result<bool> reachable(const std::string& commit, const std::string& branch) = 0;
  // Same as diff(), but read only through the user's own repository: what a person who looks will see.
  [[nodiscard]] virtual Result<Patch> published_diff(const std::string& from, const std::string& to) = 0;
  [[nodiscard]] virtual Result<std::vector<Patch>> published_diffs(const std::vector<CommitPair>& pairs) = 0;

  // Everything that is needed to have this commit's files elsewhere, without its history.
  [[nodiscard]] virtual Result<std::string> export_commit(const std::string& /*commit*/) {
    return fail(ErrorCode::usage, "this repository cannot be sent anywhere");
  }
};

// All of it. Named by who opens a repository or hands it on; who uses a part of it asks for that part.
class Repository : public RepositoryPlace,
                   public Checkout,
                   public PatchWork,
                   public Workspaces,
                   public Branches {};

} // namespace emend
