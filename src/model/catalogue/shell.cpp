// Shell scripts.
#include "model/catalogue/rows.hpp"

namespace emend {

namespace {

// It follows `source` into every other file of the call, once per script, so it gets one. A long script can
// take gigabytes: a generated configure script of 300 KB does, and half a minute.
KnownAnalyzer shellcheck() {
  return {.name = "shellcheck",
          .home_page = "https://www.shellcheck.net",
          .install = "apt-get install shellcheck",
          .programs = {"shellcheck"},
          .extensions = {"sh", "bash", "dash", "ksh", "bats"},
          .configuration = {".shellcheckrc"},
          .not_from_hook = {"--format=", "-f=", "--color=", "-C=", "--wiki-link-count=", "-W="},
          .report = "shellcheck",
          // 1090, 1091: it did not follow a `source`, which is not the script's fault.
          .arguments = {"--format=json1", "--color=never", "--exclude=SC1090,SC1091", "--"},
          .files_per_call = 1,
          .max_file_bytes = 256'000,
          .parallel_calls = cores(2),
          .depends = {},
          // The tool's errors are what it is sure of, not what costs most.
          .severities = {{"SC2155", Severity::low}, // hides an exit code that few look at
                         {"error", Severity::medium},
                         {"warning", Severity::medium},
                         {"info", Severity::low},
                         {"", Severity::info}},
          .categories = {{"style", "style"}, {"", "correctness"}},
          .quiet = {{"SC1007", "", "`NAME= command` is a known way to empty a variable for one command"},
                    {"SC2125", "", "a pattern is kept in a variable to be expanded later"},
                    {"SC2206", "", "splitting into words is what is meant"},
                    {"SC2148", "", "a file that others source needs no first line"},
                    {"SC2016", "", "nearly always meant"},
                    {"SC2030", "", "what a subshell sets for itself is mostly meant"},
                    {"SC2031", "", "what a subshell sets for itself is mostly meant"},
                    {"SC2020", "", "tr is given sets of characters, which is meant"},
                    {"SC2145", "", "a text before the arguments, joined on purpose"},
                    {"SC2209", "", "the name of a command, which is meant"},
                    {"SC2164", "*.bats", "bats ends a test at the first command that fails"},
                    {"SC2155", "*.bats", "taste in a test"},
                    {"SC2153", "", "does not see what a sourced file or the caller sets"},
                    {"SC2154", "", "does not see what a sourced file or the caller sets"},
                    {"SC2034", "", "does not see what a sourced file or the caller reads"},
                    {"SC2063", "", "a * at the start of an expression is a star, which is meant"},
                    {"SC2069", "", "2>&1 before the file is mostly meant"},
                    {"SC2163", "", "the name is in the variable, which is meant"},
                    {"SC1009", "", "says where SC1073 was met"},
                    {"SC1072", "", "says where SC1073 was met"},
                    {"SC1073", "", "shellcheck could not read the script"},
                    {"SC2006", "", "taste"},
                    {"SC2119", "", "guesses what a function is called with"},
                    {"SC2120", "", "guesses what a function is called with"},
                    {"SC2317", "", "does not see functions that are called by name"}},
          .quiet_in_samples = {"SC1*", "SC2034", "SC2155", "SC2164", "SC2181"},
          .rule_page = "https://www.shellcheck.net/wiki/{rule}",
          .rule_form = R"(SC\d{4})"};
}

} // namespace

std::vector<KnownAnalyzer> shell_rows() { return {shellcheck()}; }

} // namespace emend
