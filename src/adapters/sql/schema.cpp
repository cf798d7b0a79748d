// The steps of the schema. A released step is never edited; what changes becomes a new step at the end.
#include "adapters/sql/issue_kinds.hpp"
#include "adapters/sql/issue_search.hpp"
#include "adapters/sql/migrations.hpp"

namespace emend {

namespace {

constexpr const char* kTables = R"(
create table code_counters (
  repository_id text not null,
  prefix text not null,
  last_number bigint not null,
  primary key (repository_id, prefix)
);

create table sessions (
  n {numbering},
  id text not null unique,
  repository_id text not null,
  status text not null,
  detail text not null,
  base text not null,
  base_ref text not null,
  branch text not null,
  tip text not null,
  issue_ids text not null,
  review_report text not null,
  policy text not null,
  owner_pid bigint not null,
  owner_start_ticks bigint not null,
  owner_boot_id text not null,
  cancel_requested bigint not null,
  started_ms bigint not null,
  updated_ms bigint not null,
  duration_ms bigint not null
);
create index sessions_by_repository on sessions (repository_id, n);

create table issues (
  n {numbering},
  id text not null unique,
  repository_id text not null,
  code text not null,
  fingerprint text not null,
  finding text not null,
  status text not null check (status in ('OPEN', 'IN_PROGRESS', 'RESOLVED', 'FAILED', 'MERGED', 'IGNORED', 'DUPLICATE')),
  reason text not null,
  detail text not null,
  evidence text not null,
  duplicate_of text not null,
  session_id text references sessions (id),
  commit_sha text not null,
  last_score bigint not null,
  attempts bigint not null,
  created_ms bigint not null,
  updated_ms bigint not null,
  unique (repository_id, code),
  unique (repository_id, fingerprint)
);
create index issues_by_session on issues (session_id);

create table units (
  id text not null primary key,
  session_id text not null references sessions (id),
  position bigint not null,
  issue_ids text not null,
  status text not null,
  base text not null,
  stacked bigint not null,
  cycles bigint not null,
  verify_failures bigint not null,
  challenges bigint not null,
  deferrals bigint not null,
  starts bigint not null,
  accepted_attempt text not null,
  feedback text not null
);
create index units_by_session on units (session_id, position);

create table attempts (
  n {numbering},
  id text not null unique,
  session_id text not null references sessions (id),
  unit_id text references units (id),
  issue_id text not null references issues (id),
  cycle bigint not null,
  agent text not null,
  model text not null,
  family text not null,
  ending text not null,
  exit_code bigint not null,
  claim text not null,
  explanation text not null,
  result text not null,
  detail text not null,
  base text not null,
  notes text not null,
  started_ms bigint not null,
  duration_ms bigint not null,
  patch text not null
);
create index attempts_by_session on attempts (session_id, n);
create index attempts_by_issue on attempts (issue_id, n);

create table verifications (
  n {numbering},
  id text not null unique,
  session_id text not null references sessions (id),
  issue_id text references issues (id),
  kind text not null,
  patch_sha256 text not null,
  data text not null
);
create index verifications_by_session on verifications (session_id, n);

create table verdicts (
  n {numbering},
  id text not null unique,
  session_id text not null references sessions (id),
  issue_id text not null references issues (id),
  attempt_id text references attempts (id),
  patch_sha256 text not null,
  data text not null
);
create index verdicts_by_session on verdicts (session_id, n);

create table commits (
  n {numbering},
  sha text not null,
  parent text not null,
  session_id text not null references sessions (id),
  issue_ids text not null,
  patch_sha256 text not null,
  subject text not null,
  unique (session_id, sha)
);

create table proofs (
  issue_id text not null references issues (id),
  session_id text not null references sessions (id),
  attempt_id text references attempts (id),
  verdict_id text references verdicts (id),
  base text not null,
  commit_sha text not null,
  branch text not null,
  patch_sha256 text not null,
  evidence text not null,
  score bigint not null,
  detail text not null,
  created_ms bigint not null,
  primary key (issue_id, session_id)
);

create table events (
  seq {numbering},
  time_ms bigint not null,
  session_id text not null,
  type text not null,
  issue_code text not null,
  data text not null
);
create index events_by_session on events (session_id, seq);

create table intents (
  n {numbering},
  id text not null unique,
  session_id text not null,
  kind text not null,
  data text not null,
  done bigint not null
);

create table children (
  session_id text not null,
  pid bigint not null,
  start_ticks bigint not null,
  boot_id text not null,
  primary key (session_id, pid, start_ticks, boot_id)
);

create table baseline_runs (
  key text not null primary key,
  data text not null
);

create table trust (
  path text not null primary key,
  sha256 text not null,
  time_ms bigint not null
);
)";

// MERGED counts as RESOLVED whose commit has moved on: a merge may give it another name, so there only the
// session must match. An insert trigger guards each rule besides the update and delete ones, because `insert
// or replace` fires no delete trigger.
constexpr const char* kWithoutProof =
    "new.status in ('RESOLVED', 'MERGED') and not exists (select 1 from proofs where issue_id = new.id and "
    "session_id = new.session_id "
    "and commit_sha <> '' and (commit_sha = new.commit_sha or new.status = 'MERGED'))";

std::vector<Rule> first_rules() {
  return {
      {"issues_resolved_insert", "issues", RuleEvent::insert, kWithoutProof,
       "an issue cannot be RESOLVED without a proof of its session and commit"},
      {"issues_resolved_update", "issues", RuleEvent::update, kWithoutProof,
       "an issue cannot be RESOLVED without a proof of its session and commit"},
      {"issues_identity", "issues", RuleEvent::update,
       "old.id <> new.id or old.repository_id <> new.repository_id or old.code <> new.code",
       "id and code of an issue never change"},
      {"proofs_insert", "proofs", RuleEvent::insert,
       "exists (select 1 from proofs join issues on issues.id = proofs.issue_id where proofs.issue_id = "
       "new.issue_id and "
       "proofs.session_id = new.session_id and issues.status in ('RESOLVED', 'MERGED') and issues.session_id "
       "= new.session_id)",
       "the proof of a RESOLVED issue never changes"},
      {"proofs_update", "proofs", RuleEvent::update,
       "exists (select 1 from issues where id = old.issue_id and status in ('RESOLVED', 'MERGED') and "
       "session_id = "
       "old.session_id)",
       "the proof of a RESOLVED issue never changes"},
      {"proofs_delete", "proofs", RuleEvent::removal, "", "proofs are never deleted"},
      {"attempts_insert", "attempts", RuleEvent::insert,
       "exists (select 1 from attempts where id = new.id and (session_id <> new.session_id or unit_id is "
       "distinct from "
       "new.unit_id or issue_id <> new.issue_id or cycle <> new.cycle))",
       "what an attempt belongs to never changes"},
      {"attempts_identity", "attempts", RuleEvent::update,
       "old.n <> new.n or old.id <> new.id or old.session_id <> new.session_id or old.unit_id is distinct "
       "from new.unit_id or "
       "old.issue_id <> new.issue_id or old.cycle <> new.cycle",
       "what an attempt belongs to never changes"},
      {"attempts_delete", "attempts", RuleEvent::removal, "", "attempts are never deleted"},
      {"verifications_insert", "verifications", RuleEvent::insert,
       "exists (select 1 from verifications where id = new.id or n = new.n)", "verifications never change"},
      {"verifications_update", "verifications", RuleEvent::update, "", "verifications never change"},
      {"verifications_delete", "verifications", RuleEvent::removal, "", "verifications are never deleted"},
      {"verdicts_insert", "verdicts", RuleEvent::insert,
       "exists (select 1 from verdicts where id = new.id or n = new.n)", "verdicts never change"},
      {"verdicts_update", "verdicts", RuleEvent::update, "", "verdicts never change"},
      {"verdicts_delete", "verdicts", RuleEvent::removal, "", "verdicts are never deleted"},
      {"events_insert", "events", RuleEvent::insert, "exists (select 1 from events where seq = new.seq)",
       "events never change"},
      {"events_update", "events", RuleEvent::update, "", "events never change"},
      {"code_counters_update", "code_counters", RuleEvent::update,
       "new.last_number < old.last_number or new.repository_id <> old.repository_id or new.prefix <> "
       "old.prefix",
       "a code is never given twice"},
      {"code_counters_delete", "code_counters", RuleEvent::removal, "", "a code is never given twice"},
  };
}

// What recognises an issue when its code moves, and what the last look at the tree said of it.
constexpr const char* kSightings = R"(
alter table issues add column content_fingerprint text not null default '';
alter table issues add column line_key text not null default '';
alter table issues add column file text not null default '';
alter table issues add column trend text not null default 'ongoing' check (trend in ('new', 'ongoing', 'regressed'));
alter table issues add column seen_look text not null default '';
alter table issues add column seen_commit text not null default '';
alter table issues add column absent_commit text not null default '';
create index issues_by_file on issues (repository_id, file);
)";

