// What the tables emend began with refuse, whoever writes to them.
#include "adapters/sql/schema_steps.hpp"

namespace emend {

namespace {

// MERGED counts as RESOLVED whose commit has moved on: a merge may give it another name, so there only the
// session must match. An insert trigger guards each rule besides the update and delete ones, because `insert
// or replace` fires no delete trigger.
constexpr const char* kWithoutProof =
    "new.status in ('RESOLVED', 'MERGED') and not exists (select 1 from proofs where issue_id = new.id and "
    "session_id = new.session_id "
    "and commit_sha <> '' and (commit_sha = new.commit_sha or new.status = 'MERGED'))";

} // namespace

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

} // namespace emend
