// Go.
#include "model/catalogue/rows.hpp"

namespace emend {

namespace {

const std::vector<std::string> kNewerGo = {"requires go >=", "requires Go", "invalid go version",
                                           "unknown directive: toolchain"};

// `./a.go:3:2: ...`, below a line `# package`.
KnownAnalyzer go_vet() {
  return {.name = "go-vet",
          .home_page = "https://pkg.go.dev/cmd/vet",
          .install = "apt-get install golang",
          .programs = {"go"},
          .extensions = {"go"},
          .hooks = {"go-vet-mod", "go-vet-pkg", "go-vet-repo-mod", "go-vet-repo-pkg"},
          .not_from_hook = {"*"}, // wrappers with options of their own
          .report = "regex",
          .pattern = R"(^(?:vet: )?(?P<file>[^:#]+\.go):(?P<line>\d+):(?P<column>\d+): (?P<message>.*)$)",
          .on_stderr = true,
          .arguments = {"vet", "{more}", "./..."},
          .exit_codes = {0, 1, 2},
          .version_arguments = {"version"},
          .whole_project = true,
          .needs = {"go.mod"},
          .environment = {"GOMODCACHE=~/go/pkg/mod", "GOCACHE={temp}/go-build", "GOFLAGS=-mod=readonly",
                          "GOTOOLCHAIN=local", "GOPROXY=off"},
          .on_request = true,
          .severities = {{"", Severity::medium}},
          .categories = {{"", "correctness"}},
          .blind_words = {"module lookup disabled", "no required module provides", "could not import",
                          "cannot find package", "missing go.sum entry", "updates to go.mod needed",
                          "is not in GOROOT", "is not in std", "build constraints exclude all Go files"},
          .outdated_words = kNewerGo,
          .packages = "go mod download"};
}

KnownAnalyzer golangci_lint() {
  return {.name = "golangci-lint",
          .home_page = "https://golangci-lint.run",
          .install = "see https://golangci-lint.run/welcome/install/",
          .programs = {"golangci-lint"},
          .extensions = {"go"},
          .configuration = {".golangci.y*ml", ".golangci.toml", ".golangci.json"},
          .hooks = {"golangci-lint-full", "golangci-lint-mod", "golangci-lint-pkg", "golangci-lint-repo-mod"},
          .not_from_hook = {"--fix", "--out*", "--color=", "--print-*", "--new*", "-n", "--show-stats*",
                            "--cpu-profile-path=", "--mem-profile-path=", "--trace-path="},
          .report = "regex",
          .pattern = R"(^(?P<file>[^:]+\.go):(?P<line>\d+):(?:(?P<column>\d+):)? (?P<message>.*) )"
                     R"(\((?P<rule>[\w-]+)\)$)",
          .arguments = {"run", "--color=never"},
          .whole_project = true,
          .needs = {"go.mod"},
          .environment = {"GOMODCACHE=~/go/pkg/mod", "GOCACHE={temp}/go-build",
                          "GOLANGCI_LINT_CACHE={temp}/golangci", "GOTOOLCHAIN=local", "GOPROXY=off"},
          .on_request = true,
          .severities = {{"errcheck", Severity::medium},
                         {"govet", Severity::medium},
                         {"staticcheck", Severity::medium},
                         {"gosec", Severity::medium},
                         {"", Severity::low}},
          .categories = {{"gosec", "security"}, {"", "correctness"}},
          .blind_words = {"module lookup disabled", "no required module provides", "could not import",
                          "missing go.sum entry", "updates to go.mod needed", "can't load config"},
          .outdated_words = kNewerGo,
          .packages = "go mod download",
          .rule_page = "https://golangci-lint.run/usage/linters/#{rule}",
          .rule_form = R"(errcheck|govet|staticcheck|gosec|gosimple|ineffassign|unused|revive|)"
                       R"(unparam|misspell|gocritic|bodyclose|errorlint|(SA|ST|QF)\d{4})"};
}

KnownAnalyzer gofmt() {
  return formatter({.name = "gofmt",
                    .home_page = "https://pkg.go.dev/cmd/gofmt",
                    .install = "apt-get install golang",
                    .programs = {"gofmt"},
                    .extensions = {"go"},
                    .hooks = {"go-fmt", "go-fmt-repo"},
                    .not_from_hook = {"-w", "-l", "-d", "-cpuprofile="},
                    .version_arguments = {},
                    .needs = {"go.mod"},
                    .depends = {},
                    .fix = {"-w"},
                    .fix_exit_codes = {0}});
}

KnownAnalyzer staticcheck() {
  return {.name = "staticcheck",
          .home_page = "https://staticcheck.dev",
          .install = "apt-get install go-staticcheck",
          .programs = {"staticcheck", "go-staticcheck"},
          .extensions = {"go"},
          .configuration = {"staticcheck.conf"},
          .hooks = {"staticcheck-mod", "staticcheck-pkg", "staticcheck-repo-mod", "go-staticcheck"},
          .not_from_hook = {"*"},
          .report = "sarif",
          .arguments = {"-f", "sarif", "{more}", "./..."},
          .version_arguments = {"-version"},
          .whole_project = true,
          .needs = {"go.mod"},
          .environment = {"GOMODCACHE=~/go/pkg/mod", "GOCACHE={temp}/go-build", "GOFLAGS=-mod=readonly",
                          "STATICCHECK_CACHE={temp}/staticcheck", "GOTOOLCHAIN=local", "GOPROXY=off"},
          .on_request = true,
          .severities = {{"SA", Severity::medium}, {"compile", Severity::medium}, {"", Severity::info}},
          .categories = {{"SA", "correctness"}, {"compile", "correctness"}, {"", "style"}},
          .blind_rules = {"compile"},
          .blind_words = {"module lookup disabled", "no required module provides", "could not import",
                          "missing go.sum entry", "updates to go.mod needed"},
          .outdated_words = kNewerGo,
          .packages = "go mod download",
          .rule_page = "https://staticcheck.dev/docs/checks/#{rule}",
          .rule_form = R"((SA|ST|QF|S|U)\d{4})",
          .explain = {"-explain", "{rule}"}};
}

} // namespace

std::vector<KnownAnalyzer> go_rows() { return {go_vet(), golangci_lint(), gofmt(), staticcheck()}; }

} // namespace emend
