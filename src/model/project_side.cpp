#include "model/project_side.hpp"

#include <algorithm>
#include <iterator>

namespace emend {

namespace {

constexpr const char* kPackages[] = {"package.json", "deno.json", "deno.jsonc", "bower.json"};
constexpr const char* kBuiltAsC[] = {"CMakeLists.txt", "configure.ac", "configure.in", "configure",
                                     "meson.build",    "Makefile.am",  "SConstruct",   "SConscript"};

// The file's own directory, or one above it, is a package.
bool belongs_to_package(std::string directory, const std::function<bool(const std::string&)>& has_file) {
  while (true) {
    const auto slash = directory.rfind('/');
    directory.resize(slash == std::string::npos ? 0 : slash);
    for (const char* package : kPackages)
      if (has_file(directory.empty() ? package : directory + "/" + package)) return true;
    if (directory.empty()) return false;
  }
}

} // namespace

Side side_in_project(const std::string& file, const std::function<bool(const std::string&)>& has_file) {
  const Side side = side_of(file);
  if (side != Side::frontend || !has_file || belongs_to_package(file, has_file)) return side;
  const bool built_as_c = std::any_of(std::begin(kBuiltAsC), std::end(kBuiltAsC),
                                      [&](const char* name) { return has_file(name); });
  return built_as_c ? Side::backend : side;
}

} // namespace emend
