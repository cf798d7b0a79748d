#include "adapters/analyzers/include_hashes.hpp"

#include "adapters/analyzers/file_choice.hpp"
#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::size_t kMostFiles = 200'000;
constexpr std::uint64_t kLargestFile = 32'000'000;

bool is_header(const std::string& file) {
  return has_extension(file, {"h", "hh", "hpp", "hxx", "h++", "inc", "inl", "ipp", "tpp", "def"});
}

// The name between the quotes or brackets at the beginning; "" when something else stands there.
std::string quoted_name(std::string_view text) {
  text = trim(text);
  if (text.empty() || (text.front() != '"' && text.front() != '<')) return {};
  const auto end = text.find(text.front() == '<' ? '>' : '"', 1);
  return end == std::string_view::npos ? std::string() : std::string(text.substr(1, end - 1));
}

} // namespace

std::vector<std::string> included_names(std::string_view text) {
  std::vector<std::string> names;
  for (std::string_view line : lines_of(text)) {
    line = trim(line);
    constexpr std::string_view kAsked = "__has_include(";
    for (auto asked = line.find(kAsked); asked != std::string_view::npos;
         asked = line.find(kAsked, asked + 1))
      names.push_back(quoted_name(line.substr(asked + kAsked.size())));
    if (!line.starts_with('#')) continue;
    line = trim(line.substr(1));
    for (const std::string_view word : {"include_next", "include", "import"})
      if (line.starts_with(word)) {
        names.push_back(quoted_name(line.substr(word.size())));
        break;
      }
  }
  return names;
}

IncludeHashes::IncludeHashes(const SourceTree& tree) : tree_(tree) {
  const auto files = tree.files(kMostFiles);
  if (!files) return;
  known_ = true;
  for (const std::string& file : *files) {
    by_name_[std::string(file_name(file))].push_back(file);
    if (is_header(file)) headers_.push_back(file);
  }
}

std::vector<std::string> IncludeHashes::files_called(const std::string& included) const {
  if (included.empty()) return headers_;
  std::string_view end = included; // "../a/b.h" and "./b.h" end as "a/b.h" and "b.h" do
  for (auto dots = end.rfind("./"); dots != std::string_view::npos; dots = end.rfind("./"))
    end.remove_prefix(dots + 2);
  std::vector<std::string> fitting;
  const auto named = by_name_.find(file_name(end));
  if (named == by_name_.end()) return fitting;
  for (const std::string& file : named->second)
    if (file == end || file.ends_with("/" + std::string(end))) fitting.push_back(file);
  return fitting;
}

const IncludeHashes::Facts& IncludeHashes::facts(const std::string& file) {
  const auto [at, fresh] = facts_.try_emplace(file);
  if (!fresh) return at->second;
  const auto bytes = read_file_nofollow(tree_.on_disk(file), kLargestFile);
  at->second.sha256 = bytes ? sha256_hex(*bytes) : "?";
  std::set<std::string> found;
  if (bytes)
    for (const std::string& name : included_names(*bytes))
      for (std::string& target : files_called(name)) found.insert(std::move(target));
  at->second.includes.assign(found.begin(), found.end());
  return at->second;
}

std::string IncludeHashes::of(const std::string& file) {
  if (!known_) return {};
  const std::scoped_lock lock(mutex_);
  std::set<std::string> reached = {file};
  std::vector<std::string> open = {file};
  while (!open.empty()) {
    const std::string next = std::move(open.back());
    open.pop_back();
    for (const std::string& target : facts(next).includes)
      if (reached.insert(target).second) open.push_back(target);
  }
  std::string all = "includes";
  for (const std::string& one : reached) all += "\n" + one + " " + facts(one).sha256;
  return sha256_hex(all);
}

} // namespace emend
