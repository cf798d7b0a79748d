#include "adapters/git/git_remotes.hpp"

#include <unistd.h>

#include "adapters/git/engine_store.hpp"
#include "adapters/git/git_program.hpp"
#include "adapters/git/known_place.hpp"
#include "adapters/git/object_reader.hpp"
#include "adapters/git/user_repository.hpp"
#include "base/files.hpp"
#include "base/redact.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::int64_t kLookMs = 60'000, kTransferMs = 900'000;

// How the person's git gets through to servers; the engine's other calls know none of these.
std::vector<std::string> ways_out() {
  std::vector<std::string> kept;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable)
    for (const std::string_view prefix : {"GIT_SSH", "GIT_ASKPASS=", "GIT_SSL_", "GIT_HTTP_", "GIT_PROXY_"})
      if (std::string_view(*variable).starts_with(prefix)) kept.emplace_back(*variable);
  return kept;
}

bool is_one_ref(const std::string& ref) {
  return ref.starts_with("refs/") && ref.size() < 1000 &&
         ref.find_first_of(" \t\r\n:*?[\\^~") == std::string::npos && ref.find('\0') == std::string::npos;
}

// An option or a helper program in the place of an address would be run.
bool is_address(const std::string& url) {
  return !url.empty() && url.front() != '-' && !contains(url, "::") &&
         url.find_first_of("\r\n") == std::string::npos && url.find('\0') == std::string::npos;
}

// Addresses may hold a password.
std::string shown(const std::string& url) { return first_line(Redactor().redact(clean_text(url)), 200); }

tl::unexpected<Error> refused(const std::string& what, const std::string& url, const ProcessResult& answer) {
  const std::string said = Redactor().redact(clean_text(git_complaint(answer)));
  const std::string message = what + " " + shown(url) + ": " + said;
  for (const char* word :
       {"Authentication failed", "Permission denied", "could not read Username", "could not read Password",
        "error: 403", "error: 401", "Repository not found", "access denied"})
    if (contains(answer.err, word))
      return fail(ErrorCode::auth, message,
                  "git must be able to reach it: try `git ls-remote " + shell_quote(shown(url)) + "`");
  return fail(ErrorCode::io, message,
              "check the network: try `git ls-remote " + shell_quote(shown(url)) + "`");
}

std::vector<std::string> talking_flags() {
  return {"-c", "protocol.https.allow=always",  "-c", "protocol.http.allow=always",
          "-c", "protocol.ssh.allow=always",    "-c", "protocol.file.allow=always",
          "-c", "fetch.writeCommitGraph=false", "-c", "submodule.recurse=false",
          "-c", "push.followTags=false",        "-c", "push.gpgSign=false"};
}

// Calls that talk to a server may take long and can be stopped; git's other calls are over at once.
class PatientRunner final : public ProcessRunner {
public:
  PatientRunner(ProcessRunner& inner, std::int64_t wall_limit_ms, std::stop_token stop)
      : inner_(inner), wall_limit_ms_(wall_limit_ms), stop_(std::move(stop)) {}
  Result<ProcessResult> run(const ProcessSpec& spec, std::stop_token) override {
    ProcessSpec bounded = spec;
    bounded.wall_limit_ms = wall_limit_ms_;
    return inner_.run(bounded, stop_);
  }

private:
  ProcessRunner& inner_;
  std::int64_t wall_limit_ms_;
  std::stop_token stop_;
};

class GitRemotes final : public Remotes {
public:
  GitRemotes(ProcessRunner& processes, UserRepository user, std::string engine_git_dir)
      : processes_(processes),
        git_(processes, "git"),
        user_(std::move(user)),
        engine_git_dir_(std::move(engine_git_dir)) {}

  Result<std::vector<NamedRemote>> list() override;
  Result<std::optional<std::string>> tip(const std::string& url, const std::string& ref,
                                         std::stop_token stop) override;
  Result<std::string> fetch(const std::string& url, const std::string& ref, std::stop_token stop) override;
  Status push(const PushRequest& request, std::stop_token stop) override;

private:
  Result<ProcessResult> talk(std::vector<std::string> arguments, std::vector<std::string> env,
                             std::stop_token stop) const;
  Result<bool> has_commit(const std::string& commit) const;

