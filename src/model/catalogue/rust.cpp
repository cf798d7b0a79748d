// Rust.
#include "model/catalogue/rows.hpp"

namespace emend {

namespace {

KnownAnalyzer clippy() {
  return {
      .name = "clippy",
      .home_page = "https://doc.rust-lang.org/clippy/",
      .install = "apt-get install rust-clippy",
      .programs = {"cargo"},
      .extensions = {"rs"},
      .configuration = {"clippy.toml", ".clippy.toml"},
      .hooks = {"cargo-clippy"},
      .not_from_hook = {"--fix", "--allow-*", "--message-format=", "--color=", "--quiet", "-q", "--offline",
                        "--all-targets", "-v", "--verbose", "--target-dir=", "--timings*"},
      .report = "cargo",
      .arguments = {"clippy", "--quiet", "--offline", "--message-format=json", "--all-targets"},
      .exit_codes = {0, 101},
      .version_arguments = {"clippy", "--version"},
      .whole_project = true,
      .project_code = true, // build scripts and macros
      .needs = {"Cargo.toml"},
      .environment = {"CARGO_HOME=~/.cargo", "RUSTUP_HOME=~/.rustup", "CARGO_TARGET_DIR={temp}/target"},
      .on_request = true,
      .severities = {{"error", Severity::high},
                     {"unused_must_use", Severity::medium},
                     {"clippy::", Severity::low},
                     {"", Severity::low}},
      .categories = {{"clippy::", "correctness"}, {"", "correctness"}},
      .blind_words = {"no matching package named", "failed to download", "can't find crate", "--offline"},
      .outdated_words = {"requires rustc", "feature `edition", "is not supported by the following package"},
      .packages = "cargo fetch",
      .rule_page = "https://rust-lang.github.io/rust-clippy/master/index.html#{name}",
      .rule_form = R"(clippy::\w+|E0\d{3}|deprecated|warnings|)"
                   R"((aarch64|absolute|ambiguous|anonymous|arithmetic|array|asm|async|bad|bare|binary|)"
                   R"(bindings|boxed|break|clashing|closure|coherence|conflicting|confusable|const|)"
                   R"(dangerous|dangling|dead|default|dependency|deprecated|deref|double|drop|dropping|)"
                   R"(duplicate|dyn|edition|elided|ellipsis|enum|explicit|exported|ffi|for|forbidden|)"
                   R"(forgetting|function|fuzzy|hidden|if|ill|impl|improper|incomplete|ineffective|)"
                   R"(inline|integer|internal|invalid|irrefutable|keyword|large|late|legacy|let|linker|)"
                   R"(long|lossy|macro|malformed|map|meta|mismatched|misplaced|missing|mixed|multiple|)"
                   R"(must|mutable|named|never|no|non|noop|opaque|out|overflowing|overlapping|path|)"
                   R"(patterns|private|proc|ptr|pub|redundant|refining|renamed|repr|resolving|rtsan|)"
                   R"(rust|self|semicolon|shadowing|single|soft|special|stable|static|suspicious|tail|)"
                   R"(test|text|trivial|type|tyvar|uncommon|unconditional|uncovered|undropped|)"
                   R"(unexpected|unfulfilled|ungated|uninhabited|unit|unknown|unnameable|unnecessary|)"
                   R"(unpredictable|unqualified|unreachable|unsafe|unstable|unsupported|unused|useless|)"
                   R"(uses|varargs|variant|while)_[a-z0-9_]+)",
      .explain = {"clippy", "--explain", "{name}"}};
}

KnownAnalyzer rustfmt() {
  return formatter({.name = "rustfmt",
                    .home_page = "https://github.com/rust-lang/rustfmt",
                    .install = "apt-get install rustfmt",
                    .programs = {"rustfmt"},
                    .extensions = {"rs"},
                    .configuration = {"rustfmt.toml", ".rustfmt.toml"},
                    .hooks = {"cargo-fmt"},
                    .not_from_hook = {"*"}, // of `cargo fmt`
                    .needs = {"Cargo.toml"},
                    .environment = {"RUSTUP_HOME=~/.rustup", "CARGO_HOME=~/.cargo"},
                    .depends = {"Cargo.toml"},
                    .fix = {"--edition", "2021"},
                    .fix_exit_codes = {0}});
}

} // namespace

std::vector<KnownAnalyzer> rust_rows() { return {clippy(), rustfmt()}; }

} // namespace emend
