#include "adapters/git/user_repository.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <climits>
#include <cstdlib>

#include "adapters/git/file_descriptor.hpp"
#include "adapters/git/git_output.hpp"
#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::uint64_t kMaxIndexBytes = 1ULL << 31;

Result<std::string> real_path(const std::string& path) {
  char resolved[PATH_MAX];
  if (::realpath(path.c_str(), resolved) == nullptr)
    return fail(ErrorCode::git, "there is no directory " + path, "name a directory inside a git repository");
  return std::string(resolved);
}

// safe.directory=* only lets git answer; who owns the repository is decided in check_owner.
GitCall question(const std::string& cwd, std::vector<std::string> args) {
  args.insert(args.begin(), {"-c", "safe.directory=*", "rev-parse"});
  return GitCall{.args = std::move(args), .cwd = cwd};
}

tl::unexpected<Error> not_usable(const std::string& directory, const ProcessResult& answer) {
  if (contains(answer.err, "not a git repository"))
    return fail(ErrorCode::git, directory + " is not inside a git repository",
                "run `git init` and commit, or name another directory");
  return fail(ErrorCode::git, "git cannot work with " + directory + ": " + git_complaint(answer));
}

Result<std::string> absolute_path_of(const std::string& cwd, const std::string& what, const GitProgram& git) {
  TRY_ASSIGN(std::string path, git.line(question(cwd, {"--path-format=absolute", what})));
  return real_path(path);
}

const std::vector<std::string> kFacts = {"--is-bare-repository", "--is-inside-work-tree",
                                         "--is-shallow-repository", "--show-object-format"};

UserRepository with_facts(const std::vector<std::string>& answers) {
  UserRepository found;
  found.bare = answers[0] == "true";
  found.shallow = answers[2] == "true";
  found.algorithm = answers[3];
  return found;
}

// Everything in one question; the head is left out where there is no commit yet. nullopt: git does not answer
// it here (there is no work tree), or a path holds a newline, which is what separates the answers.
Result<std::optional<UserRepository>> locate_at_once(const std::string& directory, const GitProgram& git) {
  std::vector<std::string> wanted = kFacts;
  wanted.insert(wanted.end(), {"--path-format=absolute", "--absolute-git-dir", "--git-common-dir",
                               "--show-toplevel", "--revs-only", "HEAD^{commit}"});
  TRY_ASSIGN(const ProcessResult facts, git.run(question(directory, wanted)));
  const std::vector<std::string> answers = split(trim(facts.out), '\n');
  const bool has_head = answers.size() == kFacts.size() + 4 && is_object_id(answers.back());
  const bool understood = has_head || answers.size() == kFacts.size() + 3;
  if (facts.exit_code != 0 || !understood || answers[1] != "true") return std::optional<UserRepository>();
  UserRepository found = with_facts(answers);
  TRY_ASSIGN(found.git_dir, real_path(answers[4]));
  TRY_ASSIGN(found.common_dir, real_path(answers[5]));
  TRY_ASSIGN(found.root, real_path(answers[6]));
  if (has_head) found.head = answers.back();
  return std::optional<UserRepository>(std::move(found));
}

Result<UserRepository> locate(const std::string& directory, const GitProgram& git) {
  TRY_ASSIGN(std::optional<UserRepository> usual, locate_at_once(directory, git));
  if (usual) return *std::move(usual);
  TRY_ASSIGN(ProcessResult facts, git.run(question(directory, kFacts)));
  if (facts.exit_code != 0) return not_usable(directory, facts);
  const std::vector<std::string> answers = split(trim(facts.out), '\n');
  if (answers.size() != kFacts.size())
    return fail(ErrorCode::git, "git answered in an unknown way about " + directory);
  UserRepository found = with_facts(answers);
  TRY_ASSIGN(found.git_dir, absolute_path_of(directory, "--absolute-git-dir", git));
  TRY_ASSIGN(found.common_dir, absolute_path_of(directory, "--git-common-dir", git));
  if (answers[1] == "true") {
    TRY_ASSIGN(found.root, absolute_path_of(directory, "--show-toplevel", git));
  } else if (!found.bare && fs::path(found.git_dir).filename() == ".git") {
    found.root = fs::path(found.git_dir).parent_path().string(); // somebody stands inside .git
  } else {
    found.root = found.git_dir;
  }
  return found;
}

bool owned_by_us(const std::string& path) {
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0) return true; // not there: nothing to distrust
  if (info.st_uid == ::geteuid()) return true;
  const char* sudo = std::getenv("SUDO_UID");
  const auto caller = parse_unsigned(sudo != nullptr ? sudo : "");
  return ::geteuid() == 0 && caller && *caller == info.st_uid;
}

