#include "adapters/analyzers/word_uses.hpp"

#include <array>
#include <optional>

#include "base/files.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::size_t kMostFiles = 100'000;
constexpr std::uint64_t kLargestFile = 1'000'000;
constexpr std::uint64_t kMostBytes = 400'000'000;
constexpr std::size_t kHeadBytes = 8'000; // where a NUL tells a binary file

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_letter(char c) { return is_lower(c) || is_upper(c); }

class Counter {
public:
  explicit Counter(const std::set<std::string>& words) {
    for (const std::string& word : words) {
      uses_[word];
      if (!word.empty() && word.size() < kLengths && is_lower(word[0]))
        wanted_[word.size()][static_cast<std::size_t>(word[0] - 'a')] = true;
    }
  }

  void file_name(const std::string& file) {
    each_part(file, [&](std::size_t, std::size_t, WordUse& use) { ++use.names; });
  }

  void text(const std::string& file, const std::string& bytes) {
    std::optional<SpellingText> text; // made only for files that have one of the words
    each_part(bytes, [&](std::size_t at, std::size_t length, WordUse& use) {
      if (!text) text.emplace(file, bytes);
      ++(text->is_name(at, length) ? use.names : use.prose);
    });
  }

  void incomplete() {
    for (auto& [word, use] : uses_) use.complete = false;
  }

  [[nodiscard]] std::map<std::string, WordUse> take() { return std::move(uses_); }

private:
  static constexpr std::size_t kLengths = 40;

  // Runs of letters, cut where capital letters begin words: "tehFirst", "HTTPTeh".
  template <typename Use>
  void each_part(const std::string& bytes, const Use& found) {
    for (std::size_t i = 0; i < bytes.size();) {
      if (!is_letter(bytes[i])) {
        ++i;
        continue;
      }
      std::size_t end = i + 1;
      while (end < bytes.size() && is_letter(bytes[end])) {
        const bool hump = is_upper(bytes[end]) &&
                          (is_lower(bytes[end - 1]) || (end + 1 < bytes.size() && is_lower(bytes[end + 1])));
        if (hump) break;
        ++end;
      }
      look_up(bytes, i, end - i, found);
      i = end;
    }
  }

  template <typename Use>
  void look_up(const std::string& bytes, std::size_t at, std::size_t length, const Use& found) {
    const auto first = static_cast<std::size_t>((bytes[at] | 0x20) - 'a');
    if (length >= kLengths || !wanted_[length][first]) return;
    const auto use = uses_.find(to_lower(std::string_view(bytes).substr(at, length)));
    if (use != uses_.end()) found(at, length, use->second);
  }

  std::map<std::string, WordUse> uses_;
  std::array<std::array<bool, 26>, kLengths>
      wanted_{}; // by length and first letter: nearly every word is passed over here
};

} // namespace

std::map<std::string, WordUse> word_uses(const SourceTree& tree, const std::set<std::string>& words) {
  Counter counter(words);
  if (words.empty()) return {};
  const auto files = tree.files(kMostFiles);
  if (!files) counter.incomplete();
  std::uint64_t total = 0;
  for (const std::string& file : files.value_or(std::vector<std::string>{})) {
    counter.file_name(file);
    const auto bytes = read_file_nofollow(tree.on_disk(file), kLargestFile);
    if (!bytes || std::string_view(*bytes).substr(0, kHeadBytes).find('\0') != std::string_view::npos)
      continue;
    total += bytes->size();
    if (total > kMostBytes) {
      counter.incomplete();
      break;
    }
    counter.text(file, *bytes);
  }
  return counter.take();
}

} // namespace emend
