#include "adapters/analyzers/program.hpp"

#include <unistd.h>

#include <cctype>
#include <cstdlib>
#include <filesystem>

#include "base/strings.hpp"

namespace emend {

namespace {

bool is_program(const std::string& path) {
  std::error_code problem;
  return std::filesystem::is_regular_file(path, problem) && ::access(path.c_str(), X_OK) == 0;
}

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

} // namespace

std::vector<std::string> search_directories(const SourceTree* tree) {
  const char* path = std::getenv("PATH");
  std::vector<std::string> directories;
  for (std::string& directory : split(path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin", ':'))
    if (directory.starts_with('/') && (tree == nullptr || !tree->holds(directory)))
      directories.push_back(std::move(directory));
  return directories;
}

std::string find_tool(const std::vector<std::string>& names, const SourceTree* tree) {
  const std::vector<std::string> directories = search_directories(tree);
  for (const std::string& name : names) {
    if (name.starts_with('/') && is_program(name) && (tree == nullptr || !tree->holds(name))) return name;
    for (const std::string& directory : directories) {
      std::string candidate = directory + "/" + name;
      if (is_program(candidate) && (tree == nullptr || !tree->holds(candidate))) return candidate;
    }
  }
  return {};
}

std::string find_project_tool(const std::vector<std::string>& names, const std::string& root) {
  for (const char* directory : {"node_modules/.bin", ".venv/bin", "venv/bin", "vendor/bin"})
    for (const std::string& name : names)
      if (const std::string candidate = root + "/" + directory + "/" + name; is_program(candidate))
        return candidate;
  return {};
}

std::string version_in(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!is_digit(text[at])) continue;
    std::size_t end = at;
    while (end < text.size() &&
           (is_digit(text[end]) || (text[end] == '.' && end + 1 < text.size() && is_digit(text[end + 1]))))
      ++end;
    const std::string_view word = text.substr(at, end - at);
    if (contains(word, ".")) return std::string(word);
    at = end;
  }
  return {};
}

} // namespace emend
