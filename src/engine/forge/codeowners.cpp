#include "engine/forge/codeowners.hpp"

#include <algorithm>

#include "base/glob.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

struct Line {
  std::string pattern;
  std::vector<std::string> owners; // may be empty: nobody owns these files
};

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  for (const std::string& word : split(replace_all(std::string(line), "\t", " "), ' ')) {
    if (word.starts_with('#')) break;
    if (!word.empty()) words.push_back(word);
  }
  return words;
}

std::vector<Line> lines_in(std::string_view text) {
  std::vector<Line> lines;
  for (const std::string_view raw : lines_of(text)) {
    const std::vector<std::string> words = words_of(trim(raw));
    if (words.empty() || words.front().starts_with('[') || words.front().starts_with('^'))
      continue; // a section of GitLab's
    Line line{words.front(), {}};
    for (std::size_t i = 1; i < words.size(); ++i)
      if (words[i].size() > 1 && words[i].front() == '@') line.owners.push_back(words[i].substr(1));
    lines.push_back(std::move(line));
  }
  return lines;
}

// As .gitignore reads it: a slash before the end binds it to the top, and a name of a directory means what is
// in it.
bool matches(std::string pattern, std::string_view path) {
  const bool bound = pattern.find('/') < pattern.size() - 1;
  while (pattern.starts_with('/')) pattern.erase(0, 1);
  if (pattern.ends_with('/')) pattern += "**";
  if (pattern.empty()) return false;
  if (glob_match(pattern, path)) return true;
  const bool plain = pattern.find('*') == std::string::npos;
  if (plain && glob_match(pattern + "/**", path)) return true;
  return !bound &&
         (glob_match("**/" + pattern, path) || (plain && glob_match("**/" + pattern + "/**", path)));
}

} // namespace

std::vector<std::string> owners_of(std::string_view codeowners, const std::vector<std::string>& paths) {
  const std::vector<Line> lines = lines_in(codeowners);
  std::vector<std::string> owners;
  for (const std::string& path : paths) {
    const auto last = std::find_if(lines.rbegin(), lines.rend(),
                                   [&](const Line& line) { return matches(line.pattern, path); });
    if (last == lines.rend()) continue;
    for (const std::string& owner : last->owners)
      if (std::find(owners.begin(), owners.end(), owner) == owners.end()) owners.push_back(owner);
  }
  return owners;
}

} // namespace emend
