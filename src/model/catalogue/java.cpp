// Java.
#include <numeric>

#include "model/catalogue/rows.hpp"

namespace emend {

namespace {

// A tool that ends with as many as it found.
std::vector<int> up_to(int last) {
  std::vector<int> codes(static_cast<std::size_t>(last) + 1);
  std::iota(codes.begin(), codes.end(), 0);
  return codes;
}

KnownAnalyzer checkstyle() {
  return {.name = "checkstyle",
          .home_page = "https://checkstyle.org",
          .install = "apt-get install checkstyle",
          .programs = {"checkstyle"},
          .extensions = {"java"},
          .configuration = {"checkstyle.xml", "**/checkstyle.xml"},
          .not_from_hook = {"*"}, // which configuration, and what is printed where
          .report = "checkstyle",
          .exit_codes = up_to(253),
          .package = "checkstyle", // Maven and Gradle bring one along, with settings of their own
          .on_request = true,
          .rule_page = "https://checkstyle.org/checks.html",
          .rule_form = R"(com\.puppycrawl\..+)"};
}

// `a.java:3: warning: [static] ...`. Of what it can warn of, what may be a mistake.
KnownAnalyzer javac() {
  return {
      .name = "javac",
      .home_page = "https://openjdk.org",
      .install = "apt-get install default-jdk-headless",
      .programs = {"javac"},
      .extensions = {"java"},
      .not_from_hook = {"*"},
      .report = "regex",
      .pattern = R"(^(?P<file>[^:]+\.java):(?P<line>\d+): (?P<severity>warning|error): )"
                 R"((?:\[(?P<rule>[\w-]+)\] )?(?P<message>.*)$)",
      .on_stderr = true,
      // should-stop: without a package that the code imports it would stop before it looks at what it can.
      .arguments = {"-proc:none", "-implicit:none", "-encoding", "UTF-8", "-Xmaxwarns", "10000", "-Xmaxerrs",
                    "10000", "-XDshould-stop.ifError=FLOW",
                    "-Xlint:cast,dep-ann,divzero,empty,fallthrough,finally,overrides,static,try", "-d",
                    "{temp}/classes"},
      .files_per_call = 5'000,
      .on_request = true,
      .severities = {{"divzero", Severity::medium},
                     {"empty", Severity::medium},
                     {"error", Severity::medium},
                     {"", Severity::low}},
      .categories = {{"cast", "style"}, {"", "correctness"}},
      .blind_words = {"does not exist", "cannot find symbol", "cannot access", "static import only",
                      "does not override", "module not found", "not found:"},
      // A warning needs types it knows; errors may come from those it does not.
      .sure_rules = {"cast", "dep-ann", "divzero", "empty", "fallthrough", "finally", "overrides", "static",
                     "try"},
      .outdated_words = {"preview feature", "not supported in -source"},
      .rule_page = "https://docs.oracle.com/en/java/javase/17/docs/specs/man/javac.html",
      .rule_form =
          R"(auxiliaryclass|cast|classfile|dep-ann|deprecation|divzero|empty|exports|fallthrough|)"
          R"(finally|lossy-conversions|missing-explicit-ctor|module|opens|options|overloads|overrides|path|preview|processing|rawtypes|removal|)"
          R"(requires-automatic|requires-transitive-automatic|serial|static|strictfp|synchronization|text-blocks|)"
          R"(this-escape|try|unchecked|varargs)"};
}

} // namespace

std::vector<KnownAnalyzer> java_rows() { return {checkstyle(), javac()}; }

} // namespace emend
