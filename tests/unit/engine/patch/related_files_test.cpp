#include "engine/patch/related_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/engine/changes.hpp"

namespace emend {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class RelatedFiles : public testing::Test {
protected:
  RelatedFiles() { finding.file = "src/app.py"; }

  std::vector<std::string> unrelated(std::vector<FileChange> changes) const {
    return unrelated_files(finding, Patch{std::move(changes)}, content);
  }

  Finding finding;
  std::string content = "from limits import LIMIT\n\n\ndef run():\n    return LIMIT\n";
  Tree tree;
};

TEST_F(RelatedFiles, AFileThatTheFindingsFileLoads) {
  EXPECT_THAT(unrelated({changed("src/limits.py", "LIMIT = 1\n", "LIMIT = 2\n")}), IsEmpty())
      << "the root cause, with the file of the finding unchanged";
  EXPECT_THAT(unrelated({changed("src/colours.py", "RED = 1\n", "RED = 2\n")}),
              ElementsAre("src/colours.py"));
}

TEST_F(RelatedFiles, AFileThatLoadsTheFindingsFile) {
  EXPECT_THAT(unrelated({changed("src/main.py", "import app\n\napp.run()\n", "import app\n\napp.run(1)\n")}),
              IsEmpty());
  finding.file = "web/view.ts";
  content = "export const view = 1;\n";
  EXPECT_THAT(unrelated({changed("web/page.ts", "import { view } from './view';\nlet a = 1;\n",
                                 "import { view } from './view';\nlet a = 2;\n")}),
              IsEmpty());
}

TEST_F(RelatedFiles, TheOtherFaceOfALoadedHeader) {
  finding.file = "src/app.c";
  content = "#include \"limits_of.h\"\n";
  EXPECT_THAT(unrelated({changed("lib/limits_of.c", "int a = 1;\n", "int a = 2;\n")}), IsEmpty());
}

TEST_F(RelatedFiles, ThroughOthersOfTheChange) {
  const FileChange limits =
                       changed("src/limits.py", "import units\nLIMIT = 1\n", "import units\nLIMIT = 2\n"),
                   units = changed("src/units.py", "UNIT = 1\n", "UNIT = 3\n");
  EXPECT_THAT(unrelated({units, limits}), IsEmpty());
  EXPECT_THAT(unrelated({units}), ElementsAre("src/units.py"))
      << "what leads to it is not part of the change";
}

TEST_F(RelatedFiles, CallersOfWhatIsRenamed) {
  const FileChange renamed =
      changed("src/app.py", "def old_name():\n    pass\n", "def new_name():\n    pass\n");
  EXPECT_THAT(unrelated({renamed, changed("lib/x.rb", "old_name(1)\n", "new_name(1)\n")}), IsEmpty());
  EXPECT_THAT(unrelated({renamed, changed("lib/x.rb", "old_name(1)\n", "old_name(2)\n")}),
              ElementsAre("lib/x.rb"));
}

TEST_F(RelatedFiles, WhatTheFindingNames) {
  content.clear();
  finding.description = "The limit in lib/limits.rb and the text in `messages.yml` disagree.";
  finding.related_files = {"lib/other.rb"};
  EXPECT_THAT(unrelated({changed("lib/limits.rb", "1\n", "2\n"), changed("conf/messages.yml", "1\n", "2\n"),
                         changed("lib/other.rb", "1\n", "2\n")}),
              IsEmpty());
  EXPECT_THAT(unrelated({changed("old/lib/limits.rb.old", "1\n", "2\n"), changed("limits", "1\n", "2\n")}),
              ElementsAre("old/lib/limits.rb.old", "limits"));
}

TEST_F(RelatedFiles, TestsDocumentsAndNewFilesAreJudgedElsewhere) {
  EXPECT_THAT(unrelated({changed("README.md", "a\n", "b\n"), changed("docs/guide.txt", "a\n", "b\n"),
                         changed("CHANGELOG", "a\n", "b\n"), changed("tests/test_app.py", "a\n", "a\nb\n"),
                         created("src/new.py", "x = 1\n")}),
              IsEmpty());
  finding.file.clear();
  EXPECT_THAT(unrelated({changed("src/x.py", "a\n", "b\n")}), IsEmpty()) << "an issue of the whole project";
}

TEST_F(RelatedFiles, OfAFinding) {
  for (const char* path : {"src/app.py", "src/limits.py", "lib/app.py", "web/a.ts", "src/a.ts", "src/b.ts"})
    tree[path] = {kModeFile, "id", 1};
  EXPECT_THAT(files_of_finding(finding, tree), ElementsAre("src/app.py"));
  finding.title = "limits.py and src/a.ts are wrong";
  finding.suggestion = "also look at app.py.";
  EXPECT_THAT(files_of_finding(finding, tree), ElementsAre("src/app.py", "src/a.ts", "src/limits.py"))
      << "app.py alone names none of the two";
}

TEST_F(RelatedFiles, LoadedByAText) {
  for (const char* path : {"src/app.py", "src/limits.py", "tests/limits.py", "docs/limits.md", "src/run.py"})
    tree[path] = {kModeFile, "id", 1};
  EXPECT_THAT(loaded_files("src/app.py", content, tree), ElementsAre("src/limits.py"));
}

} // namespace
} // namespace emend
