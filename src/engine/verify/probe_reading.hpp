// What a run with probes shows: the checks can still fail, and fail where they must. Pure.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "model/verification.hpp"

namespace emend {

// A kind of probe beside those of the model: a value at a test's name, or of the data it is compared with.
// It may be what goes into the test, so that silence says nothing.
inline constexpr std::string_view kLiteral = "literal";
// The same in a file of expected data that has the name of the test. Silence refuses nothing, because a test
// need not compare all of it, but then nobody has seen that this check can fail.
inline constexpr std::string_view kData = "data";
// Of several fixes together: a test that failed before and may be another issue's. Whose doing it is when it
// cannot fail is not known, so silence makes each of them doubtful.
inline constexpr std::string_view kOthers = "others";

struct ProbeReading {
  std::string void_because;            // why the run says nothing; empty = it says something
  std::vector<Probe> silent;           // probes that no test failed for
  std::vector<Probe> unread;           // probes of which nothing is known, where others say something
  std::vector<std::string> unexpected; // tests that failed although no probe is about them
  bool exact = false;     // every failure was seen at its test or line, not by the exit status alone
  bool cut_short = false; // says nothing until it is known how the base ends when the same tests fail

  [[nodiscard]] bool says_nothing() const { return !void_because.empty(); }
  [[nodiscard]] bool as_expected() const { return !says_nothing() && silent.empty() && unexpected.empty(); }
};

// plain: the command on the same tree with its tests as they are. probed: the same with `probes` laid over
// it; all of them are about this command. A run in which fewer tests ran, or that did not come to its own
// end, says nothing. But a check of several parts may end with the first part that fails: tests are not
// missed that on_base, where the same tests fail without the patch, does not run either. And a command that
// names failing tests and exits with 0 fails only if it does the same on the base. on_base may be null.
[[nodiscard]] ProbeReading read_probes(const std::vector<Probe>& probes, const CommandRun& plain,
                                       const CommandRun& probed, const CommandRun* on_base = nullptr);

// A run with a probe for this issue.
[[nodiscard]] bool probes_issue(const Verification& run, const std::string& issue_id);

// What a reading that is not as expected means for a fix, as a sentence.
[[nodiscard]] std::string probe_problem(const ProbeReading& reading);

// What all probe runs of one tree come to, for the loop that may go on probing and for the gate.
struct Probed {
  enum class End { nothing, passed, failed };
  End end = End::nothing;      // nothing: there was no usable probe
  bool exact = false;          // what the fix repaired was turned around, and failed by name or line
  std::set<std::string> alive; // passed: commands that were seen failing
  bool doubted = false;        // a probe was silent for which nobody is refused; see kData and kOthers
  std::string detail;          // failed: why, as a sentence
  // What is missing before a failure counts: the same probes on the base, or once more on this tree.
  bool needs_control = false, needs_repeat = false;
};

// One of these commands was seen failing.
[[nodiscard]] bool is_alive(const std::set<std::string>& alive, const std::vector<std::string>& commands);

// plain: the run of the issue's commands on base + patch. baseline: the same on the base. A failure that the
// base shows as well says nothing about the patch, and neither does one that a second run does not show.
[[nodiscard]] Probed probed_by(const std::vector<Verification>& runs, const std::string& issue_id,
                               const std::string& base, const std::string& patch_sha256,
                               const Verification& plain, const Verification& baseline);

} // namespace emend
