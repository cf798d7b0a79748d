// Compares a patched tree's verification with the base's and says what that proves for one issue. Pure.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "model/attempt.hpp"
#include "model/evidence.hpp"
#include "model/issue.hpp"
#include "model/policy.hpp"
#include "model/verification.hpp"

namespace emend {

// What a fix is about. It tells whether a test that passes now belongs to the fix.
struct About {
  std::vector<std::string> files; // of the issue or issues; empty = not known, and no test is asked
  std::string words;              // the fixer's explanation and notes: tests it names belong to the fix
  std::string left;               // what it says of tests that fail still because of another bug
  std::set<std::string>
      together;     // commands that ran with other fixes, too: not asked which tests they repair
  bool all = false; // it is about itself: whatever it repairs belongs to it, however the tests are called
};

// Who made a change that nobody asked for by an issue, and the rule of what stands for its issue then.
inline constexpr const char *kGivenBy = "given", *kGivenRule = "given-change";
[[nodiscard]] About about_fix(const Issue& issue, const Attempt& attempt);
// Only what it says is left to another bug: for a tree that holds other fixes, too.
[[nodiscard]] About left_by_fix(const Issue& issue, const Attempt& attempt);

struct TestOf {
  std::string command, id;
};

struct Comparison {
  bool passed = false;                 // nothing broke and at least one check confirms the patch
  std::vector<std::string> failures;   // "test: failed (exit 1), was green on the base"
  std::vector<std::string> lost_tests; // clause P5
  std::vector<std::string>
      red_before; // checks that failed before, waver, or ran no tests: they confirm nothing
  std::vector<std::string>
      reproducers; // commands of the issue that failed on the base and pass now, or whose tests did
  std::vector<TestOf> repaired;              // tests of the issue that failed on the base and pass now
  std::vector<TestOf> reached;               // of the issue; they fail still, but otherwise than on the base
  std::vector<std::string> foreign;          // tests of other files that do so without an explanation: a note
  const CommandRun* first_failure = nullptr; // points into `patched`
};

// What speaks for a fix: what was seen, or what could still be seen at best.
struct Support {
  bool confirmed = false;    // a check that passes on the base passes with the patch
  bool alive = false;        // ... and it was seen failing with the patch when it had to
  bool own_judge = false;    // ... but the patch changes what the check runs
  bool own_analyzer = false; // likewise: it changes the configuration of an analyzer
  bool reproduced = false;   // a check of the issue fails without the patch and passes with it
  bool probed = false;       // ... and that very check fails when its expectation is turned around
  Marks marks = {};
};

// How sure a fix is. The one place that says so: for the loop before it goes on, for the gate, and through
// the gate's decision for commit messages, reports and `emend prove`.
[[nodiscard]] Evidence evidence_of(const Support& support);
// The same by the rules of the programs that wrote proofs before there were probes, in today's words.
[[nodiscard]] Evidence old_evidence_of(const Support& support);

// As far as commands show it.
[[nodiscard]] Support support_of(const Comparison& comparison);

// Why a patch that breaks nothing is not confirmed by any command, in words.
[[nodiscard]] std::string unconfirmed(const Comparison& comparison);

// The commands that count for an issue, in configured order.
[[nodiscard]] std::vector<VerifyCommand> commands_for(const Policy& policy, const Issue& issue);

// Can this run of a command on the base confirm a fix? It passed, or it failed and names its tests, so that
// they can be compared one by one. A run that disagrees with another one on the same tree cannot.
[[nodiscard]] bool can_confirm(const CommandRun& base);

// commands: the ones that count here. base: the baseline of the commit the patch is relative to. A command
// that is missing from either side is a failure: what was not run proves nothing. A command that fails on the
// base is compared test by test. `repaired` still needs the reproducers to fail again without the patch.
[[nodiscard]] Comparison compare(const std::vector<VerifyCommand>& commands, const Verification& base,
                                 const Verification& patched, const About& about = {});

// What a run without the patch says about the reproducers and repaired tests: do they fail again?
struct FailsAgain {
  bool reproduced = false; // at least one does
  std::string refusal;     // a check of the issue's own does not: it proves nothing, and neither does the fix
  std::string detail;      // what does not fail again
};
[[nodiscard]] FailsAgain fails_again(const std::vector<VerifyCommand>& commands, const Comparison& comparison,
                                     const Verification& without);

// Repaired tests that fail in this run of a larger tree, one sentence each.
[[nodiscard]] std::vector<std::string> broken_again(const Comparison& comparison, const Verification& run);

} // namespace emend
