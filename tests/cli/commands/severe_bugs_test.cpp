// Bugs of several kinds that are known to be real and severe, in a repository as people have them: what a
// review shows without being asked for more says so.
#include <map>

#include "model/finding.hpp"
#include "tests/cli/commands/cli_fixture.hpp"
#include "tests/support/paths.hpp"

namespace emend {

class SevereBugsTest : public CliFixture {
protected:
  void commit() {
    git({"add", "-A"});
    git({"-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "-q", "-m", "more"});
  }
  bool is_installed(const char* program) {
    return run_spec(spec({"/bin/sh", "-c", std::string("command -v ") + program})).ok();
  }
  // The worst that is said of each "file:line"; a line nothing is said of is "".
  std::map<std::string, std::string> worst() {
    const auto result = emend({"review", "--all", "--json"});
    const Json data = data_of(result, "emend.review/v1");
    std::map<std::string, Severity> found;
    for (const Json& issue : data["issues"]) {
      const std::string place = string_or(issue, "file") + ":" + std::to_string(issue["line"].get<int>());
      const Severity severity = parse_severity(string_or(issue, "severity")).value();
      found[place] = found.contains(place) ? std::max(found[place], severity) : severity;
    }
    std::map<std::string, std::string> words;
    for (const auto& [place, severity] : found) words[place] = to_string(severity);
    return words;
  }
};

TEST_F(SevereBugsTest, BuiltInRulesKnowThem) {
  write("src/text.c",
        "#include <string.h>\n#include <stdio.h>\nvoid greet(void) {\n  char small[8];\n"
        "  strcpy(small, \"much longer than eight\");\n  gets(small);\n}\n");
  write("src/conf.py", "AWS_SECRET_ACCESS_KEY = \"wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzEXbMPLEK\"\n");
  write("src/m.js", "const a = 1;\n<<<<<<< HEAD\nconst b = 2;\n=======\nconst b = 3;\n>>>>>>> x\n");
  write("src/key.pem", std::string("-----BEGIN RSA PRIVATE KEY-----\n") +
                           "MIIEowIBAAKCAQEAtu7Yp0b3R0hYF1n5hTgkVZt1XKZp2Fh0q9yQm1sXkBqWg8aJ\n"
                           "xYb4hKjv0pTn3bQm2fJm3mQ0u5oW9kL8x7c6v5b4n3m2l1k0j9h8g7f6d5s4a3p2\n"
                           "-----END RSA PRIVATE KEY-----\n");
  commit();
  auto found = worst();
  EXPECT_EQ(found["src/text.c:5"], "high") << "more bytes than the array has";
  EXPECT_EQ(found["src/text.c:6"], "high") << "gets()";
  EXPECT_EQ(found["src/conf.py:1"], "critical") << "a key";
  EXPECT_EQ(found["src/key.pem:1"], "critical") << "a private key";
  EXPECT_EQ(found["src/m.js:2"], "critical") << "a conflict that was committed";
}

TEST_F(SevereBugsTest, ToolsForCKnowThemWhereTheyAreToldHowItIsCompiled) {
  if (!is_installed("clang-tidy") || !is_installed("cppcheck")) GTEST_SKIP() << "no clang-tidy or cppcheck";
  write("src/mem.c",
        "#include <stdlib.h>\n"                                                               // 1
        "int beyond(void) {\n  int table[4] = {1, 2, 3, 4};\n  return table[4];\n}\n"         // 4
        "void twice(void) {\n  char *p = malloc(10);\n  free(p);\n  free(p);\n}\n"            // 9
        "int after_free(void) {\n  int *p = malloc(sizeof *p);\n  if (p == NULL) return 0;\n" // 13
        "  *p = 3;\n  free(p);\n  return *p;\n}\n"                                            // 16
        "const char *gone(void) {\n  char here[4] = \"abc\";\n  return here;\n}\n"            // 20
        "int unset(void) {\n  int x;\n  return x + 1;\n}\n");                                 // 24
  write("src/own.cpp", "void drop() {\n  int *a = new int[4];\n  a[0] = 1;\n  delete a;\n}\n");
  commit();
  const auto entry = [&](const char* file, const char* compiler) {
    return Json{{"directory", root_.string()},
                {"file", file},
                {"command", std::string(compiler) + " -Wall -c " + file}};
  };
  write(".git/info/exclude", "build\n");
  write("build/compile_commands.json",
        dump_json(Json::array({entry("src/mem.c", "cc"), entry("src/own.cpp", "c++")})));
  auto found = worst();
  EXPECT_EQ(found["src/mem.c:4"], "high") << "past the end of an array";
  EXPECT_EQ(found["src/mem.c:9"], "high") << "freed twice";
  EXPECT_EQ(found["src/mem.c:16"], "high") << "read after it was freed";
  EXPECT_EQ(found["src/mem.c:20"], "high") << "a local array is returned";
  EXPECT_EQ(found["src/mem.c:24"], "high") << "never set";
  EXPECT_EQ(found["src/own.cpp:4"], "high") << "new[] and delete";
}

TEST_F(SevereBugsTest, ToolsForPythonKnowThem) {
  if (!is_installed("flake8")) GTEST_SKIP() << "no flake8";
  write("src/b.py",
        "def run(name):\n    return undefined_function(name)\n\n\n"
        "def text(a):\n    return \"%s %s\" % (a,)\n");
  write("src/c.py", "def broken(:\n    pass\n");
  commit();
  auto found = worst();
  EXPECT_EQ(found["src/b.py:2"], "high") << "a name that nobody defines";
  EXPECT_EQ(found["src/b.py:6"], "high") << "a format that fails when it is used";
  EXPECT_EQ(found["src/c.py:1"], "high") << "no Python at all";
}

} // namespace emend
