// Projects that are compiled: CMake, Meson, Make, Cargo, Go, Maven, Gradle.
#include <algorithm>

#include "base/strings.hpp"
#include "engine/project/project_files.hpp"

namespace emend {

namespace {

// Presets are found by name in three lists of one file.
class Presets {
public:
  explicit Presets(Json file) : file_(std::move(file)) {}

  // The one people and CI would use: a plain name first, then the first that is not hidden.
  [[nodiscard]] std::string configure() const {
    const auto names = usable("configurePresets");
    for (const char* wanted : {"default", "dev", "debug", "ci", "linux", "release"})
      if (std::find(names.begin(), names.end(), wanted) != names.end()) return wanted;
    return names.empty() ? std::string() : names.front();
  }
  // The build or test preset made for a configure preset.
  [[nodiscard]] std::string matching(std::string_view list, const std::string& configure) const {
    for (const std::string& name : usable(list)) {
      const Json* preset = find(list, name);
      if (preset != nullptr && inherited(list, *preset, "configurePreset", 0) == configure) return name;
    }
    return {};
  }
  [[nodiscard]] std::string build_directory(const std::string& configure) const {
    const Json* preset = find("configurePresets", configure);
    std::string directory =
        preset == nullptr ? std::string() : inherited("configurePresets", *preset, "binaryDir", 0);
    directory = replace_all(replace_all(directory, "${sourceDir}/", ""), "${presetName}", configure);
    return contains(directory, "$") ? std::string() : directory;
  }

private:
  static constexpr int kDeepestInheritance = 10;

  [[nodiscard]] std::vector<std::string> usable(std::string_view list) const {
    std::vector<std::string> names;
    const Json* presets = find_member(file_, list);
    if (presets == nullptr || !presets->is_array()) return names;
    for (const Json& preset : *presets) {
      const Json* hidden = find_member(preset, "hidden");
      const std::string name = string_or(preset, "name");
      if (!name.empty() && find_member(preset, "condition") == nullptr &&
          (hidden == nullptr || *hidden != Json(true)))
        names.push_back(name);
    }
    return names;
  }
  [[nodiscard]] const Json* find(std::string_view list, const std::string& name) const {
    const Json* presets = find_member(file_, list);
    if (presets == nullptr || !presets->is_array()) return nullptr;
    for (const Json& preset : *presets)
      if (string_or(preset, "name") == name) return &preset;
    return nullptr;
  }
  [[nodiscard]] std::string inherited(std::string_view list, const Json& preset, std::string_view key,
                                      int depth) const {
    if (std::string own = string_or(preset, key); !own.empty() || depth > kDeepestInheritance) return own;
    const Json* parents = find_member(preset, "inherits");
    if (parents == nullptr) return {};
    const Json all = parents->is_array() ? *parents : Json::array({*parents});
    for (const Json& name : all) {
      const Json* parent = name.is_string() ? find(list, name.get<std::string>()) : nullptr;
      if (parent == nullptr) continue;
      if (std::string value = inherited(list, *parent, key, depth + 1); !value.empty()) return value;
    }
    return {};
  }

