// JavaScript, TypeScript and style sheets.
#include "model/catalogue/rows.hpp"

namespace emend {

namespace {

const std::vector<std::string> kScript = {"js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts"};
const std::vector<std::string> kTypeScript = {"ts", "tsx", "mts", "cts"};
// What a type checker calls an error is one, though few of them are met when the program runs.
const Severities kTypes = {{"TS1", Severity::high}, {"error", Severity::medium}, {"", Severity::low}};

KnownAnalyzer eslint() {
  return {
      .name = "eslint",
      .home_page = "https://eslint.org",
      .install = "npm install --global eslint",
      .programs = {"eslint"},
      .extensions = kScript,
      .configuration = {".eslintrc*", "eslint.config.*", ".eslintignore"},
      .not_from_hook = {"--fix*", "-o=", "--output-file=", "-f=", "--format=", "--cache*", "--color",
                        "--no-color", "--init", "--stats", "--debug", "--max-warnings=", "--print-config="},
      .report = "eslint",
      .arguments = {"--format=json", "--no-color", "--no-error-on-unmatched-pattern", "--"},
      .project_code = true, // its configuration is a program
      .package = "eslint",
      .severities = {{"fatal", Severity::high}, {"2", Severity::medium}, {"", Severity::low}},
      .categories = {{"", "correctness"}},
      .blind_words = {"Cannot find package", "Cannot find module", "couldn't find the plugin",
                      "couldn't find the config"},
      .packages = "npm install",
      .rule_page = "https://eslint.org/docs/latest/rules/{rule}",
      .rule_form =
          R"(@[a-z][\w-]*/[\w/-]+|(import|jest|jsx-a11y|n|promise|react|react-hooks|unicorn|)"
          R"(vitest|vue)/[\w-]+|curly|eqeqeq|radix|yoda|complexity|camelcase|strict|semi|quotes|indent|)"
          R"(accessor-pairs|block-scoped-var|block-spacing|brace-style|callback-return|)"
          R"(capitalized-comments|comma-dangle|comma-spacing|comma-style|computed-property-spacing|)"
          R"(dot-location|dot-notation|eol-last|function-call-argument-newline|function-paren-newline|)"
          R"(generator-star-spacing|indent-legacy|lines-around-directive|newline-(?:after-var|before-return)|global-require|grouped-accessor-pairs|handle-callback-err|)"
          R"(implicit-arrow-linebreak|jsx-quotes|key-spacing|keyword-spacing|line-comment-position|)"
          R"(linebreak-style|lines-around-comment|lines-between-class-members|)"
          R"(multiline-comment-style|multiline-ternary|newline-per-chained-call|)"
          R"(nonblock-statement-body-position|padded-blocks|padding-line-between-statements|)"
          R"(preserve-caught-error|quote-props|rest-spread-spacing|semi-spacing|semi-style|)"
          R"(space-before-blocks|space-before-function-paren|space-in-parens|space-infix-ops|)"
          R"(space-unary-ops|spaced-comment|switch-colon-spacing|template-curly-spacing|)"
          R"(template-tag-spacing|unicode-bom|wrap-iife|wrap-regex|yield-star-spacing|)"
          R"((array|arrow|class|consistent|constructor|default|for|func|getter|guard|id|init|)"
          R"(logical|max|new|no|object|one|operator|prefer|require|sort|symbol|use|valid|vars)-[a-z-]+)"};
}

KnownAnalyzer biome() {
  return {
      .name = "biome",
      .home_page = "https://biomejs.dev",
      .install = "npm install --global @biomejs/biome",
      .programs = {"biome"},
      .extensions = kScript,
      .configuration = {"biome.json*"},
      .hooks = {"biome-check", "biome-lint", "biome-ci"},
      // What `check` does beside the lint of it `lint` does not know.
      .not_from_hook = {"--write",
                        "--fix",
                        "--apply*",
                        "--unsafe",
                        "--reporter=",
                        "--max-diagnostics=",
                        "--colors=",
                        "--no-errors-on-unmatched",
                        "--suppress",
                        "--reason=",
                        "--verbose",
                        "--log-*",
                        "--formatter-enabled=",
                        "--linter-enabled=",
                        "--organize-imports-enabled=",
                        "--assist-enabled=",
                        "--enforce-assist=",
                        "--json-pretty",
                        "--changed",
                        "--staged",
                        "--since="},
      .report = "biome",
      .arguments = {"lint", "--reporter=json", "--max-diagnostics=none", "--no-errors-on-unmatched",
                    "--colors=off"},
      .depends = {".gitignore", ".editorconfig"},
      .fix = {"lint", "--write", "--max-diagnostics=none", "--no-errors-on-unmatched", "--colors=off"},
      .fixes_are_safe = true,
      .severities = {{"fatal", Severity::high},
                     {"parse", Severity::high},
                     {"lint/security/", Severity::high},
                     {"error", Severity::medium},
                     {"warning", Severity::low},
                     {"", Severity::info}},
      .categories = {{"lint/security/", "security"},
                     {"lint/performance/", "performance"},
                     {"lint/style/", "style"},
                     {"lint/a11y/", "accessibility"},
                     {"lint/accessibility/", "accessibility"},
                     // Right, and a matter of opinion: another linter, or none, was chosen.
                     {"lint/suspicious/noExplicitAny", "style"},
                     {"lint/suspicious/noImplicitAnyLet", "style"},
                     {"lint/suspicious/noConfusingVoidType", "style"},
                     {"lint/suspicious/noDoubleEquals", "style"},
                     {"lint/suspicious/noGlobalIs", "style"},
                     {"lint/suspicious/noAssignInExpressions", "style"},
                     {"lint/suspicious/useIterableCallbackReturn", "style"},
                     {"lint/suspicious/noPrototypeBuiltins", "style"},
                     {"lint/suspicious/noArrayIndexKey", "style"},
                     {"lint/suspicious/noShadowRestrictedNames", "style"},
                     {"lint/suspicious/noControlCharactersInRegex", "style"},
                     {"lint/suspicious/noEmptyInterface", "style"},
                     {"lint/suspicious/noEmptyBlock", "style"},
                     {"lint/suspicious/noRedundantUseStrict", "style"},
                     {"lint/correctness/useParseIntRadix", "style"},
                     {"lint/correctness/noInnerDeclarations", "style"},
                     {"lint/correctness/noVoidTypeReturn", "style"},
                     {"lint/correctness/noSwitchDeclarations", "style"},
                     {"", "correctness"}},
      .quiet = {{"lint/suspicious/noDocumentCookie", "", "there is no other way that all browsers know"},
                {"lint/suspicious/noThenProperty", "", "who writes a then means it"},
                {"lint/suspicious/noTsIgnore", "", "taste"},
                {"lint/suspicious/noSelfCompare", "", "`x !== x` asks for NaN"},
                {"lint/correctness/noUnusedFunctionParameters", "", "the caller says which there are"}},
      .quiet_in_samples = {"lint/suspicious/noTemplateCurlyInString", "lint/correctness/noUnusedVariables",
                           "lint/correctness/noUnsafeOptionalChaining",
                           "lint/suspicious/noNonNullAssertedOptionalChain", "lint/correctness/noSelfAssign"},
      .rule_page = "https://biomejs.dev/linter/",
      .rule_form = R"(lint/\w+/\w+|parse)",
      .explain = {"explain", "{name}"}};
}

// `a.ts(1,7): error TS2322: ...`
KnownAnalyzer tsc() {
  return {
      .name = "tsc",
      .home_page = "https://www.typescriptlang.org",
      .install = "npm install --global typescript",
      .programs = {"tsc"},
      .extensions = kTypeScript,
      .configuration = {"tsconfig*.json"},
      .not_from_hook = {"--noEmit", "--pretty=", "--incremental=", "--watch", "-w", "--build", "-b", "--init",
                        "--out*", "--declaration*", "-d", "--tsBuildInfoFile=", "--emitDeclarationOnly",
                        "--list*", "--diagnostics", "--extendedDiagnostics", "--generate*", "--showConfig"},
      .report = "regex",
      .pattern = R"(^(?P<file>[^()]+)\((?P<line>\d+),(?P<column>\d+)\): (?P<severity>error|warning) )"
                 R"((?P<rule>TS\d+): (?P<message>.*)$)",
      .arguments = {"--noEmit", "--pretty", "false", "--incremental", "false"},
      .exit_codes = {0, 1, 2},
      .files_per_call = 1'000'000,
      .whole_project = true,
      .project_code = true,
      .package = "typescript",
      .needs = {"tsconfig.json"},
      .on_request = true,
      .severities = kTypes,
      .categories = {{"", "correctness"}},
      .quiet = {{"TS7016", "", "a package has no types"}},
      .blind_rules = {"TS2307", "TS2688", "TS6053", "TS2503", "TS2580", "TS2582", "TS2591", "TS2592",
                      "TS2593", "TS2867", "TS2868", "TS2875", "TS7026"},
      .blind_words = {"Cannot find type definition file"},
      .packages = "npm install",
      .rule_form = R"(TS\d{4,5})"};
}

// `a.css:1:2: Unexpected empty block (block-no-empty) [error]`
KnownAnalyzer stylelint() {
  return {
      .name = "stylelint",
      .home_page = "https://stylelint.io",
      .install = "npm install --global stylelint",
      .programs = {"stylelint"},
      .extensions = {"css", "scss", "less"},
      .configuration = {".stylelintrc*", "stylelint.config.*"},
      .not_from_hook = {"--fix",
                        "--formatter=", "-f=", "--custom-formatter=", "-o=", "--output-file=", "--cache*",
                        "--color", "--no-color", "--allow-empty-input", "--aei", "--print-config="},
      .report = "regex",
      .pattern =
          R"(^(?P<file>[^:]+):(?P<line>\d+):(?P<column>\d+): (?P<message>.*?)(?: \((?P<rule>[\w/-]+)\))? )"
          R"(\[(?P<severity>error|warning)\]$)",
      .on_stderr = true,
      .arguments = {"--formatter", "unix", "--no-color", "--allow-empty-input", "--"},
      .exit_codes = {0, 2},
      .project_code = true,
      .package = "stylelint",
      .needs = {".stylelintrc", ".stylelintrc.json", ".stylelintrc.yml", ".stylelintrc.yaml",
                ".stylelintrc.js", ".stylelintrc.cjs", ".stylelintrc.mjs", "stylelint.config.js",
                "stylelint.config.cjs", "stylelint.config.mjs"},
      .fix = {"--fix", "--no-color", "--allow-empty-input", "--"},
      .fix_exit_codes = {0, 2},
      .on_request = true,
      .severities = kTaste,
      .categories = {{"", "style"}},
      .blind_words = {"Could not find", "Cannot find module", "Cannot find package"},
      .packages = "npm install",
      .rule_page = "https://stylelint.io/user-guide/rules/{rule}",
      .rule_form =
          R"(max-nesting-depth|no-(descending|duplicate|empty|invalid|irregular|unknown)-[a-z-]+|(alpha|annotation|at-rule|block|color|comment|container|custom|declaration|display|font|function|hue|import|)"
          R"(keyframes?|layer|length|lightness|media|named|nesting|number|property|relative|rule|selector|shorthand|string|syntax|)"
          R"(time|unit|value)-[a-z-]+)"};
}

KnownAnalyzer prettier() {
  return formatter({.name = "prettier",
                    .home_page = "https://prettier.io",
                    .install = "npm install --global prettier",
                    .programs = {"prettier"},
                    .extensions = {"js", "jsx", "mjs", "cjs", "ts", "tsx", "css", "scss", "less", "vue"},
                    .configuration = {".prettierrc*", "prettier.config.*", ".prettierignore"},
                    .not_from_hook = {"--check", "-c", "--list-different", "-l", "--write", "-w", "--log*",
                                      "--cache*", "--stdin-filepath=", "--find-config-path=", "--file-info=",
                                      "--support-info", "--color", "--no-color"},
                    .project_code = true, // plugins, and configuration that is a program
                    .package = "prettier",
                    .needs = {".prettierrc", ".prettierrc.json", ".prettierrc.yaml", ".prettierrc.yml",
                              ".prettierrc.js", ".prettierrc.cjs", ".prettierrc.mjs", ".prettierrc.toml",
                              "prettier.config.js", "prettier.config.cjs", "prettier.config.mjs"},
                    .depends = {".editorconfig", "package.json"},
                    .fix = {"--write", "--log-level", "warn", "--"},
                    .fix_exit_codes = {0},
                    .blind_words = {"Cannot find package", "Cannot find module"},
                    .packages = "npm install"});
}

// SARIF with rules like `eslint(no-debugger)`.
KnownAnalyzer oxlint() {
  return {.name = "oxlint",
          .home_page = "https://oxc.rs",
          .install = "npm install --global oxlint",
          .programs = {"oxlint"},
          .extensions = {"js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "vue", "svelte"},
          .configuration = {".oxlintrc.json", "oxlint.config.*"},
          .not_from_hook = {"--fix*", "-f=", "--format=", "-o=", "--quiet", "--silent", "--threads=",
                            "--print-config", "--init", "--rules", "--max-warnings=", "--deny-warnings"},
          .report = "sarif",
          .arguments = {"--format=sarif", "--"},
          .project_code = true, // plugins in JavaScript
          .package = "oxlint",
          .needs = {".oxlintrc.json", "oxlint.config.ts"},
          .fix = {"--fix", "--"},
          .fixes_are_safe = true, // --fix leaves out what oxlint calls suggestions and dangerous
          .on_request = true,
          .severities = kTaste,
          .categories = {{"", "correctness"}},
          .rule_page = "https://oxc.rs/docs/guide/usage/linter/rules.html",
          .rule_form = R"([a-z][\w-]*\([\w/-]+\))"};
}

} // namespace

std::vector<KnownAnalyzer> web_rows() {
  return {eslint(), biome(), tsc(), stylelint(), prettier(), oxlint()};
}

} // namespace emend
