// Which new files are part of a change: junk is named, tests come along, and anything else must be used.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/patch/new_files.hpp"
#include "tests/unit/engine/changes.hpp"

namespace emend {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(JunkKind, ByNameAndByFirstBytes) {
  for (const char* path : {"src/__pycache__/a.cpython-311.pyc", "__pycache__/x", "a.pyc", ".pytest_cache/v/x",
                           "web/node_modules/x/index.js", ".coverage"})
    EXPECT_EQ(junk_kind(created(path, "x")), "cache") << path;
  for (const char* path : {"src/a.c~", ".a.c.swp", "a.orig", ".DS_Store", "src/.#a.c"})
    EXPECT_EQ(junk_kind(created(path, "x")), "editor backup") << path;
  EXPECT_EQ(junk_kind(created("src/reader",
                              "\x7f"
                              "ELF\x02\x01")),
            "compiled output")
      << "a program has no name to know it by";
  EXPECT_EQ(junk_kind(created("src/a.o", "x")), "compiled output");
  for (const char* path : {"src/a.c", "util/fmt.py", "tests/test_a.py", "NOTES.md", "data/cache.json"})
    EXPECT_EQ(junk_kind(created(path, "x")), "") << path;
  EXPECT_EQ(junk_kind(changed("a.pyc", "x", "y")), "") << "only new files are left out";
}

// The new file, and the line of the changed file that uses it, in one language after the other.
struct Use {
  const char *file, *content, *user, *line;
};

TEST(UsedNewFiles, InEveryLanguage) {
  const std::vector<Use> uses = {
      {"util/fmt.py", "def pad(x):\n  return x\n", "app.py", "from util.fmt import pad"},
      {"util/__init__.py", "", "app.py", "from util import x"},
      {"src/lib/fmt.js", "module.exports = {}\n", "src/app.js", "const f = require('./lib/fmt')"},
      {"src/fmt.ts", "export const pad = 1\n", "src/app.ts", "import { pad } from \"./fmt\";"},
      {"include/fmt.h", "int pad(int);\n", "src/app.c", "#include \"fmt.h\""},
      {"src/fmt.rs", "pub fn pad() {}\n", "src/lib.rs", "mod fmt;"},
      {"fmt.go", "package main\n\nfunc padLeft(s string) string { return s }\n", "main.go",
       "\treturn padLeft(s)"},
      {"src/Padder.java", "class Padder {}\n", "src/App.java", "  return new Padder().pad(s);"},
      {"lib/fmt.sh", "pad() { :; }\n", "app.sh", ". \"$here/lib/fmt.sh\""},
      {"lib/fmt.rb", "def pad_left(x) = x\n", "app.rb", "require_relative 'lib/fmt'"},
      {"lib/Fmt.php", "<?php class Fmt {}\n", "app.php", "require_once 'lib/Fmt.php';"},
      {"data/limits.json", "{}\n", "app.py", "limits = json.load(open(\"data/limits.json\"))"}};
  for (const Use& use : uses) {
    const Patch patch{
        {changed(use.user, "old\n", std::string(use.line) + "\n"), created(use.file, use.content)}};
    EXPECT_THAT(used_new_files(patch), ElementsAre(use.file)) << use.line;
    const Patch dead{{changed(use.user, "old\n", "something else\n"), created(use.file, use.content)}};
    EXPECT_THAT(used_new_files(dead), IsEmpty()) << use.file;
  }
}

TEST(UsedNewFiles, AnOldLineOrACommonWordIsNoUse) {
  EXPECT_THAT(used_new_files(
                  {{changed("app.py", "from util.fmt import pad\nold\n", "from util.fmt import pad\nnew\n"),
                    created("util/fmt.py", "x = 1\n")}}),
              IsEmpty());
  EXPECT_THAT(
      used_new_files({{changed("app.py", "old\n", "data = read(x)\n"), created("data.py", "x = 1\n")}}),
      IsEmpty());
}

TEST(UsedNewFiles, ACommentUsesNothing) {
  const std::vector<Use> mentions = {
      {"util/fmt.py", "x = 1\n", "app.py", "y = 2  # see util/fmt.py, or import fmt"},
      {"util/fmt.py", "x = 1\n", "app.py", "\"\"\"Formats; from util import fmt.\"\"\""},
      {"lib/fmt.js", "exports.x = 1\n", "app.js", "y = 2 // require('./lib/fmt')"},
      {"fmt.c", "int pad(int x) { return x; }\n", "app.c", "/* fmt.c has pad */ y = 2;"},
      {"lib/fmt.sh", "pad() { :; }\n", "app.sh", "y=2 # . lib/fmt.sh"},
      {"fmt.go", "package main\n\nfunc padLeft() {}\n", "main.go", "y = 2 // not padLeft"}};
  for (const Use& mention : mentions)
    EXPECT_THAT(used_new_files({{changed(mention.user, "old\n", std::string(mention.line) + "\n"),
                                 created(mention.file, mention.content)}}),
                IsEmpty())
        << mention.line;
}

TEST(UsedNewFiles, ANameTheUserKnewBeforeIsNoUse) {
  const std::vector<Use> chances = {
      {"app/dump.py", "class values:\n  pass\n", "app/calc.py", "total(values)"},
      {"dump.c", "int total;\nint values;\n", "calc.c", "total(values);"},
      {"dump.js", "const values = 1\nfunction total() {}\n", "calc.js", "total(values)"}};
  for (const Use& chance : chances)
    EXPECT_THAT(used_new_files({{changed(chance.user, "total(values) + 1\n", std::string(chance.line) + "\n"),
                                 created(chance.file, chance.content)}}),
                IsEmpty())
        << chance.file;
}

TEST(UsedNewFiles, WhatMovedThereIsUsedWhereItWas) {
  const std::string pad = "int pad(int x) { return x; }\n", user = "int show(void) { return pad(1); }\n";
  EXPECT_THAT(used_new_files({{changed("app.c", pad + user, user), created("pad.c", pad)}}),
              ElementsAre("pad.c"));
  EXPECT_THAT(used_new_files({{changed("app.c", pad + user, pad + user + "\n"), created("pad.c", pad)}}),
              IsEmpty())
      << "it is still there";
}

TEST(UsedNewFiles, WhatAUsedFileUsesIsUsed) {
  const Patch patch{{changed("app.py", "old\n", "import one_thing\n"),
                     created("one_thing.py", "import two_things\n"), created("two_things.py", "x = 1\n"),
                     created("three.py", "import two_things\n")}};
  EXPECT_THAT(used_new_files(patch), ElementsAre("one_thing.py", "two_things.py"));
}

} // namespace
} // namespace emend
