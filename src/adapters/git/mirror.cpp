#include "adapters/git/mirror.hpp"

#include <chrono>
#include <thread>

#include "adapters/git/git_program.hpp"
#include "adapters/git/git_remotes.hpp"
#include "base/files.hpp"
#include "base/log.hpp"
#include "base/strings.hpp"

namespace emend {
namespace {

bool is_plain(std::string_view id) {
  return !id.empty() && id.size() <= 64 &&
         std::all_of(id.begin(), id.end(), [](unsigned char c) { return std::isalnum(c) != 0; });
}

// Another process of this home may just be doing the same.
Result<FileLock> wait_for_lock(const fs::path& path) {
  constexpr int kTries = 600;
  for (int i = 0;; ++i) {
    auto lock = FileLock::try_lock(path);
    if (lock || lock.error().code != ErrorCode::conflict || i == kTries) return lock;
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
}

Result<bool> has_commit(const GitProgram& git, const std::string& directory, const std::string& ref) {
  TRY_ASSIGN(const ProcessResult answer,
             git.run(GitCall{.args = {"rev-parse", "--verify", "--quiet", ref + "^{commit}"},
                             .git_dir = directory}));
  return answer.exit_code == 0;
}

Status note_base(const GitProgram& git, const fs::path& directory, const std::string& commit,
                 const std::string& ref) {
  TRY(git.output(GitCall{.args = {"update-ref", ref, commit}, .git_dir = directory.string()}));
  TRY(git.output(
      GitCall{.args = {"update-ref", "--no-deref", "HEAD", commit}, .git_dir = directory.string()}));
  return {};
}

// The ref comes last: it says that everything is there.
Status take_in(const GitProgram& git, const fs::path& directory, const std::string& commit,
               const std::string& ref, const FetchPack& fetch) {
  TRY_ASSIGN(const std::string pack, fetch(commit));
  TRY(git.output(
      GitCall{.args = {"index-pack", "--stdin", "--strict"}, .git_dir = directory.string(), .input = pack}));
  auto known = read_file(directory / "shallow");
  std::string roots = known ? *known : "";
  if (!contains(roots, commit)) TRY(write_file(directory / "shallow", roots + commit + "\n"));
  return note_base(git, directory, commit, ref);
}

} // namespace

Result<std::unique_ptr<Repository>> open_mirror(const MirrorOrder& order, const FetchPack& fetch,
                                                ProcessRunner& processes, GitOptions options) {
  const auto& [repository_id, commit, url] = order;
  if (!is_plain(repository_id) || !is_plain(commit))
    return fail(ErrorCode::usage, "not a repository id, or not a commit: " + repository_id + ", " + commit);
  const GitProgram git(processes, options.git);
  const fs::path mirrors = fs::path(options.home) / "mirrors";
  const fs::path directory = mirrors / (repository_id + ".git");
  TRY(make_directories(mirrors));
  TRY_ASSIGN(const FileLock lock, wait_for_lock(mirrors / (repository_id + ".lock")));
  std::error_code problem;
  if (!fs::exists(directory / "HEAD", problem)) {
    const char* format = commit.size() == 64 ? "--object-format=sha256" : "--object-format=sha1";
    TRY(git.output(
        GitCall{.args = {"init", "--bare", "--quiet", format, directory.string()}, .cwd = mirrors.string()}));
  }
  const std::string ref = "refs/emend/bases/" + commit;
  TRY_ASSIGN(const bool there, has_commit(git, directory.string(), ref));
  if (!there && !url.empty()) {
    if (auto fetched = fetch_commit(processes, directory.string(), url, commit); !fetched)
      log(LogLevel::warn, fetched.error().message + "; the commit is taken from the board");
    else
      TRY(note_base(git, directory, commit, ref));
  }
  TRY_ASSIGN(const bool now, has_commit(git, directory.string(), ref));
  if (!now) TRY(take_in(git, directory, commit, ref, fetch));
  options.id = repository_id;
  return open_repository(directory.string(), processes, std::move(options));
}

} // namespace emend