constexpr const char* kFileFromFinding =
    "update issues set file = coalesce(json_extract(finding, '$.file'), '')";

constexpr const char* kClarifications = R"(
create table clarifications (
  n {numbering},
  issue_id text not null references issues (id),
  question_id text not null,
  round bigint not null,
  question text not null,
  context text not null,
  suggestions text not null,
  state text not null check (state in ('asked', 'answered', 'skipped')),
  answer text not null,
  asked_ms bigint not null,
  answered_ms bigint not null,
  unique (issue_id, question_id)
);
)";

// What each run of an agent consumed. Not tied to a row of sessions: reviews and questions have runs as well.
constexpr const char* kAgentRuns = R"(
create table agent_runs (
  n {numbering},
  id text not null unique,
  repository_id text not null,
  session_id text not null,
  role text not null,
  agent text not null,
  started_ms bigint not null,
  data text not null
);
create index agent_runs_by_session on agent_runs (session_id, n);
create index agent_runs_by_repository on agent_runs (repository_id, n);
)";

std::vector<Rule> agent_run_rules() {
  return {
      {"agent_runs_update", "agent_runs", RuleEvent::update, "", "runs of agents never change"},
  };
}

// What a server knows beside the work. `remembered` is anything that must outlive a restart and no longer
// than expires_ms.
constexpr const char* kServer = R"(
create table served_repositories (
  n {numbering},
  id text not null unique,
  root text not null,
  name text not null,
  added_ms bigint not null
);

