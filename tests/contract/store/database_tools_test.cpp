// Looking at a database, checking it, and moving it between SQLite and PostgreSQL with nothing lost.
#include <set>

#include "adapters/sql/database_address.hpp"
#include "adapters/sql/migrations.hpp"
#include "adapters/sql/sql_ledger.hpp"
#include "adapters/sql/sql_store.hpp"
#include "adapters/sql/sql_tools.hpp"
#include "adapters/sql/storable_text.hpp"
#include "base/strings.hpp"
#include "tests/contract/store/filled_store.hpp"
#include "tests/contract/store/records.hpp"
#include "tests/contract/store/sqlite_file.hpp"
#include "tests/support/postgres_server.hpp"

namespace emend::testing_support {

namespace {

const std::string kOddBytes("a\0b\xff\xc3( \xf4\x8f\xbc\x80 \xef\xbf\xbd \xed\xa0\x80 end\0", 24);

Status nobody_runs(const std::vector<Session>&) { return {}; }

} // namespace

TEST(StorableText, EveryTextComesBackAndNoTwoBecomeOne) {
  std::vector<std::string> texts = {
      "",         "plain",        "é 漢 😀",           kOddBytes,          std::string(1, '\0'),
      "\xf4\x8f", "\xf4\x8f\xbc", "\xf4\x8f\xbc\x80", "\xf4\x8f\xbb\xbf", "\xff\xfe"};
  for (int byte = 0; byte < 256; ++byte) texts.push_back(std::string("x") + static_cast<char>(byte) + "y");
  std::set<std::string> stored;
  for (const std::string& text : texts) {
    const std::string held = storable_text(text);
    EXPECT_TRUE(is_valid_utf8(held)) << to_hex(text);
    EXPECT_EQ(held.find('\0'), std::string::npos);
    EXPECT_EQ(to_hex(text_as_it_was(held)), to_hex(text));
    EXPECT_EQ(to_hex(text_as_it_was(storable_text(held))), to_hex(held)) << "what is stored can be stored";
    stored.insert(held);
  }
  EXPECT_EQ(stored.size(), std::set<std::string>(texts.begin(), texts.end()).size());
  EXPECT_EQ(storable_text("é 漢 😀"), "é 漢 😀");
}

class DatabaseToolsTest : public SqliteFile {
protected:
  void SetUp() override {
    SqliteFile::SetUp();
    tools_ = make_sql_tools();
  }
  // Everything a store can hold, with bytes that are no text among it.
  void fill_all(const std::string& address) const {
    auto store = open_sql_store(address).value();
    const std::string id = fill_store(*store, true);
    Issue open;
    open.repository_id = "repo";
    open.fingerprint = "f2";
    open.finding.description = kOddBytes;
    const std::string second = store->add_issues({open}, 1).value().at(0).id;
    Change change;
    change.commits = {full_commit("c1", "sess1")};
    change.agent_runs = {full_agent_run("r1")};
    Clarification question;
    question.issue_id = second;
    question.question_id = "q1";
    question.question = odd_text();
    change.clarifications = {question};
    change.opened_tests = {{"ot1", id, "tests/a.py", "test_a", true, kOddBytes, "ada", 6}};
    FixOutcome outcome;
    outcome.issue_id = id;
    outcome.session_id = "sess1";
    outcome.repository_id = "repo";
    outcome.reason = kOddBytes;
    change.fix_outcomes = {outcome};
    change.comments = {{"com1", id, "sess1", kOddBytes, "a.c", 1, "new", 5}};
    change.events = {full_event("sess1", kOddBytes), full_event("other", "x")};
    ASSERT_TRUE(store->apply(change, 3));
    ASSERT_TRUE(put_intent(
        *store, {.id = "i", .session_id = "sess1", .kind = "publish", .data = odd_text(), .done = false}));
    ASSERT_TRUE(store->add_child({"sess1", 1, 2, "boot"}));
    ASSERT_TRUE(store->cache_run("key", full_command_run("t")));
    Change people;
    people.trusted = {{"path", "sha", 4}};
    people.accounts = {{"a1", "ann", kOddBytes, ActorKind::person, "", "", false, 5}};
    people.tokens = {{"t1", "a1", kOddBytes, "hash", "emend_pat_abcd", 5, 0, 0}};
    people.grants = {{"a1", "*", Role::run}};
    people.audit = {{0, 0, {ActorKind::owner, "", kOddBytes, ""}, "person.added", "", "ann"}};
    ASSERT_TRUE(store->apply(people, 5));
    auto ledger = open_sql_ledger(address).value();
    ASSERT_TRUE(ledger->put_repository({"r", "/root", "name", 1}));
    ASSERT_TRUE(ledger->remember({"job", "k", {{"a", kOddBytes.substr(0, 1)}}, 9'999'999'999'999}));
  }
  [[nodiscard]] std::string second_file() const { return (directory() / "second.db").string(); }
  std::unique_ptr<DatabaseTools> tools_;
};

TEST_F(DatabaseToolsTest, ASnapshotIsWhatWasThereAndNeverTakesTheRoomOfRows) {
  fill_all(path());
  auto store = open_sql_store(path()).value(); // goes on being used
  const auto taken = tools_->snapshot(path(), second_file());
  ASSERT_TRUE(taken) << taken.error().message;
  EXPECT_EQ(taken->schema, schema_migrations().back().number);
  auto copy = open_sql_store(second_file()).value();
  EXPECT_EQ(everything(copy->issue("repo", "BE-001").value()),
            everything(store->issue("repo", "BE-001").value()));
  copy.reset();
  const auto again = tools_->snapshot(path(), second_file());
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::conflict);
  EXPECT_TRUE(tools_->check(second_file())->problems.empty());
}

