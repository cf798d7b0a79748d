#include "engine/patch/judge_tree.hpp"

#include "engine/patch/scope.hpp"

namespace emend {

Result<Patch> without_agent_files(Repository& repository, const std::string& commit) {
  TRY_ASSIGN(const Tree* tree, repository.tree(commit));
  Patch patch;
  for (const auto& [path, entry] : *tree) {
    if (!is_agent_file(path) || entry.mode == kModeGitlink) continue;
    FileChange change;
    change.path = path;
    change.old_mode = entry.mode;
    change.old_id = entry.id;
    TRY_ASSIGN(change.old_content, repository.read(commit, path));
    patch.changes.push_back(std::move(change));
  }
  patch.sort();
  return patch;
}

Result<Patch> without_agent_files(Repository& repository, const std::string& commit, const Patch& patch) {
  TRY_ASSIGN(Patch tree, without_agent_files(repository, commit));
  for (const FileChange& change : patch.changes)
    if (!is_agent_file(change.path)) tree.changes.push_back(change);
  tree.sort();
  return tree;
}

} // namespace emend
