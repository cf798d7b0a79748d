#include "engine/patch/judge_tree.hpp"

#include <map>
#include <mutex>
#include <vector>

#include "engine/patch/scope.hpp"

namespace emend {

namespace {

// The paths of a commit that is_agent_file() knows. Its name is a digest of them, so they are looked for
// once, whichever repository it is in; every verdict of a session asks about the same few commits.
std::vector<std::string> agent_files_in(const std::string& commit, const Tree& tree) {
  constexpr std::size_t kKnownCommits = 64, kDigestLength = 40;
  static std::mutex mutex;
  static std::map<std::string, std::vector<std::string>> known;
  const std::lock_guard lock(mutex);
  if (const auto found = known.find(commit); found != known.end()) return found->second;
  std::vector<std::string> paths;
  for (const auto& [path, entry] : tree)
    if (is_agent_file(path) && entry.mode != kModeGitlink) paths.push_back(path);
  if (commit.size() < kDigestLength) return paths; // a name that may mean another commit later
  if (known.size() >= kKnownCommits) known.clear();
  return known.emplace(commit, std::move(paths)).first->second;
}

} // namespace

Result<Patch> without_agent_files(CommittedFiles& repository, const std::string& commit) {
  TRY_ASSIGN(const Tree* tree, repository.tree(commit));
  Patch patch;
  for (const std::string& path : agent_files_in(commit, *tree)) {
    FileChange change;
    change.path = path;
    change.old_mode = tree->at(path).mode;
    change.old_id = tree->at(path).id;
    TRY_ASSIGN(change.old_content, repository.read(commit, path));
    patch.changes.push_back(std::move(change));
  }
  patch.sort();
  return patch;
}

Result<Patch> without_agent_files(CommittedFiles& repository, const std::string& commit, const Patch& patch) {
  TRY_ASSIGN(Patch tree, without_agent_files(repository, commit));
  for (const FileChange& change : patch.changes)
    if (!is_agent_file(change.path)) tree.changes.push_back(change);
  tree.sort();
  return tree;
}

} // namespace emend
