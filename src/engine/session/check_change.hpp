// The gate for a change that somebody else made: the same steps an agent's fix goes through, without a
// session, a branch or a commit.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "engine/context/ports.hpp"
#include "model/event.hpp"
#include "model/evidence.hpp"
#include "model/issue.hpp"
#include "model/policy.hpp"
#include "model/verification.hpp"

namespace emend {

enum class CheckVerdict {
  nothing,    // there is no change, or none that could have an effect
  unprovable, // nothing here can tell whether it is right
  cheat,      // tests pass because they were changed, or cannot fail any more
  red,        // it breaks something, or does not fix what it should
  verified,   // nothing that passed fails; nothing shows that anything was fixed
  proven,     // something that failed passes, and fails again without the change
};
[[nodiscard]] std::string_view to_string(CheckVerdict verdict); // "NOTHING TO CHECK", "PROVEN", ...

struct CheckOrder {
  std::string base; // commit
  Patch patch;      // relative to it
  std::optional<Issue> issue = {};
  Policy policy = {};
  bool judge = false; // ask the judge, too
  bool proof = false; // make the bundle of a change that is proven
};

struct ChangeCheck {
  CheckVerdict verdict = CheckVerdict::nothing;
  std::string reason = {};               // one sentence: why
  std::string failure = {};              // output of the check that fails; empty = none does
  std::string next = {};                 // what a person has to do first; empty = nothing
  Standing standing = {};                // as a fix would have it
  std::optional<int> score = {};         // the judge's
  std::vector<std::string> notes = {};   // what a person should look at,
  std::vector<std::string> doubts = {};  // and those of them that the look of the change gave
  std::optional<Verification> base = {}; // the checks before the change,
  std::optional<Verification> run = {};  // and with it
  std::string proof = {}; // the bundle, see change_proof.hpp; empty = not proven, or not wanted
  std::int64_t duration_ms = 0;

  // May whoever made the change say that it is done?
  [[nodiscard]] bool holds() const {
    return verdict == CheckVerdict::proven || verdict == CheckVerdict::verified;
  }
};

// What to do next, in one sentence.
[[nodiscard]] std::string next_step(const ChangeCheck& check);
[[nodiscard]] Json to_json(const ChangeCheck& check);

// records: a store of its own that nobody needs afterwards. Of ports.store it reads what is known of the
// issue and of the base, and keeps there only how the base's checks came out. ErrorCode::cancelled when the
// stop token fires; ErrorCode::config when no checks are configured.
[[nodiscard]] Result<ChangeCheck> check_change(const Ports& ports, Store& records, const std::string& home,
                                               const CheckOrder& order, std::stop_token stop,
                                               const std::function<void(const Event&)>& on_event = {});

} // namespace emend