create table remembered (
  kind text not null,
  key text not null,
  value text not null,
  expires_ms bigint not null,
  primary key (kind, key)
);
create index remembered_by_expiry on remembered (expires_ms);
)";

// Each event carries a digest over itself and its session's events before it; reproducers are kept apart from
// all that agents see.
constexpr const char* kProofs = R"(
alter table events add column digest text not null default '';
create table reproducers (
  n {numbering},
  id text not null unique,
  issue_id text not null references issues (id),
  session_id text not null,
  data text not null
);
create index reproducers_by_issue on reproducers (issue_id, n);
)";

std::vector<Rule> reproducer_rules() {
  return {
      {"reproducers_update", "reproducers", RuleEvent::update, "", "reproducers never change"},
      {"reproducers_delete", "reproducers", RuleEvent::removal, "", "reproducers are never deleted"},
  };
}

// Where each run of an agent writes, from its beginning on; and how many issues there are of each kind,
// without reading them.
constexpr const char* kRunStarts = R"(
create table agent_run_starts (
  n {numbering},
  id text not null unique,
  repository_id text not null,
  session_id text not null,
  started_ms bigint not null,
  data text not null
);
create index agent_run_starts_by_session on agent_run_starts (session_id, n);
)";

std::vector<Rule> run_start_rules() {
  return {
      {"agent_run_starts_update", "agent_run_starts", RuleEvent::update, "", "runs of agents never change"},
  };
}

// What people said about fixes, and which of them they took back.
constexpr const char* kDecisions = R"(
create table comments (
  n {numbering},
  id text not null unique,
  issue_id text not null references issues (id),
  session_id text not null,
  text text not null,
  file text not null,
  line bigint not null,
  side text not null check (side in ('', 'old', 'new')),
  created_ms bigint not null
);
create index comments_by_issue on comments (issue_id, n);

create table withdrawals (
  n {numbering},
  id text not null unique,
  session_id text not null references sessions (id),
  issue_id text not null references issues (id),
  kind text not null check (kind in ('rejected', 'discarded')),
  reason text not null,
  commit_sha text not null,
  patch_sha256 text not null,
  branch_from text not null,
  branch_to text not null,
  branch text not null check (branch in ('none', 'pending', 'done', 'kept')),
  created_ms bigint not null,
  unique (session_id, issue_id)
);
create index withdrawals_by_issue on withdrawals (issue_id, n);
)";

