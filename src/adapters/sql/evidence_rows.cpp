#include "adapters/sql/evidence_rows.hpp"

namespace emend {

namespace {

const std::string kAttemptColumns =
    "id, session_id, unit_id, issue_id, cycle, agent, model, family, ending, exit_code, claim, explanation, "
    "result, detail, base, notes, "
    "started_ms, duration_ms, patch";

const std::string kProofColumns =
    "issue_id, session_id, attempt_id, verdict_id, base, commit_sha, branch, patch_sha256, evidence, score, "
    "detail, created_ms";

const std::string kCommitColumns = "sha, parent, session_id, issue_ids, patch_sha256, subject";

Attempt read_attempt(RowReader& row) {
  Attempt attempt;
  attempt.id = row.text();
  attempt.session_id = row.text();
  attempt.unit_id = row.text();
  attempt.issue_id = row.text();
  attempt.cycle = row.small();
  attempt.agent = row.text();
  attempt.model = row.text();
  attempt.family = row.text();
  attempt.ending = row.text();
  attempt.exit_code = row.small();
  attempt.claim = row.word(parse_claim);
  attempt.explanation = row.text();
  attempt.result = row.word(parse_attempt_result);
  attempt.detail = row.text();
  attempt.base = row.text();
  attempt.notes = row.strings();
  attempt.started_ms = row.integer();
  attempt.duration_ms = row.integer();
  attempt.patch = patch_from_json(row.json());
  return attempt;
}

Proof read_proof(RowReader& row) {
  Proof proof;
  proof.issue_id = row.text();
  proof.session_id = row.text();
  proof.attempt_id = row.text();
  proof.verdict_id = row.text();
  proof.base = row.text();
  proof.commit = row.text();
  proof.branch = row.text();
  proof.patch_sha256 = row.text();
  proof.evidence = row.text();
  proof.score = row.small();
  proof.detail = row.json();
  proof.created_ms = row.integer();
  return proof;
}

CommitRecord read_commit(RowReader& row) {
  CommitRecord commit;
  commit.sha = row.text();
  commit.parent = row.text();
  commit.session_id = row.text();
  commit.issue_ids = row.strings();
  commit.patch_sha256 = row.text();
  commit.subject = row.text();
  return commit;
}

Result<std::vector<Attempt>> attempts_where(Database& database, const std::string& column,
                                            const std::string& value) {
  return select(database, "select " + kAttemptColumns + " from attempts where " + column + " = $1 order by n",
                {value}, read_attempt);
}

} // namespace

Status put_attempt(Database& database, const Attempt& attempt) {
  static const std::string sql = upsert_sql("attempts", kAttemptColumns, "id");
  TRY(run(database, sql,
          {attempt.id, attempt.session_id, or_null(attempt.unit_id), attempt.issue_id, attempt.cycle,
           attempt.agent, attempt.model, attempt.family, attempt.ending, attempt.exit_code,
           std::string(to_string(attempt.claim)), attempt.explanation, std::string(to_string(attempt.result)),
           attempt.detail, attempt.base, strings_to_text(attempt.notes), attempt.started_ms,
           attempt.duration_ms, dump_json(to_json(attempt.patch))}));
  return {};
}

Status insert_agent_run(Database& database, const AgentRunRecord& record) {
  static const std::string sql =
      insert_sql("agent_runs", "id, repository_id, session_id, role, agent, started_ms, data");
  TRY(run(database, sql,
          {record.id, record.repository_id, record.session_id, record.role, record.agent, record.started_ms,
           dump_json(to_json(record))}));
  return {};
}

Result<AgentRunRecord> select_agent_run(Database& database, const std::string& id) {
  TRY_ASSIGN(auto found, select(database, "select data from agent_runs where id = $1", {id},
                                [](RowReader& row) { return agent_run_from_json(row.json()); }));
  if (found.empty()) return fail(ErrorCode::not_found, "there is no run " + id + " that has ended");
  return std::move(found.front());
}

Status insert_agent_run_start(Database& database, const AgentRunStart& start) {
  static const std::string sql =
      insert_sql("agent_run_starts", "id, repository_id, session_id, started_ms, data");
  TRY(run(database, sql,
          {start.id, start.repository_id, start.session_id, start.started_ms, dump_json(to_json(start))}));
  return {};
}

Result<std::vector<AgentRunStart>> select_agent_run_starts(Database& database,
                                                           const std::string& session_id) {
  return select(database, "select data from agent_run_starts where session_id = $1 order by n", {session_id},
                [](RowReader& row) { return agent_run_start_from_json(row.json()); });
}

Result<AgentRunStart> select_agent_run_start(Database& database, const std::string& id) {
  TRY_ASSIGN(auto found, select(database, "select data from agent_run_starts where id = $1", {id},
                                [](RowReader& row) { return agent_run_start_from_json(row.json()); }));
  if (found.empty()) return fail(ErrorCode::not_found, "there is no run " + id);
  return std::move(found.front());
}

Result<std::vector<AgentRunRecord>> select_agent_runs(Database& database, const std::string& session_id) {
  return select(database, "select data from agent_runs where session_id = $1 order by n", {session_id},
                [](RowReader& row) { return agent_run_from_json(row.json()); });
}

Result<std::vector<AgentRunRecord>> select_latest_agent_runs(Database& database,
                                                             const std::string& repository_id,
                                                             const std::size_t& limit) {
  return select(database, "select data from agent_runs where repository_id = $1 order by n desc limit $2",
                {repository_id, static_cast<std::int64_t>(limit)},
                [](RowReader& row) { return agent_run_from_json(row.json()); });
}

Result<std::vector<Attempt>> select_attempts_of_session(Database& database, const std::string& session_id) {
  return attempts_where(database, "session_id", session_id);
}

Result<std::vector<Attempt>> select_attempts_of_issue(Database& database, const std::string& issue_id) {
  return attempts_where(database, "issue_id", issue_id);
}

Result<Attempt> select_attempt(Database& database, const std::string& id) {
  TRY_ASSIGN(auto found, attempts_where(database, "id", id));
  if (found.empty()) return fail(ErrorCode::not_found, "there is no attempt " + id);
  return std::move(found.front());
}

Status insert_verification(Database& database, const Verification& verification) {
  static const std::string sql =
      insert_sql("verifications", "id, session_id, issue_id, kind, patch_sha256, data");
  TRY(run(database, sql,
          {verification.id, verification.session_id, or_null(verification.issue_id),
           std::string(to_string(verification.kind)), verification.patch_sha256,
           dump_json(to_json(verification))}));
  return {};
}

Result<std::vector<Verification>> select_verifications(Database& database, const std::string& session_id) {
  return select(database, "select data from verifications where session_id = $1 order by n", {session_id},
                [](RowReader& row) { return verification_from_json(row.json()); });
}

Status insert_verdict(Database& database, const Verdict& verdict) {
  static const std::string sql =
      insert_sql("verdicts", "id, session_id, issue_id, attempt_id, patch_sha256, data");
  TRY(run(database, sql,
          {verdict.id, verdict.session_id, verdict.issue_id, or_null(verdict.attempt_id),
           verdict.patch_sha256, dump_json(to_json(verdict))}));
  return {};
}

Result<std::vector<Verdict>> select_verdicts(Database& database, const std::string& session_id) {
  return select(database, "select data from verdicts where session_id = $1 order by n", {session_id},
                [](RowReader& row) { return verdict_from_json(row.json()); });
}

Status insert_commit(Database& database, const CommitRecord& commit) {
  static const std::string sql =
      insert_sql("commits", kCommitColumns) + " on conflict (session_id, sha) do nothing";
  TRY(run(database, sql,
          {commit.sha, commit.parent, commit.session_id, strings_to_text(commit.issue_ids),
           commit.patch_sha256, commit.subject}));
  return {};
}

Result<std::vector<CommitRecord>> select_commits(Database& database, const std::string& session_id) {
  return select(database, "select " + kCommitColumns + " from commits where session_id = $1 order by n",
                {session_id}, read_commit);
}

Status put_proof(Database& database, const Proof& proof) {
  static const std::string sql = upsert_sql("proofs", kProofColumns, "issue_id, session_id");
  TRY(run(database, sql,
          {proof.issue_id, proof.session_id, or_null(proof.attempt_id), or_null(proof.verdict_id), proof.base,
           proof.commit, proof.branch, proof.patch_sha256, proof.evidence, proof.score,
           dump_json(proof.detail), proof.created_ms}));
  return {};
}

Result<std::optional<Proof>> select_proof(Database& database, const std::string& issue_id,
                                          const std::string& session_id) {
  TRY_ASSIGN(
      auto found,
      select(database, "select " + kProofColumns + " from proofs where issue_id = $1 and session_id = $2",
             {issue_id, session_id}, read_proof));
  if (found.empty()) return std::optional<Proof>();
  return std::optional<Proof>(std::move(found.front()));
}

Status insert_reproducer(Database& database, const Reproducer& reproducer) {
  static const std::string sql = insert_sql("reproducers", "id, issue_id, session_id, data");
  TRY(run(database, sql,
          {reproducer.id, reproducer.issue_id, reproducer.session_id, dump_json(to_json(reproducer))}));
  return {};
}

Result<std::vector<Reproducer>> select_reproducers(Database& database, const std::string& issue_id) {
  return select(database, "select data from reproducers where issue_id = $1 order by n", {issue_id},
                [](RowReader& row) { return reproducer_from_json(row.json()); });
}

} // namespace emend
