#include "tests/contract/git/git_fixture.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

#include "adapters/process/overlay_probe.hpp"
#include "base/hash.hpp"
#include "base/strings.hpp"
#include "tests/support/paths.hpp"

namespace emend {

namespace {

// In memory where root may mount overlays on it: these tests make and remove some hundred thousand small
// files.
TemporaryDirectory make_scratch() {
  const bool memory = ::geteuid() == 0 && std::getenv("TMPDIR") == nullptr && fs::is_directory("/dev/shm");
  return TemporaryDirectory::create(memory ? fs::path("/dev/shm") : fs::temp_directory_path(), "emend-git-")
      .value();
}

std::string described(const fs::path& path) {
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0) return "gone";
  std::string content;
  if (S_ISLNK(info.st_mode)) content = fs::read_symlink(path).string();
  if (S_ISREG(info.st_mode)) content = read_file(path).value_or("unreadable");
  return std::to_string(info.st_mode) + " " + std::to_string(info.st_size) + " " +
         std::to_string(info.st_mtim.tv_sec) + "." + std::to_string(info.st_mtim.tv_nsec) + " " +
         sha1_hex(content);
}

} // namespace

GitTest::GitTest()
    : scratch_(make_scratch()), runner_(EMEND_EXEC_BINARY), repo_(path("repo")), home_(path("engine")) {
  EXPECT_TRUE(
      write_file(path("person/.gitconfig"),
                 "[user]\n\tname = Pat Person\n\temail = pat@example.org\n[init]\n\tdefaultBranch = main\n"));
  ::setenv("HOME", path("person").c_str(), 1);
  for (const char* name :
       {"XDG_CONFIG_HOME", "GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "EMAIL", "GIT_DIR", "SUDO_UID"})
    ::unsetenv(name);
}

std::string GitTest::sh(const std::string& script, const std::string& cwd) {
  ProcessSpec spec;
  spec.argv = {"/bin/sh", "-ec", script};
  spec.cwd = cwd.empty() ? repo_ : cwd;
  spec.env = {"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + path("person"), "LC_ALL=C",
              "GIT_AUTHOR_DATE=1700000000 +0000", "GIT_COMMITTER_DATE=1700000000 +0000"};
  spec.supervise = false;
  auto result = runner_.run(spec, {});
  EXPECT_TRUE(result && result->ok())
      << script << ": " << (result ? result->err + result->problem : result.error().message);
  return result ? std::string(trim(result->out)) : std::string();
}

std::string GitTest::git(const std::vector<std::string>& args, const std::string& cwd) {
  std::string command = "git";
  for (const std::string& arg : args) command += " " + shell_quote(arg);
  return sh(command, cwd);
}

void GitTest::write(const std::string& file, const std::string& bytes) {
  const fs::path target = fs::path(repo_) / file;
  fs::create_directories(target.parent_path());
  FILE* stream = std::fopen(target.c_str(), "wb");
  ASSERT_NE(stream, nullptr) << target;
  std::fwrite(bytes.data(), 1, bytes.size(), stream);
  std::fclose(stream);
}

std::string GitTest::commit_all(const std::string& message) {
  git({"add", "-A"});
  git({"commit", "-q", "--allow-empty", "-m", message});
  return git({"rev-parse", "HEAD"});
}

void GitTest::make_repository(const std::vector<std::string>& init_args) {
  fs::create_directories(repo_);
  std::vector<std::string> args = {"init", "-q"};
  args.insert(args.end(), init_args.begin(), init_args.end());
  git(args);
  write("src/a.c", "int a() {\n  return 1;\n}\n");
  write("src/b.c", "int b() {\n  return 2;\n}\n");
  write("docs/guide/intro.md", "# Intro\n");
  write("run.sh", "#!/bin/sh\nexit 0\n");
  sh("chmod +x run.sh; ln -s src/a.c link");
  commit_all("start");
}

Result<std::unique_ptr<Repository>> GitTest::open(const std::string& directory, bool overlay) {
  return open_repository(
      directory, runner_,
      GitOptions{
          .home = home_, .overlay = overlay, .sandbox = overlay ? SandboxKind::full : SandboxKind::none});
}

std::unique_ptr<Repository> GitTest::opened(const std::string& directory, bool overlay) {
  auto repository = open(directory.empty() ? repo_ : directory, overlay);
  EXPECT_TRUE(repository) << repository.error().message;
  return repository ? std::move(*repository) : nullptr;
}

ProcessResult GitTest::in_workspace(Workspace& workspace, const std::string& script) {
  ProcessSpec spec;
  spec.argv = {"/bin/sh", "-ec", script};
  spec.cwd = workspace.path();
  spec.env = {"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + workspace.home_dir(),
              "TMPDIR=" + workspace.temp_dir(), "LC_ALL=C"};
  spec.overlay = workspace.overlay();
  auto result = runner_.run(spec, {});
  EXPECT_TRUE(result) << result.error().message;
  EXPECT_TRUE(result->ok()) << script << "\n" << result->err << result->problem;
  return result ? *result : ProcessResult{};
}

Snapshot GitTest::snapshot_of(Workspace& workspace) {
  auto snapshot = workspace.snapshot();
  EXPECT_TRUE(snapshot) << snapshot.error().message;
  return snapshot ? std::move(*snapshot) : Snapshot{};
}

std::map<std::string, std::string> GitTest::manifest(const std::string& directory,
                                                     const std::vector<std::string>& except) const {
  std::map<std::string, std::string> found;
  for (auto item = fs::recursive_directory_iterator(directory); item != fs::recursive_directory_iterator();
       ++item) {
    const std::string name = fs::relative(item->path(), directory).string();
    if (name == ".git/objects" || name == "objects") item.disable_recursion_pending();
    // A new name moves its directories' times, so those count only where nothing was to be added.
    const bool grew = name == ".git" || name.starts_with(".git/objects") || name.starts_with("objects");
    bool left_out = grew;
    for (const std::string& prefix : except)
      left_out = left_out || name == prefix || name.starts_with(prefix + "/");
    if (!left_out) found[name] = described(item->path());
  }
  return found;
}

bool GitTest::overlay_works() {
  fs::create_directories(path("probe"));
  return overlay_supported(runner_, path("probe"));
}

Patch patch_of(Repository& repository, const std::string& commit, const std::vector<Edit>& edits) {
  const Tree& tree = *repository.tree(commit).value();
  const std::string algorithm = commit.size() == 64 ? "sha256" : "sha1";
  Patch patch;
  for (const Edit& edit : edits) {
    FileChange change;
    change.path = edit.path;
    if (const auto old = tree.find(edit.path); old != tree.end()) {
      change.old_mode = old->second.mode;
      change.old_id = old->second.id;
      change.old_content = repository.read(commit, edit.path).value();
    }
    if (edit.content) {
      change.new_mode = edit.mode;
      change.new_content = *edit.content;
      change.new_id = git_blob_id(*edit.content, algorithm);
    }
    patch.changes.push_back(std::move(change));
  }
  patch.sort();
  return patch;
}

CommitRequest request_for(const std::string& parent, Patch patch, const std::string& message) {
  CommitRequest request;
  request.parent = parent;
  request.patch = std::move(patch);
  request.message = message;
  request.author_name = "Pat Person";
  request.author_email = "pat@example.org";
  request.time_s = 1'700'000'123;
  return request;
}

std::vector<std::string> paths_of(const Patch& patch) {
  std::vector<std::string> paths;
  for (const FileChange& change : patch.changes) paths.push_back(change.path);
  return paths;
}

} // namespace emend
