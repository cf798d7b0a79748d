// How the units of a C or C++ project are compiled, taken from where the person built it.
#include "adapters/analyzers/compile_database.hpp"

#include <gmock/gmock.h>

#include "adapters/process/supervised_runner.hpp"
#include "base/files.hpp"
#include "base/json.hpp"
#include "tests/support/paths.hpp"

namespace emend {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(CompileDatabase, SpeaksOfAnotherTreeButOfTheSameBuildDirectory) {
  const auto moved = database_for(
      R"([{"directory":"/home/p/build","file":"/home/p/src/a.c","command":"cc -I/home/p/include -I/home/p/build/gen -c /home/p/src/a.c"}])",
      "/home/p", "/home/p/build", "/tree");
  ASSERT_TRUE(moved);
  EXPECT_THAT(*moved, HasSubstr("-I/tree/include -I/home/p/build/gen -c /tree/src/a.c"));
  EXPECT_THAT(*moved, HasSubstr("\"/home/p/build\""));
}

TEST(CompileDatabase, FlagsThatLoadProgramsMakeItUseless) {
  const auto usable = [](const std::string& flag) {
    const Json entry = {{"directory", "/p"}, {"file", "a.c"}, {"command", "cc " + flag + " -c a.c"}};
    return database_for(dump_json(Json::array({entry})), "/p", "/p/build", "/tree").has_value();
  };
  for (const char* flag :
       {"-fplugin=evil.so", "-fpass-plugin=evil.so", "@flags", "-Xclang -load", "\"-fplugin=evil.so\"",
        "'@flags'", "-DA\t-fplugin=evil.so", "-f\"plugin\"=evil.so", "-DA\n@flags", "\\-fplugin=evil.so",
        "-Xclang=-load", "-Wp,-load,evil.so", "-mllvm -load=evil.so", "--config=flags"})
    EXPECT_FALSE(usable(flag)) << flag;
  for (const char* flag : {"-DTEXT=\"a b\"", "-Iup-load -o down-load.o", "-DMAIL=\\\"a@b\\\""})
    EXPECT_TRUE(usable(flag)) << flag;
  EXPECT_FALSE(database_for(R"([{"directory":"/p","file":"a.c","arguments":["cc","-fplugin=x","a.c"]}])",
                            "/p", "/p/build", "/tree"));
}

TEST(CompileDatabase, WhatIsNoDatabaseIsNone) {
  for (const char* text : {"", "{}", "[]", "[1]", "[{\"file\":\"a.c\"}]", "[{"})
    EXPECT_FALSE(database_for(text, "/p", "/p/build", "/tree")) << text;
}

class FindDatabaseTest : public testing::Test {
protected:
  FindDatabaseTest() : place_(TemporaryDirectory::create(fs::temp_directory_path(), "database-").value()) {
    for (const char* name : {"tree", "checkout", "home", "temp"})
      fs::create_directories(place_.path() / name);
    setup_.repository_root = checkout().string();
  }
  [[nodiscard]] fs::path checkout() const { return place_.path() / "checkout"; }
  static void write(const fs::path& file, const std::string& text) {
    ASSERT_TRUE(write_file(file, text, 0644));
  }
  static std::string database_with(const std::string& flag) {
    return "[{\"directory\":\"/b\",\"file\":\"a.c\",\"command\":\"cc " + flag + " -c a.c\"}]";
  }
  // What is found, as a new review finds it.
  AnalysisRequest found() {
    AnalysisRequest request;
    request.root = place_.path() / "tree";
    request.home = place_.path() / "home";
    request.temp = place_.path() / "temp";
    SourceTree tree(request);
    find_compile_database(request, tree, setup_, ResultCache(cache_), runner_, {});
    return request;
  }
  static std::string text_of(const AnalysisRequest& request) {
    if (request.compile_database.empty()) return "";
    return read_file(fs::path(request.compile_database) / "compile_commands.json").value_or("?");
  }

