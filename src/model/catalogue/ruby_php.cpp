// Ruby and PHP.
#include "model/catalogue/rows.hpp"

namespace emend {

namespace {

// `::warning file=a.rb,line=1,col=3::Style/StringLiterals: ...`
KnownAnalyzer rubocop() {
  return {.name = "rubocop",
          .home_page = "https://rubocop.org",
          .install = "apt-get install rubocop",
          .programs = {"rubocop"},
          .extensions = {"rb", "rake", "gemspec"},
          .files = {"Gemfile", "Rakefile"},
          .configuration = {".rubocop*"},
          .not_from_hook = {"-a",
                            "-A",
                            "--autocorrect*",
                            "--auto-*",
                            "--safe-auto-correct",
                            "-x",
                            "--fix-layout",
                            "--disable-uncorrectable",
                            "--regenerate-todo",
                            "-f=",
                            "--format=",
                            "-o=",
                            "--out=",
                            "--cache=",
                            "--color",
                            "--no-color",
                            "--force-exclusion",
                            "-d",
                            "--debug",
                            "-P",
                            "--parallel",
                            "--profile",
                            "--server",
                            "--start-server"},
          .report = "regex",
          .pattern = R"(^::(?P<severity>\w+) file=(?P<file>[^,]+),line=(?P<line>\d+),col=(?P<column>\d+)::)"
                     R"((?P<rule>[A-Z]\w*(?:/\w+)+): (?P<message>.*)$)",
          .arguments = {"--format", "github", "--no-color", "--cache", "false", "--force-exclusion", "--"},
          .project_code = true, // `require` in its configuration
          .fix = {"--autocorrect", "--no-color", "--cache", "false", "--force-exclusion", "--"},
          .fixes_are_safe = true, // --autocorrect leaves out what rubocop calls unsafe
          .on_request = true,
          .severities = {{"Lint/", Severity::medium}, {"Security/", Severity::high}, {"", Severity::info}},
          .categories = {{"Security/", "security"}, {"Lint/", "correctness"}, {"", "style"}},
          .quiet = {{"Style/*", "", "taste"},
                    {"Layout/*", "", "taste"},
                    {"Metrics/*", "", "taste"},
                    {"Naming/*", "", "taste"}},
          .blind_words = {"cannot load such file", "Could not find gem"},
          .packages = "bundle install",
          .rule_page = "https://docs.rubocop.org/rubocop/cops_{lower_group}.html",
          .rule_form = R"([A-Z]\w*(/[A-Z]\w*)+)",
          .explain = {"--show-cops", "{rule}"}};
}

// `PHP Parse error:  syntax error, ... in a.php on line 3`
KnownAnalyzer php() {
  return {.name = "php",
          .home_page = "https://www.php.net",
          .install = "apt-get install php-cli",
          .programs = {"php"},
          .extensions = {"php"},
          .hooks = {"php-lint", "php-lint-all"},
          .not_from_hook = {"*"},
          .runs_scripts = true,
          .report = "regex",
          .pattern =
              R"(^(?:PHP )?(?P<rule>Parse error|Fatal error): +(?P<message>.*) in (?P<file>.+) on line )"
              R"((?P<line>\d+)$)",
          .on_stderr = true,
          .arguments = {"-n", "-d", "display_errors=stderr", "-d", "log_errors=0", "-l"},
          .exit_codes = {0, 255},
          .files_per_call = 1,
          .parallel_calls = 2,
          .depends = {},
          .on_request = true,
          .severities = {{"", Severity::high}},
          .categories = {{"", "correctness"}},
          .rule_form = "Parse error|Fatal error"};
}

KnownAnalyzer phpcs() {
  return {.name = "phpcs",
          .home_page = "https://github.com/PHPCSStandards/PHP_CodeSniffer",
          .install = "apt-get install php-codesniffer",
          .programs = {"phpcs"},
          .extensions = {"php"},
          .configuration = {"phpcs.xml*", ".phpcs.xml*"},
          .hooks = {"php-cs"},
          .not_from_hook = {"--report*", "-q", "-p", "-v", "-vv", "-vvv", "--colors", "--cache*",
                            "--basepath=", "--generator=", "-i", "--config-set"},
          .report = "checkstyle",
          .arguments = {"-q", "--no-colors", "--report=checkstyle", "--"},
          .exit_codes = {0, 1, 2},
          .project_code = true, // bootstrap files and sniffs of the project
          .needs = {"phpcs.xml", "phpcs.xml.dist", ".phpcs.xml", ".phpcs.xml.dist"},
          .fix = {"-q", "--"},
          .fix_programs = {"phpcbf"},
          .fix_exit_codes = {0, 1, 2},
          .on_request = true,
          .rule_form = R"([A-Z]\w+(\.[A-Z]\w+){2,3})"};
}

KnownAnalyzer phpstan() {
  return {
      .name = "phpstan",
      .home_page = "https://phpstan.org",
      .install = "composer require --dev phpstan/phpstan",
      .programs = {"phpstan"},
      .extensions = {"php"},
      .configuration = {"phpstan*.neon", "phpstan*.neon.dist"},
      .not_from_hook = {"--error-format=", "--no-progress", "--ansi", "--no-ansi", "--generate-baseline*",
                        "-b*", "--pro", "--fix", "--watch", "-v", "-vv", "-vvv", "-q", "--quiet", "--debug"},
      .report = "checkstyle",
      .arguments = {"analyse", "--error-format=checkstyle", "--no-progress", "--no-ansi", "--no-interaction"},
      .whole_project = true, // which files it checks is for the project to say
      .project_code = true,  // extensions, and files it starts with
      .needs = {"phpstan.neon", "phpstan.neon.dist", "phpstan.dist.neon"},
      .on_request = true,
      .severities = {{"error", Severity::medium}, {"", Severity::low}},
      .categories = {{"", "correctness"}},
      .blind_words = {"not found", "unknown class"},
      .packages = "composer install"};
}

} // namespace

std::vector<KnownAnalyzer> ruby_php_rows() { return {rubocop(), php(), phpcs(), phpstan()}; }

} // namespace emend
