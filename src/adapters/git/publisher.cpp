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
  return fail(ErrorCode::conflict, "branch " + branch + " exists and points at " + by.substr(0, 12),
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

// A git that was killed, or whose machine lost its power, leaves the lock of the ref it was making. It is ours if it holds the very commit
// that we are publishing, and nobody's if it is older than the machine's last start. Any other may be a git at work.
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
  if (present && *present == tip) return sync_directories(branch); // who made it may have died, or failed, before it was durable
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
             git_.run(GitCall{.args = {"rev-parse", "--verify", "--quiet", ref_of(branch) + "^{commit}"}, .git_dir = user_.git_dir}));
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
  TRY_ASSIGN(const std::string listing, git_.output(GitCall{.args = {"worktree", "list", "--porcelain", "-z"}, .git_dir = user_.git_dir}));
  for (const std::string& line : split(listing, '\0'))
    if (line == "branch " + ref_of(branch))
      return fail(ErrorCode::conflict, "a worktree of the repository stands on branch " + branch, "choose another branch name");
  return {};
}

Status Publisher::copy_objects(const std::string& tip, const std::string& base) const {
  if (!is_object_id(tip) || !is_object_id(base)) return fail(ErrorCode::git, "not commit ids: " + tip + ", " + base);
  if (tip != base) {
    TRY_ASSIGN(std::string pack, git_.output(GitCall{.args = {"pack-objects", "--revs", "--stdout", "--quiet", "--no-reuse-delta"},
                                                     .git_dir = engine_git_dir_,
                                                     .input = tip + "\n^" + base + "\n"}));
    TRY(git_.output(GitCall{
        .args = {"-c", "core.fsync=all", "-c", "core.fsyncMethod=fsync", "index-pack", "--stdin", "--fix-thin"}, .git_dir = user_.git_dir, .input = std::move(pack)}));
  }
  // Nothing the new branch needs may be missing: the base could have been pruned meanwhile.
  TRY_ASSIGN(ProcessResult walk,
             git_.run(GitCall{.args = {"rev-list", "--objects", "--quiet", tip, "^" + base}, .git_dir = user_.git_dir}));
  if (walk.exit_code != 0)
    return fail(ErrorCode::git, "the repository does not hold everything the branch needs: " + git_complaint(walk),
                "check the repository with git fsck");
  return {};
}

Status Publisher::create_ref(const std::string& branch, const std::string& tip) const {
  const auto attempt = [&] { // the identity only signs the reflog line; without it git would look for one the engine's calls cannot see
    return git_.run(GitCall{.args = {"-c", "core.fsync=all", "-c", "core.fsyncMethod=fsync", "update-ref", "-m", "branch: created by emend", "--stdin"},
                            .git_dir = user_.git_dir,
                            .input = "create " + ref_of(branch) + " " + tip + "\n",
                            .env = {"GIT_COMMITTER_NAME=emend", "GIT_COMMITTER_EMAIL=emend@localhost"}});
  };
  TRY_ASSIGN(ProcessResult answer, attempt());
  if (answer.exit_code != 0 && remove_dead_lock(user_.common_dir + "/" + ref_of(branch) + ".lock", tip)) {
    TRY_ASSIGN(answer, attempt());
  }
  if (answer.exit_code == 0) return {};
  TRY_ASSIGN(const auto present, tip_of(branch));
  if (present && *present == tip) return {};
  if (present) return taken(branch, *present);
  if (contains(answer.err, "cannot create") || contains(answer.err, "File exists") || contains(answer.err, "Unable to create"))
    return fail(ErrorCode::conflict, "branch " + branch + " cannot be created: " + git_complaint(answer),
                "another branch stands in its way or another git is at work: rename that branch, or choose another name");
  return fail(ErrorCode::git, "branch " + branch + " cannot be created: " + git_complaint(answer));
}

Status Publisher::sync_directories(const std::string& branch) const {
  TRY(sync_directory(user_.common_dir + "/objects/pack"));
  for (std::string directory(parent_of(ref_of(branch))); !directory.empty(); directory = parent_of(directory))
    TRY(sync_directory(user_.common_dir + "/" + directory));
  return {};
}

} // namespace emend