std::vector<Rule> decision_rules() {
  return {
      {"comments_update", "comments", RuleEvent::update, "", "comments never change"},
      {"comments_delete", "comments", RuleEvent::removal, "", "comments are never deleted"},
      {"withdrawals_update", "withdrawals", RuleEvent::update,
       "old.branch <> 'pending' or old.n <> new.n or old.id <> new.id or old.session_id <> new.session_id or "
       "old.issue_id <> "
       "new.issue_id or old.kind <> new.kind or old.reason <> new.reason or old.commit_sha <> new.commit_sha "
       "or "
       "old.patch_sha256 <> new.patch_sha256 or old.branch_from <> new.branch_from or old.branch_to <> "
       "new.branch_to or "
       "old.created_ms <> new.created_ms",
       "what was taken back stays so"},
      {"withdrawals_delete", "withdrawals", RuleEvent::removal, "", "withdrawals are never deleted"},
      {"issues_withdrawn", "issues", RuleEvent::update,
       "new.status in ('RESOLVED', 'MERGED') and exists (select 1 from withdrawals where issue_id = new.id "
       "and session_id = "
       "new.session_id)",
       "RESOLVED by a fix that was taken back"},
  };
}

// What is counted without reading the findings.
constexpr const char* kSeverity = R"(
alter table issues add column severity text not null default '';
create index issues_by_kind on issues (status, severity);
)";

constexpr const char* kSeverityFromFinding =
    "update issues set severity = coalesce(json_extract(finding, '$.severity'), '')";

// Work that several processes share. Times are the database's.
constexpr const char* kSharedWork = R"(
create table workers (
  id text primary key,
  host text not null,
  pid bigint not null,
  start_ticks bigint not null,
  boot_id text not null,
  labels text not null,
  slots bigint not null,
  version text not null,
  draining bigint not null,
  alive_until_ms bigint not null
);

create table shared_jobs (
  n {numbering},
  id text not null unique,
  kind text not null,
  repository_id text not null,
  session_id text not null,
  needs text not null,
  job_order text not null,
  state text not null check (state in ('queued', 'claimed', 'done', 'failed')),
  deliveries bigint not null default 0,
  token bigint not null default 0,
  worker_id text,
  problem text not null default '',
  result text not null default 'null',
  stop_asked bigint not null default 0
);
create index shared_jobs_open on shared_jobs (n) where state in ('queued', 'claimed');
create index shared_jobs_by_worker on shared_jobs (worker_id);
create index shared_jobs_by_session on shared_jobs (session_id);

create table parcels (
  name text not null,
  part bigint not null,
  parts bigint not null,
  data text not null,
  primary key (name, part)
);
)";

// What issues are chosen by, beside the finding it comes from. search_text is in lower case, so that `like`
// means the same everywhere.
constexpr const char* kSearch = R"(
alter table issues add column rule text not null default '';
alter table issues add column category text not null default '';
alter table issues add column tool text not null default '';
alter table issues add column search_text text not null default '';
)";

// Each claim has a lease of its own. What was claimed before is free once: whoever works on it is told that
// it lost it.
constexpr const char* kClaimLeases =
    "alter table shared_jobs add column held_until_ms bigint not null default 0";

// Existing tests that a person lets the fix of an issue change, or not any more.
constexpr const char* kOpenedTests = R"(
create table opened_tests (
  n {numbering},
  id text not null unique,
  issue_id text not null references issues (id),
  file text not null,
  test text not null,
  open bigint not null,
  reason text not null,
  decided_by text not null,
  created_ms bigint not null
);
create index opened_tests_by_issue on opened_tests (issue_id, n);
)";

std::vector<Rule> opened_test_rules() {
  return {
      {"opened_tests_update", "opened_tests", RuleEvent::update, "", "decisions about tests never change"},
      {"opened_tests_delete", "opened_tests", RuleEvent::removal, "",
       "decisions about tests are never deleted"},
  };
}

// A judge's decision is for one change.
constexpr const char* kJudgedTests =
    "alter table opened_tests add column patch_sha256 text not null default ''";

// What became of fixes.
constexpr const char* kFixOutcomes = R"(
create table fix_outcomes (
  n {numbering},
  issue_id text not null references issues (id),
  session_id text not null,
  repository_id text not null,
  code text not null,
  fate text not null,
  reason text not null,
  commit_sha text not null,
  merged_ms bigint not null,
  changed_again bigint not null,
  back bigint not null,
  agent text not null,
  model text not null,
  rule text not null,
  language text not null,
  evidence text not null,
  updated_ms bigint not null,
  unique (issue_id, session_id)
);
create index fix_outcomes_by_repository on fix_outcomes (repository_id, n);
)";

// Proofs keep the words they were made with; their format says which those are.
constexpr const char* kLevels = R"(
alter table issues add column marks text not null default '';
update issues set marks = 'rescanned' where evidence = 'rescanned';
update issues set evidence = 'unbroken' where evidence in ('verified', 'rescanned');
update issues set evidence = 'repaired' where evidence = 'proven';
)";

