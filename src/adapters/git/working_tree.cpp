#include "adapters/git/working_tree.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <set>

#include "adapters/git/object_reader.hpp"
#include "adapters/git/tree_scan.hpp"
#include "base/files.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr int kTries = 3;
constexpr std::uint64_t kMaxTotalBytes = 500'000'000;

// What git keeps in place of the file when a filter stands between them; the filter itself is never run.
bool stands_for_something_else(std::string_view blob) {
  return blob.starts_with("version https://git-lfs.github.com/spec/") ||
         blob.starts_with(std::string_view("\0GITCRYPT\0", 10));
}

// A git directory of our own that sees the person's objects, with a copy of their index: what is added here
// is lost with it, and no hook, filter or monitor they configured is known to it. Settings that decide what
// bytes a file has in git are taken over.
class PrivateGitDir {
public:
  static Result<PrivateGitDir> create(const UserRepository& user, const EngineStore& store,
                                      const GitProgram& git) {
    if (user.bare || user.root == user.git_dir)
      return fail(ErrorCode::not_found, user.root + " has no checkout, so nothing can be uncommitted",
                  "name a commit or a range instead");
    TRY_ASSIGN(TemporaryDirectory directory, TemporaryDirectory::create(store.scratch, "tree-"));
    PrivateGitDir made(user, git, std::move(directory));
    TRY(made.fill(store));
    return made;
  }

  [[nodiscard]] Result<ProcessResult> run(std::vector<std::string> args, std::string input = {}) const {
    args.insert(args.begin(), {"-c", "core.excludesFile=" + excludes_});
    return git_->run(GitCall{.args = std::move(args),
                             .git_dir = path(),
                             .cwd = user_->root,
                             .input = std::move(input),
                             .env = {"GIT_WORK_TREE=" + user_->root}});
  }

  [[nodiscard]] Result<std::string> output(const std::vector<std::string>& args,
                                           std::string input = {}) const {
    const std::string command = args.front();
    TRY_ASSIGN(ProcessResult result, run(args, std::move(input)));
    if (result.exit_code != 0)
      return fail(ErrorCode::git, "git " + command + " failed: " + git_complaint(result));
    return std::move(result.out);
  }

  [[nodiscard]] Result<std::vector<std::string>> list(const std::vector<std::string>& args) const {
    TRY_ASSIGN(const std::string text, output(args));
    std::vector<std::string> items = split(text, '\0');
    while (!items.empty() && items.back().empty()) items.pop_back();
    return items;
  }

  // The index as a tree against the commit, with contents.
  [[nodiscard]] Result<Patch> index_against(const std::string& commit) const {
    TRY_ASSIGN(const std::string tree, output({"write-tree"}));
    ObjectReader objects(*git_, path());
    TRY_ASSIGN(Patch patch, objects.diff(commit, std::string(trim(tree))));
    std::erase_if(patch.changes, [](const FileChange& change) {
      const bool submodule =
          change.old_mode == kModeGitlink || (change.new_mode == kModeGitlink && change.added());
      return submodule || (!change.deleted() && stands_for_something_else(change.old_content) &&
                           !stands_for_something_else(change.new_content));
    });
    for (FileChange& change : patch.changes) // a file that became a submodule: the file is gone
      if (change.new_mode == kModeGitlink) {
        change.new_mode = 0;
        change.new_id.clear();
      }
    return patch;
  }

private:
  PrivateGitDir(const UserRepository& user, const GitProgram& git, TemporaryDirectory directory)
      : user_(&user), git_(&git), directory_(std::move(directory)) {}

  [[nodiscard]] std::string path() const { return directory_.path().string(); }

