#include "engine/project/detect.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "base/strings.hpp"

namespace emend {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

using Files = std::map<std::string, std::string>;

Detected detect(const Files& files) {
  std::vector<std::string> paths;
  for (const auto& [path, text] : files) paths.push_back(path);
  return detect_commands(paths, [&files](const std::string& path) -> std::optional<std::string> {
    const auto found = files.find(path);
    return found == files.end() ? std::nullopt : std::optional<std::string>(found->second);
  });
}

// "name: command", with "(not used) " before those that should only be a comment.
std::vector<std::string> golden(const Files& files) {
  std::vector<std::string> lines;
  for (const CommandGuess& guess : detect(files).commands) {
    EXPECT_TRUE(guess.reason.ends_with('.')) << guess.name << ": " << guess.reason;
    EXPECT_FALSE(guess.programs.empty()) << guess.name;
    lines.push_back((guess.not_used.empty() ? "" : "(not used) ") + guess.name + ": " + guess.command);
  }
  return lines;
}

} // namespace

TEST(Detect, NothingToGo) {
  EXPECT_THAT(golden({}), IsEmpty());
  EXPECT_THAT(golden({{"README.md", "Run `make test`.\n"}, {"src/a.c", "int a;\n"}}), IsEmpty());
}

TEST(Detect, CMake) {
  const std::string build = "cmake-build: cmake -S . -B build && cmake --build build";
  EXPECT_THAT(golden({{"CMakeLists.txt", "project(a)\n"}}), ElementsAre(build));
  EXPECT_THAT(golden({{"CMakeLists.txt", "add_subdirectory(tests)\n"},
                      {"tests/CMakeLists.txt", "ADD_TEST(NAME a COMMAND a)\n"}}),
              ElementsAre(build, "ctest: ctest --test-dir build --output-on-failure"))
      << "one project, not two";
}

TEST(Detect, CMakePresets) {
  const std::string presets = R"({"version": 3,
    "configurePresets": [{"name": "base", "hidden": true, "binaryDir": "${sourceDir}/out/${presetName}"},
                         {"name": "asan", "inherits": "base"}, {"name": "dev", "inherits": ["base"]}],
    "buildPresets": [{"name": "dev-build", "configurePreset": "dev"}], "testPresets": []})";
  EXPECT_THAT(golden({{"CMakeLists.txt", "enable_testing()\n"}, {"CMakePresets.json", presets}}),
              ElementsAre("cmake-build: cmake --preset dev && cmake --build --preset dev-build",
                          "ctest: ctest --test-dir out/dev --output-on-failure"));
}

TEST(Detect, PresetsThatCannotBeUsed) {
  const std::string build = "cmake-build: cmake -S . -B build && cmake --build build";
  for (const std::string presets : {"{", "[]", "{}", R"({"configurePresets": 3})",
                                    R"({"configurePresets": [{"name": "a", "hidden": true}]})",
                                    R"({"configurePresets": [{"name": "a", "inherits": "a"}]})",
                                    R"({"configurePresets": [{"name": "a", "binaryDir": "$env{HOME}/x"}]})"})
    EXPECT_THAT(golden({{"CMakeLists.txt", ""}, {"CMakePresets.json", presets}}), ElementsAre(build))
        << presets;
}

TEST(Detect, MakeOnlyWithATargetThatIsThere) {
  EXPECT_THAT(golden({{"Makefile", "all: a\na:\n\tcc a.c\ntest: a\n\t./a\n"}}),
              ElementsAre("make-test: make test"));
  EXPECT_THAT(golden({{"Makefile", "build check: a\n\t./a\n"}}), ElementsAre("make-check: make check"));
  EXPECT_THAT(golden({{"GNUmakefile", "test::\n\ttrue\n"}, {"Makefile", "x:\n"}}),
              ElementsAre("make-test: make test"));
  const std::string without = ".PHONY: test\ntest := no\nflags = a:test\nall:\n\t@echo test:\n# test: x\n";
  EXPECT_THAT(golden({{"Makefile", without}}), ElementsAre("make: make"));
  EXPECT_THAT(golden({{"Makefile", "CC = gcc\n"}}), IsEmpty());
}

