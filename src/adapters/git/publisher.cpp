#include "adapters/git/publisher.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ctime>

#include "adapters/git/file_descriptor.hpp"
#include "adapters/git/object_reader.hpp"
#include "base/crash_point.hpp"
#include "base/files.hpp"
#include "base/log.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

std::string ref_of(const std::string& branch) { return "refs/heads/" + branch; }

tl::unexpected<Error> taken(const std::string& branch, const std::string& by) {
  return fail(
      ErrorCode::conflict, "branch " + branch + " exists and points at " + by.substr(0, 12),
      "delete or rename it (git branch -m " + shell_quote(branch) + " …), or choose another branch name");
}

// The loose ref is a file in a directory that may be new; git syncs the file only.
Status sync_directory(const std::string& path) {
  FileDescriptor directory(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory.valid()) return {}; // refs may be kept in another form
  if (::fsync(directory.get()) != 0) return system_error("cannot make durable", path);
  return {};
}

// Seconds since 1970, by the clock as it goes now.
std::int64_t boot_time() {
  timespec now{}, up{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  ::clock_gettime(CLOCK_BOOTTIME, &up);
  return now.tv_sec - up.tv_sec;
}

// A git that was killed, or whose machine lost its power, leaves the lock of the ref it was making. It is
// ours if it holds the very commit that we are publishing, and nobody's if it is older than the machine's
// last start. Any other may be a git at work.
bool remove_dead_lock(const std::string& path, const std::string& tip) {
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return false;
  const auto content = read_file_nofollow(path, 200);
  const bool ours = content && *content == tip + "\n";
  if (!ours && info.st_mtim.tv_sec >= boot_time()) return false;
  if (::unlink(path.c_str()) != 0) return false;
  log(LogLevel::info, "removed " + path + ": the git that made it is gone");
  return true;
}

} // namespace

Status Publisher::publish(const std::string& branch, const std::string& tip, const std::string& base) const {
  TRY(check_name(branch));
  TRY_ASSIGN(const auto present, tip_of(branch));
  if (present && *present == tip)
    return sync_directories(branch); // who made it may have died, or failed, before it was durable
  if (present) return taken(branch, *present);
  TRY(check_worktrees(branch));
  TRY(copy_objects(tip, base));
  crash_point("publish.objects");
  TRY(create_ref(branch, tip));
  crash_point("publish.ref");
  return sync_directories(branch);
}

Result<std::optional<std::string>> Publisher::tip_of(const std::string& branch) const {
  TRY(check_name(branch));
  TRY_ASSIGN(ProcessResult answer,
             git_.run(GitCall{.args = {"rev-parse", "--verify", "--quiet", ref_of(branch) + "^{commit}"},
                              .git_dir = user_.git_dir}));
  if (answer.exit_code == 0) return std::string(trim(answer.out));
  if (answer.exit_code == 1) return std::nullopt;
  return fail(ErrorCode::git, "branch " + branch + " cannot be read: " + git_complaint(answer));
}

Status Publisher::check_name(const std::string& branch) const {
  const std::string remedy = "choose another branch name ([fix] branch)";
  if (branch.empty() || branch.front() == '-' || branch == "HEAD" || branch.find('\0') != std::string::npos)
    return fail(ErrorCode::git, "not a branch name: '" + branch + "'", remedy);
  TRY_ASSIGN(ProcessResult answer, git_.run(GitCall{.args = {"check-ref-format", ref_of(branch)}}));
  if (answer.exit_code != 0) return fail(ErrorCode::git, "not a branch name: '" + branch + "'", remedy);
  return {};
}

// A worktree that stands on a branch not born yet would suddenly find itself on our commits.
Status Publisher::check_worktrees(const std::string& branch) const {
  TRY_ASSIGN(const std::optional<std::string> where, standing_on(branch));
  if (where)
    return fail(ErrorCode::conflict, "a worktree of the repository has checked out branch " + branch,
                "choose another branch name");
  return {};
}

// The worktree that has it checked out.
Result<std::optional<std::string>> Publisher::standing_on(const std::string& branch) const {
  TRY_ASSIGN(const std::string listing, git_.output(GitCall{.args = {"worktree", "list", "--porcelain", "-z"},
                                                            .git_dir = user_.git_dir}));
  std::string worktree;
  for (const std::string& line : split(listing, '\0')) {
    if (line.starts_with("worktree ")) worktree = line.substr(9);
    if (line == "branch " + ref_of(branch)) return worktree;
  }
  return std::nullopt;
}