TEST_F(DatabaseToolsTest, OldEventsGoWithTheirWholeSessionAndNeverWhereAProofIs) {
  fill_all(path());
  auto store = open_sql_store(path()).value();
  Change change;
  Session over = store->session("sess1").value();
  over.id = "sess9";
  over.status = SessionStatus::failed;
  change.sessions = {over};
  change.events = {full_event("sess9", "first"), full_event("sess9", "second")};
  ASSERT_TRUE(store->apply(change, 5));
  const std::int64_t later = over.updated_ms + 1'000'000'000'000;
  const auto told = tools_->expire(path(), later, true);
  ASSERT_TRUE(told) << told.error().message;
  EXPECT_EQ(told->sessions, 1);
  EXPECT_EQ(told->events, 2);
  EXPECT_EQ(store->events_after(0, "sess9", 0)->size(), 2U) << "a dry run removes nothing";
  EXPECT_EQ(tools_->expire(path(), 0, false)->sessions, 0) << "it is not old enough";
  ASSERT_TRUE(tools_->expire(path(), later, false));
  EXPECT_TRUE(store->events_after(0, "sess9", 0)->empty());
  EXPECT_FALSE(store->events_after(0, "sess1", 0)->empty()) << "its proof rests on them";
  EXPECT_TRUE(tools_->compact(path()));
  EXPECT_TRUE(tools_->check(path())->problems.empty());
}

class PostgresTools : public DatabaseToolsTest {
protected:
  void SetUp() override {
    EMEND_NEEDS_POSTGRES();
    DatabaseToolsTest::SetUp();
  }
};

