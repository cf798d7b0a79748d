#include "adapters/git/open_warnings.hpp"

#include "adapters/git/file_descriptor.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::size_t kNamesShown = 5;
constexpr std::size_t kAttributeFilesRead = 100;

std::string listed(const std::vector<std::string>& names) {
  std::vector<std::string> shown(
      names.begin(), names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), kNamesShown)));
  const std::string more =
      names.size() > kNamesShown ? " and " + std::to_string(names.size() - kNamesShown) + " more" : "";
  return join(shown, ", ") + more;
}

std::vector<std::string> submodules(const Tree& head) {
  std::vector<std::string> paths;
  for (const auto& [path, entry] : head)
    if (entry.mode == kModeGitlink) paths.push_back(clean_text(path));
  return paths;
}

Result<bool> uses_lfs(const Tree& head, ObjectReader& objects) {
  std::vector<std::string> ids;
  for (const auto& [path, entry] : head)
    if (name_of(path) == ".gitattributes" && entry.mode != kModeSymlink && ids.size() < kAttributeFilesRead)
      ids.push_back(entry.id);
  if (ids.empty()) return false;
  TRY_ASSIGN(const auto contents, objects.blobs(ids));
  for (const auto& [id, text] : contents)
    if (contains(text, "filter=lfs")) return true;
  return false;
}

} // namespace

Result<std::vector<std::string>> open_warnings(const UserRepository& user, const EngineStore& store,
                                               const Tree& head, ObjectReader& objects,
                                               const GitProgram& git) {
  std::vector<std::string> warnings;
  const std::string from_head = "; work starts from HEAD (" + user.head.substr(0, 12) + ")";
  for (const std::string& operation : unfinished_operations(user))
    warnings.push_back("the repository is in the middle of " + operation + from_head);
  const auto dirty = has_uncommitted_changes(user, store.git_dir, store.scratch, git);
  if (!dirty)
    warnings.push_back("cannot check the checkout for uncommitted changes (" + dirty.error().message + ")" +
                       from_head);
  else if (*dirty)
    warnings.push_back("the checkout has uncommitted changes, which are left alone" + from_head);
  if (const auto paths = submodules(head); !paths.empty())
    warnings.push_back("submodules are read-only here; run emend inside them instead: " + listed(paths));
  TRY_ASSIGN(const bool lfs, uses_lfs(head, objects));
  if (lfs) warnings.push_back("files in Git LFS are read as their pointer files");
  return warnings;
}

} // namespace emend