  Json file_;
};

bool declares_tests(const ProjectFiles& files, const ProjectPlace& place) {
  constexpr int kMostFiles = 200;
  int seen = 0;
  for (const std::string& path : files.own()) {
    if (!place.holds(path) || (base_name(path) != "CMakeLists.txt" && !path.ends_with(".cmake"))) continue;
    if (++seen > kMostFiles) return false;
    const std::string text = to_lower(files.text(path));
    for (const char* word :
         {"enable_testing", "include(ctest)", "add_test", "gtest_discover_tests", "catch_discover_tests"})
      if (contains(text, word)) return true;
  }
  return false;
}

struct CmakeCommands {
  std::string build, test, reason;
};

CmakeCommands plain_cmake() {
  return {"cmake -S . -B build && cmake --build build", "ctest --test-dir build --output-on-failure",
          "has a CMakeLists.txt"};
}

CmakeCommands cmake_commands(const ProjectFiles& files, const ProjectPlace& place, Detected& found) {
  const std::string file = place.file("CMakePresets.json");
  if (!files.has(file)) return plain_cmake();
  auto parsed = files.object(file, found);
  if (!parsed) return plain_cmake();
  const Presets presets(*std::move(parsed));
  const std::string configure = presets.configure();
  const std::string build = presets.matching("buildPresets", configure),
                    test = presets.matching("testPresets", configure);
  const std::string directory = presets.build_directory(configure);
  if (configure.empty() || (build.empty() && directory.empty())) return plain_cmake();
  const std::string quoted = shell_quote(directory.empty() ? "build" : directory);
  return {"cmake --preset " + shell_quote(configure) + " && cmake --build " +
              (build.empty() ? quoted : "--preset " + shell_quote(build)),
          !test.empty() ? "ctest --preset " + shell_quote(test) + " --output-on-failure"
                        : "ctest --test-dir " + quoted + " --output-on-failure",
          "has the preset " + configure};
}

CommandGuess needing(CommandGuess guess, std::vector<std::string> programs) {
  guess.programs = std::move(programs);
  return guess;
}

bool is_rule_for(std::string_view line, std::string_view target) {
  const auto colon = line.find(':');
  if (colon == std::string_view::npos || line.starts_with('\t') || line.starts_with('#')) return false;
  const std::string_view after = line.substr(colon + 1);
  if (after.starts_with('=') || after.starts_with(":=") ||
      line.substr(0, colon).find('=') != std::string_view::npos)
    return false;
  const auto targets = split(line.substr(0, colon), ' ');
  return std::find(targets.begin(), targets.end(), target) != targets.end();
}

std::string check_target(std::string_view makefile) {
  for (const char* target : {"test", "check", "tests"})
    for (const std::string_view line : lines_of(makefile))
      if (is_rule_for(line, target)) return target;
  return {};
}

bool has_rule_before_all_others(std::string_view makefile) {
  for (const std::string_view line : lines_of(makefile)) {
    const auto colon = line.find(':');
    if (line.empty() || line.starts_with('\t') || line.starts_with('#') || line.starts_with('.') ||
        colon == std::string_view::npos)
      continue;
    if (!line.substr(colon + 1).starts_with('=') && line.find('=') > colon) return true;
  }
  return false;
}

// The word a Makefile uses when it only calls what the guess runs; empty = it cannot be told.
std::string caller_word(const CommandGuess& guess) {
  if (!guess.python_module.empty()) return guess.python_module;
  if (guess.programs.empty() || guess.name.ends_with("python-syntax")) return {};
  return guess.programs.front() == "python3" ? "unittest" : guess.programs.front();
}

bool is_at(const CommandGuess& guess, const ProjectPlace& place) {
  return guess.paths == place.guess("", "", "").paths;
}

// What a Makefile's own test target calls need not run twice: the target is the project's word, and may do
// more.
void leave_to_make(std::string_view makefile, const ProjectPlace& place, const CommandGuess& make,
                   Detected& found) {
  for (CommandGuess& guess : found.commands) {
    const std::string word = caller_word(guess);
    if (is_at(guess, place) && guess.not_used.empty() && !word.empty() && has_word(makefile, word))
      guess.not_used = make.command + " probably does the same";
  }
}

const CommandGuess* used_cmake(const ProjectPlace& place, const Detected& found) {
  for (const CommandGuess& guess : found.commands)
    if (is_at(guess, place) && guess.not_used.empty() && guess.name.ends_with("cmake-build")) return &guess;
  return nullptr;
}

CommandGuess make_guess(const ProjectPlace& place, const std::string& file, const std::string& target) {
  CommandGuess guess =
      target.empty()
          ? place.guess("make", "make", file + " has no target test or check, so it is only built.")
          : place.guess("make-" + target, "make " + target, file + " has the target " + target + ".");
  guess.programs = {"make"};
  return guess;
}

} // namespace

void detect_cmake(const ProjectFiles& files, Detected& found) {
  for (const ProjectPlace& place : files.places({"CMakeLists.txt"})) {
    const CmakeCommands commands = cmake_commands(files, place, found);
    const std::string where = place.directory.empty() ? "The project" : place.directory;
    found.commands.push_back(needing(
        place.guess("cmake-build", commands.build,
                    where + " " + commands.reason +
                        "; a private tree starts without a build directory, so this configures and builds."),
        {"cmake"}));
    if (declares_tests(files, place))
      found.commands.push_back(
          needing(place.guess("ctest", commands.test,
                              "The CMake files declare tests, which ctest runs in that build directory."),
                  {"ctest"}));
  }
}

void detect_meson(const ProjectFiles& files, Detected& found) {
  for (const ProjectPlace& place : files.places({"meson.build"})) {
    found.commands.push_back(
        needing(place.guess("meson-build", "meson setup builddir && meson compile -C builddir",
                            place.file("meson.build") + " describes the build."),
                {"meson", "ninja"}));
    const bool tests = std::any_of(files.own().begin(), files.own().end(), [&](const std::string& path) {
      return place.holds(path) && base_name(path) == "meson.build" &&
             contains(replace_all(files.text(path), " ", ""), "test(");
    });
    if (tests)
      found.commands.push_back(needing(place.guess("meson-test", "meson test -C builddir --print-errorlogs",
                                                   "The Meson files declare tests."),
                                       {"meson"}));
  }
}

void detect_cargo(const ProjectFiles& files, Detected& found) {
  for (const ProjectPlace& place : files.places({"Cargo.toml"})) {
    const bool workspace = contains(files.text(place.file("Cargo.toml")), "[workspace]");
    const std::string command = std::string("cargo test") + (workspace ? " --workspace" : "") +
                                (files.has(place, "Cargo.lock") ? " --locked" : "");
    found.commands.push_back(needing(
        place.guess("cargo-test", command,
                    place.file("Cargo.toml") + (workspace ? " is a Cargo workspace" : " is a Cargo package") +
                        "; this builds it and runs its tests."),
        {"cargo"}));
  }
}

void detect_go(const ProjectFiles& files, Detected& found) {
  for (const ProjectPlace& place : files.places({"go.mod"}, Nested::projects_of_their_own)) {
    found.commands.push_back(needing(
        place.guess("go-build", "go build ./...", place.file("go.mod") + " is a Go module."), {"go"}));
    const bool tests = std::any_of(files.own().begin(), files.own().end(), [&](const std::string& path) {
      return place.holds(path) && path.ends_with("_test.go");
    });
    if (tests)
      found.commands.push_back(
          needing(place.guess("go-test", "go test ./...", "The module has _test.go files."), {"go"}));
  }
}

void detect_java(const ProjectFiles& files, Detected& found) {
  for (const ProjectPlace& place : files.places({"pom.xml"})) {
    const bool wrapper = files.has(place, "mvnw");
    found.commands.push_back(needing(
        place.guess("maven-test", std::string(wrapper ? "sh ./mvnw" : "mvn") + " -B -q test",
                    place.file("pom.xml") + " is a Maven project; test compiles it and runs its tests."),
        {wrapper ? "java" : "mvn"}));
  }
  for (const ProjectPlace& place :
       files.places({"build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"})) {
    const bool wrapper = files.has(place, "gradlew");
    found.commands.push_back(needing(
        place.guess("gradle-test", std::string(wrapper ? "sh ./gradlew" : "gradle") + " --console=plain test",
                    "A Gradle build is there; test compiles it and runs its tests."),
        {wrapper ? "java" : "gradle"}));
  }
}

void detect_make(const ProjectFiles& files, Detected& found) {
  for (const ProjectPlace& place : files.places({"Makefile", "GNUmakefile", "makefile"})) {
    std::string name;
    for (const char* candidate : {"GNUmakefile", "makefile", "Makefile"}) // the order make looks for them
      if (name.empty() && files.has(place, candidate)) name = candidate;
    const std::string text = files.text(place.file(name)), target = check_target(text);
    const bool better = std::any_of(found.commands.begin(), found.commands.end(),
                                    [&](const CommandGuess& guess) { return is_at(guess, place); });
    if (target.empty() && (better || !has_rule_before_all_others(text))) continue;
    CommandGuess guess = make_guess(place, place.file(name), target);
    leave_to_make(text, place, guess, found);
    if (const CommandGuess* cmake = used_cmake(place, found))
      guess.not_used = "it is probably another way to do the same as " + cmake->name;
    found.commands.push_back(std::move(guess));
  }
}

} // namespace emend