// A repository's configuration can name programs to run, so one that somebody else can write is not read at
// all, unless the person has told git that this very directory is safe.
Status check_owner(const UserRepository& found, const GitProgram& git) {
  if (owned_by_us(found.root) && owned_by_us(found.git_dir) && owned_by_us(found.common_dir) &&
      owned_by_us(found.root + "/.git"))
    return {};
  TRY_ASSIGN(ProcessResult answer,
             git.run(GitCall{.args = {"rev-parse", "--git-dir"}, .cwd = found.root, .user_config = true}));
  if (answer.exit_code == 0) return {};
  return fail(ErrorCode::git, found.root + " belongs to another user, so its configuration is not trusted",
              "if you trust it: git config --global --add safe.directory " + shell_quote(found.root));
}

Status find_head(UserRepository& found, const GitProgram& git) {
  if (!found.head.empty()) return {};
  TRY_ASSIGN(ProcessResult head,
             git.run(GitCall{.args = {"rev-parse", "--verify", "--quiet", "HEAD^{commit}"},
                             .git_dir = found.git_dir}));
  if (head.exit_code != 0)
    return fail(ErrorCode::git, found.root + " has no commit to work from",
                "commit something first: git add … && git commit");
  found.head = std::string(trim(head.out));
  return {};
}

// A configuration without these words, or with one that leads elsewhere, needs no git to be read.
bool may_be_partial(const UserRepository& found) {
  for (const std::string& file : {found.common_dir + "/config", found.git_dir + "/config.worktree"}) {
    std::error_code problem;
    if (file != found.common_dir + "/config" && !fs::exists(file, problem) && !problem) continue;
    const auto text = read_file(file);
    if (!text) return true;
    const std::string lower = to_lower(*text);
    for (const char* word : {"partialclone", "promisor", "include"})
      if (contains(lower, word)) return true;
  }
  return false;
}

Status read_configuration(UserRepository& found, const GitProgram& git) {
  if (!may_be_partial(found)) return {};
  TRY_ASSIGN(std::string listing,
             git.output(GitCall{.args = {"config", "--list", "-z"}, .git_dir = found.git_dir}));
  for (const std::string& item : split(listing, '\0')) {
    const std::string key = to_lower(item.substr(0, item.find('\n')));
    if (key == "extensions.partialclone" || (key.starts_with("remote.") && key.ends_with(".promisor")))
      found.partial = true;
  }
  return {};
}

// The device is left out: its number may change with every boot, and the person's issues must not get lost
// with it.
std::string identify(const UserRepository& found) {
  struct stat info {};
  const bool known = ::stat(found.git_dir.c_str(), &info) == 0;
  return sha256_hex(found.root + '\0' + std::to_string(known ? info.st_ino : 0)).substr(0, 16);
}

std::optional<Identity> parse_identity(std::string_view line) {
  const auto open = line.find(" <");
  const auto close = line.find('>', open == std::string_view::npos ? 0 : open);
  if (open == std::string_view::npos || close == std::string_view::npos) return std::nullopt;
  return Identity{std::string(line.substr(0, open)), std::string(line.substr(open + 2, close - open - 2))};
}

} // namespace

Result<UserRepository> find_user_repository(const std::string& directory, const GitProgram& git) {
  TRY_ASSIGN(const std::string start, real_path(directory));
  TRY_ASSIGN(UserRepository found, locate(start, git));
  TRY(check_owner(found, git));
  TRY(find_head(found, git));
  TRY(read_configuration(found, git));
  found.id = identify(found);
  return found;
}

std::string head_on_disk(const UserRepository& repository) {
  const auto head = read_file(repository.git_dir + "/HEAD");
  if (!head) return {};
  std::string_view text = trim(*head);
  std::optional<std::string> loose;
  if (text.starts_with("ref: refs/heads/")) {
    auto read = read_file(repository.common_dir + "/" + std::string(trim(text.substr(5))));
    if (!read) return {};
    loose = *std::move(read);
    text = trim(*loose);
  }
  return is_object_id(text) ? std::string(text) : std::string();
}

std::vector<std::string> unfinished_operations(const UserRepository& repository) {
  static constexpr std::pair<const char*, const char*> kTraces[] = {
      {"MERGE_HEAD", "a merge"},    {"rebase-merge", "a rebase"},
      {"rebase-apply", "a rebase"}, {"CHERRY_PICK_HEAD", "a cherry-pick"},
      {"REVERT_HEAD", "a revert"},  {"BISECT_LOG", "a bisect"}};
  std::vector<std::string> operations;
  for (const auto& [file, operation] : kTraces) {
    struct stat info {};
    if (::lstat((repository.git_dir + "/" + file).c_str(), &info) == 0) operations.emplace_back(operation);
  }
  return operations;
}

