// What a server remembers: over a restart, until it expires, and never for two at once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "adapters/sql/sql_ledger.hpp"
#include "adapters/sql/sql_store.hpp"
#include "base/files.hpp"
#include "tests/contract/store/store_contract.hpp"
#include "tests/support/postgres_server.hpp"

namespace emend::testing_support {
namespace {

class LedgerTest : public ::testing::TestWithParam<StoreKind> {
protected:
  void SetUp() override {
    if (GetParam().name == "postgresql") EMEND_NEEDS_POSTGRES();
    auto made = TemporaryDirectory::create(fs::temp_directory_path(), "emend-ledger-");
    ASSERT_TRUE(made);
    directory_.emplace(*std::move(made));
    address_ = GetParam().address(directory_->path());
    reopen();
  }
  void reopen() {
    ledger_.reset();
    auto opened = open_sql_ledger(address_);
    ASSERT_TRUE(opened) << opened.error().message;
    ledger_ = *std::move(opened);
  }
  std::unique_ptr<Store> store() {
    auto opened = open_sql_store(address_);
    EXPECT_TRUE(opened);
    return *std::move(opened);
  }
  std::optional<TemporaryDirectory> directory_;
  std::string address_;
  std::unique_ptr<Ledger> ledger_;
};

// A ledger lies beside a store, so the database outlives a connection.
std::vector<StoreKind> durable_kinds() {
  std::vector<StoreKind> kinds = store_kinds();
  std::erase_if(kinds, [](const StoreKind& kind) { return !kind.survives_closing; });
  return kinds;
}

INSTANTIATE_TEST_SUITE_P(Stores, LedgerTest, ::testing::ValuesIn(durable_kinds()),
                         [](const auto& kind) { return kind.param.name; });

TEST_P(LedgerTest, KeepsRepositoriesInTheOrderTheyWereAdded) {
  ASSERT_TRUE(ledger_->put_repository({"r2", "/b", "b", 5}));
  ASSERT_TRUE(ledger_->put_repository({"r1", "/a", "a", 6}));
  ASSERT_TRUE(ledger_->put_repository({"r2", "/moved", "b", 7}));
  reopen();
  const auto all = *ledger_->repositories();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].root, "/moved");
  EXPECT_EQ(all[0].added_ms, 5);
  EXPECT_EQ(all[1].id, "r1");
  ASSERT_TRUE(ledger_->forget_repository("r2"));
  EXPECT_EQ(ledger_->repositories()->size(), 1u);
}

TEST_P(LedgerTest, RemembersOnceUntilItExpires) {
  EXPECT_TRUE(*ledger_->remember_once({"idempotency", "k", {{"a", 1}}, 100}, 10));
  EXPECT_FALSE(*ledger_->remember_once({"idempotency", "k", {{"a", 2}}, 200}, 99));
  EXPECT_TRUE(*ledger_->remember_once({"delivery", "k", {}, 100}, 10)); // another kind
  reopen();
  const auto known = *ledger_->remembered("idempotency", "k", 99);
  ASSERT_TRUE(known);
  EXPECT_EQ(known->value.at("a"), 1);
  EXPECT_FALSE(*ledger_->remembered("idempotency", "k", 100));
  EXPECT_TRUE(*ledger_->remember_once({"idempotency", "k", {{"a", 3}}, 300}, 100));
  EXPECT_EQ((*ledger_->remembered("idempotency", "k", 150))->value.at("a"), 3);
}

