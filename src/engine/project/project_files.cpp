#include "engine/project/project_files.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::size_t kLargestFile = 1'000'000; // no build file written by a person is larger
constexpr std::ptrdiff_t kDeepest = 3;
constexpr std::size_t kMostPlaces = 8;

bool is_foreign_directory(std::string_view name) {
  static constexpr std::array<std::string_view, 20> kNames = {
      "node_modules", "vendor",   "third_party", "thirdparty", "3rdparty",      "external",   "extern",
      "deps",         "build",    "dist",        "out",        "target",        "fixtures",   "testdata",
      "venv",         "examples", "example",     "samples",    "site-packages", "__pycache__"};
  return (name.starts_with('.') && name != ".github") ||
         std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

bool is_own(std::string_view path) {
  const auto parts = split(path, '/');
  return std::none_of(parts.begin(), parts.end() - 1, is_foreign_directory);
}

// Names that need no thought in a shell, a glob or on a screen.
bool is_plain(std::string_view directory) {
  constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./+@ ";
  return !directory.starts_with('-') && directory.find_first_not_of(kPlain) == std::string_view::npos;
}

bool is_inside(std::string_view inner, std::string_view outer) {
  return outer.empty() ||
         (inner.size() > outer.size() && inner.starts_with(outer) && inner[outer.size()] == '/');
}

bool is_word_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

} // namespace

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_word_character(text[at - 1])) &&
        (end == text.size() || !is_word_character(text[end])))
      return true;
  }
  return false;
}

std::string ProjectPlace::file(std::string_view name) const {
  return directory.empty() ? std::string(name) : directory + "/" + std::string(name);
}

bool ProjectPlace::holds(std::string_view path) const { return is_inside(path, directory); }

std::string ProjectPlace::command(const std::string& text) const {
  return directory.empty() ? text : "cd " + shell_quote(directory) + " && " + text;
}

CommandGuess ProjectPlace::guess(const std::string& name, const std::string& text,
                                 const std::string& reason) const {
  if (directory.empty()) return {name, text, reason};
  return {replace_all(replace_all(directory, "/", "-"), " ", "-") + "-" + name,
          command(text),
          reason,
          {directory + "/**"}};
}

ProjectFiles::ProjectFiles(const std::vector<std::string>& paths, const FileReader& read)
    : all_(paths.begin(), paths.end()), read_(read) {
  std::copy_if(all_.begin(), all_.end(), std::back_inserter(own_), is_own);
}

bool ProjectFiles::has(std::string_view path) const { return all_.contains(path); }

std::string ProjectFiles::text(const std::string& path) const {
  if (!has(path)) return {};
  auto bytes = read_(path);
  return bytes && bytes->size() <= kLargestFile ? *std::move(bytes) : std::string();
}

std::optional<Json> ProjectFiles::object(const std::string& path, Detected& found) const {
  auto parsed = parse_json(text(path));
  if (parsed && parsed->is_object()) return *std::move(parsed);
  found.notes.push_back(path + " could not be read as JSON, so nothing was guessed from it");
  return std::nullopt;
}

std::vector<ProjectPlace> ProjectFiles::places(const std::vector<std::string>& names, Nested nested) const {
  std::set<std::string> directories;
  for (const std::string& path : own_) {
    if (std::find(names.begin(), names.end(), base_name(path)) == names.end()) continue;
    const std::string directory =
        path.substr(0, path.size() - std::min(path.size(), base_name(path).size() + 1));
    if (std::count(directory.begin(), directory.end(), '/') < kDeepest && is_plain(directory))
      directories.insert(directory);
  }
  std::vector<ProjectPlace> result;
  for (const std::string& directory : directories) { // sorted: an outer one comes before what is inside it
    const bool inner = std::any_of(result.begin(), result.end(),
                                   [&](const ProjectPlace& outer) { return outer.holds(directory); });
    if (inner && nested == Nested::part_of_the_outer) continue;
    if (result.size() < kMostPlaces) result.push_back({directory});
  }
  return result;
}

} // namespace emend
