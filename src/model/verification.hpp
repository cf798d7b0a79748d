// Verification: the project's own commands, run by the engine on a fresh tree, compared with the base.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "model/finding.hpp"
#include "model/spoken_values.hpp"

namespace emend {

struct VerifyCommand {
  std::string name;
  std::string run;                // for sh -c
  std::vector<std::string> paths; // globs; empty = counts for every issue
  std::int64_t timeout_ms = 0;    // 0 = policy default
  bool speaks = false;            // gets a nonce as $1, and prints values: see SpokenValues

  [[nodiscard]] bool applies_to(std::string_view file) const;
  // Identity of what is run, for the baseline cache.
  [[nodiscard]] std::string key() const;
};

enum class CommandResult {
  passed,
  failed,
  timed_out,
  crashed,
  not_started,
  cancelled,
  contradictory, // exit 0, but the runner's own words count failures: neither can be believed
};
[[nodiscard]] std::string_view to_string(CommandResult result);
[[nodiscard]] std::optional<CommandResult> parse_command_result(std::string_view text);

// Tests as a runner reported them: by id where the output has ids, else only counts. Output of a runner that
// is not known may still name tests: then there are ids, but recognised is false and nothing is counted.
struct TestReport {
  bool recognised = false;
  std::string runner;
  int passed = 0, failed = 0, skipped = 0;
  int own_failures = 0; // that the runner itself named, or counted in the line it ends with; not what a test
                        // prints in passing
  std::map<std::string, std::string> by_id; // id -> "passed" | "failed" | "skipped"
  bool passes_unnamed =
      false; // not every test that passes is named: one that failed and is not named now, passes

  [[nodiscard]] bool names(std::string_view state) const; // at least one test that ended so
};

struct CommandRun {
  std::string name;
  std::string run;
  bool scoped = false; // had `paths`
  CommandResult result = CommandResult::not_started;
  int exit_code = -1;
  int runs = 0; // how often it was run for this result (k of k)
  int passes = 0;
  int spent = 0; // further runs of it that were needed, and do not decide: controls, draws that said nothing
  std::string output; // stdout and stderr as they came, capped, cleaned, redacted
  TestReport tests;
  std::int64_t duration_ms = 0;
  bool wavers = false;      // runs on the same tree disagreed
  SpokenValues values = {}; // of a command that speaks

  [[nodiscard]] bool passed() const { return result == CommandResult::passed; }
  // Exit status and the runner's own words must agree, else the run is contradictory. Call once, when
  // everything about it is known.
  void settle();
};

enum class VerificationKind {
  baseline,
  alone,
  combined,
  without_patch,
  rescan,
  reproducer_base,    // a check written for one issue, on the untouched base
  reproducer_patched, // the same with a patch
  reproducer_without, // the same with the patch taken away again
  own_tests_base,     // the tests a fix brings along, on the base without the fix
  probe,              // the tests changed so that they must fail: can the checks still fail?
  coverage,           // with a patch and a coverage tool: are the changed lines executed? Confirms nothing
  near_base,          // a hidden check with other inputs, near its own, on the base
  near_patched,       // the same with a patch
  elsewhere,          // the whole once more as on a build server: what holds in one place only does not count
};
[[nodiscard]] std::string_view to_string(VerificationKind kind);

// A finding as a later run of an analyzer saw it.
struct SeenFinding {
  std::string analyzer, rule, file;
  int line = 0;
  Severity severity = Severity::medium;
  std::string title;
};

// The analyzers on base + patch, compared with the same analyzers on the base: only about the files the patch
// touches.
struct Rescan {
  struct Tool {
    std::string name, version;
    std::string state; // with the patch; only "done" says anything about what is not there
    std::string detail;
    std::string before;             // state on the base
    std::vector<std::string> files; // of the patch that it was to look at; kept only when it is not done
  };
  std::vector<Tool> tools;
  std::vector<std::string> gone;      // ids of issues whose finding is not reported any more
  std::vector<std::string> remaining; // ids of issues whose finding still is
  std::vector<SeenFinding> fresh;     // was not there before
};

// Lines that a patch adds and that hold code: did the checks execute them? Never a reason to refuse.
struct ExecutedLines {
  struct Line {
    std::string file;
    int number = 0;
    bool operator==(const Line&) const = default;
  };
  std::vector<Line> executed, missed;    // by file and number
  std::vector<std::string> not_measured; // files with added lines of which the tool says nothing

  [[nodiscard]] bool all() const { return !executed.empty() && missed.empty() && not_measured.empty(); }
  // "the checks execute 3 of the 4 changed lines; not a.py:12"; empty = nothing was measured.
  [[nodiscard]] std::string sentence() const;
};

// Kinds of probes.
inline constexpr std::string_view kNegation = "negation"; // of what failed on the base and passes with a fix
inline constexpr std::string_view kValue = "value";       // another value expected where it failed and passes
inline constexpr std::string_view kSentinel = "sentinel"; // a test that fails, added to a file
inline constexpr std::string_view kGuard = "guard";       // of what passes with and without a fix
inline constexpr std::string_view kBreakage = "breakage"; // a file of the fix made unreadable

// A small change to a test, made for one run: what it expects is turned around, so that it must fail.
struct Probe {
  std::string issue_id; // whose fix is in question; empty = a sentinel of several
  std::string command;  // whose tests it is about
  std::string kind;     // see kNegation
  std::string file;
  int line = 0;
  std::string before, after;      // the line, without its indentation
  std::string name;               // of a sentinel: names the test that must fail
  std::vector<std::string> tests; // ids of which one must fail; empty = tests have no names here

  bool operator==(const Probe&) const = default;
};

struct Verification {
  std::string id;
  std::string session_id;
  std::string issue_id; // empty for baseline and combined
  VerificationKind kind = VerificationKind::alone;
  std::string base;         // commit
  std::string patch_sha256; // of the patch applied to base; empty = none
  std::vector<CommandRun> commands;
  std::optional<Rescan> rescan;  // kind == rescan
  std::string reproducer_sha256; // kind == reproducer_*: of the check that was run
  std::int64_t started_ms = 0;
  std::int64_t duration_ms = 0;
  std::vector<Probe> probes = {};             // kind == probe: laid over base and patch
  std::optional<ExecutedLines> executed = {}; // kind == coverage

  [[nodiscard]] const CommandRun* find(std::string_view command_name) const;
};

[[nodiscard]] Json to_json(const Verification& verification);
[[nodiscard]] Verification verification_from_json(const Json& json);

} // namespace emend
