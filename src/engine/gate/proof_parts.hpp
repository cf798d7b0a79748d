// What a proof is made of, as JSON in which no secret is left: the same bytes whoever makes it and whenever.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "base/redact.hpp"
#include "model/attempt.hpp"
#include "model/event.hpp"
#include "model/evidence.hpp"
#include "model/issue.hpp"
#include "model/policy.hpp"
#include "model/reproducer.hpp"
#include "model/session.hpp"
#include "model/verdict.hpp"
#include "model/verification.hpp"

namespace emend {

// Every string of it, at any depth. Keys stay.
[[nodiscard]] Json redacted(Json json, const Redactor& redactor);

// Values of environment variables are left out: their names are enough to decide by.
[[nodiscard]] Json policy_part(const Policy& policy, const Redactor& redactor);
[[nodiscard]] Json issue_part(const Issue& issue, const Redactor& redactor);
[[nodiscard]] Issue issue_from_part(const Json& json);
[[nodiscard]] Json attempt_part(const Attempt& attempt, const Redactor& redactor); // without the patch
[[nodiscard]] Attempt attempt_from_part(const Json& json, const Json& patch);
[[nodiscard]] Json reproducer_part(const Reproducer& reproducer,
                                   const Redactor& redactor); // its files as they are: they are run
[[nodiscard]] Json commit_part(const CommitRecord& commit, const Redactor& redactor);
[[nodiscard]] CommitRecord commit_from_part(const Json& json);
[[nodiscard]] Json event_part(const Event& event, const Redactor& redactor);
[[nodiscard]] Json proof_part(const Proof& proof,
                              const Redactor& redactor); // without what the row keeps about the bundle itself

// The evidence for one patch that is there before its commit is made.
struct SealInput {
  const Policy& policy;
  const Issue& issue;
  const std::string& session_id;
  const Attempt& attempt;
  const std::vector<Verification>& verifications; // of the session, in the order of storing
  const std::vector<Verdict>& verdicts;           // likewise
  const Reproducer* reproducer = nullptr;
};
// Hashes of it. Only what was stored first counts, so a session that goes on after a crash comes to the same.
[[nodiscard]] Json make_seal(const SealInput& input, const Redactor& redactor);
[[nodiscard]] std::string seal_text(
    const Json& seal); // what the commit's Emend-Proof trailer is the SHA-256 of

// What of a seal's list of hashes ("verifications", "verdicts") these records do not have as it says; empty =
// all is there.
[[nodiscard]] std::string missing_from(const Json& seal, const std::string& list, const Json& records);

} // namespace emend
