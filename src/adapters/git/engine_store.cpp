#include "adapters/git/engine_store.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>

#include "adapters/git/file_descriptor.hpp"
#include "base/files.hpp"

namespace emend {

namespace {

// In $GIT_DIR/info/attributes, which outranks every .gitattributes in the tree: files are what the blobs are,
// byte for byte. working-tree-encoding can only be taken away with '!'; git dies on '-'.
constexpr const char* kAttributes =
    "* -text -crlf -eol -filter -ident -diff -merge -export-subst !working-tree-encoding\n";

constexpr const char* kConfiguration =
    "[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n[core]\n\tfsync = all\n\tfsyncMethod = "
    "fsync\n\tlogAllRefUpdates = false\n[pack]\n\twriteBitmaps = false\n";

bool exists(const std::string& path) {
  struct stat info {};
  return ::lstat(path.c_str(), &info) == 0;
}

// Quoted as git reads it back: a path may hold a newline.
std::string quoted_line(const std::string& path) {
  std::string quoted = "\"";
  for (const char c : path) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (c == '\n')
      quoted += "\\n";
    else
      quoted += c;
  }
  return quoted + "\"\n";
}

Status write_if_different(const std::string& path, const std::string& bytes) {
  if (const auto present = read_file(path); present && *present == bytes) return {};
  return write_file(path, bytes);
}

Status sync_path(const std::string& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid() || ::fsync(file.get()) != 0) return system_error("cannot make durable", path);
  return {};
}

// git syncs what it is told to sync, and a new repository's HEAD is not among that.
Status sync_tree(const std::string& directory) {
  std::error_code problem;
  for (const auto& item : fs::recursive_directory_iterator(directory, problem))
    TRY(sync_path(item.path().string()));
  if (problem) return fail(ErrorCode::io, "cannot read " + directory + ": " + problem.message());
  return sync_path(directory);
}

// Made aside and renamed, so a crash leaves nothing that looks like a git directory but is not one.
Status make_git_dir(const EngineStore& store, const UserRepository& repository, const GitProgram& git) {
  TRY_ASSIGN(TemporaryDirectory fresh, TemporaryDirectory::create(store.directory, "new-git-"));
  const std::string path = fresh.path().string();
  TRY(git.output(GitCall{.args = {"init", "--quiet", "--bare",
                                  "--template=", "--object-format=" + repository.algorithm, "--", path}}));
  TRY_ASSIGN(std::string config, read_file(path + "/config"));
  TRY(write_file(path + "/config", config + kConfiguration));
  TRY(write_file(path + "/info/attributes", kAttributes));
  TRY(sync_tree(path));
  std::error_code problem;
  fs::rename(path, store.git_dir, problem);
  if (problem) return fail(ErrorCode::io, "cannot make " + store.git_dir + ": " + problem.message());
  fresh.keep();
  return sync_path(store.directory);
}

} // namespace

Result<EngineStore> open_engine_store(const UserRepository& repository, const std::string& home,
                                      const GitProgram& git) {
  EngineStore store;
  store.home = home;
  store.directory = home + "/repositories/" + repository.id;
  store.git_dir = store.directory + "/git";
  store.bases = store.directory + "/bases";
  store.layers = store.directory + "/layers";
  store.owners = store.directory + "/owners";
  store.workspaces = store.directory + "/workspaces";
  store.scratch = store.directory + "/tmp";
  store.objects = repository.common_dir + "/objects";
  store.read_only = {home, repository.root};
  if (!repository.common_dir.starts_with(repository.root + "/") && repository.common_dir != repository.root)
    store.read_only.push_back(repository.common_dir);
  for (const std::string& directory :
       {store.bases, store.layers, store.owners, store.workspaces, store.scratch})
    TRY(make_directories(directory));
  TRY_ASSIGN(Flock lock, Flock::hold(store.directory + "/setup.lock", LockMode::exclusive));
  if (!exists(store.git_dir)) TRY(make_git_dir(store, repository, git));
  TRY(write_if_different(store.git_dir + "/objects/info/alternates", quoted_line(store.objects)));
  TRY(copy_shallow(store, repository));
  return store;
}

Status copy_shallow(const EngineStore& store, const UserRepository& repository) {
  const std::string copy = store.git_dir + "/shallow";
  const auto bytes = read_file(repository.common_dir + "/shallow");
  if (bytes) return write_if_different(copy, *bytes);
  std::error_code problem;
  fs::remove(copy, problem);
  return {};
}

void remove_dead_locks(const EngineStore& store) {
  std::error_code ignored;
  std::vector<fs::path> locks;
  for (const auto& item : fs::directory_iterator(store.git_dir, ignored)) locks.push_back(item.path());
  for (const auto& item : fs::recursive_directory_iterator(store.git_dir + "/refs", ignored))
    locks.push_back(item.path());
  for (const fs::path& path : locks)
    if (path.extension() == ".lock") fs::remove(path, ignored);
}

void remove_old_scratch(const EngineStore& store) {
  const auto young = fs::file_time_type::clock::now() - std::chrono::hours(1);
  std::error_code ignored;
  for (const std::string& directory : {store.scratch, store.directory})
    for (const auto& item : fs::directory_iterator(directory, ignored)) {
      const bool ours = directory == store.scratch || item.path().filename().string().starts_with("new-git-");
      if (ours && fs::last_write_time(item.path(), ignored) < young) (void)remove_tree(item.path());
    }
}

} // namespace emend
