// What cannot succeed is refused before an agent is paid: a whole session, or single issues of it. Pure
// functions over what is known by then.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "engine/patch/scope.hpp"
#include "model/issue.hpp"
#include "model/policy.hpp"
#include "model/verification.hpp"
#include "ports/repository.hpp"

namespace emend {

// ErrorCode::config when nobody may judge: the gate would refuse every fix.
[[nodiscard]] Status check_judge(const Policy& policy);

// The commands on the untouched base. ErrorCode::config when one of them cannot be started, or came to
// nothing because the sandbox gives it no network: what it says is about this machine, not about any fix.
[[nodiscard]] Status check_base(const Policy& policy, const Verification& baseline);

// What each check can say about fixes, and what to do about those that fail on the base: one sentence a check
// that fails, and one for all the others.
[[nodiscard]] std::vector<std::string> check_notices(const Verification& baseline);

// What the engine found out about one issue on this machine.
struct Outlook {
  const Verification* baseline = nullptr; // null = no commands are configured
  bool reproducible = false;              // it has a check of its own, or an agent may write one
  bool rescannable = false;               // the analyzer that found it can be run again
};

struct Refusal {
  std::string reason; // of the issue: "protected", "evidence_too_weak", "unevaluated"
  std::string detail; // why, and what to do about it
};

// Why no fix of this issue could be RESOLVED, whatever an agent does; nullopt = one could.
[[nodiscard]] std::optional<Refusal> why_hopeless(const Policy& policy, const Scope& scope, const Tree& base,
                                                  const PathSet& called, const Issue& issue,
                                                  const Outlook& outlook);

} // namespace emend