TEST_F(PostgresTools, ASnapshotTakesOneMomentWhileOthersWrite) {
  const std::string server = PostgresServer::shared().new_database();
  fill_all(server);
  auto writer = open_database(server, 5'000).value();
  auto transaction = Transaction::begin(*writer); // whoever writes is not waited for
  ASSERT_TRUE(transaction);
  ASSERT_TRUE(run(*writer, "insert into trust (path, sha256, time_ms) values ('later', 's', 1)", {}));
  const auto taken = tools_->snapshot(server, second_file());
  ASSERT_TRUE(taken) << taken.error().message;
  ASSERT_TRUE(transaction->commit());
  auto file = open_database(second_file(), 5'000).value();
  EXPECT_EQ(run(*file, "select path from trust where path = 'later'", {}).value(), 0);
  EXPECT_TRUE(tools_->check(second_file())->problems.empty());
  const std::string other = PostgresServer::shared().new_database();
  ASSERT_TRUE(tools_->snapshot(second_file(), other));
  EXPECT_TRUE(tools_->check(other)->problems.empty());
  EXPECT_FALSE(tools_->snapshot(second_file(), other)) << "it has rows now";
}

TEST_F(PostgresTools, ACopyThereAndBackIsTheSame) {
  const std::string server = PostgresServer::shared().new_database();
  fill_all(path());
  const auto there = tools_->copy(path(), server, nobody_runs);
  ASSERT_TRUE(there) << there.error().message << " / " << there.error().remedy;
  const auto back = tools_->copy(server, second_file(), nobody_runs);
  ASSERT_TRUE(back) << back.error().message << " / " << back.error().remedy;
  EXPECT_EQ(there->digest, back->digest);
  const std::set<std::string> empty = {"withdrawals", "reproducers", "agent_run_starts",
                                       "shared_jobs", "workers",     "parcels"};
  for (const TableRows& table : there->tables)
    if (table.rows == 0 && !empty.contains(table.table))
      ADD_FAILURE() << table.table << " was copied without a row to show for it";
  EXPECT_EQ(RawPostgres(server).read("select status from issues order by n"),
            (std::vector<std::string>{"RESOLVED", "OPEN"}));

  auto first = open_sql_store(path()).value(), last = open_sql_store(second_file()).value(),
       between = open_sql_store(server).value();
  const std::string id = first->issue("repo", "BE-001").value().id;
  for (Store* store : {last.get(), between.get()}) {
    EXPECT_EQ(everything(store->issue("repo", "BE-001").value()),
              everything(first->issue("repo", "BE-001").value()));
    EXPECT_EQ(store->comments(id, "").value().at(0).text, kOddBytes);
    EXPECT_EQ(store->events_after(0, "", 0).value().at(2).type, kOddBytes);
    const auto rows = store->journal_rows(id, "sess1").value(),
               expected = first->journal_rows(id, "sess1").value();
    ASSERT_EQ(rows.size(), expected.size());
    for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(rows[i].bytes, expected[i].bytes);
  }
  for (const std::string& address : {path(), server, second_file()}) {
    const auto checked = tools_->check(address);
    ASSERT_TRUE(checked) << checked.error().message;
    EXPECT_TRUE(checked->problems.empty()) << checked->problems.front();
    EXPECT_EQ(checked->events, 4);
    EXPECT_EQ(checked->resolved, 1);
  }
}

TEST_F(PostgresTools, NumbersGoOnWhereTheyWereAfterACopy) {
  const std::string server = PostgresServer::shared().new_database();
  fill_all(path());
  EXPECT_EQ(RawDatabase(path()).run("delete from events where seq > 1"), "");
  ASSERT_TRUE(tools_->copy(path(), server, nobody_runs));
  ASSERT_TRUE(tools_->copy(server, second_file(), nobody_runs));
  for (const std::string& address : {server, second_file()}) {
    auto store = open_sql_store(address).value();
    Change change;
    change.events = {full_event("sess1", "next")};
    EXPECT_GT(store->apply(change, 1).value().at(0).seq, 4)
        << "numbers of events that are gone are not given again";
    Issue issue;
    issue.repository_id = "repo";
    issue.finding.file = "a.c";
    issue.fingerprint = "f3";
    EXPECT_EQ(store->add_issues({issue}, 1).value().at(0).code, "BE-003");
  }
}

TEST_F(DatabaseToolsTest, ATargetThatIsNotEmptyIsRefused) {
  fill_all(path());
  fill_all(second_file());
  const auto refused = tools_->copy(path(), second_file(), nobody_runs);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::conflict);
  EXPECT_TRUE(contains(refused.error().message, "is not empty")) << refused.error().message;
}

TEST_F(DatabaseToolsTest, TheSameDatabaseTwiceIsRefused) {
  fill_all(path());
  EXPECT_EQ(tools_->copy(path(), "sqlite:" + path(), nobody_runs).error().code, ErrorCode::usage);
}

TEST_F(DatabaseToolsTest, ARunningSessionIsShownToWhoDecides) {
  {
    auto store = open_store();
    Change change;
    change.sessions = {full_session("sess1")};
    change.sessions[0].status = SessionStatus::running;
    ASSERT_TRUE(store->apply(change, 1));
  }
  std::string seen;
  const auto refused =
      tools_->copy(path(), second_file(), [&](const std::vector<Session>& running) -> Status {
        for (const Session& session : running) seen += session.id;
        return fail(ErrorCode::conflict, "not now");
      });
  EXPECT_EQ(seen, "sess1");
  EXPECT_EQ(refused.error().message, "not now");
  EXPECT_TRUE(open_sql_store(second_file()).value()->sessions("", 0).value().empty());
}

TEST_F(DatabaseToolsTest, ADatabaseThatIsNotThereIsNotMade) {
  const std::string nowhere = (directory() / "none.db").string();
  EXPECT_EQ(tools_->facts(nowhere).error().code, ErrorCode::not_found);
  EXPECT_EQ(tools_->check(nowhere).error().code, ErrorCode::not_found);
  EXPECT_EQ(tools_->copy(nowhere, second_file(), nobody_runs).error().code, ErrorCode::not_found);
  EXPECT_FALSE(fs::exists(nowhere));
}

TEST_F(DatabaseToolsTest, FactsNameTheProgramAndTheSize) {
  fill_all(path());
  const auto facts = tools_->facts(path()).value();
  EXPECT_TRUE(facts.program.starts_with("SQLite 3.")) << facts.program;
  EXPECT_EQ(facts.location, path());
  EXPECT_EQ(facts.schema, facts.known_schema);
  EXPECT_GT(facts.bytes, 10'000);
  EXPECT_EQ(facts.warning, "");
}

TEST_F(PostgresTools, AServerThatAsksForNoPasswordIsWarnedAbout) {
  const std::string server = PostgresServer::shared().new_database();
  const auto facts = tools_->facts(server).value();
  EXPECT_TRUE(facts.program.starts_with("PostgreSQL ")) << facts.program;
  EXPECT_TRUE(contains(facts.warning, "no password")) << facts.warning;
  const std::string name = server.substr(server.find("@/") + 2, server.find('?') - server.find("@/") - 2);
  EXPECT_EQ(tools_->facts(PostgresServer::shared().address(name, "guarded", "s3cret-pass")).value().warning,
            "");
}

TEST_F(DatabaseToolsTest, ACheckFindsWhatWasChanged) {
  fill_all(path());
  RawDatabase raw(path());
  EXPECT_EQ(raw.run("drop trigger events_update; drop trigger issues_resolved_update; update events set type "
                    "= 'other' where seq = 1"),
            "");
  EXPECT_EQ(raw.run("update issues set status = 'RESOLVED' where code = 'BE-002'"), "");
  const auto found = tools_->check(path()).value();
  const std::string all = join(found.problems, "\n");
  for (const char* words : {"rule events_update", "rule issues_resolved_update", "event 1 of session sess1",
                            "BE-002 is RESOLVED without a proof"})
    EXPECT_TRUE(contains(all, words)) << all;
}

TEST_F(PostgresTools, ACheckOfAServerFindsItToo) {
  const std::string server = PostgresServer::shared().new_database();
  fill_all(server);
  RawPostgres raw(server);
  EXPECT_EQ(raw.run("alter table events disable trigger events_update; update events set data = '{\"x\":1}' "
                    "where seq = 2; drop trigger attempts_delete on attempts"),
            "");
  const std::string all = join(tools_->check(server).value().problems, "\n");
  for (const char* words : {"rule events_update", "rule attempts_delete", "event 2 of session sess1"})
    EXPECT_TRUE(contains(all, words)) << all;
}

} // namespace emend::testing_support
