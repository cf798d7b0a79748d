// Compares a patched tree's verification with the base's and says what that proves for one issue. Pure.
#pragma once

#include <string>
#include <vector>

#include "model/evidence.hpp"
#include "model/issue.hpp"
#include "model/policy.hpp"
#include "model/verification.hpp"

namespace emend {

struct Comparison {
  bool passed = false;                 // nothing broke and at least one check confirms the patch
  std::vector<std::string> failures;   // "test: failed (exit 1), was green on the base"
  std::vector<std::string> lost_tests; // clause P5
  std::vector<std::string> red_before; // checks that failed before, or ran no tests: they confirm nothing
  std::vector<std::string>
      reproducers; // commands that were red on the base, belong to the issue, and are green now
  const CommandRun* first_failure = nullptr; // points into `patched`
};

// What speaks for a fix: what was seen, or what could still be seen at best.
struct Support {
  bool confirmed = false;    // a check that passes on the base passes with the patch
  bool alive = false;        // ... and it can tell something: it was seen failing, or names the tests it ran
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

// Does one of the commands that passed say which tests, or how many, it ran?
[[nodiscard]] bool names_tests(const std::vector<VerifyCommand>& commands, const Verification& run);

// Why a patch that breaks nothing is not confirmed by any command, in words.
[[nodiscard]] std::string unconfirmed(const Comparison& comparison);

// The commands that count for an issue, in configured order.
[[nodiscard]] std::vector<VerifyCommand> commands_for(const Policy& policy, const Issue& issue);

// commands: the ones that count here. base: the baseline of the commit the patch is relative to. A command
// that is missing from either side is a failure: what was not run proves nothing. `repaired` still needs the
// reproducers to be seen failing again without the patch.
[[nodiscard]] Comparison compare(const std::vector<VerifyCommand>& commands, const Verification& base,
                                 const Verification& patched);

} // namespace emend