// Who did what, and who may. The head is written in the transaction of each entry: it orders the writers, and
// shows when the last entries are gone.
constexpr const char* kPeople = R"(
alter table comments add column said_by text not null default '';
alter table withdrawals add column decided_by text not null default '';
alter table clarifications add column answered_by text not null default '';
alter table sessions add column started_by text not null default '';

create table audit_log (
  n bigint not null primary key,
  time_ms bigint not null,
  actor_kind text not null,
  actor_id text not null,
  actor_name text not null,
  via text not null,
  action text not null,
  repository_id text not null,
  subject text not null,
  session_id text not null,
  detail text not null,
  digest text not null
);
create index audit_log_by_subject on audit_log (repository_id, subject, n);

create table audit_head (
  one bigint not null primary key check (one = 1),
  n bigint not null,
  digest text not null
);

create table accounts (
  n {numbering},
  id text not null unique,
  name text not null unique,
  full_name text not null,
  kind text not null check (kind in ('person', 'service')),
  issuer text not null,
  subject text not null,
  removed bigint not null,
  created_ms bigint not null
);
create unique index accounts_by_issuer on accounts (issuer, subject) where subject <> '';

create table access_tokens (
  n {numbering},
  id text not null unique,
  account_id text not null references accounts (id),
  name text not null,
  sha256 text not null unique,
  begins text not null,
  created_ms bigint not null,
  expires_ms bigint not null,
  revoked_ms bigint not null
);
create index access_tokens_by_account on access_tokens (account_id, n);

create table grants (
  account_id text not null references accounts (id),
  repository_id text not null,
  role text not null check (role in ('read', 'decide', 'run', 'administer')),
  primary key (account_id, repository_id)
);

create table directory_versions (
  one bigint not null primary key check (one = 1),
  version bigint not null
);
)";

std::vector<Rule> people_rules() {
  return {
      {"audit_log_update", "audit_log", RuleEvent::update, "", "entries of the audit log never change"},
      {"audit_log_delete", "audit_log", RuleEvent::removal, "", "entries of the audit log are never deleted"},
      {"audit_head_update", "audit_head", RuleEvent::update, "new.n < old.n or new.n > old.n + 1",
       "the audit log only grows, entry by entry"},
      {"audit_head_delete", "audit_head", RuleEvent::removal, "",
       "the end of the audit log is never deleted"},
      {"accounts_delete", "accounts", RuleEvent::removal, "", "accounts are never deleted"},
      {"access_tokens_update", "access_tokens", RuleEvent::update,
       "new.sha256 <> old.sha256 or new.account_id <> old.account_id or new.expires_ms <> old.expires_ms or "
       "(old.revoked_ms <> 0 and new.revoked_ms <> old.revoked_ms)",
       "a token only becomes revoked"},
  };
}

} // namespace

const std::vector<Migration>& schema_migrations() {
  static const std::vector<Migration> steps = {
      {1, "first schema", kTables, first_rules(), ""},
      {2, "issues are recognised when they move", kSightings, {}, kFileFromFinding},
      {3, "questions about issues", kClarifications, {}, ""},
      {4, "what agents consumed", kAgentRuns, agent_run_rules(), ""},
      {5, "what a server remembers", kServer, {}, ""},
      {6, "a journal whose changed bytes are found, and reproducers", kProofs, reproducer_rules(), ""},
      {7, "where runs of agents write", kRunStarts, run_start_rules(), ""},
      {8, "what people said about fixes, and took back", kDecisions, decision_rules(), ""},
      {9, "issues are counted by severity", kSeverity, {}, kSeverityFromFinding},
      {10, "work that several processes share", kSharedWork, {}, ""},
      {11, "issues are searched", kSearch, {}, "", fill_search_columns},
      {12, "claims have leases of their own", kClaimLeases, {}, ""},
      {13, "levels of evidence by experiment, and marks beside them", kLevels, {}, ""},
      {14, "existing tests that a fix may change", kOpenedTests, opened_test_rules(), ""},
      {15, "what became of fixes", kFixOutcomes, {}, ""},
      issue_kinds_step(16),
      {17, "people, rights and the audit log", kPeople, people_rules(), ""},
      {18, "judges decide about changed tests", kJudgedTests, {}, ""},
  };
  return steps;
}

} // namespace emend
