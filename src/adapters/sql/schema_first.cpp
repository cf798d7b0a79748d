// The tables emend began with.
#include "adapters/sql/schema_steps.hpp"

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

} // namespace

Migration first_step(int number) { return {number, "first schema", kTables, first_rules(), ""}; }

} // namespace emend
