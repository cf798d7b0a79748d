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
  bool passed = false;                  // nothing broke and at least one command vouches for the patch
  Evidence evidence = Evidence::judged; // judged when no command had anything to say
  std::vector<std::string> failures;    // "test: failed (exit 1), was green on the base"
  std::vector<std::string> lost_tests;  // clause P5
  std::vector<std::string> red_before;  // commands that were red before us, or ran no tests: they say nothing
  std::vector<std::string>
      reproducers; // commands that were red on the base, belong to the issue, and are green now
  const CommandRun* first_failure = nullptr; // points into `patched`
};

// Why a patch that breaks nothing is not confirmed by any command, in words.
[[nodiscard]] std::string unconfirmed(const Comparison& comparison);

// The commands that count for an issue, in configured order.
[[nodiscard]] std::vector<VerifyCommand> commands_for(const Policy& policy, const Issue& issue);

// commands: the ones that count here. base: the baseline of the commit the patch is relative to. A command
// that is missing from either side is a failure: what was not run proves nothing. `proven` still needs the
// reproducers to be seen red again without the patch.
[[nodiscard]] Comparison compare(const std::vector<VerifyCommand>& commands, const Verification& base,
                                 const Verification& patched);

} // namespace emend