Status copy_index(const UserRepository& repository, const std::string& directory) {
  std::vector<std::string> names = {"index"};
  std::error_code ignored;
  for (const auto& item : fs::directory_iterator(repository.git_dir, ignored))
    if (const std::string name = item.path().filename().string(); name.starts_with("sharedindex."))
      names.push_back(name);
  for (const std::string& name : names) {
    const FileDescriptor source(
        ::open((repository.git_dir + "/" + name).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat info {};
    if (!source.valid() || ::fstat(source.get(), &info) != 0)
      return fail(ErrorCode::not_found, repository.root + " has no index: nothing has been checked out",
                  "git checkout HEAD -- .");
    TRY_ASSIGN(const std::string bytes, read_all(source.get(), kMaxIndexBytes));
    const std::string copy = directory + "/" + name;
    TRY(write_scratch_file(copy, bytes));
    const timespec times[2] = {info.st_mtim, info.st_mtim};
    if (::utimensat(AT_FDCWD, copy.c_str(), times, 0) != 0)
      return system_error("cannot set the time of", copy);
  }
  return {};
}

Result<bool> has_uncommitted_changes(const UserRepository& repository, const std::string& engine_git_dir,
                                     const std::string& scratch_dir, const GitProgram& git) {
  if (repository.root == repository.git_dir) return false; // no checkout
  TRY_ASSIGN(TemporaryDirectory scratch, TemporaryDirectory::create(scratch_dir, "index-"));
  const std::string index = (scratch.path() / "index").string();
  if (!copy_index(repository, scratch.path().string())) return true; // every file counts as removed
  const std::vector<std::string> env = {"GIT_INDEX_FILE=" + index, "GIT_WORK_TREE=" + repository.root};
  GitCall call{.args = {"update-index", "-q", "--refresh", "--ignore-submodules", "--unmerged"},
               .git_dir = engine_git_dir,
               .cwd = repository.root,
               .env = env};
  TRY(git.run(call)); // its exit code says "something needs an update", which the next call tells better
  call.args = {"diff-index", "--quiet", "--ignore-submodules=all", repository.head, "--"};
  TRY_ASSIGN(ProcessResult answer, git.run(call));
  if (answer.exit_code > 1) return fail(ErrorCode::git, git_complaint(answer));
  return answer.exit_code == 1;
}

Result<Identity> user_identity(const UserRepository& repository, const GitProgram& git) {
  // useConfigOnly: without it git makes up root@hostname for people who never said who they are.
  TRY_ASSIGN(ProcessResult answer,
             git.run(GitCall{.args = {"-c", "user.useConfigOnly=true", "var", "GIT_AUTHOR_IDENT"},
                             .git_dir = repository.git_dir,
                             .cwd = repository.root,
                             .user_config = true}));
  const auto identity = answer.exit_code == 0 ? parse_identity(answer.out) : std::nullopt;
  return identity.value_or(Identity{"emend", "emend@localhost"});
}

namespace {

// The longest short form wins.
std::string written_out(const std::string& url,
                        const std::vector<std::pair<std::string, std::string>>& short_forms) {
  const std::pair<std::string, std::string>* best = nullptr;
  for (const auto& form : short_forms)
    if (!form.first.empty() && url.starts_with(form.first) &&
        (best == nullptr || form.first.size() > best->first.size()))
      best = &form;
  return best == nullptr ? url : best->second + url.substr(best->first.size());
}

} // namespace

Result<std::vector<Remote>> user_remotes(const UserRepository& repository, const GitProgram& git) {
  TRY_ASSIGN(const std::string listing,
             git.output(GitCall{
                 .args = {"config", "--list", "-z"}, .git_dir = repository.git_dir, .user_config = true}));
  std::vector<Remote> remotes;
  std::vector<std::pair<std::string, std::string>> short_forms;
  for (const std::string& item : split(listing, '\0')) { // "section.Name.key LF value"
    const std::size_t end = item.find('\n');
    if (end == std::string::npos) continue;
    const std::string key = item.substr(0, end), value = item.substr(end + 1);
    const auto named = [&](std::string_view section, std::string_view last) -> std::optional<std::string> {
      if (!key.starts_with(section) || !key.ends_with(last) || key.size() <= section.size() + last.size())
        return std::nullopt;
      return key.substr(section.size(), key.size() - section.size() - last.size());
    };
    if (const auto name = named("remote.", ".url")) remotes.push_back({*name, value});
    if (const auto name = named("remote.", ".pushurl")) remotes.push_back({*name, value});
    if (const auto real = named("url.", ".insteadof")) short_forms.emplace_back(value, *real);
  }
  for (Remote& remote : remotes) remote.url = written_out(remote.url, short_forms);
  return remotes;
}

} // namespace emend
