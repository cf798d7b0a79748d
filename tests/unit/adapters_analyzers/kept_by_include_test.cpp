// What decides whether a kept result of a C or C++ file still counts: the file and all it may include.
#include <gmock/gmock.h>

#include "adapters/analyzers/include_hashes.hpp"
#include "adapters/analyzers/result_cache.hpp"
#include "adapters/analyzers/source_tree.hpp"
#include "base/files.hpp"

namespace emend {
namespace {

using testing::ElementsAre;

class KeptByIncludeTest : public testing::Test {
protected:
  KeptByIncludeTest() : place_(TemporaryDirectory::create(fs::temp_directory_path(), "includes-").value()) {
    request_.root = place_.path() / "tree";
    fs::create_directories(request_.root);
  }
  void write(const std::string& file, const std::string& text) const {
    ASSERT_TRUE(write_scratch_file(fs::path(request_.root) / file, text));
  }
  // As a new review sees it.
  [[nodiscard]] std::string of(const std::string& file) const {
    const SourceTree tree(request_);
    return IncludeHashes(tree).of(file);
  }
  TemporaryDirectory place_;
  AnalysisRequest request_;
};

TEST_F(KeptByIncludeTest, ReadsEveryWayToInclude) {
  EXPECT_THAT(
      included_names("#include <a.h>\n  #  include \"b/c.h\" // why\n#import \"d.h\"\n#include_next <e.h>\n"
                     "int include = 1; // #include \"no.h\"\n#include MACRO\n"),
      ElementsAre("a.h", "b/c.h", "d.h", "e.h", ""));
  EXPECT_THAT(included_names("#if __has_include(<a.h>) && __has_include(\"b.h\")\n"),
              ElementsAre("a.h", "b.h"));
}

TEST_F(KeptByIncludeTest, FollowsIncludesThroughOtherFilesAndCircles) {
  write("src/a.c", "#include \"a.h\"\n");
  write("include/a.h", "#include <deep/b.h>\n");
  write("include/deep/b.h", "#include \"../a.h\"\n#define B 1\n");
  write("include/other.h", "#define OTHER 1\n");
  const std::string before = of("src/a.c");
  EXPECT_EQ(of("src/a.c"), before);
  write("include/other.h", "#define OTHER 2\n");
  EXPECT_EQ(of("src/a.c"), before) << "nobody includes it";
  write("include/deep/b.h", "#include \"../a.h\"\n#define B 2\n");
  EXPECT_NE(of("src/a.c"), before);
}

TEST_F(KeptByIncludeTest, AHeaderThatAppearsOrGoesCounts) {
  write("a.c", "#include \"later.h\"\n");
  const std::string without = of("a.c");
  write("elsewhere/later.h", "int later;\n");
  const std::string with = of("a.c");
  EXPECT_NE(with, without);
  write("nearer/later.h", "int nearer;\n");
  EXPECT_NE(of("a.c"), with) << "which of the two it is depends on flags";
  fs::remove_all(fs::path(request_.root) / "nearer");
  fs::remove_all(fs::path(request_.root) / "elsewhere");
  EXPECT_EQ(of("a.c"), without);
}

TEST_F(KeptByIncludeTest, AnIncludeByMacroMayMeanAnyHeader) {
  write("a.c", "#include CONFIG\n");
  write("x/config.h", "1\n");
  const std::string before = of("a.c");
  write("x/config.h", "2\n");
  EXPECT_NE(of("a.c"), before);
}

TEST_F(KeptByIncludeTest, ResultsSpeakOfTheTreeByAnotherName) {
  const std::string directory = place_.path() / "kept";
  const ResultCache cache(directory);
  cache.keep("k", "/private/one", {{"text", "/private/one/a.c:1"}});
  EXPECT_EQ(cache.find("k", "/private/two")->at("text"), "/private/two/a.c:1");
  EXPECT_FALSE(cache.find("other", "/private/one"));
  EXPECT_FALSE(ResultCache("").find("k", "/private/one")) << "nothing is kept there";
}

TEST_F(KeptByIncludeTest, ADamagedResultIsNone) {
  const fs::path directory = place_.path() / "kept";
  const ResultCache cache(directory);
  cache.keep("k", "/t", {{"a", 1}});
  ASSERT_TRUE(write_file(directory / "k", "{\"a\":", 0600));
  EXPECT_FALSE(cache.find("k", "/t"));
}

TEST_F(KeptByIncludeTest, WhatNobodyAskedForInTwoWeeksGoes) {
  const fs::path directory = place_.path() / "kept";
  ResultCache(directory).keep("old", "/t", {{"a", 1}});
  ResultCache(directory).keep("new", "/t", {{"a", 1}});
  const auto long_ago = fs::file_time_type::clock::now() - std::chrono::hours(24 * 15);
  fs::last_write_time(directory / "old", long_ago);
  fs::last_write_time(directory / ".tidied", long_ago);
  const ResultCache again(directory);
  EXPECT_FALSE(again.find("old", "/t"));
  EXPECT_TRUE(again.find("new", "/t"));
}

} // namespace
} // namespace emend