  ProcessRunner& processes_;
  const GitProgram git_;
  const UserRepository user_;
  const std::string engine_git_dir_;
};

Result<ProcessResult> GitRemotes::talk(std::vector<std::string> arguments, std::vector<std::string> env,
                                       std::stop_token stop) const {
  GitCall call;
  call.args = talking_flags();
  call.args.insert(call.args.end(), arguments.begin(), arguments.end());
  call.git_dir = user_.git_dir;
  call.cwd = user_.root;
  call.env = ways_out();
  call.env.insert(call.env.end(), env.begin(), env.end());
  call.env.emplace_back("LC_ALL=C"); // what git says is looked into
  call.user_config = true;
  PatientRunner patient(processes_, arguments.front() == "ls-remote" ? kLookMs : kTransferMs, stop);
  auto answer = GitProgram(patient, "git").run(call);
  if (answer) return answer;
  if (stop.stop_requested()) return fail(ErrorCode::cancelled, "stopped while git was talking to a server");
  return fail(ErrorCode::io, "git " + arguments.front() + " did not finish", "check the network");
}

Result<bool> GitRemotes::has_commit(const std::string& commit) const {
  TRY_ASSIGN(const ProcessResult answer,
             git_.run(GitCall{.args = {"cat-file", "-e", commit + "^{commit}"}, .git_dir = engine_git_dir_}));
  return answer.exit_code == 0;
}

Result<std::vector<NamedRemote>> GitRemotes::list() {
  TRY_ASSIGN(const std::vector<Remote> used, user_remotes(user_, git_));
  TRY_ASSIGN(const std::string listing,
             git_.output(
                 GitCall{.args = {"config", "--list", "-z"}, .git_dir = user_.git_dir, .user_config = true}));
  std::vector<NamedRemote> remotes; // in the same order: both are git's own
  for (const std::string& item : split(listing, '\0')) {
    const std::size_t end = item.find('\n');
    const std::string key = item.substr(0, end);
    if (end == std::string::npos || !key.starts_with("remote.") ||
        !(key.ends_with(".url") || key.ends_with(".pushurl")))
      continue;
    if (remotes.size() < used.size())
      remotes.push_back({used[remotes.size()].name, used[remotes.size()].url, item.substr(end + 1)});
  }
  return remotes;
}

Result<std::optional<std::string>> GitRemotes::tip(const std::string& url, const std::string& ref,
                                                   std::stop_token stop) {
  if (!is_address(url) || !is_one_ref(ref))
    return fail(ErrorCode::usage, "not a ref of a repository: " + first_line(clean_text(ref), 200));
  TRY_ASSIGN(const ProcessResult answer,
             talk({"ls-remote", "--exit-code", "--refs", "--", url, ref}, {}, std::move(stop)));
  if (answer.exit_code == 2) return std::nullopt;
  if (answer.exit_code != 0) return refused("cannot read", url, answer);
  for (const std::string_view line :
       lines_of(answer.out)) { // "<id> TAB <ref>"; a pattern may match longer names
    const std::size_t tab = line.find('\t');
    if (tab != std::string_view::npos && line.substr(tab + 1) == ref &&
        is_object_id(std::string(line.substr(0, tab))))
      return std::string(line.substr(0, tab));
  }
  return std::nullopt;
}

// With the engine's object directory in place of the person's, which it borrows from: nothing that arrives is
// written to theirs.
Result<std::string> GitRemotes::fetch(const std::string& url, const std::string& ref, std::stop_token stop) {
  TRY_ASSIGN(const auto commit, tip(url, ref, stop));
  if (!commit) return fail(ErrorCode::not_found, shown(url) + " has no " + first_line(clean_text(ref), 200));
  TRY_ASSIGN(const bool present, has_commit(*commit));
  if (present) return *commit;
  TRY_ASSIGN(const ProcessResult answer,
             talk({"fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules",
                   "--refmap=", "--", url, ref},
                  {"GIT_OBJECT_DIRECTORY=" + engine_git_dir_ + "/objects"}, std::move(stop)));
  if (answer.exit_code != 0) return refused("cannot fetch from", url, answer);
  TRY_ASSIGN(const bool arrived, has_commit(*commit));
  if (!arrived)
    return fail(ErrorCode::conflict, first_line(clean_text(ref), 200) + " changed while it was fetched",
                "run the command again");
  return *commit;
}

