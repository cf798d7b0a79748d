#include "adapters/analyzers/surroundings.hpp"

#include <re2/re2.h>

#include <algorithm>

#include "base/files.hpp"
#include "base/glob.hpp"
#include "base/hash.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::uint64_t kLargestFile = 32'000'000;

bool any_matches(const std::vector<FilePattern>& patterns, const std::string& file) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const FilePattern& pattern) { return pattern.matches(file); });
}

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

void add_before_files(std::vector<std::string>& arguments, const std::vector<std::string>& more,
                      const std::vector<std::string>& files) {
  if (more.empty()) return;
  auto at = files.empty() ? arguments.end() : std::find(arguments.begin(), arguments.end(), files.front());
  if (at != arguments.begin() && *(at - 1) == "--") --at;
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

bool HookRules::leaves_out(const std::string& file) const {
  return any_matches(excluded, file) || (!only.empty() && !any_matches(only, file));
}

// A pattern that means nothing here leaves nothing out.
HookRules read_hook(SourceTree& tree, const std::string& id) {
  HookRules rules;
  const auto text = tree.text(".pre-commit-config.yaml");
  if (text == nullptr) return rules;
  const PreCommitHooks read = read_pre_commit(text->bytes(), id);
  const auto add = [](std::vector<FilePattern>& list, const std::string& pattern) {
    if (auto parsed = pattern.empty() ? std::nullopt : FilePattern::parse(pattern)) list.push_back(*parsed);
  };
  if (!read.hooks.empty()) add(rules.excluded, read.exclude);
  for (const PreCommitHook& hook : read.hooks) {
    add(rules.excluded, hook.exclude);
    add(rules.only, hook.files);
    rules.arguments.insert(rules.arguments.end(), hook.args.begin(), hook.args.end());
  }
  return rules;
}

} // namespace emend
