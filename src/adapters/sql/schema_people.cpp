// Who did what, and who may.
#include "adapters/sql/schema_steps.hpp"

namespace emend {

namespace {

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

Migration people_step(int number) {
  return {number, "people, rights and the audit log", kPeople, people_rules(), ""};
}

} // namespace emend