Status GitRemotes::push(const PushRequest& request, std::stop_token stop) {
  const std::string ref = "refs/heads/" + request.branch;
  if (!is_address(request.url) || !is_one_ref(ref) || !is_object_id(request.tip))
    return fail(ErrorCode::usage, "cannot be pushed: " + first_line(clean_text(ref), 200));
  const auto foreign = [&] {
    return fail(ErrorCode::conflict,
                "branch " + request.branch + " at " + shown(request.url) +
                    " has commits that emend did not make: nothing was pushed",
                "check them, then choose another branch (emend fix --branch NAME), or remove that one");
  };
  if (request.expected == request.tip) return {};
  if (!request.expected.empty()) { // without this a lease would allow to go back
    TRY_ASSIGN(const ProcessResult older,
               git_.run(GitCall{.args = {"merge-base", "--is-ancestor", request.expected, request.tip},
                                .git_dir = user_.git_dir}));
    if (older.exit_code != 0) return foreign();
  }
  TRY_ASSIGN(const ProcessResult answer,
             talk({"push", "--porcelain", "--no-verify", "--force-with-lease=" + ref + ":" + request.expected,
                   "--", request.url, request.tip + ":" + ref},
                  {}, std::move(stop)));
  if (answer.exit_code == 0) return {};
  if (contains(answer.out + answer.err, "stale info") || contains(answer.out + answer.err, "[rejected]"))
    return foreign();
  if (contains(answer.out, "[remote rejected]"))
    return fail(ErrorCode::auth,
                "the server refuses branch " + request.branch + ": " +
                    first_line(Redactor().redact(clean_text(trim(answer.err))), 300),
                "check your permission to push there, and whether the branch is protected");
  return refused("cannot push to", request.url, answer);
}

} // namespace

Result<std::unique_ptr<Remotes>> open_remotes(const std::string& directory, ProcessRunner& processes,
                                              const std::string& home) {
  const GitProgram git(processes, "git");
  TRY_ASSIGN(UserRepository user, find_user_repository(directory, git));
  TRY(make_directories(home));
  std::error_code problem;
  const std::string real_home = fs::canonical(home, problem).string();
  if (problem) return fail(ErrorCode::io, "cannot use " + home + ": " + problem.message());
  TRY_ASSIGN(user.id, settled_id(user, real_home));
  TRY_ASSIGN(const EngineStore store, open_engine_store(user, real_home, git));
  return std::make_unique<GitRemotes>(processes, std::move(user), store.git_dir);
}

namespace {

// In a git directory of ours.
GitCall talking_call(const std::string& git_dir, const std::vector<std::string>& arguments) {
  GitCall call;
  call.args = talking_flags();
  call.args.insert(call.args.end(), arguments.begin(), arguments.end());
  call.git_dir = git_dir;
  call.env = ways_out();
  call.env.emplace_back("LC_ALL=C");
  call.user_config = true;
  return call;
}

// "ref: refs/heads/main TAB HEAD" of the other side; empty = it does not say.
Result<std::string> default_ref(const GitProgram& git, const std::string& git_dir, const std::string& url) {
  TRY_ASSIGN(const ProcessResult answer,
             git.run(talking_call(git_dir, {"ls-remote", "--symref", "--", url, "HEAD"})));
  if (answer.exit_code != 0) return refused("cannot read", url, answer);
  for (const std::string_view line : lines_of(answer.out))
    if (line.starts_with("ref: refs/heads/") && line.ends_with("\tHEAD")) {
      const std::string ref(line.substr(5, line.size() - 10));
      return is_one_ref(ref) ? ref : std::string();
    }
  return std::string();
}

Status fetch_branches(const GitProgram& git, const std::string& git_dir, const std::string& url) {
  TRY_ASSIGN(const ProcessResult answer,
             git.run(talking_call(git_dir, {"fetch", "--quiet", "--prune", "--no-tags",
                                            "--no-write-fetch-head", "--no-recurse-submodules", "--",
                                            "origin", "+refs/heads/*:refs/remotes/origin/*"})));
  if (answer.exit_code != 0) return refused("cannot fetch from", url, answer);
  TRY_ASSIGN(const std::string ref, default_ref(git, git_dir, url));
  if (ref.empty())
    return fail(ErrorCode::not_found, shown(url) + " does not say which branch is its default one");
  const std::string branch = ref.substr(std::string_view("refs/heads/").size());
  const std::string there = "refs/remotes/origin/" + branch;
  TRY(git.output(GitCall{.args = {"update-ref", ref, there}, .git_dir = git_dir}));
  TRY(git.output(GitCall{.args = {"symbolic-ref", "HEAD", ref}, .git_dir = git_dir}));
  TRY(git.output(GitCall{.args = {"symbolic-ref", "refs/remotes/origin/HEAD", there}, .git_dir = git_dir}));
  return {};
}

} // namespace

