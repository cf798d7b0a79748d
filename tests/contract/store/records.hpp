// Records with every field set, and every field of a record as one comparable value.
#pragma once

#include <string>

#include "ports/store.hpp"

namespace emend::testing_support {

// All fields in order. Structured bindings name each one, so a new field does not compile until it is
// compared here.
[[nodiscard]] Json everything(const Finding& value);
[[nodiscard]] Json everything(const Clarification& value);
[[nodiscard]] Json everything(const Issue& value);
[[nodiscard]] Json everything(const AgentBinding& value);
[[nodiscard]] Json everything(const VerifyCommand& value);
[[nodiscard]] Json everything(const Budget& value);
[[nodiscard]] Json everything(const AgentRunRecord& value);
[[nodiscard]] Json everything(const Policy& value);
[[nodiscard]] Json everything(const ProcessIdentity& value);
[[nodiscard]] Json everything(const Session& value);
[[nodiscard]] Json everything(const Unit& value);
[[nodiscard]] Json everything(const FileChange& value);
[[nodiscard]] Json everything(const Attempt& value);
[[nodiscard]] Json everything(const TestReport& value);
[[nodiscard]] Json everything(const CommandRun& value);
[[nodiscard]] Json everything(const Rescan::Tool& value);
[[nodiscard]] Json everything(const SeenFinding& value);
[[nodiscard]] Json everything(const Probe& value);
[[nodiscard]] Json everything(const Rescan& value);
[[nodiscard]] Json everything(const Verification& value);
[[nodiscard]] Json everything(const Verdict& value);
[[nodiscard]] Json everything(const Proof& value);
[[nodiscard]] Json everything(const CommitRecord& value);
[[nodiscard]] Json everything(const Event& value);
[[nodiscard]] Json everything(const Intent& value);
[[nodiscard]] Json everything(const ChildRecord& value);
[[nodiscard]] Json everything(const TrustRecord& value);

// No field has its default, so a field that is not stored is noticed.
[[nodiscard]] Issue full_issue(const std::string& fingerprint);
[[nodiscard]] Session full_session(const std::string& id);
[[nodiscard]] Unit full_unit(const std::string& id, const std::string& session_id);
[[nodiscard]] Attempt full_attempt(const std::string& id, const std::string& session_id,
                                   const std::string& unit_id, const std::string& issue_id);
[[nodiscard]] CommandRun full_command_run(const std::string& name);
[[nodiscard]] Verification full_verification(const std::string& id, const std::string& session_id,
                                             const std::string& issue_id);
[[nodiscard]] Verdict full_verdict(const std::string& id, const Attempt& attempt);
[[nodiscard]] AgentRunRecord full_agent_run(const std::string& id);
[[nodiscard]] Proof full_proof(const Verdict& verdict, const std::string& commit);
[[nodiscard]] CommitRecord full_commit(const std::string& sha, const std::string& session_id);
[[nodiscard]] Event full_event(const std::string& session_id, const std::string& type);

// Text that breaks careless quoting and encoding.
[[nodiscard]] std::string odd_text();

[[nodiscard]] inline Status put_intent(Journal& journal, const Intent& intent) {
  Change change;
  change.intents.push_back(intent);
  TRY(journal.apply(change, 0));
  return {};
}

} // namespace emend::testing_support
