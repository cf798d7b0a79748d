#include "engine/patch/note_rules.hpp"

#include <string>

namespace emend {
namespace {

using Where = NoteRule::Where;
using Rules = std::vector<std::unique_ptr<NoteRule>>;

void add(Rules& rules, const char* what, const std::string& pattern, Where where = Where::anywhere,
         std::optional<probe::Tongue> tongue = {}) {
  rules.push_back(std::unique_ptr<NoteRule>(new NoteRule{what, pattern, where, tongue}));
}

void add_silencers(Rules& rules) {
  add(rules, kSilencesAnalyzer,
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
  add(rules, "catches every error",
      R"(^\s*except\s*(:|[^:]*\b(Base)?Exception\b[^:]*:)|\bcatch\s*\(\s*\.\.\.\s*\)|\bcatch\s*(\([^)]*\))?\s*\{\s*\}|)"
      R"(\.catch\s*\(\s*(function\s*)?(\(\s*\w*\s*\)|\w+)\s*(=>)?\s*(\{\s*\}|null|undefined)\s*\)|)"
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
      R"(['"](_?pytest|unittest)(\.\w+)*['"]|['"/](tests|specs|__tests__)['"/]|\$\{?BATS_\w+|\bGTEST_(FLAG|SHARD|TOTAL|OUTPUT|FILTER|COLOR)\w*|\b(TestCase|Assertions)\.(prototype\.)?assert\w*\s*=[^=])",
      Where::product);
  add(rules, "replaces the tracing or module machinery",
      R"(\bsys\.(settrace|setprofile)\s*\(|\bsys\.modules\s*\[|\bbuiltins\.\w+\s*=[^=]|\btime\.(time|monotonic|perf_counter)\s*=[^=]|\bDate\.now\s*=[^=])");
}

// By which code can tell who calls it, when, and where it runs.
struct Senses {
  probe::Tongue tongue;
  const char *caller, *clock, *surroundings;
};

void add_senses(Rules& rules) {
  using enum probe::Tongue;
  static constexpr Senses kSenses[] = {
      {python,
       R"(\binspect\b|\b_getframe\b|_frames?\b|\.stack\(\)|\b(orig_)?argv\b|_stack\b|\bco_\w+|\.(modules|flags)\b|__main__|\bgc\.|\bget_(objects|referrers)\b|\bRecursionError\b|__package__)",
       R"(\btime\.\w*(time|monotonic|perf_counter)|\.time\(\)|\bdatetime\b|\bmonotonic\(\)|\b(process_time|perf_counter|st_[cm]time)\b)",
       R"(\benviron\b|\bgetenv\b|\bgetp?pid\b|__file__|\bgetcwd\b|\bgettempdir\b|\bisatty\b|\bget(hostname|login|user)\b|/proc/)"},
      {javascript,
       R"(\brequire\.(main|cache)\b|\b(exec)?[aA]rgv\b|\.stack\b|StackTrace|\bstackTraceLimit\b|\bimport\.meta\b|\bcallee\b|\bmodule\.(parent|children)\b)",
       R"(\bDate\b|\bperformance\b|\bhrtime\b)",
       R"(\bprocess\.(env|pid|ppid|cwd)\b|\bprocess\s*\[|__dirname|__filename|\btmpdir\b|\bisTTY\b|\bhostname\b|/proc/)"},
      {c,
       R"(\bprogram_invocation\w*|\bbacktrace\b|\bdladdr\b|\bdlsym\b|__builtin_(return|frame)_address|\bgetprogname\b|\bgetauxval\b|__progname\b|\(\(weak\)\))",
       R"(\b(time|clock|gettimeofday|clock_gettime|localtime)\s*\()",
       R"(\bgetenv\b|\bgetp?pid\b|__FILE__|\bisatty\b|\bgetcwd\b|\bextern\s+char\s*\*+\s*environ\b|/proc/)"},
      {cpp,
       R"(\bprogram_invocation\w*|\bbacktrace\b|\bstacktrace\b|\bdladdr\b|\bdlsym\b|__builtin_(return|frame)_address|\bsource_location\b|\bgetauxval\b|__progname\b|\(\(weak\)\))",
       R"(\b(time|clock|gettimeofday|clock_gettime|localtime)\s*\(|_clock::now\b)",
       R"(\bgetenv\b|\bgetp?pid\b|__FILE__|\bcurrent_path\b|/proc/)"},
      {go,
       R"(\bruntime\.(Callers?|FuncForPC|Stack)\b|\bos\.(Args|Executable)\b|\bdebug\.Stack\b|\bflag\.(Lookup|CommandLine)\b)",
       R"(\btime\.(Now|Since|Until)\b)",
       R"(\b(Getenv|LookupEnv|Environ|Getp?pid|Getwd|TempDir)\s*\(|/proc/)"},
      {rust, R"(\benv::args|\bcurrent_exe\b|\bBacktrace\b|\bLocation::caller\b|\bthread::current\b)",
       R"(\b(Instant|SystemTime|Utc|Local)::now\b)",
       R"(\benv::vars?\w*|\bprocess::id\b|\bcurrent_dir\b|\bfile!|/proc/)"},
      {java,
       R"(\bgetStackTrace\b|\bStackWalker\b|\bsun\.java\.command\b|\bcurrentThread\b|\bClass\.forName\b|\bManagementFactory\b)",
       R"(\bcurrentTimeMillis\b|\bnanoTime\b|\b(Instant|LocalDate|LocalDateTime)\.now\b|\bnew Date\(\))",
       R"(\bSystem\.get(env|Property|Properties)\b|\bProcessHandle\b|/proc/)"},
      {shell,
       R"re(\$0\b|\$\{0[^\d]|\bBASH_SOURCE\b|\bFUNCNAME\b|\bcommand\s+-v\b|\btype\s+\w|^\s*caller\b)re",
       R"((^|[\s(`;|&])date\b|\bSECONDS\b|\bEPOCHSECONDS\b)",
       R"(\$\$|\bPPID\b|\bprintenv\b|(^|[\s(`;|&])env\b|\bPWD\b|\bTMPDIR\b|/proc/)"},
      {php, R"(\bdebug_backtrace\b|\bgetTrace\b|\$argv\b|\bPHP_SELF\b|\bSCRIPT_NAME\b)",
       R"(\b(micro)?time\s*\(|\bhrtime\b|\bdate\s*\(|\bnew DateTime)",
       R"(\bgetenv\b|\$_(ENV|SERVER)\b|\bgetmypid\b|\bphp_sapi_name\b|/proc/)"},
      {ruby, R"(\bcaller\b|\bcaller_locations\b|\$0\b|\$PROGRAM_NAME\b|\bARGV\b)",
       R"(\b(Time|Date|DateTime)\.(now|today)\b|\bclock_gettime\b)",
       R"(\bENV\b|\$\$|\bProcess\.p?pid\b|\bDir\.pwd\b|__FILE__|__dir__|/proc/)"},
  };
  for (const Senses& row : kSenses) {
    add(rules, "asks who is calling", row.caller, Where::product, row.tongue);
    add(rules, "asks what time it is", row.clock, Where::product, row.tongue);
    add(rules, "asks where it runs", row.surroundings, Where::product, row.tongue);
  }
}

} // namespace

const std::vector<std::unique_ptr<NoteRule>>& note_rules() {
  static const Rules list = [] {
    Rules made;
    add_silencers(made);
    add_endings(made);
    add_watchers(made);
    add_senses(made);
    add(made, "defines what is equal to an object",
        R"(\bdef\s+__eq__\s*\(|\boperator\s*==\s*\(|\bdef\s+==|\bfn\s+eq\s*\(|\bboolean\s+equals\s*\()",
        Where::product);
    add(made, "asks for a checksum, behind which answers can hide",
        R"(\b(crc32|adler32|md5|sha1|sha(224|256|384|512)|blake2[bs]?|cksum|(md5|sha\d+)sum|hashlib|createHash|hashCode|DefaultHasher|fnv1?a?|siphash)\b)",
        Where::product);
    add(made, "loads code by a name that is worked out",
        R"re(\b__import__\s*\(|\bimport_module\s*\(|\brequire\s*\(\s*([^"'`)\s]|["'`][^"'`]*["'`]\s*[^)\s]))re",
        Where::product);
    add(made, "asks for a particular remainder", R"(%\s*\d{2,}\s*\)*\s*[!=]={1,2}\s*\(*[1-9])",
        Where::product);
    add(made, "looks like a judge's verdict",
        R"re("score"\s*:\s*\d+.*"(status|feedback)"|"issues"\s*:\s*\{.*"score")re");
    add(made, "contains a conflict marker", R"(^(<{7}|>{7}|\|{7})( |$))");
    return made;
  }();
  return list;
}

} // namespace emend