Status clone_bare(ProcessRunner& processes, const std::string& url, const std::string& directory,
                  std::stop_token stop) {
  if (!is_address(url)) return fail(ErrorCode::usage, "not the address of a repository: " + shown(url));
  std::error_code problem;
  if (fs::exists(directory, problem)) return {};
  const fs::path parent = fs::path(directory).parent_path();
  TRY(make_directories(parent));
  TRY_ASSIGN(TemporaryDirectory fresh, TemporaryDirectory::create(parent, "new-"));
  PatientRunner patient(processes, kTransferMs, std::move(stop));
  const GitProgram git(patient, "git");
  const std::string git_dir = (fresh.path() / "git").string();
  TRY_ASSIGN(const ProcessResult format,
             git.run(talking_call(fresh.path().string(), {"ls-remote", "--", url, "HEAD"})));
  if (format.exit_code != 0) return refused("cannot read", url, format);
  const bool long_ids = format.out.find('\t') == 64;
  TRY(git.output(GitCall{.args = {"init", "--quiet", "--bare",
                                  "--template=", long_ids ? "--object-format=sha256" : "--object-format=sha1",
                                  "--", git_dir}}));
  TRY(git.output(GitCall{.args = {"config", "remote.origin.url", url}, .git_dir = git_dir}));
  TRY(git.output(GitCall{.args = {"config", "remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*"},
                         .git_dir = git_dir}));
  TRY(fetch_branches(git, git_dir, url));
  fs::rename(git_dir, directory, problem);
  if (problem && !fs::exists(directory)) // another server was faster
    return fail(ErrorCode::io, "cannot make " + directory + ": " + problem.message());
  return {};
}

Status refresh_clone(ProcessRunner& processes, const std::string& directory, std::stop_token stop) {
  PatientRunner patient(processes, kTransferMs, std::move(stop));
  const GitProgram git(patient, "git");
  TRY_ASSIGN(const std::string url,
             git.output(GitCall{.args = {"config", "remote.origin.url"}, .git_dir = directory}));
  return fetch_branches(git, directory, std::string(trim(url)));
}

// Many servers give any commit by its id. One that does not gives its branches, and the commit is on one of
// them.
Status fetch_commit(ProcessRunner& processes, const std::string& git_dir, const std::string& url,
                    const std::string& commit) {
  if (!is_address(url) || !is_object_id(commit))
    return fail(ErrorCode::usage,
                "not a commit of a repository: " + shown(url) + " " + first_line(clean_text(commit), 80));
  PatientRunner patient(processes, kTransferMs, {});
  const GitProgram git(patient, "git");
  const std::vector<std::string> quiet = {"fetch", "--quiet", "--no-tags", "--no-write-fetch-head",
                                          "--no-recurse-submodules"};
  const auto fetch = [&](const std::vector<std::string>& what) {
    std::vector<std::string> arguments = quiet;
    arguments.insert(arguments.end(), what.begin(), what.end());
    return git.run(talking_call(git_dir, arguments));
  };
  TRY_ASSIGN(ProcessResult answer, fetch({"--depth=1", "--", url, commit}));
  if (answer.exit_code != 0) {
    TRY_ASSIGN(answer, fetch({"--", url, "+refs/heads/*:refs/emend/there/*"}));
  }
  if (answer.exit_code != 0) return refused("cannot fetch from", url, answer);
  TRY_ASSIGN(const ProcessResult there,
             git.run(GitCall{.args = {"cat-file", "-e", commit + "^{tree}"}, .git_dir = git_dir}));
  if (there.exit_code != 0) return fail(ErrorCode::not_found, shown(url) + " does not have commit " + commit);
  return {};
}

} // namespace emend
