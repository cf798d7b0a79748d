#include "engine/agents/guidelines.hpp"

#include <algorithm>
#include <map>

#include "base/strings.hpp"
#include "engine/agents/agent_file.hpp"
#include "model/issue.hpp"

namespace emend {
namespace {

// Endings of files, and the headings of the paragraphs that are about them.
const std::multimap<std::string, std::string, std::less<>>& headings() {
  static const std::multimap<std::string, std::string, std::less<>> all = {
      {"py", "Python"}, {"pyi", "Python"},    {"go", "Go"},      {"java", "Java"}, {"kt", "Kotlin"},
      {"rs", "Rust"},   {"c", "C"},           {"h", "C"},        {"h", "C++"},     {"cc", "C++"},
      {"cpp", "C++"},   {"cxx", "C++"},       {"hpp", "C++"},    {"hh", "C++"},    {"rb", "Ruby"},
      {"php", "PHP"},   {"sh", "Shell"},      {"bash", "Shell"}, {"tsx", "React"}, {"jsx", "React"},
      {"vue", "Vue"},   {"svelte", "Svelte"}, {"css", "CSS"},    {"scss", "CSS"},  {"less", "CSS"}};
  return all;
}

bool is_heading(const std::string& word) {
  return std::any_of(headings().begin(), headings().end(),
                     [&](const auto& entry) { return entry.second == word; });
}

// "Java, Kotlin: ..." -> Java, Kotlin; empty: the line begins no paragraph about languages.
std::vector<std::string> languages_of(std::string_view line) {
  const auto colon = line.find(':');
  if (colon == std::string_view::npos) return {};
  std::vector<std::string> words;
  for (const std::string& word : split(std::string(line.substr(0, colon)), ',')) {
    words.emplace_back(trim(word));
    if (!is_heading(words.back())) return {};
  }
  return words;
}

bool about(const std::vector<std::string>& languages, const std::vector<std::string>& files) {
  return std::any_of(files.begin(), files.end(), [&](const std::string& file) {
    const auto dot = file.rfind('.');
    const std::string ending = dot == std::string::npos ? "" : to_lower(file.substr(dot + 1));
    const auto [first, last] = headings().equal_range(ending);
    return std::any_of(first, last, [&](const auto& entry) {
      return std::find(languages.begin(), languages.end(), entry.second) != languages.end();
    });
  });
}

// Without the paragraphs about languages that none of the files is written in.
std::string for_files(std::string_view text, const std::vector<std::string>& files) {
  std::string kept;
  bool keep = true;
  for (const std::string_view line : lines_of(text)) {
    const std::vector<std::string> languages = languages_of(line);
    if (!languages.empty())
      keep = about(languages, files);
    else if (line.starts_with("- ") || trim(line).empty())
      keep = true;
    if (keep && !trim(line).empty()) kept += std::string(line) + "\n";
  }
  return kept;
}

} // namespace

Result<std::string> guidelines_for_reviewing(const Policy& policy) {
  TRY_ASSIGN(const AgentFile file, agent_file(policy, "engineering_principles"));
  return std::string(trim(file.body)) + "\n";
}

Result<std::string> guidelines_for_fixing(const Policy& policy, const std::vector<std::string>& files) {
  TRY_ASSIGN(std::string text, guidelines_for_reviewing(policy));
  const auto on = [&files](Side side) {
    return std::any_of(files.begin(), files.end(),
                       [&](const std::string& file) { return side_of(file) == side; });
  };
  const bool frontend = on(Side::frontend);
  if (on(Side::backend) || !frontend) {
    TRY_ASSIGN(const AgentFile file, agent_file(policy, "dev_be"));
    text += for_files(file.body, files);
  }
  if (frontend) {
    TRY_ASSIGN(const AgentFile file, agent_file(policy, "dev_fe"));
    text += for_files(file.body, files);
  }
  return text;
}

} // namespace emend
