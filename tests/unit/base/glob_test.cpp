#include "base/glob.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <thread>

namespace emend {
namespace {

struct Case {
  const char* pattern;
  const char* path;
  bool matches;
};

TEST(Glob, FollowsItsRules) {
  const Case cases[] = {
      {"*.lock", "a.lock", true},
      {"*.lock", "x/y/a.lock", true},
      {"*.lock", "a.lock/b", false},
      {"Makefile", "sub/Makefile", true},
      {"/Makefile", "Makefile", true},
      {"/Makefile", "sub/Makefile", false},
      {"src/*.py", "src/a.py", true},
      {"src/*.py", "src/b/a.py", false},
      {"src/*.py", "x/src/a.py", false},
      {"src/**", "src/a", true},
      {"src/**", "src/a/b", true},
      {"src/**", "src", false},
      {"src/**", "src/", false},
      {"src/**", "srcs/a", false},
      {"**/x", "x", true},
      {"**/x", "a/x", true},
      {"**/x", "a/b/x", true},
      {"**/x", "ax", false},
      {"a/**/b", "a/b", true},
      {"a/**/b", "a/x/b", true},
      {"a/**/b", "a/x/y/b", true},
      {"a/**/b", "ab", false},
      {"a/**/b", "a/xb", false},
      {"**", "anything", true},
      {"**", "a/b/c", true},
      {"a/**.py", "a/b/c.py", true},
      {"?.c", "a.c", true},
      {"?.c", "ab.c", false},
      {"a/?", "a//", false},
      {"[a-c].c", "b.c", true},
      {"[a-c].c", "d.c", false},
      {"[!a-c].c", "d.c", true},
      {"[^a-c].c", "a.c", false},
      {"a[/]b", "a/b", false},
      {"[]].c", "].c", true},
      {"[a-].c", "-.c", true},
      {"[abc", "[abc", true},
      {"*.{ts,tsx}", "x/a.tsx", true},
      {"*.{ts,tsx}", "a.js", false},
      {"{a,b}/{c,d}", "b/c", true},
      {"{a,b}/{c,d}", "b/e", false},
      {"{a,{b,c}d}", "cd", true},
      {"{a,{b,c}d}", "c", false},
      {"{a,}b", "b", true},
      {"{a", "{a", true},
      {"src/{**/t,u}", "src/x/y/t", true},
      {"src/{**/t,u}", "src/u", true},
      {"a\\*", "a*", true},
      {"a\\*", "ab", false},
      {"a\\{b\\}", "a{b}", true},
      {"docs/", "docs/a/b", true},
      {"docs/", "docs", false},
      {"docs/", "x/docs/a", false},
      {"", "", true},
      {"", "a", false},
      {"test_*.py", "tests/test_a.py", true},
      {".github/**", ".github/workflows/ci.yml", true},
      {"*", ".hidden", true},
      {"a*b*c", "aXbYc", true},
      {"a*b*c", "aXcYb", false},
      {"\xC3\xA4*", "\xC3\xA4x", true},
      {"***/x", "a/b/x", true},
  };
  for (const Case& one : cases)
    EXPECT_EQ(glob_match(one.pattern, one.path), one.matches) << one.pattern << " on " << one.path;
}

TEST(Glob, AnyOfSeveral) {
  EXPECT_TRUE(any_glob_match({"*.a", "b/**"}, "b/c"));
  EXPECT_FALSE(any_glob_match({"*.a", "b/**"}, "c/b"));
  EXPECT_FALSE(any_glob_match({}, "c"));
}

// Each of these takes a backtracking matcher longer than the universe.
TEST(Glob, HostilePatternsStayCheap) {
  std::string stars = "x/", braces, open, nested, path = "x/" + std::string(2000, 'a');
  for (int i = 0; i < 200; ++i) stars += "*a**a";
  for (int i = 0; i < 60; ++i) braces += "{a,aa}";
  open = std::string(20'000, '{');
  for (int i = 0; i < 200; ++i) nested += "{a,";
  nested += std::string(200, '}');
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_FALSE(glob_match(stars + "b", path));
  EXPECT_FALSE(glob_match(braces + "b", std::string(100, 'a')));
  EXPECT_TRUE(glob_match(open, open));
  EXPECT_FALSE(glob_match(nested + "z", "b"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

TEST(GlobSets, MatchWhatOneOfTheirPatternsMatches) {
  const std::vector<std::string> patterns = {"*.lock",   "Makefile",   "/root.txt",    "docs/",
                                             "src/**",   "**/x/**",    "a/{b,c}/[de]", "{open",
                                             "test_*.*", ".cfg/x.json"};
  const GlobSet set(patterns);
  for (const char* path :
       {"a.lock", "x/y/a.lock", "a.lock/b", "sub/Makefile", "Makefile/a", "root.txt",    "b/root.txt",
        "docs/a", "docs",       "src/a/b",  "src",          "q/x/z",      "x/z",         "a/b/d",
        "a/c/f",  "{open",      "open",     "q/test_a.c",   "test_a",     ".cfg/x.json", "y/.cfg/x.json",
        "",       "/"})
    EXPECT_EQ(set.matches(path), any_glob_match(patterns, path)) << path;
  EXPECT_TRUE(set.matches("q/x/z"));
  EXPECT_TRUE(set.matches("{open"));
  EXPECT_FALSE(set.matches("a/c/f"));
  EXPECT_FALSE(GlobSet({}).matches("a"));
}

// What a set has learned of one path must not change what it says of another, whoever asks.
TEST(GlobSets, LearnFromManyPathsAtOnce) {
  std::mt19937 random(7);
  const auto word = [&](const char* letters, std::size_t count, std::size_t most) {
    std::string text;
    for (std::size_t n = random() % most; n > 0; --n) text += letters[random() % count];
    return text;
  };
  for (int round = 0; round < 200; ++round) {
    std::vector<std::string> patterns, paths;
    for (int i = 0; i < 3; ++i) patterns.push_back(word("ab./*?[]{},-^\\", 14, 8));
    for (int i = 0; i < 30; ++i) paths.push_back(word("ab./-", 5, 9));
    const GlobSet set(patterns);
    std::vector<int> same(4, 1);
    std::vector<std::jthread> threads;
    for (int& agreed : same)
      threads.emplace_back([&] {
        for (const std::string& path : paths)
          agreed = agreed && set.matches(path) == any_glob_match(patterns, path);
      });
    threads.clear();
    EXPECT_EQ(same, std::vector<int>(4, 1)) << patterns[0] << "  " << patterns[1] << "  " << patterns[2];
  }
}

TEST(GlobSets, WithMoreStatesThanAreKept) {
  // Where the last "a" stood ten bytes ago: a state for each of the thousand ways to get there.
  const std::vector<std::string> patterns = {"*a??????????????"};
  const GlobSet set(patterns);
  std::mt19937 random(7);
  for (int i = 0; i < 3'000; ++i) {
    std::string path;
    for (int n = 0; n < 24; ++n) path += random() % 2 == 0 ? 'a' : 'b';
    ASSERT_EQ(set.matches(path), path[path.size() - 15] == 'a') << path;
  }
}

} // namespace
} // namespace emend