TEST(Detect, WhatTheMakefileCallsItselfIsAComment) {
  EXPECT_THAT(golden({{"go.mod", "module a\n"}, {"Makefile", "test:\n\tgo build ./...\n"}}),
              ElementsAre("(not used) go-build: go build ./...", "make-test: make test"));
  EXPECT_THAT(golden({{"Cargo.toml", "[package]\n"}, {"Makefile", "test:\n\t./integration\n"}}),
              ElementsAre("cargo-test: cargo test", "make-test: make test"));
  EXPECT_THAT(golden({{"Cargo.toml", "[package]\n"}, {"Makefile", "all:\n\tcargo build\n"}}),
              ElementsAre("cargo-test: cargo test"));
  const std::string cmake = "cmake-build: cmake -S . -B build && cmake --build build";
  EXPECT_THAT(golden({{"CMakeLists.txt", ""}, {"Makefile", "test:\n\tcmake -B b\n"}}),
              ElementsAre("(not used) " + cmake, "make-test: make test"));
  EXPECT_THAT(golden({{"CMakeLists.txt", ""}, {"Makefile", "test:\n\tcc a.c\n"}}),
              ElementsAre(cmake, "(not used) make-test: make test"));
}

TEST(Detect, Node) {
  EXPECT_THAT(golden({{"package.json", R"({"scripts": {"test": "node --test"}})"}}),
              ElementsAre("npm-test: npm test"));
  EXPECT_THAT(golden({{"package.json", R"({"scripts": {"test": "jest"}, "devDependencies": {"jest": "1"}})"},
                      {"package-lock.json", "{}"}}),
              ElementsAre("npm-test: npm ci --prefer-offline --no-audit --no-fund && npm test"));
  EXPECT_THAT(
      golden({{"package.json",
               R"({"scripts": {"test": "vitest run", "typecheck": "tsc"}, "dependencies": {"a": "1"}})"},
              {"pnpm-lock.yaml", ""}}),
      ElementsAre("pnpm-typecheck: pnpm install --frozen-lockfile --prefer-offline && pnpm run typecheck",
                  "pnpm-test: pnpm test"));
  EXPECT_THAT(
      golden({{"package.json", R"({"scripts": {"test": "react-scripts test"}, "dependencies": {"a": "1"}})"},
              {"yarn.lock", ""},
              {".yarnrc.yml", ""}}),
      ElementsAre("yarn-test: yarn install --immutable && CI=true yarn test"));
}

TEST(Detect, WhatDownloadsIsSaid) {
  const std::string both =
      R"({"scripts": {"test": "jest", "typecheck": "tsc"}, "devDependencies": {"jest": "1"}})";
  const auto downloads = [](const Detected& found) {
    std::vector<std::string> said;
    for (const CommandGuess& guess : found.commands) said.push_back(guess.downloads);
    return said;
  };
  EXPECT_THAT(downloads(detect({{"package.json", both}, {"package-lock.json", "{}"}})),
              ElementsAre("npm ci", ""))
      << "once: they share the tree";
  EXPECT_THAT(downloads(detect({{"package.json", both}})), ElementsAre("npm install", ""));
  EXPECT_THAT(downloads(detect({{"package.json", both}, {"yarn.lock", ""}})),
              ElementsAre("yarn install", ""));
  EXPECT_THAT(downloads(detect({{"package.json", R"({"scripts": {"test": "node --test"}})"}})),
              ElementsAre(""));
}

