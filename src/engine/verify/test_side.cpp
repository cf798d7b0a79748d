#include "engine/verify/test_side.hpp"

#include "base/hash.hpp"
#include "engine/patch/called_scripts.hpp"
#include "engine/probe/rephrase.hpp"
#include "engine/probe/reword.hpp"

namespace emend {
namespace {

constexpr std::size_t kReworded = 200;          // files; more would cost more than they tell
constexpr std::uint64_t kLargestTest = 500'000; // bytes

int drawn_number() { return 1 + static_cast<int>(std::stoul(random_hex(2), nullptr, 16) % 99); }

} // namespace

Result<std::vector<std::string>> test_side(CommittedFiles& repository, const Policy& policy,
                                           const std::string& base, const Patch& fix) {
  TRY_ASSIGN(const Tree* tree, repository.tree(base));
  TRY_ASSIGN(const PathSet called, called_scripts(repository, policy, base));
  PathSet named;
  for (const VerifyCommand& command : policy.commands)
    for (std::string& word : executed_words(command.run)) named.insert(std::move(word));
  std::vector<std::string> paths;
  for (const auto& [path, entry] : *tree) {
    const bool file = entry.mode == kModeFile || entry.mode == kModeExecutable;
    const bool tests = is_test_path(path) || called.contains(path) || named.contains(path);
    if (file && tests && entry.size <= kLargestTest && fix.find(path) == nullptr) paths.push_back(path);
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
  Patch patch;
  for (const std::string& path : paths) {
    TRY_ASSIGN(std::string text, repository.read(base, path));
    std::string other = wording == Wording::rephrased ? rephrase(path, text, drawn_number()) : text;
    other = reword(path, other, "note_" + random_hex(4));
    if (other == text) continue;
    patch.changes.push_back(changed_text(path, tree->find(path)->second, std::move(text), std::move(other)));
  }
  return patch;
}

} // namespace emend