// In the middle of a rebase or a bisect a worktree stands on no branch, and still comes back to it by its
// name.
Result<std::optional<std::string>> Publisher::in_use(const std::string& branch) const {
  TRY(check_name(branch));
  TRY_ASSIGN(
      const ProcessResult symbolic,
      git_.run(GitCall{.args = {"symbolic-ref", "--quiet", ref_of(branch)}, .git_dir = user_.git_dir}));
  if (symbolic.exit_code == 0) return "it is another name of " + std::string(trim(symbolic.out));
  TRY_ASSIGN(const std::optional<std::string> where, standing_on(branch));
  if (where) return "it is checked out in " + *where;
  std::vector<fs::path> places = {user_.common_dir};
  std::error_code problem;
  for (fs::directory_iterator each(user_.common_dir + "/worktrees", problem), end; !problem && each != end;
       each.increment(problem))
    places.push_back(each->path());
  for (const fs::path& place : places)
    for (const char* name :
         {"rebase-merge/head-name", "rebase-apply/head-name", "rebase-merge/update-refs", "BISECT_START"}) {
      const auto text = read_file_nofollow(place / name, 1'000'000);
      if (!text) continue;
      for (const std::string_view line : lines_of(*text))
        if (trim(line) == ref_of(branch) || trim(line) == branch)
          return std::string(name[0] == 'B' ? "a bisect" : "a rebase") + " is in progress on it";
    }
  return std::nullopt;
}

Status Publisher::check_untouched(const std::string& branch, const std::string& tip) const {
  TRY_ASSIGN(const auto present, tip_of(branch));
  if (!present) return fail(ErrorCode::conflict, "branch " + branch + " is gone");
  if (*present != tip)
    return fail(ErrorCode::conflict, "branch " + branch + " points at " + present->substr(0, 12) +
                                         ", not at " + tip.substr(0, 12) + " where emend left it");
  TRY_ASSIGN(const std::optional<std::string> use, in_use(branch));
  if (use) return fail(ErrorCode::conflict, "branch " + branch + " is in use: " + *use);
  return {};
}

Status Publisher::advance(const std::string& branch, const std::string& from, const std::string& to) const {
  if (!is_object_id(from) || !is_object_id(to))
    return fail(ErrorCode::git, "not commit ids: " + from + ", " + to);
  TRY_ASSIGN(const auto present, tip_of(branch));
  if (present && *present == to)
    return sync_directories(branch); // who moved it may have died before it was durable
  TRY(check_untouched(branch, from));
  TRY_ASSIGN(const ProcessResult older, git_.run(GitCall{.args = {"merge-base", "--is-ancestor", from, to},
                                                         .git_dir = engine_git_dir_}));
  if (older.exit_code != 0)
    return fail(ErrorCode::conflict,
                to.substr(0, 12) + " does not come after " + from.substr(0, 12) + ": the branch stays");
  TRY(copy_objects(to, from));
  crash_point("advance.objects");
  TRY_ASSIGN(
      const ProcessResult answer,
      update_ref(branch, "update " + ref_of(branch) + " " + to + " " + from, "branch: moved by emend", to));
  crash_point("advance.ref");
  if (answer.exit_code == 0) return sync_directories(branch);
  TRY(check_untouched(branch, from)); // says what has changed meanwhile
  return fail(ErrorCode::git, "branch " + branch + " cannot be moved: " + git_complaint(answer));
}

Status Publisher::remove(const std::string& branch, const std::string& tip) const {
  if (!is_object_id(tip)) return fail(ErrorCode::git, "not a commit id: " + tip);
  TRY_ASSIGN(const auto present, tip_of(branch));
  if (!present) return sync_directories(branch);
  TRY(check_untouched(branch, tip));
  TRY_ASSIGN(const ProcessResult answer,
             update_ref(branch, "delete " + ref_of(branch) + " " + tip, "branch: removed by emend", ""));
  crash_point("remove.ref");
  if (answer.exit_code == 0) return sync_directories(branch);
  TRY(check_untouched(branch, tip));
  return fail(ErrorCode::git, "branch " + branch + " cannot be removed: " + git_complaint(answer));
}

