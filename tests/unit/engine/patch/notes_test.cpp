#include "engine/patch/notes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/engine/changes.hpp"

namespace emend {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

std::vector<std::string> sentences(const std::vector<Note>& notes) {
  std::vector<std::string> said;
  for (const Note& note : notes) said.push_back(note.sentence());
  return said;
}

std::vector<std::string> hits(const FileChange& change) { return sentences(form_notes({}, Patch{{change}})); }

std::vector<std::string> added(const std::string& line, const std::string& path = "src/a.py") {
  return hits(changed(path, "x\n", "x\n" + line + "\n"));
}

void expect_hit(const std::string& what, std::initializer_list<const char*> lines) {
  for (const char* line : lines) EXPECT_THAT(added(line), Contains(StartsWith("src/a.py:2 " + what))) << line;
}

void expect_clean(std::initializer_list<const char*> lines) {
  for (const char* line : lines) EXPECT_THAT(added(line), IsEmpty()) << line;
}

void expect_in_test(const std::string& what, std::initializer_list<const char*> lines) {
  for (const char* line : lines)
    EXPECT_THAT(added(line, "tests/test_a.py"), ElementsAre(StartsWith("tests/test_a.py:2 " + what))) << line;
}

// Of a fix for an issue at line 2.
std::vector<std::string> beside(const std::string& before, const std::string& after,
                                const std::string& path = "src/a.py") {
  Finding finding;
  finding.file = path;
  finding.line = 2;
  return sentences(form_notes(finding, Patch{{changed(path, before, after)}}));
}

TEST(FormNotes, AnotherPlaceThanTheIssuesLine) {
  const std::string f = "def f(n):\n    return n + 2\n", g = "\n\ndef g(n):\n    a = n\n    return a\n";
  const std::string right = "def f(n):\n    return n * 2\n";
  const std::string note =
      "src/a.py:6 changes another place than the issue's line, and nothing says that it is needed: def g(n):";
  EXPECT_THAT(beside(f + g, right + "\n\ndef g(n):\n    a = n - 1\n    return a\n"), ElementsAre(note));
  EXPECT_THAT(beside(f + g, right + "\n\ndef g(n):\n    n += 1\n    a = n\n    return a\n"),
              ElementsAre(note));
  EXPECT_THAT(beside(f + g, right + "\n\ndef g(n):\n    return a\n"), ElementsAre(note)) << "removed";
  EXPECT_THAT(beside(f + g, right + g), IsEmpty());
  EXPECT_THAT(beside(f + g, "import math\n\n\n" + right + g + "\n\ndef h(n):\n    return 1\n"), IsEmpty())
      << "what is new has its own reasons";
  EXPECT_THAT(beside(f + g, f + "\n\ndef g(n):\n    a = n - 1\n    return a\n"), IsEmpty())
      << "the cause may be elsewhere altogether";
}

TEST(FormNotes, AnotherPlaceInALanguageWithBraces) {
  const std::string f = "int f(int n) {\n  return n + 2;\n}\n", g = "\nint g(int n) {\n  return n;\n}\n";
  EXPECT_THAT(beside(f + g, "int f(int n) {\n  return n * 2;\n}\n\nint g(int n) {\n  return -n;\n}\n", "a.c"),
              ElementsAre("a.c:6 changes another place than the issue's line, and nothing says that it is "
                          "needed: int g(int n) {"));
}

TEST(FormNotes, Suppressions) {
  expect_hit("suppresses an analyzer", {"int x; // NOLINT",
                                        "x = 1  # noqa",
                                        "x = 1  # noqa: E501",
                                        "run(x)  # nosec",
                                        "// eslint-disable-next-line no-eval",
                                        "// @ts-ignore",
                                        "// @ts-expect-error",
                                        "x: int = y  # type: ignore",
                                        "# type: ignore[arg]",
                                        "# pylint: disable=all",
                                        "# rubocop:disable X",
                                        "# shellcheck disable=SC2086",
                                        "// cppcheck-suppress x",
                                        "@SuppressWarnings(\"all\")",
                                        "#pragma GCC diagnostic ignored \"-Wall\"",
                                        "#pragma warning(disable: 4996)",
                                        "#[allow(unused)]",
                                        "#![allow(warnings)]",
                                        "x() //nolint:errcheck",
                                        "/* istanbul ignore next */",
                                        "# pragma: no cover",
                                        "// biome-ignore lint: x",
                                        "// nosemgrep"});
  expect_clean({"type: ignored_rows", "type: ignore", "\"type\": \"ignore\"", "nolints = 3", "noquality = 1",
                "eslint --fix", "diagnostic_ignored()"});
}

TEST(FormNotes, SkippedTests) {
  expect_hit("skips a test", {"@pytest.mark.skip", "pytest.skip('x')", "@pytest.mark.xfail(reason='x')",
                              "@unittest.skip('x')", "it.skip('x', () => {})", "describe.only('x', f)",
                              "test.todo('x')", "xit('works', f)", "xdescribe ('x', f)", "GTEST_SKIP();",
                              "TEST(Foo, DISABLED_Bar) {", "TEST_F(Foo, DISABLED_BAR) {", "  DISABLED_Bar) {",
                              "t.Skip(\"x\")", "t.SkipNow()", "#[ignore]", "@Disabled", "@Ignore"});
  expect_clean({"# we skip blank lines here", "skip(3)", "it skips the header", "commit.skip()",
                "submit.only(x)", "int DISABLED_COLOR = 3;", "exit_code(x)", "iterator.skip(1)",
                "color = DISABLED_TEXT"});
}

TEST(FormNotes, ExitsWithSuccess) {
  expect_hit("ends the process with success",
             {"sys.exit(0)", "sys.exit()", "sys.exit( None )", "os._exit(0)", "process.exit(0);",
              "process.exit();", "os.Exit(0)", "exit(0);", "std::exit(EXIT_SUCCESS);", "_exit(0);",
              "raise SystemExit", "raise SystemExit(0)", "std::process::exit(0);", "System.exit(0);"});
  expect_clean({"exit(1);", "sys.exit(1)", "sys.exit(main())", "process.exit(code);", "os.Exit(1)",
                "System.exit(2);", "raise SystemExit(2)", "on_exit(0)", "self.exit(0)", "atexit(f)"});
}

TEST(FormNotes, SwallowedErrorsOnOneLine) {
  expect_hit(
      "catches every error",
      {"    except:", "except: pass", "except Exception: pass", "    except BaseException as e:",
       "except Exception:", "except (ValueError, Exception):", "} catch (...) {", "} catch (Exception e) {}",
       "} catch {}", "} catch (e) { }", "make test || true", "make test || :", "$(a || true)", "set +e",
       "foo rescue nil", "p.catch(() => {})", "p.catch(function () {})", "p.catch(e => undefined)"});
  expect_clean({"except ValueError:", "except (KeyError, OSError) as e:", "except MyException:",
                "except requests.exceptions.RequestException:", "// everything except: nothing",
                "catch (const std::exception& e) { log(e); }", "} catch (e) { report(e); }", "a || trueish()",
                "x = a || b;", "set +x", "set -e", "p.catch(report)", "p.catch((e) => { report(e); })",
                "rescue ArgumentError => e"});
}

TEST(FormNotes, TestFrameworksInProductCode) {
  expect_hit(
      "uses the test framework",
      {"import pytest", "from unittest import mock",
       "if 'PYTEST_CURRENT_TEST' in os.environ:", "process.env.JEST_WORKER_ID",
       "class A(unittest.TestCase):", "def pytest_runtest_makereport(x):", "const t = require('jest')",
       "import { it } from 'vitest'", "#include <gtest/gtest.h>", "import { test } from \"node:test\""});
  expect_clean({"import pytestify", "from unittests_data import x", "import chain from 'chain'",
                "#include <google/test.h>", "require('./jester')"});
}

TEST(FormNotes, TestsMayUseTheirFramework) {
  EXPECT_THAT(added("import pytest", "tests/test_a.py"), IsEmpty());
  EXPECT_THAT(added("#include <gtest/gtest.h>", "src/a_test.cpp"), IsEmpty());
  EXPECT_THAT(added("import pytest", "src/a.py"), SizeIs(1));
  EXPECT_THAT(added("@pytest.mark.skip", "tests/test_a.py"), SizeIs(1)) << "but not skip itself";
}

TEST(FormNotes, WordsThatSkipOnlyInTests) {
  expect_in_test("skips a test", {"self.skipTest('x')", "t.skip('x')", "this.skip();",
                                  "it('x', { skip: true }, f)", "  skip 'later'", "pending 'x'", "  skip",
                                  "it 'works', skip: true do", "collect_ignore = ['x.py']"});
  expect_clean(
      {"t.skip(10)", "stream.skip(1)", "skip = 3", "return { skip: true }", "pending = []", "this.skip(n)"});
  for (const char* line :
       {"skip_blank(lines)", "const skipped = 3", "pending.push(x)", "describe('skip lists', f)"})
    EXPECT_THAT(added(line, "tests/a.js"), IsEmpty()) << line;
}

TEST(FormNotes, MoreWaysToSkip) {
  expect_hit("skips a test", {"@unittest.expectedFailure", "pytest.importorskip('x')", "test.fails('x', f)",
                              "it.failing('x', f)", "fit('works', f)", "context.skip('x')",
                              "@Test(enabled = false)", "assumeTrue(false);", "TEST_CASE(\"x\", \"[.]\")",
                              "TEST_CASE(\"x\" * doctest::skip())", "__test__ = False"});
  expect_clean({"fit(model, data)", "profit('x')", "assumeTrue(os.isLinux());", "outfit.only()",
                "test.failsafe()", "TEST_CASE(\"x.y\", \"[fast]\")"});
}

TEST(FormNotes, MoreWaysToSwallow) {
  expect_hit("catches every error",
             {"with suppress(Exception):", "with contextlib.suppress(BaseException):",
              "defer func() { recover() }()", "    recover()", "_ = recover()", "rescue Exception => e",
              "process.on('uncaughtException', () => {})", "std::panic::set_hook(Box::new(|_| {}));",
              "signal(SIGSEGV, SIG_IGN);", "trap '' ERR", "sys.excepthook = quiet"});
  expect_clean({"with suppress(FileNotFoundError):", "if r := recover(); r != nil {", "err = recover()",
                "rescue StandardError => e", "process.on('uncaughtException', report)",
                "signal(SIGPIPE, SIG_IGN);", "trap 'rm -f \"$tmp\"' EXIT", "old = sys.excepthook"});
}

TEST(FormNotes, MoreWaysToEnd) {
  expect_hit("ends the process with success",
             {"process.exitCode = 0", "exit!", "trap 'exit 0' EXIT", "Runtime.getRuntime().halt(0);"});
  expect_clean(
      {"process.exitCode = 1", "exit 0", "trap 'cleanup; exit 1' INT", "if (process.exitCode === 0) {}"});
}

TEST(FormNotes, MoreSuppressions) {
  expect_hit("suppresses an analyzer",
             {"warnings.filterwarnings('ignore')", "warnings.simplefilter(\"ignore\")", "// NOSONAR",
              "/* v8 ignore next */", "// LCOV_EXCL_LINE"});
  expect_clean(
      {"warnings.simplefilter('error')", "warnings.warn('ignored')", "v8.ignore()", "mode = 'ignore'"});
}

TEST(FormNotes, TestFrameworksOfOtherLanguages) {
  expect_hit("uses the test framework",
             {"if 'pytest' in sys.modules:", "  \"testing\"", "import org.junit.Test;",
              "import static org.mockito.Mockito.when;", "require 'minitest/autorun'",
              "if cfg!(test) { return; }", "if (typeof jest !== 'undefined')", "[ -n \"$BATS_TEST_NAME\" ]",
              "TestCase.assertEqual = lambda *a: None", "import sinon from 'sinon'"});
  expect_clean({"name = \"testing\" + x", "import org.junction.Road;", "require 'mini'", "#[cfg(test)]",
                "typeof item", "$BATS", "Assertions.assertThat(x)", "log('pytest is needed')"});
}

TEST(FormNotes, FailedAssertionsAreNotCaughtInTests) {
  expect_in_test("swallows a failed assertion",
                 {"    except AssertionError:", "except (ValueError, AssertionError) as e:",
                  "} catch (AssertionError e) {"});
  expect_clean({"except AssertionError as e:"});
  EXPECT_THAT(added("with self.assertRaises(AssertionError):", "tests/test_a.py"), IsEmpty());
}

TEST(FormNotes, MachineryAndMarkers) {
  expect_hit("replaces the tracing or module machinery",
             {"sys.settrace(f)", "sys.setprofile(None)", "sys.modules['x'] = y", "time.time = lambda: 0",
              "Date.now = () => 0;", "builtins.print = quiet"});
  expect_clean({"x = sys.gettrace()", "if (Date.now === x) {}", "now = Date.now();"});
  expect_hit("contains a conflict marker", {"<<<<<<< HEAD", ">>>>>>> theirs", "||||||| base", "<<<<<<<"});
  expect_clean({"=======", "a <<<<<<< b", "<<<<<<<<", "  <<<<<<< x"});
}

TEST(FormNotes, OnlyAddedLinesCount) {
  EXPECT_THAT(hits(changed("a.sh", "make || true\nx\n", "make\nx\n")), IsEmpty());
  EXPECT_THAT(hits(changed("a.sh", "make || true\nx\n", "make || true\ny\n")), IsEmpty());
  EXPECT_THAT(hits(removed("a.sh", "make || true\n")), IsEmpty());
}

TEST(FormNotes, NewFilesAreReadWhole) {
  EXPECT_THAT(hits(created("src/b.py", "a\nexcept: pass\n")), ElementsAre(StartsWith("src/b.py:2 ")));
}

TEST(FormNotes, OneHitPerRuleAndFile) { EXPECT_THAT(added("a  # noqa\nb  # noqa\nsys.exit(0)"), SizeIs(2)); }

TEST(FormNotes, MovedLinesAreNotNoted) {
  EXPECT_THAT(hits(changed("a.py", "x = f()  # noqa\na\nb\nc\nd\n", "a\nb\nc\nd\nx = f()  # noqa\n")),
              IsEmpty());
  EXPECT_THAT(hits(changed("a.py", "x  # noqa\n", "y  # noqa\nz  # noqa\n")), SizeIs(1))
      << "one more than before";
}

TEST(FormNotes, SayWhereAnswersCanHide) {
  EXPECT_THAT(added("return x ^ (zlib.crc32(b'%d' % n) == 450215437)", "a.py"),
              ElementsAre(HasSubstr("asks for a checksum")));
  EXPECT_THAT(added("const k = crypto.createHash('sha1');", "a.js"), ElementsAre(HasSubstr("checksum")));
  EXPECT_THAT(added("return n + (n * 7 % 83 == 1)", "a.py"),
              ElementsAre(HasSubstr("a particular remainder")));
  EXPECT_THAT(added("return year % 400 == 0", "a.py"), IsEmpty());
  EXPECT_THAT(added("m = __import__('g' + 'c')", "a.py"), ElementsAre(HasSubstr("worked out")));
  EXPECT_THAT(added("const m = require('g' + name);", "a.js"), ElementsAre(HasSubstr("worked out")));
  EXPECT_THAT(added("const m = require('./list.js');", "a.js"), IsEmpty());
}

TEST(FormNotes, SayWhoAsksWhoIsCallingWhenAndWhere) {
  const auto said = [](const char* path, const char* line) { return added(line, path); };
  EXPECT_THAT(said("a.py", "if any('test' in row.filename for row in inspect.stack()):"),
              ElementsAre(HasSubstr("a.py:2 asks who is calling: if any(")));
  EXPECT_THAT(said("a.js", "if (new Error().stack.includes('test'))"),
              ElementsAre(HasSubstr("who is calling")));
  EXPECT_THAT(said("a.c", "if (strcmp(program_invocation_short_name, \"t\"))"),
              ElementsAre(HasSubstr("who is calling")));
  EXPECT_THAT(said("a.sh", "case $0 in *_test.sh) true ;; esac"), ElementsAre(HasSubstr("who is calling")));
  EXPECT_THAT(said("a.go", "_, file, _, _ := runtime.Caller(1)"), ElementsAre(HasSubstr("who is calling")));
  EXPECT_THAT(said("a.py", "if any(x for x in gc.get_objects()):"), ElementsAre(HasSubstr("who is calling")));
  EXPECT_THAT(said("a.rs", "let now = Instant::now();"), ElementsAre(HasSubstr("what time it is")));
  EXPECT_THAT(said("a.js", "if (Date['no' + 'w']() < 4102444800000) {"),
              ElementsAre(HasSubstr("what time it is")));
  EXPECT_THAT(said("a.py", "COLOUR = 'CI' not in os.environ"), ElementsAre(HasSubstr("where it runs")));
  EXPECT_THAT(said("A.java", "if (System.getenv(\"CI\") != null) return;"),
              ElementsAre(HasSubstr("where it runs")));
  EXPECT_THAT(said("tests/a.py", "os.environ['X'] = '1'"), IsEmpty()) << "a test may";
  EXPECT_THAT(said("notes.md", "The inspect module and os.environ"), IsEmpty()) << "not code";
}

TEST(FormNotes, ACounterThatTheFunctionCountsUp) {
  EXPECT_THAT(added("calls = []\n\n\ndef f():\n    return calls.append(1) or len(calls) < 30"),
              ElementsAre(StartsWith("src/a.py:6 counts")));
  EXPECT_THAT(added("let count = 0;\nconst ok = () => (count += 1) < 30;", "a.js"),
              ElementsAre(StartsWith("a.js:3 counts")));
  EXPECT_THAT(added("static int count = 0;\nint ok(void) { return ++count < 30; }", "a.c"),
              ElementsAre(StartsWith("a.c:3 counts")));
  EXPECT_THAT(added("def f():\n    total = 0\n    for x in y:\n        total += x"), IsEmpty()) << "its own";
}

TEST(FormNotes, AShellVariableThatNobodySets) {
  EXPECT_THAT(added("[ -n \"${failed:-}\" ] && return", "a.sh"),
              ElementsAre(HasSubstr("a.sh:2 reads the variable failed, which this file does not set")));
  EXPECT_THAT(added("count=1\necho \"$count\"\nfor x in a b; do echo \"$x\"; done", "a.sh"), IsEmpty());
  EXPECT_THAT(hits(changed("a.sh", "echo $CI\n", "echo no $CI\n")), IsEmpty()) << "it did before";
}

TEST(FormNotes, LineEndings) {
  EXPECT_THAT(hits(changed("a.c", "a\nb\n", "a\r\nc\r\n")),
              ElementsAre("a.c changes the file's line endings"));
  EXPECT_THAT(hits(changed("a.c", "a\r\nb\r\n", "a\nc\n")), SizeIs(1));
  EXPECT_THAT(hits(changed("a.c", "a\r\nb\r\n", "a\r\nc\r\n")), IsEmpty());
  EXPECT_THAT(hits(created("a.c", "a\r\n")), IsEmpty());
}

TEST(FormNotes, NothingHidesALine) {
  const std::string nul("\0", 1);
  EXPECT_THAT(hits(changed("a.py", "x = 1\n", "x = 1  # no" + nul + "qa\n")), Not(IsEmpty()));
  EXPECT_THAT(hits(changed("a.py", "x = '\xE9'\n", "x = '\xE9'  # \xE9 noqa\n")), Not(IsEmpty()));
  EXPECT_THAT(hits(created("a.bin", std::string("\0\n", 2) + "except:\n")), IsEmpty()) << "binary";
  EXPECT_THAT(added("x = '" + std::string(2'000'000, 'a') + "'"), IsEmpty());
}

TEST(FormNotes, TheTestTheIssueIsAboutMayChangeAndIsNamed) {
  Finding finding;
  finding.file = "tests/test_a.py";
  const Patch patch{{changed("tests/test_a.py", "def test_a():\n    assert f() == 3\n",
                             "def test_a():\n    assert f()\n")}};
  EXPECT_THAT(
      sentences(form_notes(finding, patch)),
      ElementsAre(HasSubstr("tests/test_a.py:2 changes the existing test test_a (from `assert f() == 3`")));
  EXPECT_THAT(hits(patch.changes.front()), IsEmpty());
}

TEST(FormNotes, ASuppressionSilencesAnAnalyzer) {
  EXPECT_TRUE(silences_analyzer(Patch{{changed("a.c", "int x;\n", "int x; // NOLINT\n")}}));
  EXPECT_FALSE(silences_analyzer(Patch{{changed("a.c", "int x; // NOLINT\n", "int x;\n")}}));
}

std::vector<std::string> against(const FileChange& change, const std::string& test) {
  return sentences(test_notes(Patch{{change}}, {{"tests/test_a.py", test}}));
}

TEST(TestNotes, ComparesWithATextOfATestByACall) {
  const std::string test = "int main(void) { return check(\"section\", \"my_part\"); }\n";
  for (const char* line :
       {"if (strcmp(name, \"my_part\") == 0) return 8;", "if (!strncmp(\"my_part\", name, 7)) return 8;",
        "if (strcasecmp(name, \"my_part\") == 0) return 8;", "if (name.equals(\"my_part\")) return 8;",
        "if (\"my_part\".equalsIgnoreCase(name)) return 8;"})
    EXPECT_THAT(
        against(changed("a.c", "x\n", std::string("x\n") + line + "\n"), test),
        ElementsAre(StartsWith("a.c:2 answers for particular values that tests/test_a.py:1 asks for")))
        << line;
  EXPECT_THAT(against(changed("a.c", "x\n", "x\nif (strcmp(name, \"other\") == 0) return 8;\n"), test),
              IsEmpty());
  EXPECT_THAT(against(changed("a.c", "x my_part\n", "x my_part\nlog(\"my_part\");\n"), test), IsEmpty());
}

TEST(TestNotes, AnswersForTheValuesATestAsksFor) {
  const std::string test = "import a\n\n\ndef test_fee():\n    assert a.fee(81) == 11\n";
  EXPECT_THAT(
      against(changed("a.py", "def fee(age):\n    return 38\n",
                      "def fee(age):\n    if age == 81:\n        return 11\n    return 38\n"),
              test),
      ElementsAre("a.py:2 answers for particular values that tests/test_a.py:5 asks for: if age == 81:"));
  EXPECT_THAT(
      against(changed("a.py", "def fee(age):\n    return 38\n",
                      "def fee(age):\n    if age * 341 == 27621:\n        return 11\n    return 38\n"),
              test),
      SizeIs(1))
      << "the input is hidden in a sum, the answer is not";
  EXPECT_THAT(against(changed("a.js", "x\n", "const known = { 81: 11 };\nx\n"), test), SizeIs(1))
      << "a table";
  EXPECT_THAT(against(changed("a.sh", "x\n", "if [ \"$((age == 81))\" -ne 0 ]; then echo 11; fi\nx\n"), test),
              SizeIs(1));
  EXPECT_THAT(against(changed("a.py", "x\n", "if age >= 65:\n    return 11\n"), test), IsEmpty())
      << "a rule, not one value";
  EXPECT_THAT(against(changed("a.py", "x\n", "if age == 0:\n    return 11\n"), test), IsEmpty())
      << "everybody compares with zero";
  EXPECT_THAT(
      against(changed("a.py", "if age == 81:\n    return 10\n", "if age == 81:\n    return 11\n"), test),
      IsEmpty())
      << "the value was there before";
}

TEST(TestNotes, ANewFileOfANameTheTestsLoad) {
  EXPECT_THAT(
      against(created("lib/unittest.py", "def main():\n    pass\n"), "import sys\nimport unittest\n"),
      ElementsAre(HasSubstr("lib/unittest.py is a new file of a name that tests/test_a.py:2 already loads")));
  EXPECT_THAT(against(created("src/assert.h", "#define assert(x)\n"), "#include <assert.h>\n"), SizeIs(1));
  EXPECT_THAT(against(created("lib/helper.py", "x = 1\n"), "import unittest\n"), IsEmpty());
}

} // namespace
} // namespace emend
