// Issues: codes, fingerprints, filters, lookups.
#include <set>

#include "tests/contract/store/store_contract.hpp"

namespace emend::testing_support {

namespace {

Issue plain(const std::string& fingerprint, const std::string& file, const std::string& repository = "repo") {
  Issue issue;
  issue.repository_id = repository;
  issue.fingerprint = fingerprint;
  issue.finding.file = file;
  return issue;
}

std::vector<std::string> codes_of(const std::vector<Issue>& issues) {
  std::vector<std::string> codes;
  for (const Issue& issue : issues) codes.push_back(issue.code);
  return codes;
}

using Codes = std::vector<std::string>;

} // namespace

TEST_P(StoreContract, CodesCountPerRepositoryAndSide) {
  const auto first = must(store().add_issues({plain("1", "a.c"), plain("2", "a.tsx"), plain("3", "b.c"),
                                              plain("4", "c.c", "other"), plain("5", "b.css")},
                                             kNow));
  EXPECT_EQ(codes_of(first), (Codes{"BE-001", "FE-001", "BE-002", "BE-001", "FE-002"}));
  EXPECT_EQ(codes_of(must(store().add_issues({plain("6", "d.c")}, kNow))), Codes{"BE-003"});
}

TEST_P(StoreContract, CodesGoOnPastThreeDigits) {
  std::vector<Issue> many;
  for (int i = 0; i < 1001; ++i) many.push_back(plain(std::to_string(i), "a.c"));
  const auto added = must(store().add_issues(many, kNow));
  ASSERT_EQ(added.size(), 1001U);
  EXPECT_EQ(added[0].code, "BE-001");
  EXPECT_EQ(added[98].code, "BE-099");
  EXPECT_EQ(added[998].code, "BE-999");
  EXPECT_EQ(added[999].code, "BE-1000");
  EXPECT_EQ(added[1000].code, "BE-1001");
  const auto listed = must(store().issues({.repository_id = "repo"}));
  EXPECT_EQ(codes_of(listed), codes_of(added)) << "listed in the order they came";
}

TEST_P(StoreContract, KnownFingerprintIsNotAddedAgain) {
  const Issue known = add_issue("same");
  move(known.id, IssueStatus::open, IssueStatus::in_progress);
  const auto added = must(
      store().add_issues({plain("new", "a.c"), plain("same", "moved.c"), plain("new", "a.c")}, kNow + 5));
  ASSERT_EQ(added.size(), 3U);
  EXPECT_EQ(codes_of(added), (Codes{"BE-002", "BE-001", "BE-002"}));
  EXPECT_EQ(everything(added[1]), everything(must(store().issue("repo", known.id))))
      << "the known one, as it is now";
  EXPECT_EQ(added[0].id, added[2].id);
  EXPECT_EQ(must(store().issues({.repository_id = "repo"})).size(), 2U);
  const auto elsewhere = must(store().add_issues({plain("same", "a.c", "other")}, kNow));
  EXPECT_NE(elsewhere.at(0).id, known.id) << "another repository's issues are its own";
}

TEST_P(StoreContract, EqualOnesAmongManyAreJoinedWhetherStoredOrStillToBe) {
  std::vector<Issue> many;
  for (int i = 0; i < 150; ++i) many.push_back(plain(std::to_string(i), "a.c"));
  for (const char* tool : {"first", "second", "third"})
    for (const int number : {3, 149}) { // stored long ago, and not yet
      Issue again = plain(std::to_string(number), "a.c");
      again.finding.agent = tool;
      again.finding.severity = tool == std::string("second") ? Severity::high : Severity::low;
      many.push_back(again);
    }
  const auto added = must(store().add_issues(many, kNow));
  ASSERT_EQ(added.size(), many.size());
  EXPECT_EQ(must(store().issues({.repository_id = "repo"})).size(), 150U);
  for (const std::size_t i : {3U, 149U}) {
    const Issue stored = must(store().issue("repo", added[i].id));
    EXPECT_EQ(stored.finding.found_by, (std::vector<std::string>{"first", "second", "third"}));
    EXPECT_EQ(stored.finding.severity, Severity::high);
  }
  const auto again = must(store().add_issues(many, kNow + 1));
  EXPECT_EQ(codes_of(again), codes_of(added));
}

TEST_P(StoreContract, ACodeThatAnIssueBringsIsKeptWhereItIsFree) {
  Issue brought = plain("1", "a.c"), same = plain("2", "a.c");
  brought.code = same.code = "BE-007";
  EXPECT_EQ(codes_of(must(store().add_issues({brought, same}, kNow))), (Codes{"BE-007", "BE-008"}));
  EXPECT_EQ(add_issue("3").code, "BE-009") << "none before it is given out any more";
  Issue early = plain("4", "a.c"), odd = plain("5", "a.c");
  early.code = "BE-003";
  odd.code = "no code";
  EXPECT_EQ(codes_of(must(store().add_issues({early, odd}, kNow))), (Codes{"BE-003", "BE-010"}));
  Issue foreign = plain("6", "a.c"), endless = plain("7", "a.c");
  foreign.code = "XX-9";
  endless.code = "BE-9223372036854775807";
  EXPECT_EQ(codes_of(must(store().add_issues({foreign, endless}, kNow))), (Codes{"BE-011", "BE-012"}));
}

TEST_P(StoreContract, AddingIsAllOrNothing) {
  Issue resolved = plain("2", "a.c");
  resolved.status = IssueStatus::resolved;
  const auto refused = store().add_issues({plain("1", "a.c"), resolved}, kNow);
  ASSERT_FALSE(refused) << "nobody is born RESOLVED";
  EXPECT_EQ(refused.error().code, ErrorCode::database);
  EXPECT_TRUE(must(store().issues({.repository_id = "repo"})).empty());
  EXPECT_EQ(add_issue("3").code, "BE-001");
}

TEST_P(StoreContract, IssueWithoutFingerprintIsRefused) {
  const auto refused = store().add_issues({plain("", "a.c")}, kNow);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::internal);
}