// What the person's repository has, as rev-list is told to leave it out: the base, or, of a base that was
// fetched into our own store, everything its refs lead to.
Result<std::string> Publisher::had_already(const std::string& base) const {
  TRY_ASSIGN(const ProcessResult there,
             git_.run(GitCall{.args = {"cat-file", "-e", base + "^{commit}"}, .git_dir = user_.git_dir}));
  if (there.exit_code == 0) return "^" + base + "\n";
  TRY_ASSIGN(const std::string refs, git_.output(GitCall{.args = {"for-each-ref", "--format=^%(objectname)"},
                                                         .git_dir = user_.git_dir}));
  return refs;
}

Status Publisher::copy_objects(const std::string& tip, const std::string& base) const {
  if (!is_object_id(tip) || !is_object_id(base))
    return fail(ErrorCode::git, "not commit ids: " + tip + ", " + base);
  TRY_ASSIGN(const std::string had, had_already(base));
  if (tip != base) {
    TRY_ASSIGN(
        std::string pack,
        git_.output(GitCall{.args = {"pack-objects", "--revs", "--stdout", "--quiet", "--no-reuse-delta"},
                            .git_dir = engine_git_dir_,
                            .input = tip + "\n" + had}));
    TRY(git_.output(GitCall{.args = {"-c", "core.fsync=all", "-c", "core.fsyncMethod=fsync", "index-pack",
                                     "--stdin", "--fix-thin"},
                            .git_dir = user_.git_dir,
                            .input = std::move(pack)}));
  }
  // Nothing the new branch needs may be missing: the base could have been pruned meanwhile.
  TRY_ASSIGN(ProcessResult walk, git_.run(GitCall{.args = {"rev-list", "--objects", "--quiet", "--stdin"},
                                                  .git_dir = user_.git_dir,
                                                  .input = tip + "\n" + had}));
  if (walk.exit_code != 0)
    return fail(ErrorCode::git,
                "the repository does not hold everything the branch needs: " + git_complaint(walk),
                "check the repository with git fsck");
  return {};
}

// One change of one ref, never of what a symbolic one leads to. lock_content: what a lock of ours that was
// left behind holds.
Result<ProcessResult> Publisher::update_ref(const std::string& branch, const std::string& command,
                                            const std::string& why, const std::string& lock_content) const {
  const auto attempt = [&] { // the identity only signs the reflog line; without it git would look for one the
                             // engine's calls cannot see
    return git_.run(GitCall{
        .args = {"-c", "core.fsync=all", "-c", "core.fsyncMethod=fsync", "update-ref", "-m", why, "--stdin"},
        .git_dir = user_.git_dir,
        .input = "option no-deref\n" + command + "\n",
        .env = {"GIT_COMMITTER_NAME=emend", "GIT_COMMITTER_EMAIL=emend@localhost"}});
  };
  TRY_ASSIGN(ProcessResult answer, attempt());
  if (answer.exit_code == 0 ||
      !remove_dead_lock(user_.common_dir + "/" + ref_of(branch) + ".lock", lock_content))
    return answer;
  return attempt();
}

Status Publisher::create_ref(const std::string& branch, const std::string& tip) const {
  TRY_ASSIGN(const ProcessResult answer,
             update_ref(branch, "create " + ref_of(branch) + " " + tip, "branch: created by emend", tip));
  if (answer.exit_code == 0) return {};
  TRY_ASSIGN(const auto present, tip_of(branch));
  if (present && *present == tip) return {};
  if (present) return taken(branch, *present);
  if (contains(answer.err, "cannot create") || contains(answer.err, "File exists") ||
      contains(answer.err, "Unable to create"))
    return fail(ErrorCode::conflict, "branch " + branch + " cannot be created: " + git_complaint(answer),
                "another branch is in its way or another git is running: rename that branch, or choose "
                "another name");
  return fail(ErrorCode::git, "branch " + branch + " cannot be created: " + git_complaint(answer));
}

Status Publisher::sync_directories(const std::string& branch) const {
  TRY(sync_directory(user_.common_dir + "/objects/pack"));
  for (std::string directory(parent_of(ref_of(branch))); !directory.empty(); directory = parent_of(directory))
    TRY(sync_directory(user_.common_dir + "/" + directory));
  return {};
}

} // namespace emend
