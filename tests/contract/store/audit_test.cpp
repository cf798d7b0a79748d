// The audit log: a chain that is written with what it speaks of, and cannot be changed quietly.
#include <thread>

#include "adapters/sql/sql_store.hpp"
#include "tests/contract/store/store_contract.hpp"

namespace emend::testing_support {

namespace {

AuditEntry entry(const std::string& action, const std::string& subject, const std::string& repository = "r") {
  AuditEntry made;
  made.actor = {ActorKind::person, "a1", odd_text(), "the dashboard"};
  made.action = action;
  made.repository_id = repository;
  made.subject = subject;
  made.detail = {{"reason", odd_text()}};
  return made;
}

std::optional<AuditProblem> check(Store& store) {
  AuditSearch all;
  all.oldest_first = true;
  AuditCheck check;
  for (const AuditEntry& one : store.audit(all).value())
    if (auto problem = check.take(one)) return problem;
  return check.end(store.audit_head().value());
}

} // namespace

TEST_P(StoreContract, AuditEntriesAreChainedAndFound) {
  EXPECT_EQ(must(store().audit_head()).n, 0);
  Change change;
  change.audit = {entry("issue.ignored", "BE-001"), entry("issue.commented", "BE-002", "other")};
  must(store().apply(change, kNow));
  change.audit = {entry("person_added", "50%")};
  must(store().apply(change, kNow + 5));
  reopen_if_durable();
  EXPECT_FALSE(check(store()));
  EXPECT_EQ(must(store().audit_head()).n, 3);
  AuditSearch search;
  search.action = "issue";
  const auto found = must(store().audit(search));
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].subject, "BE-002") << "the newest first";
  EXPECT_EQ(found[0].actor.name, odd_text());
  EXPECT_EQ(found[0].detail, Json({{"reason", odd_text()}}));
  search = {};
  search.repositories = std::vector<std::string>{"other"};
  EXPECT_EQ(must(store().audit(search)).size(), 1U);
  search.repositories = std::vector<std::string>{};
  EXPECT_TRUE(must(store().audit(search)).empty()) << "who may see nothing sees nothing";
  search = {};
  search.since_ms = kNow + 1;
  EXPECT_EQ(must(store().audit(search)).size(), 1U);
  search = {};
  search.before = 3;
  search.limit = 1;
  EXPECT_EQ(must(store().audit(search)).front().n, 2);
}

TEST_P(StoreContract, AnEntryIsWrittenOnlyWithWhatItSpeaksOf) {
  Change change;
  change.cancels = {"nobody"};
  change.audit = {entry("session.cancelled", "nobody")};
  EXPECT_EQ(store().apply(change, kNow).error().code, ErrorCode::not_found);
  EXPECT_EQ(must(store().audit_head()).n, 0);
  EXPECT_TRUE(must(store().audit({})).empty());
}

TEST_P(StoreContract, TheChainNamesTheFirstEntryThatIsWrong) {
  Change change;
  for (int i = 0; i < 4; ++i) change.audit.push_back(entry("issue.ignored", "BE-00" + std::to_string(i)));
  must(store().apply(change, kNow));
  AuditSearch all;
  all.oldest_first = true;
  const auto good = must(store().audit(all));
  const AuditHead head = must(store().audit_head());
  const auto problem_of = [&](const std::vector<AuditEntry>& entries) -> std::int64_t {
    AuditCheck check;
    for (const AuditEntry& one : entries)
      if (const auto problem = check.take(one)) return problem->n;
    const auto problem = check.end(head);
    return problem ? problem->n : 0;
  };
  EXPECT_EQ(problem_of(good), 0);
  auto bad = good;
  bad[2].actor.name = "Somebody else";
  EXPECT_EQ(problem_of(bad), 3);
  bad = good;
  bad.erase(bad.begin() + 1);
  EXPECT_EQ(problem_of(bad), 2);
  bad = good;
  bad.pop_back();
  EXPECT_EQ(problem_of(bad), 4) << "the last one is missed, too";
  bad = good;
  std::swap(bad[0], bad[1]);
  EXPECT_EQ(problem_of(bad), 1);
}

TEST_P(StoreContract, AccountsTokensAndRoles) {
  EXPECT_EQ(must(store().directory_version()), 0);
  Change change;
  change.accounts = {{"a1", "ann", odd_text(), ActorKind::person, "", "", false, kNow},
                     {"a2", "ci", "", ActorKind::service, "https://id.example", "7", false, kNow}};
  change.tokens = {{"t1", "a2", odd_text(), "hash", "emend_pat_abcd", kNow, kNow + 10, 0}};
  change.grants = {{"a1", "*", Role::read}, {"a1", "r", Role::run}, {"a2", "r", Role::decide}};
  must(store().apply(change, kNow));
  reopen_if_durable();
  Directory known = must(store().directory());
  EXPECT_EQ(known.version, 1);
  ASSERT_NE(known.find("ann"), nullptr);
  EXPECT_EQ(known.find("ann")->full_name, odd_text());
  EXPECT_EQ(known.find("a2")->subject, "7");
  EXPECT_TRUE(known.rights_of("a1").may(Role::run, "r"));
  EXPECT_FALSE(known.rights_of("a1").may(Role::run, "another"));
  EXPECT_TRUE(known.tokens.front().good(kNow));
  EXPECT_FALSE(known.tokens.front().good(kNow + 10)) << "it has expired";

  Change later;
  later.accounts = {{"a3", "ann", "", ActorKind::person, "", "", false, kNow}};
  EXPECT_EQ(store().apply(later, kNow).error().code, ErrorCode::conflict) << "the name is taken";
  later = {};
  later.tokens = change.tokens;
  later.tokens.front().revoked_ms = kNow + 1;
  later.grants = {{"a1", "r", std::nullopt}};
  must(store().apply(later, kNow + 1));
  later.tokens.front().revoked_ms = 0;
  must(store().apply(later, kNow + 2));
  known = must(store().directory());
  EXPECT_EQ(known.tokens.front().revoked_ms, kNow + 1) << "revoked for good";
  EXPECT_FALSE(known.rights_of("a1").may(Role::run, "r"));
  EXPECT_TRUE(known.rights_of("a1").may(Role::read, "r"));
}

TEST_P(StoreContract, TrustIsGivenAndTakenBack) {
  Change change;
  change.trusted = {{"/p", "sha", kNow}};
  must(store().apply(change, kNow));
  EXPECT_EQ(must(store().trusted("/p"))->sha256, "sha");
  change = {};
  change.untrusted = {"/p"};
  must(store().apply(change, kNow));
  EXPECT_FALSE(must(store().trusted("/p")));
}

// Each writer has a connection of its own; the chain is one.
TEST_P(StoreContract, WritersOfTheAuditLogWaitForEachOther) {
  if (!GetParam().survives_closing) return; // a store in memory has one connection
  constexpr int kWriters = 4, kEach = 20;
  std::vector<std::thread> threads;
  for (int writer = 0; writer < kWriters; ++writer)
    threads.emplace_back([&] {
      auto own = open_sql_store(address(), 60'000).value();
      for (int i = 0; i < kEach; ++i) {
        Change change;
        change.audit = {entry("issue.ignored", "BE-001")};
        EXPECT_TRUE(own->apply(change, kNow));
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(must(store().audit_head()).n, kWriters * kEach);
  EXPECT_FALSE(check(store()));
}

} // namespace emend::testing_support
