// What was tried and shown, as rows: runs of agents, attempts, verifications, verdicts, commits, proofs.
#pragma once

#include <optional>
#include <vector>

#include "adapters/sql/database.hpp"
#include "model/agent_run_record.hpp"
#include "model/attempt.hpp"
#include "model/evidence.hpp"
#include "model/reproducer.hpp"
#include "model/session.hpp"
#include "model/verdict.hpp"
#include "model/verification.hpp"

namespace emend {

[[nodiscard]] Status put_attempt(Database& database, const Attempt& attempt);
[[nodiscard]] Status insert_agent_run(Database& database, const AgentRunRecord& record);
[[nodiscard]] Result<AgentRunRecord> select_agent_run(Database& database, const std::string& id);
[[nodiscard]] Status insert_agent_run_start(Database& database, const AgentRunStart& start);
[[nodiscard]] Result<std::vector<AgentRunStart>> select_agent_run_starts(Database& database,
                                                                         const std::string& session_id);
[[nodiscard]] Result<AgentRunStart> select_agent_run_start(Database& database, const std::string& id);
[[nodiscard]] Result<std::vector<AgentRunRecord>> select_agent_runs(Database& database,
                                                                    const std::string& session_id);
[[nodiscard]] Result<std::vector<AgentRunRecord>> select_latest_agent_runs(Database& database,
                                                                           const std::string& repository_id,
                                                                           const std::size_t& limit);
[[nodiscard]] Result<std::vector<Attempt>> select_attempts_of_session(Database& database,
                                                                      const std::string& session_id);
[[nodiscard]] Result<std::vector<Attempt>> select_attempts_of_issue(Database& database,
                                                                    const std::string& issue_id);
[[nodiscard]] Result<Attempt> select_attempt(Database& database, const std::string& id);

[[nodiscard]] Status insert_verification(Database& database, const Verification& verification);
[[nodiscard]] Result<std::vector<Verification>> select_verifications(Database& database,
                                                                     const std::string& session_id);

[[nodiscard]] Status insert_verdict(Database& database, const Verdict& verdict);
[[nodiscard]] Result<std::vector<Verdict>> select_verdicts(Database& database, const std::string& session_id);

[[nodiscard]] Status insert_commit(Database& database, const CommitRecord& commit);
[[nodiscard]] Result<std::vector<CommitRecord>> select_commits(Database& database,
                                                               const std::string& session_id);

[[nodiscard]] Status put_proof(Database& database, const Proof& proof);
[[nodiscard]] Result<std::optional<Proof>> select_proof(Database& database, const std::string& issue_id,
                                                        const std::string& session_id);

[[nodiscard]] Status insert_reproducer(Database& database, const Reproducer& reproducer);
[[nodiscard]] Result<std::vector<Reproducer>> select_reproducers(Database& database,
                                                                 const std::string& issue_id);

} // namespace emend