  TemporaryDirectory place_;
  AnalyzerSetup setup_;
  std::string cache_;
  SupervisedRunner runner_{EMEND_EXEC_BINARY};
};

TEST_F(FindDatabaseTest, TheNewestBuildOfTheCheckoutCounts) {
  EXPECT_EQ(found().compile_database, "");
  write(checkout() / "build/compile_commands.json", database_with("-DOLD"));
  write(checkout() / "out/Debug/compile_commands.json", database_with("-DNEW"));
  write(checkout() / "elsewhere/compile_commands.json", database_with("-DNO"));
  fs::last_write_time(checkout() / "build/compile_commands.json",
                      fs::file_time_type::clock::now() - std::chrono::hours(1));
  EXPECT_THAT(text_of(found()), HasSubstr("-DNEW"));
  const std::string before = found().database_sha256;
  EXPECT_EQ(found().database_sha256, before) << "the private place of a run has no say";
  write(checkout() / "out/Debug/compile_commands.json", database_with("-DNEWER"));
  EXPECT_NE(found().database_sha256, before);
}

TEST_F(FindDatabaseTest, OneInTheTreeItselfWins) {
  write(checkout() / "build/compile_commands.json", database_with("-DBUILT"));
  write(place_.path() / "tree/compile_commands.json", database_with("-DCOMMITTED"));
  EXPECT_EQ(found().compile_database, "./");
  write(place_.path() / "tree/compile_commands.json", database_with("-fplugin=evil.so"));
  EXPECT_THAT(text_of(found()), HasSubstr("-DBUILT"));
}

class CMakeDatabaseTest : public FindDatabaseTest {
protected:
  void SetUp() override {
    if (std::system("command -v cmake c++ make >/dev/null 2>&1") != 0) GTEST_SKIP() << "no CMake here";
    write(
        place_.path() / "tree/CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.16)\nproject(p NONE)\n"
        "file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/lib)\n"
        "file(WRITE ${CMAKE_BINARY_DIR}/gen/made.h \"#define MADE 1\\n\")\n"
        "file(WRITE ${CMAKE_BINARY_DIR}/compile_commands.json "
        "\"[{\\\"directory\\\":\\\"${CMAKE_BINARY_DIR}/lib\\\",\\\"file\\\":\\\"${CMAKE_SOURCE_DIR}/a.c\\\","
        "\\\"command\\\":\\\"cc -I${CMAKE_BINARY_DIR}/gen -c a.c\\\"}]\")\n");
  }
};

TEST_F(CMakeDatabaseTest, CMakeRunsOnlyWhereAPersonAllowedIt) {
  EXPECT_EQ(found().compile_database, "");
  setup_.project_tools = true;
  const AnalysisRequest request = found();
  EXPECT_THAT(text_of(request), HasSubstr("/tree/a.c")) << request.database_note;
  EXPECT_TRUE(fs::exists(fs::path(request.compile_database) / "gen/made.h"));
}

TEST_F(CMakeDatabaseTest, WhatItWroteIsKeptWithItsHeadersUntilCMakeFilesChange) {
  setup_.project_tools = true;
  cache_ = place_.path() / "kept";
  const AnalysisRequest first = found(), second = found();
  EXPECT_NE(first.compile_database, second.compile_database);
  EXPECT_EQ(first.database_sha256, second.database_sha256);
  EXPECT_EQ(read_file(fs::path(second.compile_database) / "gen/made.h").value_or(""), "#define MADE 1\n");
  EXPECT_TRUE(fs::is_directory(fs::path(second.compile_database) / "lib")) << "clang-tidy changes to it";
  EXPECT_THAT(text_of(second), HasSubstr(second.compile_database));
  EXPECT_THAT(text_of(second), Not(HasSubstr(first.compile_database)));
  EXPECT_FALSE(fs::exists(fs::path(second.compile_database) / "CMakeCache.txt")) << "CMake did not run again";
  write(place_.path() / "tree/more.cmake", "# another\n");
  EXPECT_TRUE(fs::exists(fs::path(found().compile_database) / "CMakeCache.txt"));
}

TEST_F(CMakeDatabaseTest, AProjectThatCannotBeConfiguredHereIsSaid) {
  setup_.project_tools = true;
  write(place_.path() / "tree/CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.16)\nproject(p NONE)\nmessage(FATAL_ERROR \"no Qt here\")\n");
  const AnalysisRequest request = found();
  EXPECT_EQ(request.compile_database, "");
  EXPECT_THAT(request.database_note, HasSubstr("CMake could not configure the project here"));
}

} // namespace
} // namespace emend