TEST(Detect, NodeWithoutTests) {
  const std::string placeholder = R"("test": "echo \"Error: no test specified\" && exit 1")";
  EXPECT_THAT(golden({{"package.json", "{\"scripts\": {" + placeholder + "}}"}}), IsEmpty());
  EXPECT_THAT(golden({{"package.json", "{\"scripts\": {" + placeholder + R"(, "build": "tsc"}})"}}),
              ElementsAre("npm-build: npm run build"));
  EXPECT_THAT(golden({{"package.json", R"({"scripts": {"test": "jest --watch"}})"}}),
              ElementsAre("(not used) npm-test: npm test"));
}

TEST(Detect, DamagedFilesAreNotedAndBreakNothing) {
  for (const std::string text : {"", "{", "[]", R"({"scripts": []})", R"({"scripts": {"test": 7}})",
                                 "\xff\xfe", R"({"a": 1, "a": 2})"})
    EXPECT_THAT(golden({{"package.json", text}}), IsEmpty()) << text;
  EXPECT_THAT(detect({{"package.json", "{"}}).notes, ElementsAre(HasSubstr("package.json")));
  EXPECT_THAT(golden({{"pyproject.toml", "[[[ \x01"}, {"a.py", "x = 1\n"}}),
              ElementsAre("python-syntax: python3 -m compileall -q a.py"));
  EXPECT_THAT(golden({{"Makefile", std::string(2'000'000, 'x') + "\ntest:\n"}}), IsEmpty())
      << "too large to be a Makefile";
  const Detected unread = detect_commands({"CMakeLists.txt", "package.json", "Makefile"},
                                          [](const std::string&) { return std::nullopt; });
  EXPECT_EQ(unread.commands.size(), 1u) << "a CMakeLists.txt tells by being there";
}

TEST(Detect, CargoAndGo) {
  EXPECT_THAT(golden({{"Cargo.toml", "[workspace]\nmembers = [\"a\"]\n"},
                      {"Cargo.lock", ""},
                      {"a/Cargo.toml", "[package]\n"}}),
              ElementsAre("cargo-test: cargo test --workspace --locked"));
  EXPECT_THAT(golden({{"go.mod", "module a\n"}, {"a_test.go", "package a\n"}}),
              ElementsAre("go-build: go build ./...", "go-test: go test ./..."));
}

TEST(Detect, MesonMavenGradle) {
  EXPECT_THAT(golden({{"meson.build", "project('a')\ntest('a', exe)\n"}}),
              ElementsAre("meson-build: meson setup builddir && meson compile -C builddir",
                          "meson-test: meson test -C builddir --print-errorlogs"));
  EXPECT_THAT(golden({{"pom.xml", "<project/>"}}), ElementsAre("maven-test: mvn -B -q test"));
  EXPECT_THAT(golden({{"build.gradle.kts", ""}, {"gradlew", ""}}),
              ElementsAre("gradle-test: sh ./gradlew --console=plain test"));
}

TEST(Detect, Python) {
  const std::string pytest = "pytest: python3 -m pytest -q";
  EXPECT_THAT(golden({{"pytest.ini", ""}, {"a.py", ""}}), ElementsAre(pytest));
  EXPECT_THAT(golden({{"pyproject.toml", "[tool.pytest.ini_options]\n"}, {"a.py", ""}}), ElementsAre(pytest));
  EXPECT_THAT(golden({{"tox.ini", "[pytest]\n"}, {"a.py", ""}}), ElementsAre(pytest));
  EXPECT_THAT(golden({{"a.py", ""}, {"tests/conftest.py", ""}}), ElementsAre(pytest));
  EXPECT_THAT(golden({{"tests/test_a.py", "def test_a():\n  assert 1\n"}}), ElementsAre(pytest));
  EXPECT_EQ(detect({{"pytest.ini", ""}, {"a.py", ""}}).commands.front().python_module, "pytest");
  EXPECT_THAT(golden({{"tests/test_a.py", "import unittest\n"}, {"a.py", ""}}),
              ElementsAre("unittest: python3 -m unittest discover -s tests"));
  EXPECT_THAT(golden({{"tests/__init__.py", ""},
                      {"tests/unit/test_a.py", "import unittest\n"},
                      {"tests/web/test_b.py", "import unittest\n"}}),
              ElementsAre("unittest: python3 -m unittest discover -s tests -t ."));
  EXPECT_THAT(golden({{"a_test.py", "import unittest\n"}}),
              ElementsAre("unittest: python3 -m unittest discover -p '*_test.py'"));
  EXPECT_THAT(golden({{"manage.py", "import django\n"}, {"app/tests.py", "x = 1\n"}}),
              ElementsAre("django-test: python3 manage.py test"));
  EXPECT_THAT(golden({{"pkg/a.py", ""}, {"pkg/b.py", ""}, {"tool.py", ""}}),
              ElementsAre("python-syntax: python3 -m compileall -q pkg tool.py"));
}

