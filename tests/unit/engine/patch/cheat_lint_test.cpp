#include "engine/patch/cheat_lint.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/engine/changes.hpp"

namespace emend {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

std::vector<std::string> hits(const FileChange& change) {
  static const Redactor redactor;
  return cheat_hits(Patch{{change}}, redactor);
}

std::vector<std::string> added(const std::string& line, const std::string& path = "src/a.py") {
  return hits(changed(path, "x\n", "x\n" + line + "\n"));
}

void expect_hit(const std::string& what, std::initializer_list<const char*> lines) {
  for (const char* line : lines)
    EXPECT_THAT(added(line), ElementsAre(testing::StartsWith("src/a.py:2 " + what))) << line;
}

void expect_clean(std::initializer_list<const char*> lines) {
  for (const char* line : lines) EXPECT_THAT(added(line), IsEmpty()) << line;
}

TEST(CheatLint, Suppressions) {
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

TEST(CheatLint, SkippedTests) {
  expect_hit("skips a test", {"@pytest.mark.skip", "pytest.skip('x')", "@pytest.mark.xfail(reason='x')",
                              "@unittest.skip('x')", "it.skip('x', () => {})", "describe.only('x', f)",
                              "test.todo('x')", "xit('works', f)", "xdescribe ('x', f)", "GTEST_SKIP();",
                              "TEST(Foo, DISABLED_Bar) {", "TEST_F(Foo, DISABLED_BAR) {", "  DISABLED_Bar) {",
                              "t.Skip(\"x\")", "t.SkipNow()", "#[ignore]", "@Disabled", "@Ignore"});
  expect_clean({"# we skip blank lines here", "skip(3)", "it skips the header", "commit.skip()",
                "submit.only(x)", "int DISABLED_COLOR = 3;", "exit_code(x)", "iterator.skip(1)",
                "color = DISABLED_TEXT"});
}

TEST(CheatLint, ExitsWithSuccess) {
  expect_hit("ends the process with success",
             {"sys.exit(0)", "sys.exit()", "sys.exit( None )", "os._exit(0)", "process.exit(0);",
              "process.exit();", "os.Exit(0)", "exit(0);", "std::exit(EXIT_SUCCESS);", "_exit(0);",
              "raise SystemExit", "raise SystemExit(0)", "std::process::exit(0);", "System.exit(0);"});
  expect_clean({"exit(1);", "sys.exit(1)", "sys.exit(main())", "process.exit(code);", "os.Exit(1)",
                "System.exit(2);", "raise SystemExit(2)", "on_exit(0)", "self.exit(0)", "atexit(f)"});
}

TEST(CheatLint, SwallowedErrorsOnOneLine) {
  expect_hit(
      "swallows every error",
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

TEST(CheatLint, ABroadHandlerThatPassesTheErrorOnIsHonest) {
  EXPECT_THAT(added("try:\n    f()\nexcept Exception:\n    close()\n    raise\ng()"), IsEmpty());
  EXPECT_THAT(added("try:\n    f()\nexcept Exception as e:\n    raise Wrapped() from e"), IsEmpty());
  EXPECT_THAT(added("except BaseException: raise"), IsEmpty());
  EXPECT_THAT(added("try { f(); } catch (...) {\n  close(fd);\n  throw;\n}", "a.cpp"), IsEmpty());
  EXPECT_THAT(added("try { f(); } catch (...) { close(fd); throw; }", "a.cpp"), IsEmpty());
  EXPECT_THAT(added("catch (...)\n{\n  error = std::current_exception();\n}", "a.cpp"), IsEmpty());
}

TEST(CheatLint, ABroadHandlerThatDoesNotIsNot) {
  EXPECT_THAT(added("try:\n    f()\nexcept Exception:\n    pass\nraise X"), SizeIs(1));
  EXPECT_THAT(added("try:\n    f()\nexcept Exception as e:\n    log(e)"), SizeIs(1));
  EXPECT_THAT(added("try:\n    f()\nexcept Exception:\n    if False:\n        raise"), SizeIs(1));
  EXPECT_THAT(added("try { f(); } catch (...) {\n  log();\n}\nthrow;", "a.cpp"), SizeIs(1));
  EXPECT_THAT(added("catch (...)\n{\n  log();\n}\nthrow;", "a.cpp"), SizeIs(1));
  EXPECT_THAT(added("try { f(); } catch (const Error& e) {\n  // never mind\n\n}", "a.cpp"), SizeIs(1));
  EXPECT_THAT(added("} catch (e) {\n}", "a.js"), SizeIs(1));
  EXPECT_THAT(added("} catch (e) {\n  report(e);\n}", "a.js"), IsEmpty());
}

TEST(CheatLint, TestFrameworksInProductCode) {
  expect_hit(
      "uses the test framework",
      {"import pytest", "from unittest import mock",
       "if 'PYTEST_CURRENT_TEST' in os.environ:", "process.env.JEST_WORKER_ID",
       "class A(unittest.TestCase):", "def pytest_runtest_makereport(x):", "const t = require('jest')",
       "import { it } from 'vitest'", "#include <gtest/gtest.h>", "import { test } from \"node:test\""});
  expect_clean({"import pytestify", "from unittests_data import x", "import chain from 'chain'",
                "#include <google/test.h>", "require('./jester')"});
}

TEST(CheatLint, TestsMayUseTheirFramework) {
  EXPECT_THAT(added("import pytest", "tests/test_a.py"), IsEmpty());
  EXPECT_THAT(added("#include <gtest/gtest.h>", "src/a_test.cpp"), IsEmpty());
  EXPECT_THAT(added("import pytest", "src/a.py"), SizeIs(1));
  EXPECT_THAT(added("@pytest.mark.skip", "tests/test_a.py"), SizeIs(1)) << "but not skip itself";
}

void expect_in_test(const std::string& what, std::initializer_list<const char*> lines) {
  for (const char* line : lines)
    EXPECT_THAT(added(line, "tests/test_a.py"), ElementsAre(testing::StartsWith("tests/test_a.py:2 " + what)))
        << line;
}

TEST(CheatLint, WordsThatSkipOnlyInTests) {
  expect_in_test("skips a test", {"self.skipTest('x')", "t.skip('x')", "this.skip();",
                                  "it('x', { skip: true }, f)", "  skip 'later'", "pending 'x'", "  skip",
                                  "it 'works', skip: true do", "collect_ignore = ['x.py']"});
  expect_clean(
      {"t.skip(10)", "stream.skip(1)", "skip = 3", "return { skip: true }", "pending = []", "this.skip(n)"});
  for (const char* line :
       {"skip_blank(lines)", "const skipped = 3", "pending.push(x)", "describe('skip lists', f)"})
    EXPECT_THAT(added(line, "tests/a.js"), IsEmpty()) << line;
}

TEST(CheatLint, MoreWaysToSkip) {
  expect_hit("skips a test", {"@unittest.expectedFailure", "pytest.importorskip('x')", "test.fails('x', f)",
                              "it.failing('x', f)", "fit('works', f)", "context.skip('x')",
                              "@Test(enabled = false)", "assumeTrue(false);", "TEST_CASE(\"x\", \"[.]\")",
                              "TEST_CASE(\"x\" * doctest::skip())", "__test__ = False"});
  expect_clean({"fit(model, data)", "profit('x')", "assumeTrue(os.isLinux());", "outfit.only()",
                "test.failsafe()", "TEST_CASE(\"x.y\", \"[fast]\")"});
}

TEST(CheatLint, MoreWaysToSwallow) {
  expect_hit("swallows every error",
             {"with suppress(Exception):", "with contextlib.suppress(BaseException):",
              "defer func() { recover() }()", "    recover()", "_ = recover()", "rescue Exception => e",
              "process.on('uncaughtException', () => {})", "std::panic::set_hook(Box::new(|_| {}));",
              "signal(SIGSEGV, SIG_IGN);", "trap '' ERR", "sys.excepthook = quiet"});
  expect_clean({"with suppress(FileNotFoundError):", "if r := recover(); r != nil {", "err = recover()",
                "rescue StandardError => e", "process.on('uncaughtException', report)",
                "signal(SIGPIPE, SIG_IGN);", "trap 'rm -f \"$tmp\"' EXIT", "old = sys.excepthook"});
}

TEST(CheatLint, MoreWaysToEnd) {
  expect_hit("ends the process with success",
             {"process.exitCode = 0", "exit!", "trap 'exit 0' EXIT", "Runtime.getRuntime().halt(0);"});
  expect_clean(
      {"process.exitCode = 1", "exit 0", "trap 'cleanup; exit 1' INT", "if (process.exitCode === 0) {}"});
}

TEST(CheatLint, MoreSuppressions) {
  expect_hit("suppresses an analyzer",
             {"warnings.filterwarnings('ignore')", "warnings.simplefilter(\"ignore\")", "// NOSONAR",
              "/* v8 ignore next */", "// LCOV_EXCL_LINE"});
  expect_clean(
      {"warnings.simplefilter('error')", "warnings.warn('ignored')", "v8.ignore()", "mode = 'ignore'"});
}

TEST(CheatLint, TestFrameworksOfOtherLanguages) {
  expect_hit("uses the test framework",
             {"if 'pytest' in sys.modules:", "  \"testing\"", "import org.junit.Test;",
              "import static org.mockito.Mockito.when;", "require 'minitest/autorun'",
              "if cfg!(test) { return; }", "if (typeof jest !== 'undefined')", "[ -n \"$BATS_TEST_NAME\" ]",
              "TestCase.assertEqual = lambda *a: None", "import sinon from 'sinon'"});
  expect_clean({"name = \"testing\" + x", "import org.junction.Road;", "require 'mini'", "#[cfg(test)]",
                "typeof item", "$BATS", "Assertions.assertThat(x)", "log('pytest is needed')"});
}

TEST(CheatLint, FailedAssertionsAreNotCaughtInTests) {
  expect_in_test("swallows a failed assertion",
                 {"    except AssertionError:", "except (ValueError, AssertionError) as e:",
                  "} catch (AssertionError e) {"});
  expect_clean({"except AssertionError as e:"});
  EXPECT_THAT(added("with self.assertRaises(AssertionError):", "tests/test_a.py"), IsEmpty());
}

TEST(CheatLint, ObjectsEqualToEverything) {
  EXPECT_THAT(added("    def __eq__(self, other):\n        return True"),
              ElementsAre(HasSubstr("equal to everything")));
  EXPECT_THAT(added("    def __eq__(self, other): return True"),
              ElementsAre(HasSubstr("equal to everything")));
  EXPECT_THAT(added("bool operator==(const A&) const { return true; }", "a.hpp"),
              ElementsAre(HasSubstr("equal to everything")));
  EXPECT_THAT(added("public boolean equals(Object o) {\n  return true;\n}", "A.java"),
              ElementsAre(HasSubstr("equal to everything")));
  EXPECT_THAT(added("    def __eq__(self, other):\n        return self.x == other.x"), IsEmpty());
  EXPECT_THAT(added("    def __eq__(self, other):\n        if self is other:\n            return True"),
              IsEmpty());
  EXPECT_THAT(added("bool operator==(const A& o) const { return x == o.x; }", "a.hpp"), IsEmpty());
  EXPECT_THAT(added("bool operator==(const A&) const = default;", "a.hpp"), IsEmpty());
  EXPECT_THAT(
      added("public boolean equals(Object o) {\n  if (this == o) return true;\n  return false;\n}", "A.java"),
      IsEmpty());
}

TEST(CheatLint, BehavesWhenWatched) {
  expect_hit(
      "behaves differently under a test or debugger",
      {"if (getenv(\"CI\")) return;", "os.getenv('CI')", "os.Getenv(\"GITHUB_ACTIONS\")",
       "os.environ.get('CI')", "os.environ[\"TESTING\"]", "process.env.CI", "process.env['CI']",
       "std::env::var(\"CI\")", "ENV['CI']", "ENV.fetch('GITLAB_CI')", "if [ -n \"$CI\" ]; then",
       "echo ${CI:-no}", "[ -v CI ]", "if 'CI' in os.environ:", "os.getenv(\"PYTHONDONTWRITEBYTECODE\")",
       "if (process.env.NODE_ENV === 'test') return;", "#[cfg(not(test))]"});
  expect_clean({"if (process.env.NODE_ENV === 'production') {}", "getenv(\"HOME\")", "os.environ['CITY']",
                "process.env.CIRCLE", "ENV['HOME']", "CI = 3", "echo $CITY", "echo ${CIRCLE}", "$CI_DIR"});
}

TEST(CheatLint, MachineryAndMarkers) {
  expect_hit("replaces the tracing or module machinery",
             {"sys.settrace(f)", "sys.setprofile(None)", "sys.modules['x'] = y", "time.time = lambda: 0",
              "Date.now = () => 0;", "builtins.print = quiet"});
  expect_clean({"sys.modules", "x = sys.gettrace()", "start = time.time()", "if (Date.now === x) {}",
                "now = Date.now();"});
  expect_hit("contains a conflict marker", {"<<<<<<< HEAD", ">>>>>>> theirs", "||||||| base", "<<<<<<<"});
  expect_clean({"=======", "a <<<<<<< b", "<<<<<<<<", "  <<<<<<< x"});
}

TEST(CheatLint, InvisibleCharacters) {
  for (const char* character :
       {"\xE2\x80\xAE", "\xE2\x81\xA6", "\xE2\x80\x8B", "\xEF\xBB\xBF", "\xC2\xAD", "\xF3\xA0\x81\x81"})
    EXPECT_THAT(added(std::string("a = 'x") + character + "y'"),
                ElementsAre(HasSubstr("bidirectional or invisible")));
  EXPECT_THAT(added("a = 'gr\xC3\xBC\xC3\x9F \xE2\x9C\x93 \xE4\xBD\xA0'"), IsEmpty());
}

TEST(CheatLint, EditingALineBehindAByteOrderMarkIsNoHit) {
  EXPECT_THAT(hits(changed("a.cs", "\xEF\xBB\xBFint a;\n", "\xEF\xBB\xBFint b;\n")), IsEmpty());
}

TEST(CheatLint, OnlyAddedLinesCount) {
  EXPECT_THAT(hits(changed("a.sh", "make || true\nx\n", "make\nx\n")), IsEmpty());
  EXPECT_THAT(hits(changed("a.sh", "make || true\nx\n", "make || true\ny\n")), IsEmpty());
  EXPECT_THAT(hits(removed("a.sh", "make || true\n")), IsEmpty());
}

TEST(CheatLint, MovedLinesAreNoHit) {
  EXPECT_THAT(hits(changed("a.py", "x = f()  # noqa\na\nb\nc\nd\n", "a\nb\nc\nd\nx = f()  # noqa\n")),
              IsEmpty());
  EXPECT_THAT(hits(changed("a.py", "try:\n    f()\nexcept Exception:\n    pass\n",
                           "if a:\n    try:\n        f()\n    except Exception:\n        pass\n")),
              IsEmpty());
  EXPECT_THAT(hits(changed("a.py", "x  # noqa\n", "y  # noqa\nz  # noqa\n")), SizeIs(1))
      << "one more than before";
}

TEST(CheatLint, NewFilesAreReadWhole) {
  EXPECT_THAT(hits(created("src/b.py", "a\nexcept: pass\n")),
              ElementsAre(testing::StartsWith("src/b.py:2 ")));
}

TEST(CheatLint, OneHitPerRuleAndFile) { EXPECT_THAT(added("a  # noqa\nb  # noqa\nsys.exit(0)"), SizeIs(2)); }

TEST(CheatLint, LineEndingsKeptAsTheyWere) {
  EXPECT_THAT(hits(changed("a.c", "a\nb\n", "a\r\nc\r\n")),
              ElementsAre("a.c changes the file's line endings"));
  EXPECT_THAT(hits(changed("a.c", "a\r\nb\r\n", "a\nc\n")), SizeIs(1));
  EXPECT_THAT(hits(changed("a.c", "a\nb\n", "a\nb\nc\r\n")), SizeIs(1));
  EXPECT_THAT(hits(changed("a.c", "a\r\nb\r\n", "a\r\nc\r\n")), IsEmpty());
  EXPECT_THAT(hits(changed("a.c", "a\r\nb\n", "a\r\nb\nc\n")), IsEmpty()) << "mixed already";
  EXPECT_THAT(hits(changed("a.c", "a", "a\r\n")), IsEmpty());
  EXPECT_THAT(hits(created("a.c", "a\r\n")), IsEmpty());
}

TEST(CheatLint, DamagedEncoding) {
  EXPECT_THAT(hits(changed("a.c", "// gr\xFC\xDF\nint a;\n", "// gr\xEF\xBF\xBD\xEF\xBF\xBD\nint b;\n")),
              ElementsAre(HasSubstr("U+FFFD")));
  EXPECT_THAT(hits(changed("a.c", "// \xEF\xBF\xBD\nint a;\n", "// \xEF\xBF\xBD\nint b;\n")), IsEmpty());
  EXPECT_THAT(hits(changed("a.c", "// gr\xFC\xDF\nint a;\n", "// gr\xFC\xDF\nint b;\n")), IsEmpty())
      << "Latin-1 that stays so";
}

std::string fake_aws() { return std::string("AK") + "IA" + "ABCDEFGHIJKLMNOP"; }
std::string fake_github() { return std::string("gh") + "p_" + std::string(36, 'a'); }

TEST(CheatLint, Secrets) {
  EXPECT_THAT(added("key = '" + fake_aws() + "'"), ElementsAre(HasSubstr("adds what looks like a secret")));
  EXPECT_THAT(added("key = os.environ['KEY']"), IsEmpty());
  EXPECT_THAT(hits(changed("a.py", "key = '" + fake_aws() + "'\n", "key = os.environ['KEY']\n")), IsEmpty())
      << "the fix for it";
  EXPECT_THAT(hits(changed("a.py", "key = '" + fake_aws() + "'\n", "print('" + fake_aws() + "')\n")),
              IsEmpty())
      << "was there before";
  EXPECT_THAT(hits(changed("a.py", "key = '" + fake_aws() + "'\n", "key = '" + fake_github() + "'\n")),
              SizeIs(1))
      << "one for another";
}

TEST(CheatLint, BinaryFilesAreNotRead) {
  EXPECT_THAT(hits(created("a.bin", std::string("\0\n", 2) + "except:\n")), IsEmpty());
}

TEST(CheatLint, ANulByteHidesNothing) {
  const std::string nul("\0", 1);
  EXPECT_THAT(hits(changed("a.py", "x = 1\n", nul + "\nx = 1  # noqa\n")), Not(IsEmpty()));
  EXPECT_THAT(hits(changed("a.py", "x = 1\n", "x = 1  # no" + nul + "qa\n")), Not(IsEmpty()));
  EXPECT_THAT(hits(changed("a.py", nul + "x = 1\n", nul + "x = 1  # noqa\n")), Not(IsEmpty()))
      << "also where the base has one";
}

TEST(CheatLint, ControlCharacters) {
  for (const char* hidden : {"\x1b[8m", "\x08", "\x7f", "\xC2\x9B"})
    EXPECT_THAT(hits(changed("a.c", "int x;\n", std::string("int x; // ") + hidden + "\n")),
                ElementsAre(HasSubstr("adds control characters")))
        << hidden;
  EXPECT_THAT(hits(changed("a.c", "int x; // \x1b\n", "int y; // \x1b\n")), IsEmpty()) << "it was there";
  EXPECT_THAT(hits(changed("a.c", "int x;\n", "int x; // \u2764\ufe0f\f\n")), IsEmpty());
  EXPECT_THAT(hits(changed("a.c", "int x; // \xC3\xA9\n", "int x; // \xE9\n")),
              ElementsAre(HasSubstr("was valid UTF-8")));
}

TEST(CheatLint, BytesThatAreNoTextHideNothing) {
  EXPECT_THAT(hits(changed("a.py", "x = '\xE9'\n", "x = '\xE9'  # \xE9 noqa\n")), Not(IsEmpty()));
}

TEST(CheatLint, VeryLongLines) { EXPECT_THAT(added("x = '" + std::string(2'000'000, 'a') + "'"), IsEmpty()); }

} // namespace
} // namespace emend
