#include "adapters/analyzers/file_choice.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/owned_fd.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::size_t kHeadBytes = 8'000, kHeadLines = 10;

// In a comment; a text may speak of such files. The parts are apart so that this one is not taken for one.
bool says_it_is_generated(std::string_view line) {
  const std::string words = to_lower(trim(line));
  const bool comment = words.find_first_of("/#*-;<%'\"") == 0;
  if (!comment) return false;
  for (const char* sign : {"@"
                           "generated",
                           "do not "
                           "edit",
                           "don't "
                           "edit",
                           "automatically "
                           "generated",
                           "auto-"
                           "generated",
                           "merged from "
                           "multiple"})
    if (contains(words, sign)) return true;
  return false;
}

// The reason to leave a file out, by what the file system says. "?" = it is there and cannot be read.
std::string_view reason_by_file(const std::string& path, std::uint64_t max_bytes) {
  struct stat info;
  if (::lstat(path.c_str(), &info) != 0) return errno == ENOENT || errno == ENOTDIR ? "gone" : "?";
  if (!S_ISREG(info.st_mode)) return "not a regular file";
  if (static_cast<std::uint64_t>(info.st_size) > max_bytes) return "too large";
  if (::access(path.c_str(), R_OK) != 0) return "?";
  return {};
}

// A script or style sheet of which a line is longer than anybody writes.
bool is_packed(std::string_view file, std::string_view head) {
  constexpr std::size_t kLongLine = 2'000;
  if (!has_extension(file, {"js", "mjs", "cjs", "css"})) return false;
  const auto lines = lines_of(head);
  return std::any_of(lines.begin(), lines.end(),
                     [](std::string_view line) { return line.size() > kLongLine; });
}

} // namespace

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string extension(std::string_view path) {
  const std::string_view name = file_name(path);
  const auto dot = name.rfind('.');
  return dot == std::string_view::npos || dot == 0 ? "" : to_lower(name.substr(dot + 1));
}

bool has_extension(std::string_view path, std::initializer_list<std::string_view> extensions) {
  const std::string ours = extension(path);
  return std::find(extensions.begin(), extensions.end(), ours) != extensions.end();
}

bool has_extension(std::string_view path, const std::vector<std::string>& extensions) {
  return std::find(extensions.begin(), extensions.end(), extension(path)) != extensions.end();
}

bool in_directory(std::string_view path, std::initializer_list<std::string_view> names) {
  for (auto slash = path.find('/'); slash != std::string_view::npos; slash = path.find('/')) {
    if (std::find(names.begin(), names.end(), path.substr(0, slash)) != names.end()) return true;
    path.remove_prefix(slash + 1);
  }
  return false;
}

bool is_sample(std::string_view path) {
  if (in_directory(path,
                   {"test",         "tests",     "testing",    "testdata",    "__tests__",  "spec",
                    "specs",        "fixtures",  "golden",     "corpus",      "snapshots",  "__snapshots__",
                    "examples",     "example",   "samples",    "demo",        "benchmarks", "benchmark",
                    "bench",        "fuzz",      "fuzzing",    "docs",        "doc",        "fixture",
                    "__fixtures__", "demos",     "playground", "playgrounds", "sandbox",    "e2e",
                    "mocks",        "__mocks__", "perf",       "stories",     "docs_src",   "sample"}))
    return true;
  const std::string name = to_lower(file_name(path));
  const std::string_view stem = std::string_view(name).substr(0, name.rfind('.'));
  for (const std::string_view end : {"_test", ".test", ".spec", "_spec", ".bench", ".stories", ".test-d"})
    if (stem.ends_with(end)) return true;
  return stem.starts_with("test_") || stem == "test" || stem == "tests" || stem == "conftest" ||
         name.ends_with("test.java");
}

bool is_prose(std::string_view path) {
  return has_extension(path, {"md", "markdown", "mdx", "rst", "txt", "adoc", "asciidoc", "tex"});
}

std::string_view reason_by_name(std::string_view file) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
  if (std::any_of(file.begin(), file.end(), is_control)) return "unusual name";
  if (in_directory(file, {"node_modules", "bower_components", "vendor", "vendored", "third_party",
                          "third-party", "thirdparty"}))
    return "vendored";
  if (in_directory(file.substr(0, file.rfind('/')), {"deps"})) return "vendored"; // deps/NAME/...
  if (in_directory(file, {"dist", "build", ".git"})) return "build output";
  const std::string name = to_lower(file_name(file));
  if (name == "gradlew" || name == "mvnw") return "vendored"; // the build tool writes it into every project
  if (name.ends_with(".min.js") || name.ends_with(".min.css") || name.ends_with(".min.mjs") ||
      name.ends_with(".map"))
    return "minified";
  return {};
}

std::string_view reason_by_content(std::string_view file, const std::string& path) {
  const std::string head = head_of_file(path, kHeadBytes);
  if (head.find('\0') != std::string::npos) return "binary";
  const auto lines = lines_of(head);
  for (std::size_t i = 0; i < lines.size() && i < kHeadLines; ++i)
    if (says_it_is_generated(lines[i])) return "generated";
  return is_packed(file, head) ? "minified" : "";
}

std::string head_of_file(const std::string& path, std::size_t count) {
  const OwnedFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (fd.get() < 0) return {};
  std::string head(count, '\0');
  const ssize_t got = ::read(fd.get(), head.data(), head.size());
  head.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return head;
}

FileChoice choose_files(const std::vector<std::string>& files, const SourceTree& tree, ForeignCode& foreign,
                        std::uint64_t max_bytes) {
  FileChoice choice;
  for (const std::string& file : files) {
    const std::string path = tree.on_disk(file);
    std::string_view reason = reason_by_name(file);
    if (reason.empty()) reason = foreign.reason(file);
    if (reason.empty()) reason = reason_by_file(path, max_bytes);
    if (reason == "?") {
      choice.unreadable.push_back(file);
      continue;
    }
    if (reason.empty()) reason = reason_by_content(file, path);
    if (reason.empty())
      choice.kept.push_back(file);
    else
      ++choice.left_out[std::string(reason)];
  }
  return choice;
}

std::string left_out_text(const FileChoice& choice) {
  int total = 0;
  std::vector<std::string> parts;
  for (const auto& [reason, count] : choice.left_out) {
    total += count;
    parts.push_back(std::to_string(count) + " " + reason);
  }
  if (total == 0) return {};
  return std::to_string(total) + (total == 1 ? " file" : " files") + " left out: " + join(parts, ", ");
}

} // namespace emend