TEST_P(StoreContract, IssueIsFoundByCodeOrId) {
  const Issue issue = add_issue("1");
  EXPECT_EQ(must(store().issue("repo", "BE-001")).id, issue.id);
  EXPECT_EQ(must(store().issue("repo", "be-001")).id, issue.id);
  EXPECT_EQ(must(store().issue("repo", issue.id)).id, issue.id);
  for (const auto& [repository, name] :
       {std::pair<std::string, std::string>{"repo", "BE-002"}, {"other", "BE-001"}, {"other", issue.id}}) {
    const auto missing = store().issue(repository, name);
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, ErrorCode::not_found);
    EXPECT_NE(missing.error().remedy, "");
  }
}

TEST_P(StoreContract, FiltersNarrowTheList) {
  const Issue a = add_issue("1", "src/a.c");
  const Issue b = add_issue("2", "src/deep/b.c");
  const Issue c = add_issue("3", "web/c.ts");
  must(store().add_issues({plain("4", "src/d.c", "other")}, kNow));
  add_session("sess1");
  Change change;
  change.moves = {
      {.issue_id = b.id, .from = IssueStatus::open, .to = IssueStatus::in_progress, .session_id = "sess1"}};
  must(store().apply(change, kNow));

  EXPECT_EQ(must(store().issues({})).size(), 4U);
  EXPECT_EQ(codes_of(must(store().issues({.repository_id = "repo"}))), (Codes{a.code, b.code, c.code}));
  EXPECT_EQ(codes_of(must(store().issues({.repository_id = "repo", .statuses = {IssueStatus::open}}))),
            (Codes{a.code, c.code}));
  EXPECT_EQ(must(store().issues(
                     {.repository_id = "repo", .statuses = {IssueStatus::open, IssueStatus::in_progress}}))
                .size(),
            3U);
  EXPECT_EQ(codes_of(must(store().issues({.repository_id = "repo", .session_id = "sess1"}))), Codes{b.code});
  EXPECT_EQ(codes_of(must(store().issues({.repository_id = "repo", .file_glob = "src/**"}))),
            (Codes{a.code, b.code}));
  EXPECT_EQ(codes_of(must(store().issues({.repository_id = "repo", .file_glob = "**/b.c", .limit = 1}))),
            Codes{b.code});
  EXPECT_EQ(codes_of(must(store().issues({.repository_id = "repo", .limit = 2}))), (Codes{a.code, b.code}));
  EXPECT_TRUE(must(store().issues({.repository_id = "repo", .statuses = {IssueStatus::merged}})).empty());
}

} // namespace emend::testing_support
