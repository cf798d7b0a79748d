#include "engine/verify/test_side.hpp"

#include <map>
#include <memory>
#include <mutex>

#include "base/hash.hpp"
#include "engine/patch/called_scripts.hpp"
#include "engine/probe/other_scale.hpp"
#include "engine/probe/rephrase.hpp"
#include "engine/probe/reword.hpp"

namespace emend {
namespace {

constexpr std::size_t kReworded = 200;          // files; more would cost more than they tell
constexpr std::uint64_t kLargestTest = 500'000; // bytes

using Paths = std::shared_ptr<const std::vector<std::string>>;

// What a commit has of tests, by their names. A commit never changes and is asked about for every fix, so the
// last few answers are kept.
Paths tests_of(const std::string& commit, const Tree& tree) {
  constexpr std::size_t kKept = 8, kShortestId = 40;
  static std::mutex mutex;
  static std::map<std::pair<std::string, const Tree*>, Paths> known;
  const std::lock_guard lock(mutex);
  if (const auto kept = known.find({commit, &tree}); kept != known.end()) return kept->second;
  auto found = std::make_shared<std::vector<std::string>>();
  for (const auto& [path, entry] : tree)
    if (is_test_path(path)) found->push_back(path);
  if (known.size() == kKept) known.clear();
  if (commit.size() >= kShortestId) known[{commit, &tree}] = found; // a name may move on
  return found;
}

int drawn_number() { return 1 + static_cast<int>(std::stoul(random_hex(2), nullptr, 16) % 99); }

} // namespace

Result<std::vector<std::string>> test_side(CommittedFiles& repository, const Policy& policy,
                                           const std::string& base, const Patch& fix) {
  TRY_ASSIGN(const Tree* tree, repository.tree(base));
  TRY_ASSIGN(const PathSet called, called_scripts(repository, policy, base));
  PathSet named;
  for (const VerifyCommand& command : policy.commands)
    for (std::string& word : executed_words(command.run)) named.insert(std::move(word));
  PathSet wanted(called.begin(), called.end());
  wanted.merge(named);
  for (const std::string& path : *tests_of(base, *tree)) wanted.insert(path);
  std::vector<std::string> paths;
  for (const std::string& path : wanted) {
    const auto entry = tree->find(path);
    if (entry == tree->end() || entry->second.size > kLargestTest || fix.find(path) != nullptr) continue;
    if (entry->second.mode == kModeFile || entry->second.mode == kModeExecutable) paths.push_back(path);
  }
  return paths;
}

FileChange changed_text(const std::string& path, const TreeEntry& entry, std::string before,
                        std::string after) {
  FileChange change;
  change.path = path;
  change.old_mode = change.new_mode = entry.mode;
  change.old_id = entry.id;
  change.old_content = std::move(before);
  change.new_content = std::move(after);
  change.new_id = git_blob_id(change.new_content, entry.id.size() == 64 ? "sha256" : "sha1");
  return change;
}

Result<Patch> reworded_tests(CommittedFiles& repository, const Policy& policy, const std::string& base,
                             Wording wording) {
  if (wording == Wording::same) return Patch{};
  TRY_ASSIGN(std::vector<std::string> paths, test_side(repository, policy, base, {}));
  TRY_ASSIGN(const Tree* tree, repository.tree(base));
  if (paths.size() > kReworded) paths.resize(kReworded);
  TRY_ASSIGN(std::vector<std::string> texts, repository.read_each(base, paths));
  Patch patch;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const std::string& path = paths[i];
    std::string& text = texts[i];
    std::string other = wording == Wording::scaled
                            ? on_other_scale(path, text, std::stoul(random_hex(3), nullptr, 16))
                            : text;
    if (wording != Wording::commented) other = rephrase(path, other, drawn_number());
    other = reword(path, other, "note_" + random_hex(4));
    if (other == text) continue;
    patch.changes.push_back(changed_text(path, tree->find(path)->second, std::move(text), std::move(other)));
  }
  return patch;
}

} // namespace emend
