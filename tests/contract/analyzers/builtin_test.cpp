// The rules that need no tool: what they find, what they leave alone, and that their fix-its do away with the
// finding.
#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "tests/contract/analyzers/analyzers_fixture.hpp"

namespace emend {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class BuiltinTest : public AnalyzerTest {
protected:
  std::vector<Finding> look_at(const std::string& file, const std::string& bytes) {
    write(file, bytes);
    const Analysis analysis = run("builtin", {file});
    EXPECT_EQ(analysis.state, AnalysisState::done) << analysis.detail;
    EXPECT_EQ(analysis.files, 1);
    return analysis.findings;
  }
};

TEST_F(BuiltinTest, ACleanFileHasNoFindings) {
  EXPECT_THAT(look_at("a.c", "#include <stdio.h>\nint main(void) { puts(\"hi\"); return 0; }\n"), IsEmpty());
  EXPECT_THAT(look_at("empty.py", ""), IsEmpty());
}

TEST_F(BuiltinTest, ConflictMarkers) {
  const auto findings = look_at("a.py", "x = 1\n<<<<<<< HEAD\ny = 2\n=======\ny = 3\n>>>>>>> topic\n");
  EXPECT_THAT(rules_of(findings), ElementsAre("emend/conflict-marker", "emend/conflict-marker"));
  EXPECT_EQ(findings[0].line, 2);
  EXPECT_EQ(findings[1].line, 6);
  EXPECT_EQ(findings[0].severity, Severity::critical);
  EXPECT_FALSE(findings[0].fixit);
  EXPECT_THAT(look_at("b.rst", "Title\n=======\n\n    >>>>>>> doctest\n"), IsEmpty());
}

TEST_F(BuiltinTest, SecretsAreNamedAndNotRepeated) {
  const std::string key = std::string("ghp_") + "0123456789abcdefghijABCDEFGHIJ012345";
  const auto findings = look_at("src/a.py", "x = 1\nkey = '" + key + "'\n");
  ASSERT_THAT(rules_of(findings), ElementsAre("emend/secret"));
  EXPECT_EQ(findings[0].line, 2);
  EXPECT_EQ(findings[0].severity, Severity::critical);
  EXPECT_THAT(findings[0].title, HasSubstr("github-token"));
  EXPECT_EQ(dump_json(to_json(findings[0])).find(key), std::string::npos);
  EXPECT_EQ(look_at("tests/a.py", "key = '" + key + "'\n").at(0).severity, Severity::medium);
}

TEST_F(BuiltinTest, BidiCharacters) {
  const auto findings = look_at("a.js", "const a = 1; // \xE2\x80\xAE olleh\n");
  ASSERT_THAT(rules_of(findings), ElementsAre("emend/bidi-character"));
  EXPECT_EQ(findings[0].severity, Severity::high);
  EXPECT_THAT(findings[0].title, HasSubstr("U+202E"));
  EXPECT_EQ(findings[0].column, 17);
  EXPECT_FALSE(findings[0].fixit);
}

TEST_F(BuiltinTest, InvisibleCharactersAreRemovedByOneFixItALine) {
  const auto findings = look_at("a.py",
                                "x\xE2\x80\x8B = \xE2\x81\xA0"
                                "1\n");
  ASSERT_THAT(rules_of(findings), ElementsAre("emend/invisible-character"));
  ASSERT_TRUE(findings[0].fixit);
  EXPECT_TRUE(findings[0].fixit->safe);
  apply(findings[0]);
  EXPECT_EQ(read("a.py"), "x = 1\n");
  EXPECT_THAT(run("builtin", {"a.py"}).findings, IsEmpty());
}

TEST_F(BuiltinTest, RemovingAnInvisibleCharacterFromAStringIsNotSafe) {
  const auto findings = look_at("a.py", "x = 'a\xE2\x80\x8B'\n");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_FALSE(findings[0].fixit->safe);
}

TEST_F(BuiltinTest, CharactersOfWritingsAndEmojiAreFine) {
  EXPECT_THAT(look_at("bom.py", "\xEF\xBB\xBFx = 1\n"), IsEmpty());
  EXPECT_THAT(look_at("family.md", "\xF0\x9F\x91\xA8\xE2\x80\x8D\xF0\x9F\x91\xA9\n"), IsEmpty());
  EXPECT_THAT(look_at("persian.md", "\xD9\x85\xDB\x8C\xE2\x80\x8C\xD8\xAE\n"), IsEmpty());
  EXPECT_THAT(look_at("flag.md", "\xF0\x9F\x8F\xB4\xF3\xA0\x81\xA7\xF3\xA0\x81\xA2\xF3\xA0\x81\xBF\n"),
              IsEmpty());
}

TEST_F(BuiltinTest, UnsafeCStringFunctions) {
  const auto findings = look_at("a.c",
                                "void f(char *d, char *s) {\n"
                                "  strcpy(d, s);\n"
                                "  if (s) gets (d);\n"
                                "  return sprintf(d, \"%s\", s);\n"
                                "}\n");
  EXPECT_THAT(rules_of(findings),
              ElementsAre("emend/unsafe-c-string", "emend/unsafe-c-string", "emend/unsafe-c-string"));
  EXPECT_EQ(findings[0].line, 2);
  EXPECT_EQ(findings[0].column, 3);
  EXPECT_EQ(findings[0].column_end, 9);
  EXPECT_EQ(findings[1].severity, Severity::high);
  EXPECT_EQ(findings[2].severity, Severity::low);
  EXPECT_FALSE(findings[0].fixit);
  EXPECT_EQ(look_at("std.cpp", "void f(char* d) { std::strcat(d, d); ::strcpy(d, d); }\n").size(), 1U)
      << "one a line";
}

// What a call is known to do, from the array's size and what is written into it.
TEST_F(BuiltinTest, AnUnsafeStringSaysWhatIsKnownOfIt) {
  const auto said = [&](const std::string& call) {
    const auto findings =
        look_at("a.c", "void f(char* p, const char* s, int n) {\n  char b[8];\n  " + call + "\n}\n");
    if (findings.empty()) return std::string("nothing");
    const auto& notes = findings[0].annotations;
    const bool doubtful = std::find(notes.begin(), notes.end(), "doubtful") != notes.end();
    return std::string(to_string(findings[0].severity)) + (doubtful ? " doubtful" : " " + findings[0].title);
  };
  EXPECT_EQ(said("strcpy(b, \"1234567\");"), "nothing") << "it fits";
  EXPECT_EQ(said("strcpy(b, \"12345678\");"), "high strcpy() writes 9 bytes, and b has 8 bytes");
  EXPECT_EQ(said("strcpy(b, s);"), "medium strcpy() writes a string of any length, and b has 8 bytes");
  EXPECT_EQ(said("sprintf(b, \"%s\", s);"),
            "medium sprintf() writes a string of any length, and b has 8 bytes");
  EXPECT_EQ(said("sprintf(b, \"%.3s\\n\", s);"), "nothing");
  EXPECT_EQ(said("sprintf(b, \"%d\", n);"), "medium sprintf() writes up to 12 bytes, and b has 8 bytes");
  EXPECT_EQ(said("sprintf(b, \"%c%c\", n, n);"), "nothing");
  EXPECT_EQ(said("strcpy(p, s);"), "low doubtful") << "nothing is known of p";
  EXPECT_EQ(said("sprintf(b, \"%*d\", n, n);"), "low doubtful");
  EXPECT_EQ(said("strcat(b, \"1\");"), "low doubtful") << "nobody knows what is in it";
  EXPECT_EQ(said("{ char *b = p; strcpy(b, s); }"), "low doubtful") << "another b";
}

// How long a string can be is known of an array, and of a name that is defined as a literal.
TEST_F(BuiltinTest, AnUnsafeStringKnowsHowLongWhatItWritesCanBe) {
  const auto said = [&](const std::string& call) {
    const auto findings = look_at("a.c",
                                  "#define SHORT \"1234567\"\n#define SHORTEST 1\n#define LONG \"12345678\"\n"
                                  "void f(const char *s) {\n  " +
                                      call + "\n}\n");
    return findings.empty() ? std::string("nothing")
                            : std::string(to_string(findings[0].severity)) + " " + findings[0].title;
  };
  EXPECT_EQ(said("char e[4]; char f[8]; strcpy(f, e);"), "nothing") << "what is in e fits";
  EXPECT_EQ(said("char e[16]; char f[8]; strcpy(f, e);"),
            "medium strcpy() writes up to 16 bytes, and f has 8 bytes");
  EXPECT_EQ(said("char e[4]; char f[8]; sprintf(f, \"/%s/%c\", e, 'x');"), "nothing");
  EXPECT_EQ(said("char e[4]; char f[8]; sprintf(f, \"%s%s%s\", e, e, e);"),
            "medium sprintf() writes up to 10 bytes, and f has 8 bytes");
  EXPECT_EQ(said("char e[4]; char f[8]; sprintf(f, \"%s%s\", e, s);"),
            "medium sprintf() writes a string of any length, and f has 8 bytes");
  EXPECT_EQ(said("char f[8]; strcpy(f, SHORT);"), "nothing");
  EXPECT_EQ(said("char f[8]; strcpy(f, LONG);"), "high strcpy() writes 9 bytes, and f has 8 bytes");
  EXPECT_EQ(said("char f[8]; strcpy(f, SHORTEST);"),
            "medium strcpy() writes a string of any length, and f has 8 bytes");
}

TEST_F(BuiltinTest, OtherThingsOfTheSameNameAreNotUnsafe) {
  EXPECT_THAT(look_at("a.cpp",
                      "// strcpy(a, b)\n"
                      "/* sprintf(a) */ const char* t = \"gets(x)\";\n"
                      "auto r = R\"(strcat(a, b))\";\n"
                      "char *strcpy(char *d, const char *s);\n"
                      "int n = 1'000; int k = my_strcpy(n) + fmt::sprintf(n) + stream.gets() + p->gets();\n"
                      "#define sprintf(x) safe(x)\n"),
              IsEmpty());
  EXPECT_THAT(look_at("a.py", "strcpy(a, b)\n"), IsEmpty());
}

TEST_F(BuiltinTest, DebugLeftovers) {
  EXPECT_EQ(
      look_at("src/a.ts",
              "console.log(x);\nlogger.console.log(x);\n// console.log(y)\nconst s = 'console.log(1)';\n")
          .size(),
      1U);
  EXPECT_EQ(
      look_at("a.py", "import pdb\npdb.set_trace()\nbreakpoint()\ndef breakpoint(): pass\n# breakpoint()\n")
          .size(),
      2U);
  EXPECT_EQ(look_at("a.rb", "binding.pry\nx = binding.pry_it\n").size(), 1U);
  EXPECT_EQ(look_at("a.c", "void f(void) { printf(\"DEBUG %d\", 1); }\nvoid g(void) { printf(\"hello\"); }\n")
                .size(),
            1U);
  EXPECT_EQ(look_at("a.rs", "fn f<'a>(x: &'a str) { dbg!(x); }\n").size(), 1U);
  EXPECT_THAT(look_at("bin/tool.js", "console.log('usage')\n"), IsEmpty());
}

TEST_F(BuiltinTest, TheDebuggerStatementGoesWithItsLine) {
  const auto findings = look_at("src/a.js", "function f() {\n  debugger;\n  return 1;\n}\n");
  ASSERT_THAT(rules_of(findings), ElementsAre("emend/debug-leftover"));
  EXPECT_TRUE(findings[0].fixit->safe);
  apply(findings[0]);
  EXPECT_EQ(read("src/a.js"), "function f() {\n  return 1;\n}\n");
  EXPECT_THAT(run("builtin", {"src/a.js"}).findings, IsEmpty());
}

TEST_F(BuiltinTest, TheBodyOfAnIfIsNotRemoved) {
  const auto findings =
      look_at("a.js", "if (x)\n  debugger;\ng();\nif (y) debugger;\nlet o = { debugger: 1 };\n");
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_FALSE(findings[0].fixit);
  EXPECT_FALSE(findings[1].fixit);
}

TEST_F(BuiltinTest, BrokenLinks) {
  write("docs/there.md", "text\n");
  write("docs/with space.md", "text\n");
  write("logo.png", "x\n");
  const auto findings = look_at(
      "docs/a.md",
      "[ok](there.md) [ok](there.md#part \"title\") ![ok](../logo.png) [ok](there) [ok](<with space.md>)\n"
      "[ok](with%20space.md) [ok](https://example.com/x) [ok](#here) [ok](mailto:a@b.c) [ok](/site/root)\n"
      "![bad](../missing.png)\n"
      "`[code](missing.md)` [outside](../../elsewhere.md)\n"
      "```\n[fenced](missing.md)\n```\n"
      "[ref]: gone.md\n[^note]: gone2.md\n");
  ASSERT_THAT(rules_of(findings), ElementsAre("emend/broken-link", "emend/broken-link"));
  EXPECT_EQ(findings[0].line, 3);
  EXPECT_EQ(findings[0].column, 8);
  EXPECT_EQ(findings[0].severity, Severity::low);
  EXPECT_THAT(findings[0].title, HasSubstr("missing.png"));
  EXPECT_EQ(findings[1].line, 8);
  EXPECT_THAT(findings[1].title, HasSubstr("docs/gone.md"));
  EXPECT_TRUE(findings[1].annotations.empty());
  const auto page = look_at("docs/b.md", "[the reference](apidocs/index.html)\n");
  EXPECT_THAT(page.at(0).annotations, ElementsAre("doubtful")) << "made when the site is built";
}

TEST_F(BuiltinTest, AMissingFinalNewlineIsAddedInTheFilesOwnKind) {
  for (const auto& [file, before, after] :
       {std::tuple{"a.py", "x = 1", "x = 1\n"}, {"b.py", "x = 1\r\ny = 2", "x = 1\r\ny = 2\r\n"}}) {
    const auto findings = look_at(file, before);
    ASSERT_THAT(rules_of(findings), ElementsAre("emend/missing-final-newline"));
    EXPECT_EQ(findings[0].severity, Severity::info);
    EXPECT_TRUE(findings[0].fixit->safe);
    apply(findings[0]);
    EXPECT_EQ(read(file), after);
    EXPECT_THAT(run("builtin", {file}).findings, IsEmpty());
  }
  EXPECT_THAT(look_at("tests/golden.txt", "no newline"), IsEmpty());
}

TEST_F(BuiltinTest, MixedLineEndings) {
  const auto findings = look_at("a.py", "a = 1\r\nb = 2\r\nc = 3\n");
  ASSERT_THAT(rules_of(findings), ElementsAre("emend/mixed-line-endings"));
  EXPECT_EQ(findings[0].line, 3);
  EXPECT_THAT(look_at("b.py", "a = 1\r\nb = 2\r\n"), IsEmpty());
}

TEST_F(BuiltinTest, SaysWhatItLeftOut) {
  const std::string marker = "<<<<<<< HEAD\n";
  for (const char* file : {"node_modules/a.js", "third_party/b.c", "dist/c.js", "d.min.js", "gradlew"})
    write(file, marker);
  write("e.py", std::string("# @") + "generated by a program\n" + marker);
  write("f.bin", std::string("\0\1\2", 3) + marker);
  write("g.txt", std::string(1'000'001, 'x'));
  fs::create_symlink("/etc/passwd", tree_ / "h.txt");
  write("kept.txt", "fine\n");
  const Analysis analysis =
      run("builtin", {"node_modules/a.js", "third_party/b.c", "dist/c.js", "d.min.js", "gradlew", "e.py",
                      "f.bin", "g.txt", "h.txt", "i.txt", "kept.txt"});
  EXPECT_EQ(analysis.state, AnalysisState::done);
  EXPECT_THAT(analysis.findings, IsEmpty());
  EXPECT_EQ(analysis.files, 1);
  for (const char* part : {"10 files left out", "3 vendored", "1 build output", "1 minified", "1 generated",
                           "1 binary", "1 too large", "1 not a regular file", "1 gone"})
    EXPECT_THAT(analysis.detail, HasSubstr(part));
}

TEST_F(BuiltinTest, AFileThatSaysSoInAnyWordsIsGenerated) {
  const std::string marker = "<<<<<<< HEAD\n";
  write("a.h", std::string("/*\n *  Name v2\n *  Made: 2022\n * ---\n *  It has been merged from ") +
                   "multiple headers.\n */\n" + marker);
  write("b.c", std::string("// Auto-") + "generated by swig\n" + marker);
  write("c.sh", std::string("#!/bin/sh\n# Please don't ") + "edit this file\n" + marker);
  write("d.c", std::string("const char *text = \"do not ") + "edit\";\n" + marker);
  write("e.md", std::string("Do not ") + "edit the table below by hand.\n" + marker);
  const Analysis analysis = run("builtin", {"a.h", "b.c", "c.sh", "d.c", "e.md"});
  EXPECT_THAT(analysis.detail, HasSubstr("3 generated"));
  EXPECT_EQ(analysis.findings.size(), 2U) << "a string and a text only speak of it";
}

TEST_F(BuiltinTest, WhatAPackerOrSomebodyElseWroteIsLeftOut) {
  const std::string marker = "<<<<<<< HEAD\n";
  write("src/packed.js", marker + "var a=[" + std::string(3'000, '1') + "];\n");
  write("src/long.py", marker + "a = '" + std::string(3'000, '1') + "'\n");
  write("deps/list/list.js", marker);
  write("deps/get.js", marker);
  const Analysis analysis =
      run("builtin", {"src/packed.js", "src/long.py", "deps/list/list.js", "deps/get.js"});
  EXPECT_THAT(analysis.detail, HasSubstr("1 minified, 1 vendored"));
  EXPECT_EQ(analysis.findings.size(), 2U) << "data in a program, and what gets the others, are read";
}

TEST_F(BuiltinTest, HowAProjectEndsItsFilesIsItsWay) {
  const auto doubted = [&](int count) {
    std::vector<std::string> files;
    for (int i = 0; i < count; ++i) write(files.emplace_back("src/" + std::to_string(i) + ".c"), "int a;");
    const Analysis analysis = run("builtin", files);
    EXPECT_EQ(analysis.findings.size(), files.size());
    return !analysis.findings.at(0).annotations.empty();
  };
  EXPECT_FALSE(doubted(20));
  EXPECT_TRUE(doubted(21));
}

TEST_F(BuiltinTest, WhatSpeaksToPeopleIsHardlyALeftover) {
  const auto sure = [&](const std::string& line) {
    const auto findings = look_at("src/a.js", line + "\n");
    return findings.size() == 1 && findings[0].annotations.empty();
  };
  EXPECT_TRUE(sure("console.log(x);"));
  EXPECT_TRUE(sure("console.log('here');"));
  EXPECT_TRUE(sure("console.log('x is', x);"));
  EXPECT_FALSE(sure("console.log('Cannot connect to the server', error);"));
  EXPECT_FALSE(sure("console.log(`Listening on port ${port}`);"));
}

TEST_F(BuiltinTest, NothingToLookAtIsSkippedAndNotDone) {
  EXPECT_EQ(run("builtin", {}).state, AnalysisState::skipped);
  write("a.bin", std::string("\0", 1));
  EXPECT_EQ(run("builtin", {"a.bin"}).state, AnalysisState::skipped);
}

TEST_F(BuiltinTest, AStoppedRunIsCancelled) {
  std::stop_source source;
  source.request_stop();
  write("a.py", "x = 1\n");
  EXPECT_EQ(run("builtin", {"a.py"}, source.get_token()).state, AnalysisState::cancelled);
}

// A mounted workspace is not visible to the engine at its root: the changed files lie in one directory, the
// others in another.
TEST_F(BuiltinTest, ReadsAMountedWorkspaceWhereItsFilesAre) {
  const fs::path lower = scratch_.path() / "lower", upper = scratch_.path() / "upper";
  for (const auto& directory : {lower, upper}) fs::create_directory(directory);
  ASSERT_TRUE(write_scratch_file(lower / "a.py", "<<<<<<< HEAD\n"));
  ASSERT_TRUE(write_scratch_file(lower / "b.py", "<<<<<<< HEAD\n"));
  ASSERT_TRUE(write_scratch_file(upper / "b.py", "x = 1\n"));
  request_.overlay.lower = lower;
  request_.overlay.upper = upper;
  const Analysis analysis = run("builtin", {"a.py", "b.py"});
  ASSERT_EQ(analysis.findings.size(), 1U);
  EXPECT_EQ(analysis.findings[0].file, "a.py");
}

TEST_F(BuiltinTest, EveryRuleItReportsIsExplained) {
  const std::string sample =
      "<<<<<<< HEAD\r\nchar b[2]; strcpy(b, \"much too long\"); // \xE2\x80\x8B\xE2\x80\xAE\nconst K = "
      "'ghp_" +
      std::string("0123456789abcdefghijABCDEFGHIJ012345") + "';\ndebugger;\n[a](gone.md)";
  std::set<std::string> rules;
  for (const char* file : {"a.c", "a.js", "a.md"}) {
    write(file, sample);
    for (const Finding& finding : run("builtin", {file}).findings) rules.insert(finding.rule);
  }
  EXPECT_EQ(rules.size(), 9U) << testing::PrintToString(rules);
  for (const std::string& rule : rules) EXPECT_NE(analyzer("builtin").explain(rule, {}), "") << rule;
  EXPECT_EQ(analyzer("builtin").explain("emend/none", {}), "");
}

// Whatever bytes a file has, the rules come to an end and their fix-its can be applied.
TEST_F(BuiltinTest, AnyBytesAreFine) {
  const std::string sample =
      "<<<<<<< HEAD\nchar *s = \"a\\\"b\"; strcpy(d, s); // \xE2\x80\x8B\xE2\x80\xAE\n[a](b.md) `c` "
      "R\"x(y)x\" 'q' /r[/]/ "
      "debugger;\n>>>>>>> x";
  std::uint32_t state = 7;
  const auto random = [&state] { return state = state * 1664525U + 1013904223U; };
  for (const char* file : {"a.c", "a.js", "a.py", "a.md", "a.rb", "a.rs"}) {
    for (int round = 0; round < 150; ++round) {
      std::string bytes = sample.substr(0, random() % (sample.size() + 1));
      for (int flips = 0; flips < 3 && !bytes.empty(); ++flips)
        bytes[random() % bytes.size()] = static_cast<char>(1 + random() % 255);
      write(file, bytes);
      for (const Finding& finding : run("builtin", {file}).findings) {
        EXPECT_GE(finding.line, 1);
        EXPECT_TRUE(!finding.fixit || apply_edits(bytes, file, finding.fixit->edits));
      }
    }
  }
}

} // namespace emend