  Status fill(const EngineStore& store) {
    for (const char* name : {"/objects/info", "/refs", "/info"}) TRY(make_directories(path() + name));
    TRY(write_scratch_file(path() + "/HEAD", "ref: refs/heads/none\n"));
    TRY_ASSIGN(const std::string lent, read_file(store.git_dir + "/objects/info/alternates"));
    TRY(write_scratch_file(path() + "/objects/info/alternates",
                           lent)); // a path may hold a newline: quoted once already
    for (const char* name : {"/info/exclude", "/info/attributes"})
      if (const auto bytes = read_file(user_->common_dir + name))
        TRY(write_scratch_file(path() + name, *bytes));
    TRY_ASSIGN(const std::string settings, configuration());
    TRY(write_scratch_file(path() + "/config", settings));
    TRY(find_excludes());
    return copy_index(*user_, path());
  }

  Result<std::string> configuration() const {
    const bool sha256 = user_->algorithm == "sha256";
    std::string text =
        "[core]\n\tbare = false\n\tfsync = none\n\tsafecrlf = false\n\trepositoryformatversion = ";
    text += sha256 ? "1\n[extensions]\n\tobjectformat = sha256\n[core]\n" : "0\n";
    TRY_ASSIGN(ProcessResult answer,
               git_->run(GitCall{.args = {"config", "-z", "--get-regexp",
                                          "^core\\.(autocrlf|eol|filemode|ignorecase|symlinks|checkstat|"
                                          "trustctime|precomposeunicode)$"},
                                 .git_dir = user_->git_dir,
                                 .cwd = user_->root,
                                 .user_config = true}));
    for (const std::string& item : split(answer.out, '\0')) {
      const auto end = item.find('\n');
      if (!item.starts_with("core.")) continue;
      const std::string value = end == std::string::npos ? "true" : item.substr(end + 1);
      if (value.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") ==
          std::string::npos)
        text += "\t" + item.substr(5, std::min(end, item.size()) - 5) + " = " + value + "\n";
    }
    return text;
  }

  // core.excludesFile as the person's own git finds it.
  Status find_excludes() {
    TRY_ASSIGN(ProcessResult answer,
               git_->run(GitCall{.args = {"config", "-z", "--type=path", "--get-all", "core.excludesFile"},
                                 .git_dir = user_->git_dir,
                                 .cwd = user_->root,
                                 .user_config = true}));
    std::vector<std::string> values = split(answer.out, '\0'); // the last one is ours, given with every call
    while (!values.empty() && (values.back().empty() || values.back() == "/dev/null")) values.pop_back();
    std::string named = values.empty() ? std::string() : values.back();
    const char* settings = std::getenv("XDG_CONFIG_HOME");
    const char* home = std::getenv("HOME");
    if (named.empty() && settings != nullptr && *settings != '\0')
      named = std::string(settings) + "/git/ignore";
    else if (named.empty() && home != nullptr)
      named = std::string(home) + "/.config/git/ignore";
    excludes_ = named.empty() ? "/dev/null" : named;
    return {};
  }

  const UserRepository* user_;
  const GitProgram* git_;
  TemporaryDirectory directory_;
  std::string excludes_ = "/dev/null";
};

// The paths whose state on disk differs from the private index, told apart by what has to happen to them
// there.
class DiskChanges {
public:
  DiskChanges(const UserRepository& user, const PrivateGitDir& git) : user_(user), git_(git) {}

  Status find() {
    TRY(git_.run({"update-index", "-q", "--refresh", "--ignore-submodules",
                  "--unmerged"})); // exit 1: something differs
    TRY_ASSIGN(const auto tracked,
               git_.list({"diff-files", "-z", "--name-status", "--no-renames", "--ignore-submodules=all"}));
    for (std::size_t i = 0; i + 1 < tracked.size(); i += 2) TRY(take_tracked(tracked[i], tracked[i + 1]));
    TRY_ASSIGN(const auto others, git_.list({"ls-files", "-z", "--others", "--exclude-standard"}));
    for (const std::string& path : others) take_untracked(path);
    if (changed_.size() + removed_.size() > kMaxChangedFiles || bytes_ > kMaxTotalBytes)
      return fail(ErrorCode::limit,
                  "too much is uncommitted: " + std::to_string(changed_.size() + removed_.size()) +
                      " files, " + std::to_string(bytes_) + " bytes",
                  "add files that do not belong in git to .gitignore, or name a commit or a range");
    return {};
  }

