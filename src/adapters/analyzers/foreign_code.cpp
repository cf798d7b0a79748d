#include "adapters/analyzers/foreign_code.hpp"

#include <algorithm>

#include "base/glob.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::string_view kVendored = "vendored", kGenerated = "generated";

// What a licence says, whatever the year and the line breaks.
std::string words_of(std::string_view text) {
  std::string words;
  for (const char c : text)
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) words += c;
  return to_lower(words);
}

} // namespace

std::string_view ForeignCode::reason(const std::string& file) {
  std::string_view said, by_project;
  bool taken_back = false;
  for (std::size_t slash = 0;; slash = file.find('/', slash) + 1) { // "", "a/", "a/b/"
    const std::string directory = file.substr(0, slash);
    if (!directory.empty() && by_project.empty() && is_project_of_others(directory)) by_project = kVendored;
    for (const Attribute& attribute : attributes(directory)) {
      if (!glob_match(attribute.glob, std::string_view(file).substr(slash))) continue;
      if (attribute.set) said = attribute.what;
      if (!attribute.set && said == attribute.what) said = {};
      if (attribute.what == kVendored) taken_back = !attribute.set;
    }
    if (file.find('/', slash) == std::string::npos) break;
  }
  return said.empty() && !taken_back ? by_project : said;
}

const std::vector<ForeignCode::Attribute>& ForeignCode::attributes(const std::string& directory) {
  const auto known = attributes_.find(directory);
  if (known != attributes_.end()) return known->second;
  std::vector<Attribute>& list = attributes_[directory];
  const auto text = tree_.text(directory + ".gitattributes");
  if (text == nullptr) return list;
  for (const std::string_view line : lines_of(text->bytes())) {
    std::vector<std::string> words;
    for (std::string& word : split(replace_all(std::string(trim(line)), "\t", " "), ' '))
      if (!word.empty()) words.push_back(std::move(word));
    if (words.empty() || words.front().starts_with('#')) continue;
    const std::string glob = words.front().starts_with('/') ? words.front().substr(1) : words.front();
    for (std::size_t i = 1; i < words.size(); ++i)
      for (const std::string_view what : {kVendored, kGenerated}) {
        const std::string name = "linguist-" + std::string(what);
        const bool on = words[i] == name || words[i] == name + "=true";
        if (on || words[i] == "-" + name || words[i] == "!" + name || words[i] == name + "=false")
          list.push_back({glob, what, on});
      }
  }
  return list;
}

std::string ForeignCode::licence(const std::string& directory) {
  const auto known = licences_.find(directory);
  if (known != licences_.end()) return known->second;
  std::string& words = licences_[directory];
  for (const char* place : {"", "docs/", "doc/"})
    for (const char* name : {"LICENSE", "LICENSE.txt", "LICENSE.md", "COPYING", "LICENCE", "license.txt",
                             "LICENSE-MIT", "LICENSE.rst", "COPYING.txt", "License.txt"}) {
      const auto text = words.empty() ? tree_.text(directory + place + name) : nullptr;
      if (text != nullptr) words = words_of(text->bytes());
    }
  return words;
}

// A package of the project's own has the project's licence. Where the project has none, nothing can be told.
bool ForeignCode::is_project_of_others(const std::string& directory) {
  const auto known = of_others_.find(directory);
  if (known != of_others_.end()) return known->second;
  bool& others = of_others_[directory];
  if (licence("").empty() || licence(directory).empty() || licence(directory) == licence("")) return false;
  for (const char* sign :
       {"package.json", "CMakeLists.txt", "Cargo.toml", "go.mod", "setup.py", "pyproject.toml",
        "configure.ac", "configure", "Makefile", "meson.build", "pom.xml", "build.gradle", "composer.json",
        "BUILD.bazel", ".travis.yml", ".github"})
    if (tree_.exists(directory + sign)) others = true;
  return others;
}

} // namespace emend
