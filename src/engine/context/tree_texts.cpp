#include "engine/context/tree_texts.hpp"

#include <vector>

namespace emend {

Status TreeTexts::expect(const std::set<std::string>& files) {
  constexpr std::uint64_t kMost = 16U << 20; // bytes
  TRY_ASSIGN(const Tree* tree, repository_.tree(commit_));
  std::map<std::string, std::string> texts;
  std::vector<std::string> asked;
  std::uint64_t bytes = 0;
  for (const std::string& file : files) {
    if (auto known = texts_.extract(file)) {
      bytes += known.mapped().size();
      texts.insert(std::move(known));
      continue;
    }
    const auto entry = tree->find(file);
    if (entry == tree->end() || entry->second.mode == kModeGitlink || bytes + entry->second.size > kMost)
      continue;
    bytes += entry->second.size;
    asked.push_back(file);
  }
  texts_ = std::move(texts);
  if (asked.empty()) return {};
  TRY_ASSIGN(std::vector<std::string> read, repository_.read_each(commit_, asked));
  for (std::size_t i = 0; i < asked.size(); ++i) texts_[asked[i]] = std::move(read[i]);
  return {};
}

Result<std::string> TreeTexts::read(const std::string& file) {
  const auto known = texts_.find(file);
  return known == texts_.end() ? repository_.read(commit_, file) : Result<std::string>(known->second);
}

} // namespace emend