  // Removals first: a path below what is now a symlink can only be taken away.
  Status put_into_index() const {
    if (!removed_.empty())
      TRY(git_.output({"update-index", "--force-remove", "-z", "--stdin"}, joined(removed_)));
    if (!changed_.empty())
      TRY(git_.output({"update-index", "--add", "--remove", "--replace", "-z", "--stdin"}, joined(changed_)));
    return {};
  }

private:
  static std::string joined(const std::set<std::string>& paths) {
    std::string text;
    for (const std::string& path : paths) text += path + '\0';
    return text;
  }

  [[nodiscard]] std::string on_disk(const std::string& path) const { return user_.root + "/" + path; }

  Status take_tracked(const std::string& status, const std::string& path) {
    struct stat info {};
    const bool there = status != "D" && ::lstat(on_disk(path).c_str(), &info) == 0 &&
                       (S_ISREG(info.st_mode) || S_ISLNK(info.st_mode));
    if (!there) {
      if (!changed_.contains(path)) removed_.insert(path); // an unmerged path is listed twice
      return {};
    }
    if (static_cast<std::uint64_t>(info.st_size) > kMaxFileBytes)
      return fail(ErrorCode::limit,
                  clean_text(path) + " is changed and too large to review (" + std::to_string(info.st_size) +
                      " bytes)",
                  "commit it, or name a commit or a range");
    if (S_ISREG(info.st_mode) && ::access(on_disk(path).c_str(), R_OK) != 0)
      return fail(ErrorCode::io, "cannot read " + clean_text(path), "chmod u+r " + shell_quote(path));
    add(path, info);
    removed_.erase(path);
    return {};
  }

  void take_untracked(const std::string& path) {
    struct stat info {};
    if (path.ends_with("/") || !is_tree_path(path)) return; // a repository of its own
    if (::lstat(on_disk(path).c_str(), &info) != 0 || !(S_ISREG(info.st_mode) || S_ISLNK(info.st_mode)))
      return;
    if (static_cast<std::uint64_t>(info.st_size) > kMaxFileBytes) return;
    if (S_ISREG(info.st_mode) && ::access(on_disk(path).c_str(), R_OK) != 0) return;
    add(path, info);
  }

  void add(const std::string& path, const struct stat& info) {
    if (changed_.insert(path).second) bytes_ += static_cast<std::uint64_t>(info.st_size);
  }

  const UserRepository& user_;
  const PrivateGitDir& git_;
  std::set<std::string> changed_, removed_;
  std::uint64_t bytes_ = 0;
};

Result<Patch> disk_against(const UserRepository& user, const EngineStore& store, const GitProgram& git,
                           const std::string& commit) {
  TRY_ASSIGN(const PrivateGitDir private_git, PrivateGitDir::create(user, store, git));
  DiskChanges changes(user, private_git);
  TRY(changes.find());
  TRY(changes.put_into_index());
  return private_git.index_against(commit);
}

} // namespace

Result<Patch> staged_patch(const UserRepository& user, const EngineStore& store, const GitProgram& git,
                           const std::string& commit) {
  TRY_ASSIGN(const PrivateGitDir private_git, PrivateGitDir::create(user, store, git));
  TRY_ASSIGN(const auto unmerged, private_git.list({"ls-files", "-z", "--unmerged"}));
  if (!unmerged.empty()) {
    const std::string& record = unmerged.front(); // "<mode> <id> <stage>\t<path>"
    return fail(
        ErrorCode::git,
        "there are unresolved conflicts in the index: " + clean_text(record.substr(record.find('\t') + 1)),
        "resolve them and git add the files, or review with --uncommitted");
  }
  return private_git.index_against(commit);
}

Result<Patch> uncommitted_patch(const UserRepository& user, const EngineStore& store, const GitProgram& git,
                                const std::string& commit) {
  for (int round = 1;; ++round) { // a file that changes or vanishes while it is read makes git give up
    auto patch = disk_against(user, store, git, commit);
    if (patch || patch.error().code != ErrorCode::git || round == kTries) return patch;
  }
}

} // namespace emend
