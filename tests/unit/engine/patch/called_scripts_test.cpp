#include "engine/patch/called_scripts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace emend {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

PathSet called(const std::string& command, const std::map<std::string, std::string>& files) {
  Tree base;
  for (const auto& [path, text] : files) base[path] = {kModeFile, "id", text.size()};
  return called_scripts({{"test", command, {}, 0}}, base, [&](std::string_view path) -> Result<std::string> {
    return files.at(std::string(path));
  });
}

TEST(CalledScripts, RecipesOfTheTargetAndWhatItNeeds) {
  const std::map<std::string, std::string> files = {
      {"Makefile",
       ".PHONY: test\nall: build\nCC := gcc\nbuild:\n\t$(CC) src/a.c\n\ntest: build lint ; "
       "./inline.sh\n\t@./tools/check.sh src/a.c\n\t-python3 tools/run.py\n"
       "lint:\n\tsh tools/lint.sh\ndeploy:\n\t./deploy.sh\n"},
      {"tools/check.sh", ""},
      {"tools/run.py", ""},
      {"tools/lint.sh", ""},
      {"deploy.sh", ""},
      {"src/a.c", ""},
      {"inline.sh", ""}};
  EXPECT_THAT(called("make test", files),
              ElementsAre("inline.sh", "tools/check.sh", "tools/lint.sh", "tools/run.py"));
  EXPECT_THAT(called("CC=gcc make -j 4 test V=1", files),
              ElementsAre("inline.sh", "tools/check.sh", "tools/lint.sh", "tools/run.py"));
  EXPECT_THAT(called("make deploy", files), ElementsAre("deploy.sh"));
  EXPECT_THAT(called("make", files), IsEmpty()) << "the first target builds";
  EXPECT_THAT(called("make missing", files), IsEmpty());
  EXPECT_THAT(called("echo make test", files), IsEmpty());
}

TEST(CalledScripts, BelowADirectory) {
  const std::map<std::string, std::string> files = {{"sub/Makefile", "test:\n\t./t.sh\n"},
                                                    {"sub/t.sh", ""},
                                                    {"t.sh", ""},
                                                    {"sub/odd.mk", "x:\n\t./t.sh\n"}};
  EXPECT_THAT(called("make -C sub test", files), ElementsAre("sub/t.sh"));
  EXPECT_THAT(called("cd sub && make test", files), ElementsAre("sub/t.sh"));
  EXPECT_THAT(called("cd sub && make -f odd.mk x", files), ElementsAre("sub/t.sh"));
}

TEST(CalledScripts, PackageScripts) {
  const std::map<std::string, std::string> files = {
      {"package.json",
       R"({"scripts": {"test": "npm run lint && node scripts/test.js", "pretest": "./gen.sh", "lint": "node scripts/lint.js", "start": "node server.js"}})"},
      {"scripts/test.js", ""},
      {"scripts/lint.js", ""},
      {"gen.sh", ""},
      {"server.js", ""}};
  EXPECT_THAT(called("npm test", files), ElementsAre("gen.sh", "scripts/lint.js", "scripts/test.js"));
  EXPECT_THAT(called("npm run -s lint", files), ElementsAre("scripts/lint.js"));
  EXPECT_THAT(called("yarn lint", files), ElementsAre("scripts/lint.js"));
  EXPECT_THAT(called("npm ci", files), IsEmpty());
}

TEST(CalledScripts, CirclesAndDamageEnd) {
  EXPECT_THAT(called("make a", {{"Makefile", "a: b\n\tmake a\nb: a\n\t./x.sh\n"}, {"x.sh", ""}}),
              ElementsAre("x.sh"));
  EXPECT_THAT(called("npm test", {{"package.json", "{\"scripts\": {\"test\": \"npm test\"}}"}}), IsEmpty());
  EXPECT_THAT(called("npm test", {{"package.json", "{oops"}}), IsEmpty());
  EXPECT_THAT(called("make", {{"Makefile", ":::\n\t\n:\n=\n\t@@@\n"}}), IsEmpty());
}

} // namespace
} // namespace emend
