#include "engine/patch/cosmetic_change.hpp"

#include <gtest/gtest.h>

#include "tests/unit/engine/changes.hpp"

namespace emend {
namespace {

void expect_cosmetic(const std::string& path, const std::string& before, const std::string& after) {
  EXPECT_TRUE(is_cosmetic(changed(path, before, after)))
      << path << ":\n"
      << before << "\n=>\n"
      << after << "\n[" << significant_text(path, before) << "]\n[" << significant_text(path, after) << "]";
}

void expect_real(const std::string& path, const std::string& before, const std::string& after) {
  EXPECT_FALSE(is_cosmetic(changed(path, before, after)))
      << path << ":\n"
      << before << "\n=>\n"
      << after << "\n[" << significant_text(path, before) << "]";
}

TEST(Significance, CommentsInCLikeLanguages) {
  for (const char* path : {"a.c", "a.h", "a.cpp", "a.hpp", "a.java", "a.js", "a.ts", "a.tsx", "a.go", "a.rs",
                           "a.kt", "a.swift", "a.cs", "a.php"}) {
    expect_cosmetic(path, "int x = 1;\n", "int x = 1; // fixed\n");
    expect_cosmetic(path, "int x = 1;\n", "/* reviewed\n   and correct */\nint x = 1;\n");
    expect_cosmetic(path, "f(a, b);\n", "f( a,\n   b );\n");
    expect_cosmetic(path, "int x;\n", "\n\nint   x ;\n\n");
    expect_real(path, "int x = 1;\n", "int x = 2;\n");
    expect_real(path, "int x = 1; // keep\n", "int x; // keep\n");
    expect_real(path, "int ab;", "int a b;");
  }
}

TEST(Significance, CommentMarkersInsideStrings) {
  expect_real("a.c", "s = \"http://a\";", "s = \"http://b\";");
  expect_real("a.js", "s = 'http://a';", "s = 'http://b';");
  expect_real("a.py", "s = 'a # b'\n", "s = 'a # c'\n");
  expect_real("a.sh", "echo \"a # b\"\n", "echo \"a # c\"\n");
  expect_real("a.sql", "select '-- a';", "select '-- b';");
  expect_real("a.css", "a{content:\"/* x */\"}", "a{content:\"/* y */\"}");
  expect_real("a.json", "{\"url\": \"http://a\"}", "{\"url\": \"http://b\"}");
  expect_real("a.c", "s = \"a \\\" // b\";", "s = \"a \\\" // c\";");
  expect_cosmetic("a.c", "s = \"a\"; // it's \"old", "s = \"a\"; // it's \"new");
}

TEST(Significance, WhiteSpaceInsideStringsIsContent) {
  expect_real("a.c", "s = \"a b\";", "s = \"a  b\";");
  expect_real("a.py", "s = 'a b'\n", "s = 'a  b'\n");
  expect_real("a.json", "{\"a\": \"x y\"}", "{\"a\": \"x  y\"}");
  expect_cosmetic("a.json", "{\"a\":1}", "{\n  \"a\": 1\n}\n");
}

TEST(Significance, CharactersAndDigitSeparators) {
  expect_cosmetic("a.cpp", "int x = 1'000'000; f(); // a", "int x = 1'000'000; f(); // b");
  expect_real("a.cpp", "int x = 1'000; f(\"http://a\");", "int x = 1'000; f(\"http://b\");");
  expect_real("a.cpp", "x = 0xFF'FF; y = 1;", "x = 0xFF'FF; y = 2;");
  expect_cosmetic("a.c", "c = '\"'; d = '\\''; // a", "c = '\"'; d = '\\''; // b");
  expect_cosmetic("a.cpp", "c = L'\"'; f(); // a", "c = L'\"'; f(); // b");
  expect_cosmetic("a.c", "#error don't\nint x; // a\n", "#error don't\nint x; // b\n");
}

TEST(Significance, RawStrings) {
  expect_real("a.cpp", "s = R\"(a \" // b)\"; f();", "s = R\"(a \" // c)\"; f();");
  expect_cosmetic("a.cpp", "s = R\"x(\")\" )x\"; f(); // a", "s = R\"x(\")\" )x\"; f(); // b");
  expect_cosmetic("a.rs", "let s = r#\"say \"// hi\"\"#; // a", "let s = r#\"say \"// hi\"\"#; // b");
  expect_real("a.rs", "let s = r\"C:\\\"; let u = \"http://a\";", "let s = r\"C:\\\"; let u = \"http://b\";");
  expect_real("a.go", "p := `C:\\`; u := \"http://a\"", "p := `C:\\`; u := \"http://b\"");
  expect_real("a.cs", "p = @\"C:\\\"; u = \"http://a\";", "p = @\"C:\\\"; u = \"http://b\";");
  expect_real("a.java", "s = \"\"\"\n  // a\n  \"\"\";", "s = \"\"\"\n  // b\n  \"\"\";");
}

TEST(Significance, RustLifetimes) {
  expect_cosmetic("a.rs", "fn f<'a>(x: &'a str) -> &'a str { x } // one",
                  "fn f<'a>(x: &'a str) -> &'a str { x } // two");
  expect_cosmetic("a.rs", "fn f<'a>(x: &'a str) {}", "fn f<'a>( x:  &'a  str ) {}");
  expect_real("a.rs", "struct S<'a>(&'a str); const U: &str = \"http://a\";",
              "struct S<'a>(&'a str); const U: &str = \"http://b\";");
  expect_cosmetic("a.rs", "match c { b'\"' => 1, '\\'' => 2, 'é' => 3 } // a",
                  "match c { b'\"' => 1, '\\'' => 2, 'é' => 3 } // b");
  expect_cosmetic("a.rs", "x /* a /* b */ c */ y", "x /* d */ y");
}

TEST(Significance, ScriptTemplatesAndPatterns) {
  expect_real("a.js", "s = `http://a`;", "s = `http://b`;");
  expect_real("a.ts", "s = `a ${b ? `// c` : ''} d`; f();", "s = `a ${b ? `// x` : ''} d`; f();");
  expect_cosmetic("a.ts", "s = `a ${b({c: '}'})} d`; // one", "s = `a ${b({c: '}'})} d`; // two");
  expect_real("a.js", "s.replace(/\\/\\//g, 'a');", "s.replace(/\\/\\//g, 'b');");
  expect_real("a.js", "x = /[\"/]/; u = \"http://a\";", "x = /[\"/]/; u = \"http://b\";");
  expect_cosmetic("a.js", "x = a / b; // one", "x = a / b; // two");
  expect_cosmetic("a.js", "return /'/.test(s); // one", "return /'/.test(s); // two");
}

TEST(Significance, AReturnThatIsTornApart) {
  expect_real("a.js", "function f() {\n  return\n    x;\n}", "function f() {\n  return x;\n}");
  expect_cosmetic("a.js", "f()\n;", "f();");
}

TEST(Significance, DirectivesAreNoComments) {
  expect_real("a.go", "//go:build linux\n\npackage a\n", "//go:build darwin\n\npackage a\n");
  expect_cosmetic("a.go", "// build linux\npackage a\n", "// build darwin\npackage a\n");
  expect_real("a.sh", "#!/bin/sh\necho\n", "#!/bin/bash\necho\n");
  expect_real("a.py", "#!/usr/bin/python\nx\n", "#!/usr/bin/env python3\nx\n");
  expect_real("a.scss", "a { background: url(https://a/x.png); }", "a { background: url(https://b/x.png); }");
}

TEST(Significance, Python) {
  expect_cosmetic("a.py", "x = 1\n", "x = 1  # fixed\n");
  expect_cosmetic("a.py", "x = 1\ny = 2\n", "# note\nx = 1\n\n\ny = 2\n");
  expect_cosmetic("a.py", "def f():\n    return 1\n", "def f():\n    \"\"\"Says one.\"\"\"\n    return 1\n");
  expect_cosmetic("a.py", "def f():\n    '''a\n    b'''\n    return 1\n",
                  "def f():\n    r\"\"\"c\n\n    # d\"\"\"\n    return 1\n");
  expect_cosmetic("a.py", "def f():\n    'old'\n    return 1\n",
                  "def f():\n    'new'  # really\n    return 1\n");
  expect_cosmetic("a.py", "f(a,\n  b)\n", "f(a, b)\n");
  expect_cosmetic("a.py", "f(a,  # one\n  b)\n", "f(a,  # two\n  b)\n");
  expect_real("a.py", "if a:\n    b()\n    c()\n", "if a:\n    b()\nc()\n");
  expect_real("a.py", "if a:\n\tb()\n", "if a:\n        b()\n");
  expect_real("a.py", "a\nb\n", "a; b\n");
  expect_real("a.py", "x = \"\"\"a\"\"\"\n", "x = \"\"\"b\"\"\"\n");
  expect_real("a.py", "x = \\\n\"\"\"a\"\"\"\n", "x = \\\n\"\"\"b\"\"\"\n");
  expect_real("a.py", "f(\n\"\"\"a\"\"\"\n)\n", "f(\n\"\"\"b\"\"\"\n)\n");
  expect_real("a.py", "\"\"\"%s\"\"\" % f()\n", "\"\"\"%d\"\"\" % f()\n");
  expect_real("a.py", "x = '('\nif a:\n    b()\n    c()\n", "x = '('\nif a:\n    b()\nc()\n");
}

TEST(Significance, Shell) {
  expect_cosmetic("a.sh", "echo a\n", "# says a\necho a # really\n");
  expect_cosmetic("a.sh", "if x; then\n  y\nfi\n", "if x; then\n\n      y\nfi\n");
  expect_real("a.sh", "echo $#\n", "echo $@\n");
  expect_real("a.sh", "[ $# -eq 1 ]\n", "[ $# -eq 2 ]\n");
  expect_real("a.sh", "echo ${x#a}\n", "echo ${x#b}\n");
  expect_real("a.sh", "echo ${#x}\n", "echo ${#y}\n");
  expect_real("a.sh", "x = 1\n", "x=1\n");
  expect_real("a.sh", "if [$x = 1]; then\n", "if [ $x = 1 ]; then\n");
  expect_real("a.sh", "cd a\nrm b\n", "cd a rm b\n");
  expect_real("a.sh", "x='\\'; echo '# a'\n", "x='\\'; echo '# b'\n");
  expect_cosmetic("a.sh", "echo it\\'s # a\nb\n", "echo it\\'s # c\nb\n");
  expect_real("a.sh", "case $x in a) ;; esac\n", "case $x in b) ;; esac\n");
}

TEST(Significance, Yaml) {
  expect_cosmetic("a.yml", "a:\n  b: 1\n", "# note\na:\n  b: 1  # one\n\n");
  expect_real("a.yaml", "a:\n  b: 1\n", "a:\nb: 1\n");
  expect_real("a.yaml", "a:1\n", "a: 1\n");
  expect_real("a.yaml", "t: sad :(\na:\n  b: 1\n", "t: sad :(\na:\nb: 1\n");
  expect_cosmetic("a.yaml", "m: it's # a\nn: 1\n", "m: it's # b\nn: 1\n");
  expect_real("a.yaml", "u: http://a#x\n", "u: http://a#y\n");
  expect_real("a.yaml", "p: 'C:\\'\nq: 'x # a'\n", "p: 'C:\\'\nq: 'x # b'\n");
}

TEST(Significance, Makefiles) {
  expect_real("Makefile", "a:\n        echo\n", "a:\n\techo\n");
  expect_cosmetic("Makefile", "a:\n\techo\n", "# all\na:\n\techo # a\n");
  expect_real("rules.mk", "a:\n\techo a\n", "a:\n\techo b\n");
}

TEST(Significance, Sql) {
  expect_cosmetic("a.sql", "select a from b;", "-- why\nselect a\n  from b; -- yes");
  expect_cosmetic("a.sql", "select a;", "/* why */ select a;");
  expect_real("a.sql", "select a from b;", "select c from b;");
  expect_real("a.sql", "insert 'a\n -- b\n';", "insert 'a\n -- c\n';");
  expect_real("a.sql", "select 'it''s -- a';", "select 'it''s -- b';");
  expect_real("a.sql", "select 'C:\\', '-- a';", "select 'C:\\', '-- b';");
}

TEST(Significance, Markup) {
  expect_cosmetic("a.html", "<p>a</p>", "<!-- note --><p>a</p>\n\n");
  expect_cosmetic("a.xml", "<a>\n<b/>\n</a>", "<a>  <b/>  </a>");
  expect_real("a.html", "<p>a</p>", "<p>b</p>");
  expect_real("a.html", "<p>// a</p>", "<p>// b</p>");
}

TEST(Significance, AScriptWithoutAnEndingSaysWhatItIs) {
  for (const char* first : {"#!/bin/sh\n", "#!/usr/bin/env bash\n", "#!/usr/bin/python3\n",
                            "#!/usr/bin/env perl\n", "#!/usr/bin/env ruby\n"})
    expect_cosmetic("bin/tool", std::string(first) + "f 1\n", std::string(first) + "f 1\n# right now\n");
  expect_cosmetic("bin/tool", "#!/usr/bin/env node\nf(1);\n", "#!/usr/bin/env node\nf(1); // right now\n");
  expect_real("bin/tool", "#!/bin/sh\necho 1\n", "#!/bin/sh\necho 2\n");
  expect_real("bin/tool", "#!/opt/awk -f\nx\n", "#!/opt/awk -f\nx\n# y\n");
  expect_real("bin/tool", "x\n", "x\n# y\n");
}

TEST(Significance, UnknownLanguagesLoseOnlyWhiteSpace) {
  expect_cosmetic("notes.xyz", "a b\n", "a   b\n\n");
  expect_real("notes.xyz", "# a\n", "# b\n");
  expect_real("README.md", "one two", "onetwo");
}

TEST(Significance, LineEndsOnly) {
  for (const char* path : {"a.c", "a.py", "a.sh", "a.yaml", "a.sql", "a.md"})
    expect_cosmetic(path, "a\nb\n", "a\r\nb\r\n");
}

TEST(Significance, UnfinishedThings) {
  for (const char* path :
       {"a.c", "a.py", "a.sh", "a.rs", "a.js", "a.go", "a.yaml", "a.sql", "a.html", "a.toml"})
    for (const char* text : {"'", "\"", "`", "\"\"\"", "'''", "/*", "<!--", "--", "\\", "\"\\", "r#", "R\"",
                             "R\"(", "`${", "/", "#", "'\\"}) {
      expect_cosmetic(path, text, text);
      EXPECT_NE(significant_text(path, std::string("x ") + text), "");
    }
}

TEST(Significance, HostileTextIsReadInReasonableTime) {
  for (const std::string piece : {"`${", "R\"(", "r\"\\\"", "/*", "=/[", "'''x", "\"\\\""}) {
    std::string text;
    while (text.size() < 200'000) text += piece;
    for (const char* path : {"a.js", "a.cpp", "a.rs", "a.py", "a.toml", "a.go"})
      EXPECT_LE(significant_text(path, text).size(), 2 * text.size());
  }
}

TEST(Significance, KindsOfChange) {
  FileChange mode = changed("a.sh", "x\n", "x\n");
  mode.new_mode = kModeExecutable;
  EXPECT_TRUE(is_cosmetic(mode));
  EXPECT_TRUE(is_cosmetic(created("a.py", "")));
  EXPECT_TRUE(is_cosmetic(created("a.py", "# only words\n")));
  EXPECT_FALSE(is_cosmetic(created("a.py", "x = 1\n")));
  EXPECT_FALSE(is_cosmetic(removed("a.py", "x = 1\n")));
  const std::string one("a\0b", 3), two("a\0 b", 4);
  EXPECT_FALSE(is_cosmetic(changed("a.bin", one, two)));
  EXPECT_TRUE(is_cosmetic(changed("a.bin", one, one)));
  FileChange link = changed("a.c", "b.c", "b.c ");
  link.old_mode = link.new_mode = kModeSymlink;
  EXPECT_FALSE(is_cosmetic(link));
}

bool allowed(const std::string& category, const std::string& rule = {}) {
  Finding finding;
  finding.category = category;
  finding.rule = rule;
  return allows_cosmetic(finding);
}

TEST(AllowsCosmetic, MattersOfForm) {
  for (const char* category : {"documentation", "Docs", "comments", "missing-comment", "code style", "style",
                               "formatting", "Format", "typo", "typos", "spelling", "whitespace", "license"})
    EXPECT_TRUE(allowed(category)) << category;
  for (const char* rule :
       {"missing-docstring", "missing_docs", "codespell", "clang-format", "pydocstyle.D100", "JavadocMethod"})
    EXPECT_TRUE(allowed("", rule)) << rule;
}

TEST(AllowsCosmetic, MattersOfSubstance) {
  for (const char* category : {"", "bug", "security", "information disclosure", "information_leak", "docker",
                               "performance", "format string", "transformation", "stylesheet injection"})
    EXPECT_FALSE(allowed(category)) << category;
  for (const char* rule : {"-Wformat-security", "cert-format", "doctrine-injection"})
    EXPECT_FALSE(allowed("", rule)) << rule;
}

} // namespace
} // namespace emend