TEST(Detect, ShellWithoutNamingTheScripts) {
  const Detected found = detect({{"a.sh", ""}, {"bin/my tool.bash", ""}});
  ASSERT_EQ(found.commands.size(), 1u);
  EXPECT_THAT(found.commands.front().command, HasSubstr("find . -name node_modules -prune"));
  EXPECT_THAT(found.commands.front().command, testing::Not(HasSubstr("a.sh")));
  EXPECT_THAT(found.commands.front().paths, ElementsAre("**/*.sh", "**/*.bash"));
}

TEST(Detect, SeveralInOneRepository) {
  const Files files = {{"api/go.mod", "module api\n"},
                       {"api/a_test.go", ""},
                       {"web/package.json", R"({"scripts": {"test": "vitest run"}})"},
                       {"tools/gen/pyproject.toml", ""},
                       {"tools/gen/a.py", ""},
                       {"web/node_modules/x/package.json", R"({"scripts": {"test": "no"}})"},
                       {"third_party/z/CMakeLists.txt", ""},
                       {"examples/demo/Makefile", "test:\n"}};
  EXPECT_THAT(golden(files),
              ElementsAre("web-npm-test: cd web && npm test", "api-go-build: cd api && go build ./...",
                          "api-go-test: cd api && go test ./...",
                          "tools-gen-python-syntax: cd tools/gen && python3 -m compileall -q a.py"));
  const Detected found = detect(files);
  EXPECT_THAT(found.commands.front().paths, ElementsAre("web/**"));
  EXPECT_THAT(found.commands.back().paths, ElementsAre("tools/gen/**/*.py"));
}

TEST(Detect, AWorkspaceSpeaksForItsMembers) {
  EXPECT_THAT(golden({{"package.json", R"({"workspaces": ["packages/*"], "scripts": {"test": "all"}})"},
                      {"packages/a/package.json", R"({"scripts": {"test": "one"}})"}}),
              ElementsAre("npm-test: npm test"));
}

TEST(Detect, HostileNamesStayOutOfTheShell) {
  EXPECT_THAT(golden({{"$(touch x)/Cargo.toml", ""}, {"-C/go.mod", ""}, {"a\nb/pom.xml", ""}}), IsEmpty());
  EXPECT_THAT(golden({{"pkg $(touch x)/a.py", ""}}),
              ElementsAre("python-syntax: python3 -m compileall -q 'pkg $(touch x)'"));
}

TEST(Detect, WhatIsWrittenForAgentsIsOnlyAHint) {
  const Detected found = detect({{"AGENTS.md",
                                  "Build:\n\n```sh\n$ make test\nrm -rf /\nmake deploy\ncurl x | sh\n```\n- "
                                  "run `npm run lint` first\nuse `make check`\n"},
                                 {"CONTRIBUTING.md", "```\nmake test\n```\n"}});
  EXPECT_THAT(found.commands, IsEmpty());
  ASSERT_EQ(found.hints.size(), 2u) << "each once, and only what checks something";
  EXPECT_EQ(found.hints[0].command, "make test");
  EXPECT_EQ(found.hints[0].line, 4);
  EXPECT_EQ(found.hints[1].command, "npm run lint");
}

} // namespace emend
