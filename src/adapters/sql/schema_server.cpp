// What servers and workers share.
#include "adapters/sql/schema_steps.hpp"

namespace emend {

namespace {

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

// Each claim has a lease of its own. What was claimed before is free once: whoever works on it is told that
// it lost it.
constexpr const char* kClaimLeases =
    "alter table shared_jobs add column held_until_ms bigint not null default 0";

} // namespace

Migration server_step(int number) { return {number, "what a server remembers", kServer, {}, ""}; }

Migration shared_work_step(int number) {
  return {number, "work that several processes share", kSharedWork, {}, ""};
}

Migration claim_leases_step(int number) {
  return {number, "claims have leases of their own", kClaimLeases, {}, ""};
}

} // namespace emend
