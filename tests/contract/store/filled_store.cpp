#include "tests/contract/store/filled_store.hpp"

#include <gtest/gtest.h>

#include "tests/contract/store/records.hpp"

namespace emend::testing_support {

std::string fill_store(Store& store, bool resolved) {
  Issue issue;
  issue.repository_id = "repo";
  issue.fingerprint = "f1";
  issue.finding.file = "a.c";
  const std::string id = store.add_issues({issue}, 1).value().at(0).id;
  Change change;
  change.sessions = {full_session("sess1")};
  change.units = {full_unit("u1", "sess1")};
  change.attempts = {full_attempt("a1", "sess1", "u1", id)};
  change.verifications = {full_verification("ver1", "sess1", id)};
  change.verdicts = {full_verdict("v1", change.attempts[0])};
  change.moves = {
      {.issue_id = id, .from = IssueStatus::open, .to = IssueStatus::in_progress, .session_id = "sess1"}};
  if (resolved) {
    change.proofs = {full_proof(change.verdicts[0], "c1")};
    change.moves.push_back({.issue_id = id,
                            .from = IssueStatus::in_progress,
                            .to = IssueStatus::resolved,
                            .mover = Mover::gate,
                            .commit = "c1",
                            .session_id = "sess1"});
  }
  change.events = {full_event("sess1", "one"), full_event("sess1", "two")};
  EXPECT_TRUE(store.apply(change, 2));
  return id;
}

} // namespace emend::testing_support
