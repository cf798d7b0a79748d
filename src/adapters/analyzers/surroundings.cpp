#include "adapters/analyzers/surroundings.hpp"

#include <re2/re2.h>

#include <algorithm>

#include "base/files.hpp"
#include "base/glob.hpp"
#include "base/hash.hpp"
#include "base/json.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::uint64_t kLargestFile = 32'000'000;

} // namespace

std::string hash_of_others(const KnownAnalyzer& tool, const SourceTree& tree) {
  std::vector<std::string> globs = tool.depends;
  globs.insert(globs.end(), tool.configuration.begin(), tool.configuration.end());
  const auto files = tree.files(200'000);
  if (!files) return {};
  std::string all = "others";
  for (const std::string& file : *files)
    if (any_glob_match(globs, file)) {
      const auto bytes = read_file_nofollow(tree.on_disk(file), kLargestFile);
      all += "\n" + file + " " + (bytes ? sha256_hex(*bytes) : "?");
    }
  return sha256_hex(all);
}

std::string packages_key(const std::string& repository_root) {
  std::string key = "\npackages";
  const fs::path root = repository_root;
  const auto add = [&key](const fs::path& place) {
    std::error_code missing;
    const auto changed = fs::last_write_time(place, missing);
    if (!missing) key += " " + place.string() + " " + std::to_string(changed.time_since_epoch().count());
  };
  for (const char* place : {"node_modules", "node_modules/.package-lock.json", "node_modules/.modules.yaml",
                            "node_modules/.yarn-state.yml", ".venv", "venv", "vendor"})
    add(root / place);
  // Python's packages are one directory below one that is named after the version.
  for (const fs::path& lib :
       {root / ".venv/lib", root / "venv/lib", fs::path("/usr/local/lib"), fs::path("/usr/lib")}) {
    std::error_code problem;
    for (fs::directory_iterator at(lib, problem), end; !problem && at != end; at.increment(problem))
      if (at->path().filename().string().starts_with("python"))
        for (const char* packages : {"site-packages", "dist-packages"}) add(at->path() / packages);
  }
  return key;
}

std::vector<std::string> with_files(std::vector<std::string> arguments, const std::vector<std::string>& files,
                                    bool finds_them) {
  const auto place = std::find(arguments.begin(), arguments.end(), "{files}");
  if (place != arguments.end())
    arguments.insert(arguments.erase(place), files.begin(), files.end());
  else if (!finds_them)
    arguments.insert(arguments.end(), files.begin(), files.end());
  return arguments;
}

void add_before_files(std::vector<std::string>& arguments, const std::vector<std::string>& more,
                      const std::vector<std::string>& files) {
  auto at = std::find(arguments.begin(), arguments.end(), "{more}");
  if (at != arguments.end()) {
    at = arguments.erase(at);
  } else {
    at = files.empty() ? arguments.end() : std::find(arguments.begin(), arguments.end(), files.front());
    if (at != arguments.begin() && *(at - 1) == "--") --at;
  }
  arguments.insert(at, more.begin(), more.end());
}

bool asks_for_package(SourceTree& tree, const std::string& package) {
  const std::string word = RE2::QuoteMeta(package);
  const RE2 name(R"((?:^|[^\w.-]|mirrors-))" + word + R"((?:$|[^\w.-])|maven-)" + word + "-plugin");
  for (const char* file :
       {"package.json", "pyproject.toml", "setup.cfg", "setup.py", "tox.ini", "noxfile.py", "Pipfile",
        ".pre-commit-config.yaml", "requirements.txt", "requirements-dev.txt", "dev-requirements.txt",
        "requirements_dev.txt", "requirements/dev.txt", "requirements/dev.in", "requirements/tests.in",
        "requirements/typing.in", "pom.xml", "build.gradle", "build.gradle.kts"}) {
    const auto text = tree.text(file);
    if (text == nullptr) continue;
    for (const std::string_view line : lines_of(text->bytes()))
      if (!line.starts_with('[') && RE2::PartialMatch(line, name))
        return true; // "[tool.NAME]" only sets it up
  }
  return false;
}

bool npm_package_lists(const std::string& repository_root, const std::string& package) {
  const auto text = read_file_nofollow((fs::path(repository_root) / "package.json").string(), kLargestFile);
  const auto json = text ? parse_json(*text) : Result<Json>(Json());
  if (!json) return false;
  for (const char* group : {"devDependencies", "dependencies", "optionalDependencies"})
    if (const Json* listed = find_member(*json, group); listed != nullptr && listed->contains(package))
      return true;
  return false;
}

void link_packages(const AnalysisRequest& request, const std::string& repository_root) {
  const fs::path packages = fs::path(repository_root) / "node_modules";
  const fs::path top = request.overlay.upper.empty() ? request.root : request.overlay.upper;
  std::error_code problem;
  if (repository_root.empty() || !fs::is_directory(packages, problem)) return;
  if (!fs::exists(fs::symlink_status(top / "node_modules", problem)))
    fs::create_directory_symlink(packages, top / "node_modules", problem);
}

std::string version_key(const std::string& program, const KnownAnalyzer& tool) {
  std::error_code problem;
  const fs::path file = fs::canonical(program, problem);
  if (problem) return {};
  const auto size = fs::file_size(file, problem);
  if (problem) return {};
  const auto changed = fs::last_write_time(file, problem).time_since_epoch().count();
  if (problem) return {};
  return sha256_hex("version\n" + tool.name + "\n" + file.string() + "\n" + std::to_string(size) + "\n" +
                    std::to_string(changed));
}

} // namespace emend
