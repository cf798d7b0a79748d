// What people are asked, say and decide, and what became of fixes.
#include "adapters/sql/schema_steps.hpp"

namespace emend {

namespace {

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

} // namespace

Migration clarifications_step(int number) {
  return {number, "questions about issues", kClarifications, {}, ""};
}

Migration decisions_step(int number) {
  return {number, "what people said about fixes, and took back", kDecisions, decision_rules(), ""};
}

Migration opened_tests_step(int number) {
  return {number, "existing tests that a fix may change", kOpenedTests, opened_test_rules(), ""};
}

Migration fix_outcomes_step(int number) { return {number, "what became of fixes", kFixOutcomes, {}, ""}; }

Migration judged_tests_step(int number) {
  return {number, "judges decide about changed tests", kJudgedTests, {}, ""};
}

} // namespace emend
