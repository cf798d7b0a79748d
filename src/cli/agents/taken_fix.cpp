#include "cli/agents/taken_fix.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/files.hpp"
#include "base/strings.hpp"
#include "cli/text_table.hpp"

namespace emend {
namespace {

// A link on the way would lead out of the repository.
bool passes_link(const fs::path& root, const fs::path& path) {
  fs::path place = root;
  for (const fs::path& part : path.parent_path()) {
    std::error_code problem;
    place /= part;
    if (fs::is_symlink(fs::symlink_status(place, problem))) return true;
  }
  return false;
}

// Every file must be as the fix found it: nothing a person did meanwhile is lost.
std::string problem_of(const fs::path& root, const Patch& patch) {
  for (const FileChange& change : patch.changes) {
    const fs::path place = root / change.path;
    std::error_code problem;
    const auto kind = fs::symlink_status(place, problem).type();
    if (passes_link(root, change.path)) return change.path + " is behind a symbolic link";
    if (!change.deleted() && change.new_mode != kModeFile && change.new_mode != kModeExecutable)
      return change.path + " becomes a link or a submodule, which only git writes";
    if (change.added() && kind != fs::file_type::not_found) return change.path + " exists already";
    if (change.added()) continue;
    const auto bytes = read_file_nofollow(place);
    if (kind != fs::file_type::regular || !bytes || *bytes != change.old_content)
      return change.path + " is not as the fix found it";
  }
  return "";
}

bool is_executable(const fs::path& place) {
  std::error_code problem;
  return (fs::status(place, problem).permissions() & fs::perms::owner_exec) != fs::perms::none;
}

bool is_there(const fs::path& root, const Patch& patch) {
  return std::all_of(patch.changes.begin(), patch.changes.end(), [&](const FileChange& change) {
    const fs::path place = root / change.path;
    std::error_code problem;
    if (change.deleted()) return !fs::exists(fs::symlink_status(place, problem));
    const auto bytes = read_file_nofollow(place);
    return bytes && *bytes == change.new_content &&
           is_executable(place) == (change.new_mode == kModeExecutable);
  });
}

// What a person keeps from others stays so; only whether it can be executed is the fix's to say.
unsigned mode_of(const fs::path& place, const FileChange& change) {
  constexpr unsigned kExecute = 0111;
  const bool executable = change.new_mode == kModeExecutable;
  std::error_code problem;
  const auto status = fs::status(place, problem);
  if (change.added() || problem || !fs::exists(status)) return executable ? 0755 : 0644;
  const unsigned now = static_cast<unsigned>(status.permissions()) & 0777U;
  return executable ? now | ((now >> 2U) & kExecute) : now & ~kExecute;
}

Status write_change(const fs::path& root, const FileChange& change) {
  const fs::path place = root / change.path;
  if (change.deleted()) {
    std::error_code problem;
    fs::remove(place, problem);
    return problem ? Status(fail(ErrorCode::io, "cannot remove " + change.path)) : Status{};
  }
  TRY(make_directories(place.parent_path().string(), 0777));
  return write_file(place, change.new_content, mode_of(place, change));
}

} // namespace

Result<TakenFix> taken_fix(Store& store, Repository& repository, const std::string& code) {
  TRY_ASSIGN(const Issue issue, store.issue(repository.id(), code));
  if (issue.status != IssueStatus::resolved)
    return fail(ErrorCode::conflict,
                fmt::format("{} is {}: only a RESOLVED fix is applied", issue.code, to_string(issue.status)));
  TRY_ASSIGN(const std::vector<CommitRecord> commits, store.commits(issue.session_id));
  const auto commit = std::find_if(commits.begin(), commits.end(),
                                   [&](const CommitRecord& one) { return one.sha == issue.commit; });
  if (commit == commits.end()) return fail(ErrorCode::not_found, "the commit of the fix is not known");
  TakenFix fix{issue.code, issue.commit, {}};
  TRY_ASSIGN(fix.patch, repository.published_diff(commit->parent, commit->sha));
  return fix;
}

Result<std::string> write_patch(const std::string& root, const Patch& patch, const std::string& remedy,
                                bool dry) {
  if (is_there(root, patch)) return std::string("nothing to write: your files are as the fix makes them\n");
  if (const std::string problem = problem_of(root, patch); !problem.empty())
    return fail(ErrorCode::conflict, one_line(problem, 400), "nothing was written; " + remedy);
  std::string said = dry ? "would write:\n" : "written:\n";
  for (const FileChange& change : patch.changes) {
    if (!dry) TRY(write_change(root, change));
    said += "  " + one_line(change.path, 400) + "\n";
  }
  return said;
}

Result<std::string> write_fix(const std::string& root, const TakenFix& fix, bool dry) {
  return write_patch(root, fix.patch,
                     "a person can take it with: git cherry-pick " + fix.commit.substr(0, 12), dry);
}

} // namespace emend
