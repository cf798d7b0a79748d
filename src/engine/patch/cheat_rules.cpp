#include "engine/patch/cheat_rules.hpp"

#include <fmt/format.h>

namespace emend {
namespace {

using Where = CheatRule::Where;
using Rules = std::vector<std::unique_ptr<CheatRule>>;

void add(Rules& rules, const char* what, const std::string& pattern, Where where = Where::anywhere) {
  rules.push_back(std::unique_ptr<CheatRule>(new CheatRule{what, pattern, where}));
}

void add_silencers(Rules& rules) {
  add(rules, "suppresses an analyzer",
      R"(NOLINT|\bnoqa\b|\bnosec\b|nosemgrep|eslint-disable|@ts-(ignore|nocheck|expect-error)|#\s*type:\s*ignore|pylint:\s*disable|)"
      R"(rubocop:disable|shellcheck\s+disable|cppcheck-suppress|@SuppressWarnings|pragma\s+(GCC|clang)\s+diagnostic\s+ignored|)"
      R"(pragma\s+warning\s*\(?\s*disable|biome-ignore|oxlint-disable|#!?\[allow\(|//\s*nolint|istanbul ignore|[vc]8 ignore|pragma:\s*no\s*cover|)"
      R"(codespell:ignore|emend-ignore|emend:\s*ignore|\b(mypy|pyright|ruff):\s*(ignore|noqa|basic)|@SuppressFBWarnings|\bNOSONAR\b|coverity\[|LCOV_EXCL|)"
      R"(\bwarnings\.(filterwarnings|simplefilter)\s*\(\s*['"]ignore)");
  add(rules, "skips a test",
      R"(pytest\.(mark\.)?(skip|xfail)|\bimportorskip\b|unittest\.skip|\bSkipTest\b|\bself\.skipTest\s*\(|unittest\.expectedFailure|^\s*@expectedFailure|)"
      R"(\b(it|describe|test|suite|context)\.(skip|only|todo|fails|failing|skipIf|runIf)\b|\bx(it|describe|test|context)\s*\(|\bf(it|describe)\s*\(\s*['"`]|)"
      R"(GTEST_SKIP|\bDISABLED_[A-Z]?[a-z]|\bTEST\w*\s*\(.*\bDISABLED_\w|\bt\.Skip(f|Now)?\s*\(|#\[ignore|@Disabled\b|@Ignore\b|@Test\s*\(\s*enabled\s*=\s*false|)"
      R"(\bassum(e|ing)(True|That|False)?\s*\(\s*(false|true)\b|doctest::(skip|may_fail|should_fail)|\[!(shouldfail|mayfail)\]|\bTEST_CASE\s*\(.*\[\.\w*\]|__test__\s*=\s*False)");
  add(rules, "skips a test",
      R"(\b(t|this|ctx|context)\.(skip|todo)\s*\(|\{\s*(skip|todo)\s*:\s*(true|['"])|^\s*(skip|pending)(\s*$|\s+["'#]|\s*\(?["'])|,\s*(skip|pending):\s*(true|['"])|collect_ignore\b|)"
      R"(\btesting\.Short\(\)|@(Enabled|Disabled)(If|On)\w*)",
      Where::tests);
}

void add_endings(Rules& rules) {
  add(rules, "ends the process with success",
      R"(\bos\._exit\s*\(|\bsys\.exit\s*\(\s*(0|None)?\s*\)|\bprocess\.exit\s*\(\s*0?\s*\)|\bos\.Exit\s*\(\s*0\s*\)|\bprocess\.exitCode\s*=\s*0\b|)"
      R"((^|[^\w.])(_exit|_Exit|quick_exit|exit)\s*\(\s*(0|EXIT_SUCCESS)\s*\)|\braise\s+SystemExit\s*(\(\s*0?\s*\))?\s*$|\bprocess::exit\s*\(\s*0\s*\)|)"
      R"(\b(System\.exit|Environment\.Exit|Runtime\.getRuntime\(\)\.halt)\s*\(\s*0\s*\)|^\s*exit!|\btrap\s+["'][^"']*exit\s+0)");
  add(rules, "swallows every error",
      R"(\bcatch\s*(\([^)]*\))?\s*\{\s*\}|\.catch\s*\(\s*(function\s*)?(\(\s*\w*\s*\)|\w+)\s*(=>)?\s*(\{\s*\}|null|undefined)\s*\)|)"
      R"(\|\|\s*(true|:)(\s|;|$|\))|\bset\s+\+e\b|\brescue\s*(=>\s*\w+)?\s*;?\s*nil\b|\brescue\s+Exception\b|\bsuppress\s*\(\s*(Base)?Exception\b|)"
      R"(^\s*(defer\s+func\s*\(\)\s*\{\s*)?(_\s*=\s*)?recover\(\)\s*(\}\s*\(\))?\s*$|\b(uncaughtException|unhandledRejection)['"]\s*,\s*(\(\s*\w*\s*\)|\w+)\s*=>\s*\{\s*\}|)"
      R"(\bset_hook\s*\(\s*Box::new\s*\(\s*\|_\w*\|\s*\{\s*\}|\bsignal\s*\(\s*SIG(ABRT|SEGV|FPE|ILL|BUS)\s*,\s*SIG_IGN|\btrap\s+(''|"")\s+(ERR|EXIT)|\bsys\.excepthook\s*=)");
  add(rules, "swallows a failed assertion",
      R"(\bexcept\s*\(?[^:]*\bAssertionError\b[^:]*:|\bcatch\s*\(\s*(final\s+)?(AssertionError|AssertionFailedError)\b)",
      Where::tests);
}

void add_watchers(Rules& rules) {
  add(rules, "uses the test framework in product code",
      R"(\bPYTEST_CURRENT_TEST\b|\bJEST_WORKER_ID\b|\bVITEST\b|^\s*(import|from)\s+(_?pytest|unittest|nose|hypothesis)\b|['"]_?(pytest|unittest)['"]\s+(not\s+)?in\b|)"
      R"(\bunittest\.TestCase\b|\bpytest_\w+|\brequire\(['"](@jest/|jest|mocha|vitest|node:test|chai|sinon|jasmine)|\bfrom\s+['"](@?jest\S*|mocha|vitest|node:test|chai|sinon)['"]|)"
      R"(\btypeof\s+(jest|describe|it|vi|mocha)\b|#\s*include\s*[<"](gtest|gmock|catch2|doctest|boost/test|cppunit)/|^\s*(import\s+)?"testing"\s*$|\btesting\.Testing\(\)|\bLookup\("test\.\w+"\)|)"
      R"(^\s*import\s+(static\s+)?org\.(junit|mockito|testng|assertj)\b|^\s*require\s+['"](minitest|rspec|test/unit)|\bdefined\?\(\s*(RSpec|Minitest|Test::Unit)|\bcfg!\(test\)|)"
      R"(\$\{?BATS_\w+|\bGTEST_(FLAG|SHARD|TOTAL|OUTPUT|FILTER|COLOR)\w*|\b(TestCase|Assertions)\.(prototype\.)?assert\w*\s*=[^=])",
      Where::product);
  // What sets a run of the checks apart from any other: the usual names, and what verification itself puts
  // into the environment.
  constexpr const char* watched =
      "(CI|CONTINUOUS_INTEGRATION|GITHUB_ACTIONS|GITLAB_CI|TESTING|PYTHONDONTWRITEBYTECODE|GIT_CEILING_"
      "DIRECTORIES)";
  add(rules, "behaves differently under a test or debugger",
      fmt::format(
          R"re((?i:getenv|lookupenv|env::var\w*|environ\.get)\s*\(\s*['"]{0}['"]|)re"
          R"re(\b(environ|ENV|process\.env)(\.fetch)?\s*[\[(]\s*['"]{0}['"]|process\.env\.{0}\b|\$\{{?{0}\b|)re"
          R"re(\[\s+-v\s+{0}\b|['"]{0}['"]\s+(not\s+)?in\s+(\w+\.)?environ\b|\bprintenv\s+{0}\b|)re"
          R"re(\b(NODE|RAILS|RACK|APP)_ENV\b.*['"]test['"]|#\[cfg\(not\(test\)\)\])re",
          watched));
  add(rules, "replaces the tracing or module machinery",
      R"(\bsys\.(settrace|setprofile)\s*\(|\bsys\.modules\s*\[|\bbuiltins\.\w+\s*=[^=]|\btime\.(time|monotonic|perf_counter)\s*=[^=]|\bDate\.now\s*=[^=])");
}

} // namespace

const std::vector<std::unique_ptr<CheatRule>>& cheat_rules() {
  static const Rules list = [] {
    Rules made;
    add_silencers(made);
    add_endings(made);
    add_watchers(made);
    add(made, "looks like a judge's verdict",
        R"re("score"\s*:\s*\d+.*"(status|feedback)"|"issues"\s*:\s*\{.*"score")re");
    add(made, "contains a conflict marker", R"(^(<{7}|>{7}|\|{7})( |$))");
    add(made, "contains bidirectional or invisible characters",
        R"([\x{202A}-\x{202E}\x{2066}-\x{2069}\x{200B}-\x{200F}\x{2060}-\x{2064}\x{FEFF}\x{00AD}\x{E0000}-\x{E007F}])");
    return made;
  }();
  return list;
}

} // namespace emend