TEST_P(LedgerTest, ReplacesForgetsAndTidiesUp) {
  ASSERT_TRUE(ledger_->remember({"job", "a", {{"n", 1}}, 1'000}));
  ASSERT_TRUE(ledger_->remember({"job", "a", {{"n", 2}}, 1'000}));
  ASSERT_TRUE(ledger_->remember({"job", "b", {{"n", 3}}, 50}));
  EXPECT_EQ(ledger_->all_remembered("job", 10)->size(), 2u);
  ASSERT_TRUE(ledger_->forget_expired(50));
  const auto left = *ledger_->all_remembered("job", 10);
  ASSERT_EQ(left.size(), 1u);
  EXPECT_EQ(left[0].value.at("n"), 2);
  ASSERT_TRUE(ledger_->forget("job", "a"));
  EXPECT_TRUE(ledger_->all_remembered("job", 0)->empty());
}

TEST_P(LedgerTest, ReadsTheLogOfTheStoreBesideIt) {
  EXPECT_EQ(*ledger_->newest_event(), 0);
  EXPECT_EQ(*ledger_->oldest_event(), 0);
  const auto beside = store();
  Change change;
  for (const char* type : {"a", "b", "c"}) {
    Event event;
    event.session_id = *type == 'b' ? "other" : "sess1";
    event.type = type;
    change.events.push_back(event);
  }
  ASSERT_TRUE(beside->apply(change, kNow));
  EXPECT_EQ(*ledger_->newest_event(), 3);
  EXPECT_EQ(*ledger_->oldest_event(), 1);
  EXPECT_EQ(ledger_->events_after(1, "", 10)->size(), 2u);
  const auto own = *ledger_->events_after(0, "sess1", 10);
  ASSERT_EQ(own.size(), 2u);
  EXPECT_EQ(own[1].type, "c");
}

TEST_P(LedgerTest, CountsIssuesByStatusAndSeverity) {
  EXPECT_TRUE(ledger_->issue_counts()->empty());
  const auto beside = store();
  std::vector<Issue> issues;
  for (int i = 0; i < 7; ++i) {
    Issue issue;
    issue.repository_id = i < 2 ? "r" : "s";
    issue.fingerprint = "f" + std::to_string(i);
    issue.finding.severity = i < 3 ? Severity::high : Severity::low;
    issues.push_back(issue);
  }
  ASSERT_TRUE(beside->add_issues(issues, kNow));
  std::map<Severity, std::int64_t> counts;
  const auto all = ledger_->issue_counts();
  ASSERT_TRUE(all);
  for (const IssueCount& counted : *all) {
    EXPECT_EQ(counted.status, IssueStatus::open);
    counts[counted.severity] = counted.count;
  }
  EXPECT_EQ(counts, (std::map<Severity, std::int64_t>{{Severity::high, 3}, {Severity::low, 4}}));
}

TEST_P(LedgerTest, GivesSessionsPageByPageNewestFirst) {
  EXPECT_TRUE(ledger_->session_page("", "", 10, {})->sessions.empty());
  EXPECT_FALSE(ledger_->session_page("", "", 0, {})->more);
  const auto beside = store();
  Change change;
  for (int i = 0; i < 9; ++i) {
    change.sessions.push_back(full_session("s" + std::to_string(i)));
    change.sessions.back().repository_id = i % 3 == 0 ? "other" : "repo";
    change.sessions.back().status = i < 2 ? SessionStatus::partial : SessionStatus::passed;
  }
  ASSERT_TRUE(beside->apply(change, kNow));
  const auto pages = [&](const std::string& repository, std::size_t limit) {
    std::vector<std::string> read;
    for (std::string before;;) {
      const SessionPage page = *ledger_->session_page(repository, before, limit, {});
      std::string ids;
      for (const Session& session : page.sessions) ids += session.id;
      read.push_back(ids);
      if (!page.more) return read;
      before = page.sessions.back().id;
    }
  };
  EXPECT_EQ(pages("", 4), (std::vector<std::string>{"s8s7s6s5", "s4s3s2s1", "s0"}));
  EXPECT_EQ(pages("", 9), (std::vector<std::string>{"s8s7s6s5s4s3s2s1s0"}));
  EXPECT_EQ(pages("repo", 3), (std::vector<std::string>{"s8s7s5", "s4s2s1"}));
  EXPECT_EQ(pages("nowhere", 3), (std::vector<std::string>{""}));
  EXPECT_EQ(ledger_->session_page("repo", "s3", 9, {})->sessions.front().id, "s2")
      << "a place may be another repository's session";
  EXPECT_TRUE(ledger_->session_page("repo", "", 0, {})->more);
  EXPECT_TRUE(ledger_->session_page("repo", "", 0, {})->sessions.empty());
  for (const std::string nobody : {"s", "s99", "S1", "%", "' or 1=1"}) {
    const auto page = ledger_->session_page("", nobody, 3, {});
    ASSERT_FALSE(page) << nobody;
    EXPECT_EQ(page.error().code, ErrorCode::not_found) << nobody;
  }
  std::map<SessionStatus, std::int64_t> counts;
  const auto counted = ledger_->session_counts();
  ASSERT_TRUE(counted);
  for (const SessionCount& one : *counted) counts[one.status] = one.count;
  EXPECT_EQ(counts,
            (std::map<SessionStatus, std::int64_t>{{SessionStatus::partial, 2}, {SessionStatus::passed, 7}}));
}

TEST_P(LedgerTest, KnowsWhichSessionsHaveNotEndedHoweverOldTheyAre) {
  EXPECT_TRUE(ledger_->unfinished_sessions("repo")->empty());
  Change change;
  const auto add = [&](const std::string& id, const std::string& repository, SessionStatus status) {
    change.sessions.push_back(full_session(id));
    change.sessions.back().repository_id = repository;
    change.sessions.back().status = status;
  };
  add("planned", "repo", SessionStatus::planned);
  add("theirs", "other", SessionStatus::planned);
  add("broken", "repo", SessionStatus::error);
  add("left", "repo", SessionStatus::interrupted);
  add("now", "repo", SessionStatus::running);
  for (int i = 0; i < 150; ++i) add("s" + std::to_string(i), "repo", SessionStatus::passed);
  for (const SessionStatus status :
       {SessionStatus::partial, SessionStatus::failed, SessionStatus::stopped, SessionStatus::cancelled})
    add(std::string(to_string(status)), "repo", status);
  ASSERT_TRUE(store()->apply(change, kNow));
  std::vector<std::string> ids;
  const auto found = ledger_->unfinished_sessions("repo");
  ASSERT_TRUE(found);
  for (const Session& session : *found) ids.push_back(session.id);
  EXPECT_EQ(ids, (std::vector<std::string>{"now", "left", "broken", "planned"}));
}

TEST_P(LedgerTest, GivesIssuesPageByPageEachOnce) {
  const auto beside = store();
  std::vector<Issue> issues;
  for (int i = 0; i < 25; ++i) {
    Issue issue;
    issue.repository_id = "r";
    issue.fingerprint = "f" + std::to_string(i);
    issue.finding.file = i % 5 == 0 ? "web/a.ts" : "src/a.c";
    issue.finding.title = "t";
    issues.push_back(issue);
  }
  ASSERT_TRUE(beside->add_issues(issues, kNow));
  IssueFilter filter;
  filter.repository_id = "r";
  filter.limit = 4;
  std::vector<std::string> codes;
  std::int64_t after = 0;
  do {
    const IssuePage page = *ledger_->issue_page(filter, after);
    EXPECT_LE(page.issues.size(), 4u);
    for (const Issue& issue : page.issues) codes.push_back(issue.fingerprint);
    after = page.next;
  } while (after != 0);
  EXPECT_EQ(codes.size(), 25u);
  EXPECT_EQ(std::set<std::string>(codes.begin(), codes.end()).size(), 25u);
  filter.file_glob = "web/*";
  const IssuePage web = *ledger_->issue_page(filter, 0);
  EXPECT_EQ(web.issues.size(), 4u); // a page is full although others lie between
}

// A list one jumps in asks for any row by its number, in any order; such a page has no place to go on from.
TEST_P(LedgerTest, PagesByOffsetAndOrder) {
  const auto beside = store();
  std::vector<Issue> issues;
  for (int i = 0; i < 9; ++i) {
    Issue issue;
    issue.repository_id = "r";
    issue.fingerprint = "f" + std::to_string(i);
    issue.finding.file = i % 3 == 0 ? "web/a.ts" : "src/a.c";
    issue.finding.rule = i % 2 == 0 ? "null-check" : "leak";
    issue.finding.title = "t";
    issue.finding.severity = i == 5 ? Severity::critical : i == 7 ? Severity::high : Severity::low;
    issues.push_back(issue);
  }
  ASSERT_TRUE(beside->add_issues(issues, kNow));
  const auto shown = [&](IssueOrder order, std::int64_t offset, const std::string& glob) {
    IssueSearch search;
    search.repository_id = "r";
    search.limit = 2;
    search.order = order;
    search.offset = offset;
    search.file_glob = glob;
    const IssuePage page = *ledger_->issue_page(search, 0);
    EXPECT_EQ(page.next, 0);
    std::string text;
    for (const Issue& issue : page.issues) text += issue.fingerprint + " ";
    return text;
  };
  EXPECT_EQ(shown(IssueOrder::found, 7, ""), "f7 f8 ");
  EXPECT_EQ(shown(IssueOrder::found, 8, ""), "f8 ");
  EXPECT_EQ(shown(IssueOrder::found, 9, ""), "");
  EXPECT_EQ(shown(IssueOrder::worst, 0, ""), "f5 f7 ");
  EXPECT_EQ(shown(IssueOrder::worst, 1, ""), "f7 f0 ");
  EXPECT_EQ(shown(IssueOrder::newest, 0, ""), "f8 f7 ");
  EXPECT_EQ(shown(IssueOrder::file, 6, ""), "f0 f3 ");
  EXPECT_EQ(shown(IssueOrder::rule, 3, ""), "f7 f0 ");
  EXPECT_EQ(shown(IssueOrder::found, 1, "web/*"), "f3 f6 ");
  // Few are sorted, whatever makes them few: the order is the same.
  IssueSearch few;
  few.repository_id = "r";
  few.order = IssueOrder::worst;
  few.limit = 3;
  few.statuses = {IssueStatus::open};
  few.rules = {"leak"};
  const IssuePage page = *ledger_->issue_page(few, 0);
  ASSERT_EQ(page.issues.size(), 3u);
  EXPECT_EQ(page.issues[0].fingerprint + page.issues[1].fingerprint + page.issues[2].fingerprint, "f5f7f1");
}

} // namespace
} // namespace emend::testing_support
