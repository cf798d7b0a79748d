#include "engine/branch/commit_groups.hpp"

#include <algorithm>
#include <optional>

namespace emend {
namespace {

bool share_a_path(const Patch& a, const Patch& b) {
  return std::any_of(a.changes.begin(), a.changes.end(),
                     [&](const FileChange& change) { return b.find(change.path) != nullptr; });
}

// A file where the other one has a directory, or the other way round.
bool nest(const Patch& a, const Patch& b) {
  const auto below = [](const std::string& path, const std::string& folder) {
    return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
  };
  for (const FileChange& one : a.changes)
    for (const FileChange& other : b.changes)
      if (below(one.path, other.path) || below(other.path, one.path)) return true;
  return false;
}

// Two changes, one after the other, in the other order: what they come to together stays as it is.
struct Swapped {
  Patch earlier, later;
};

// nullopt = the second one needs the first.
Result<std::optional<Swapped>> swapped(PatchWork& work, const Patch& first, const Patch& second) {
  if (nest(first, second)) return std::optional<Swapped>{};
  if (!share_a_path(first, second)) return std::optional<Swapped>({second, first});
  TRY_ASSIGN(const std::optional<Patch> alone, work.rebase(second, inverse(first)));
  if (!alone || alone->empty()) return std::optional<Swapped>{};
  Patch rest = compose(inverse(*alone), compose(first, second));
  if (rest.empty()) return std::optional<Swapped>{};
  return std::optional<Swapped>({*alone, std::move(rest)});
}

// Puts the patch into the group at `place`, behind which others stand already. False, and nothing is changed:
// one of these is in the way.
Result<bool> move_into(PatchWork& work, std::vector<PatchGroup>& groups, std::size_t place,
                       const Patch& patch) {
  Patch moving = patch;
  std::vector<Patch> later;
  for (std::size_t i = groups.size() - 1; i > place; --i) {
    TRY_ASSIGN(std::optional<Swapped> order, swapped(work, groups[i].patch, moving));
    if (!order) return false;
    moving = std::move(order->earlier);
    later.push_back(std::move(order->later));
  }
  Patch joined = compose(groups[place].patch, moving);
  if (joined.empty()) return false;
  groups[place].patch = std::move(joined);
  for (std::size_t i = place + 1; i < groups.size(); ++i)
    groups[i].patch = std::move(later[groups.size() - 1 - i]);
  return true;
}

} // namespace

Patch inverse(const Patch& patch) {
  Patch back = patch;
  for (FileChange& change : back.changes) {
    std::swap(change.old_mode, change.new_mode);
    std::swap(change.old_id, change.new_id);
    std::swap(change.old_content, change.new_content);
  }
  return back;
}

Result<std::vector<PatchGroup>> group_patches(PatchWork& work, const std::vector<KeyedPatch>& patches) {
  std::vector<PatchGroup> groups;
  for (std::size_t i = 0; i < patches.size(); ++i) {
    bool joined = false;
    for (std::size_t place = groups.size(); place-- > 0 && !joined;) {
      if (groups[place].key != patches[i].key) continue;
      TRY_ASSIGN(joined, move_into(work, groups, place, patches[i].patch));
      if (!joined) break; // what is in the way here is in the way of earlier groups, too
      groups[place].members.push_back(i);
    }
    if (!joined) groups.push_back({patches[i].key, patches[i].patch, {i}});
  }
  return groups;
}

} // namespace emend
