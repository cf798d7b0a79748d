// Opening a database file: new, private, damaged, foreign, newer, locked, full.
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "adapters/sql/migrations.hpp"
#include "adapters/sql/sql_store.hpp"
#include "adapters/sql/sqlite_database.hpp"
#include "base/strings.hpp"
#include "tests/contract/store/records.hpp"
#include "tests/contract/store/sqlite_file.hpp"

namespace emend::testing_support {

namespace {

unsigned mode_of(const fs::path& path) {
  struct stat info {};
  EXPECT_EQ(::stat(path.c_str(), &info), 0) << path;
  return info.st_mode & 07777;
}

std::string bytes_of(const std::string& path) { return read_file(path).value(); }

void write_bytes(const std::string& path, const std::string& bytes) { ASSERT_TRUE(write_file(path, bytes)); }

void expect_refused(const Error& error, const std::string& words) {
  EXPECT_EQ(error.code, ErrorCode::database);
  EXPECT_TRUE(contains(error.message, words)) << error.message;
  EXPECT_NE(error.remedy, "") << error.message;
}

std::string newest() { return std::to_string(schema_migrations().back().number); }

std::vector<Migration> with_next_step(const std::string& sql) {
  std::vector<Migration> steps = schema_migrations();
  steps.push_back({steps.back().number + 1, "next", sql, {}, ""});
  return steps;
}

} // namespace

using SqliteOpening = SqliteFile;

TEST_F(SqliteOpening, NewFilesArePrivate) {
  const fs::path deep = directory() / "a" / "b" / "emend.db";
  auto store = open_sql_store(deep.string());
  ASSERT_TRUE(store) << store.error().message;
  (void)fill(**store, false);
  EXPECT_EQ(mode_of(deep), 0600U);
  EXPECT_EQ(mode_of(deep.string() + "-wal"), 0600U);
  EXPECT_EQ(mode_of(deep.string() + "-shm"), 0600U);
  EXPECT_EQ(mode_of(deep.parent_path()), 0700U);
  EXPECT_EQ(mode_of(deep.parent_path().parent_path()), 0700U);
}

TEST_F(SqliteOpening, FileOpenToOthersIsMadePrivate) {
  ASSERT_TRUE(open_store());
  ASSERT_EQ(::chmod(path().c_str(), 0644), 0);
  ASSERT_TRUE(open_store());
  EXPECT_EQ(mode_of(path()), 0600U);
}

TEST_F(SqliteOpening, WritesAreDurableAndChecked) {
  auto database = SqliteDatabase::open(path(), 100).value();
  const auto setting = [&](const std::string& name) {
    return select(*database, "pragma " + name, {}, [](RowReader& row) { return row.text(); }).value().at(0);
  };
  EXPECT_EQ(setting("journal_mode"), "wal");
  EXPECT_EQ(setting("synchronous"), "2"); // FULL
  EXPECT_EQ(setting("foreign_keys"), "1");
}

TEST_F(SqliteOpening, ReopenedStoreHasEverything) {
  const std::string id = fill(*open_store(), true);
  auto store = open_store();
  EXPECT_EQ(store->issue("repo", "BE-001").value().id, id);
  EXPECT_EQ(store->issue("repo", id).value().status, IssueStatus::resolved);
  EXPECT_EQ(everything(store->session("sess1").value()), everything(full_session("sess1")));
  EXPECT_EQ(store->events_after(0, "sess1", 0).value().size(), 2U);
}

TEST_F(SqliteOpening, EmptyFileIsANewDatabase) { // what a crash right after creating it leaves
  write_bytes(path(), "");
  EXPECT_TRUE(open_store());
}

TEST_F(SqliteOpening, EmptiedFileWithALogIsRefused) {
  write_bytes(path(), "");
  write_bytes(path() + "-wal", std::string(5000, 'x'));
  expect_refused(refused(), "damaged");
  EXPECT_EQ(bytes_of(path() + "-wal"), std::string(5000, 'x'));
}

TEST_F(SqliteOpening, OtherFilesAreRefusedAndLeftAlone) {
  for (const std::string& bytes :
       {std::string("hello, this is my diary\n"), std::string(8192, 'x'), std::string(8192, '\0')}) {
    write_bytes(path(), bytes);
    expect_refused(refused(), bytes[0] == '\0' ? "" : "not a database");
    EXPECT_EQ(bytes_of(path()), bytes);
  }
}

TEST_F(SqliteOpening, DatabaseOfAnotherProgramIsRefusedAndLeftAlone) {
  EXPECT_EQ(RawDatabase(path()).run("create table recipes (name text); insert into recipes values ('soup')"),
            "");
  expect_refused(refused(), "another program");
  EXPECT_EQ(RawDatabase(path()).read("select name from recipes"), std::vector<std::string>{"soup"});
  EXPECT_EQ(RawDatabase(path()).read("select name from sqlite_master"), std::vector<std::string>{"recipes"});
}

TEST_F(SqliteOpening, TruncatedFileIsRefusedAndLeftAlone) {
  (void)fill(*open_store(), true);
  const std::string whole = bytes_of(path());
  const std::vector<std::size_t> sizes = {whole.size() - 1, whole.size() / 2, 4096, 512, 100, 20};
  for (const std::size_t keep : sizes) {
    const std::string cut = whole.substr(0, keep);
    write_bytes(path(), cut);
    expect_refused(refused(), "");
    EXPECT_EQ(bytes_of(path()), cut) << keep;
  }
}

TEST_F(SqliteOpening, OverwrittenPageIsRefusedAndLeftAlone) {
  (void)fill(*open_store(), true);
  const std::string whole = bytes_of(path());
  int refusals = 0;
  for (std::size_t page = 0; page < whole.size() / 4096; ++page) {
    std::string damaged = whole;
    damaged.replace(page * 4096, 4096, 4096, static_cast<char>(0xA5));
    write_bytes(path(), damaged);
    const auto opened = open_sql_store(path(), 100);
    ASSERT_FALSE(opened) << "page " << page;
    expect_refused(opened.error(), "");
    EXPECT_EQ(bytes_of(path()), damaged);
    ++refusals;
  }
  EXPECT_GT(refusals, 5);
}

TEST_F(SqliteOpening, DirectoryInPlaceOfTheFileIsRefused) {
  ASSERT_TRUE(make_directories(path()));
  expect_refused(refused(), "not a regular file");
}

TEST_F(SqliteOpening, NewerSchemaIsRefusedAndLeftAlone) {
  (void)fill(*open_store(), true);
  EXPECT_EQ(
      RawDatabase(path()).run("insert into schema_migrations (number, name) values (99, 'from the future')"),
      "");
  const std::string before = bytes_of(path());
  expect_refused(refused(), "newer emend");
  EXPECT_EQ(bytes_of(path()), before);
}

TEST_F(SqliteOpening, NewerStepsThatDisturbNobodyAreWorkedWith) {
  (void)fill(*open_store(), true);
  const std::string add = "insert into schema_migrations (number, name, oldest) values ";
  EXPECT_EQ(RawDatabase(path()).run(add + "(98, 'only adds', " + newest() + ")"), "");
  EXPECT_TRUE(open_sql_store(path(), 100)) << "a server and a worker one version apart work together";
  EXPECT_EQ(RawDatabase(path()).run(add + "(99, 'needs the one before', 98)"), "");
  expect_refused(refused(), "newer emend");
}

TEST_F(SqliteOpening, MigrationKeepsABackup) {
  const std::string id = fill(*open_store(), true);
  auto database = SqliteDatabase::open(path(), 100).value();
  const auto done = migrate(*database, with_next_step("create table extra (x text)"));
  ASSERT_TRUE(done) << done.error().message;
  database.reset();
  EXPECT_EQ(RawDatabase(path()).read("select max(number) from schema_migrations"),
            std::vector<std::string>{std::to_string(schema_migrations().back().number + 1)});
  EXPECT_EQ(RawDatabase(path()).read("select count(*) from extra"), std::vector<std::string>{"0"});

  const std::string backup = path() + ".schema-" + newest() + ".bak";
  EXPECT_EQ(mode_of(backup), 0600U);
  EXPECT_FALSE(fs::exists(backup + ".part"));
  auto old = open_sql_store(backup);
  ASSERT_TRUE(old) << old.error().message;
  EXPECT_EQ((*old)->issue("repo", id).value().status, IssueStatus::resolved);
  expect_refused(refused(), "newer emend");
}

// A database of the first schema: its issues get a file, keep everything else, and are recognised by rule and
// nearest line.
TEST_F(SqliteOpening, IssuesOfTheFirstSchemaAreRecognised) {
  {
    auto database = SqliteDatabase::open(path(), 100).value();
    ASSERT_TRUE(migrate(*database, {schema_migrations().front()}));
  }
  for (const auto& [n, line] : {std::pair<std::string, std::string>{"1", "10"}, {"2", "50"}}) {
    EXPECT_EQ(RawDatabase(path()).run(
                  "insert into issues (id, repository_id, code, fingerprint, finding, status, reason, "
                  "detail, evidence, "
                  "duplicate_of, commit_sha, last_score, attempts, created_ms, updated_ms) values ('i" +
                  n + "', 'repo', 'BE-00" + n + "', 'old" + n + "', '{\"file\":\"a.c\",\"line\":" + line +
                  ",\"rule\":\"R1\",\"severity\":\"high\"}', 'OPEN', '', '', '', '', '', -1, 0, 1, 1)"),
              "");
  }
  EXPECT_EQ(RawDatabase(path()).run("insert into code_counters values ('repo', 'BE', 2)"), "");
  auto store = open_store();
  ASSERT_TRUE(store);
  EXPECT_EQ(RawDatabase(path()).read("select rule || ' ' || severity || ' ' || replace(search_text, "
                                     "char(10), '|') from issues order by n"),
            (std::vector<std::string>{"R1 high |a.c|be-001|r1", "R1 high |a.c|be-002|r1"}))
      << "they can be searched";
  Issue seen;
  seen.repository_id = "repo";
  seen.fingerprint = "new";
  seen.content_fingerprint = "content";
  seen.line_key = "line";
  seen.finding.file = "a.c";
  seen.finding.line = 47;
  seen.finding.rule = "R1";
  auto added = store->add_issues({seen}, 5);
  ASSERT_TRUE(added) << added.error().message;
  EXPECT_EQ(added->front().id, "i2");
  EXPECT_EQ(added->front().trend, IssueTrend::ongoing);
  EXPECT_EQ(store->add_issues({seen}, 6)->front().id, "i2") << "by its fingerprint from now on";
  seen.fingerprint = "another";
  seen.line_key = "another line";
  seen.finding.rule = "R2";
  added = store->add_issues({seen}, 7);
  ASSERT_TRUE(added) << added.error().message;
  EXPECT_EQ(added->front().code, "BE-003") << "another rule is another thing";
}

TEST_F(SqliteOpening, LevelsOfOlderProgramsGetTodaysWords) {
  std::vector<Migration> steps = schema_migrations();
  std::erase_if(steps, [](const Migration& step) { return step.number > 12; });
  ASSERT_EQ(steps.size(), 12U);
  ASSERT_TRUE(migrate(*SqliteDatabase::open(path(), 100).value(), steps));
  int n = 0;
  for (const char* level : {"judged", "verified", "rescanned", "proven", ""}) {
    const std::string number = std::to_string(++n);
    EXPECT_EQ(
        RawDatabase(path()).run(
            "insert into issues (id, repository_id, code, fingerprint, finding, status, reason, detail, "
            "evidence, duplicate_of, commit_sha, last_score, attempts, created_ms, updated_ms) values ('" +
            number + "', 'repo', 'BE-" + number + "', 'f" + number + "', '{}', 'OPEN', '', '', '" + level +
            "', '', '', -1, 0, 1, 1)"),
        "");
  }
  auto store = open_store();
  ASSERT_TRUE(store);
  std::vector<std::string> levels;
  for (const Issue& issue : store->issues({"repo", {}, {}, {}, 0}).value())
    levels.push_back(evidence_text(issue.evidence, issue.marks));
  std::sort(levels.begin(), levels.end());
  EXPECT_EQ(levels, (std::vector<std::string>{"", "judged", "repaired", "unbroken", "unbroken (rescanned)"}));
}

TEST_F(SqliteOpening, FailedMigrationChangesNothing) {
  const std::string id = fill(*open_store(), true);
  {
    auto database = SqliteDatabase::open(path(), 100).value();
    const auto done = migrate(
        *database,
        with_next_step("create table extra (x text); drop table verdicts; create table extra (x text)"));
    ASSERT_FALSE(done);
    EXPECT_TRUE(contains(done.error().message,
                         "schema step " + std::to_string(schema_migrations().back().number + 1)))
        << done.error().message;
  }
  auto store = open_store();
  EXPECT_EQ(store->verdicts("sess1").value().size(), 1U);
  EXPECT_EQ(RawDatabase(path()).read("select max(number) from schema_migrations"),
            std::vector<std::string>{newest()});
}

TEST_F(SqliteOpening, NewDatabaseNeedsNoBackup) {
  ASSERT_TRUE(open_store());
  for (const auto& entry : fs::directory_iterator(directory()))
    EXPECT_NE(entry.path().extension(), ".bak") << entry.path();
}

TEST_F(SqliteOpening, LockedDatabaseIsAClearError) {
  auto store = open_sql_store(path(), 50).value();
  const std::string id = fill(*store, false);
  RawDatabase holder(path());
  ASSERT_EQ(holder.run("begin immediate"), "");
  Change change;
  change.events = {full_event("sess1", "three")};
  const auto locked = store->apply(change, 1);
  ASSERT_FALSE(locked);
  expect_refused(locked.error(), "locked");
  expect_refused(put_intent(*store, {.id = "i", .session_id = "sess1", .kind = "publish", .data = 1}).error(),
                 "locked");
  EXPECT_TRUE(store->issue("repo", id)) << "reading goes on";
  EXPECT_TRUE(open_sql_store(path(), 50)) << "and so does opening";
  ASSERT_EQ(holder.run("rollback"), "");
  EXPECT_TRUE(store->apply(change, 1)) << "nothing is left of the refusal";
  EXPECT_EQ(store->events_after(0, "sess1", 0).value().size(), 3U);
}

TEST_F(SqliteOpening, FullDiskIsAClearErrorAndLosesNothing) {
  auto database = SqliteDatabase::open(path(), 100).value();
  ASSERT_TRUE(database->execute(
      "create table notes (body text); insert into notes values ('kept'); pragma max_page_count = 10"));
  Error error;
  {
    auto transaction = Transaction::begin(*database).value();
    const auto full = run(*database, "insert into notes values ($1)", {std::string(1'000'000, 'x')});
    ASSERT_FALSE(full);
    error = full.error();
  }
  expect_refused(error, "no space left");
  EXPECT_EQ(
      select(*database, "select body from notes", {}, [](RowReader& row) { return row.text(); }).value(),
      std::vector<std::string>{"kept"});
  ASSERT_TRUE(database->execute("pragma max_page_count = 10000"));
  auto transaction = Transaction::begin(*database);
  ASSERT_TRUE(transaction) << transaction.error().message;
  EXPECT_TRUE(run(*database, "insert into notes values ($1)", {std::string(1'000'000, 'x')}));
  EXPECT_TRUE(transaction->commit());
}

// In a child without root's powers, which no permission stops.
class SqliteWithoutPowers : public SqliteFile {
protected:
  // 0 = opened; 1 = refused as it should be; else something odd.
  int open_as_nobody(const std::string& file) const {
    const pid_t child = ::fork();
    if (child == 0) {
      if (::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) ::_exit(9);
      const auto opened = open_sql_store(file, 100);
      if (opened) ::_exit(0);
      ::_exit(opened.error().code == ErrorCode::database && !opened.error().remedy.empty() ? 1 : 2);
    }
    int status = 0;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
};

TEST_F(SqliteWithoutPowers, ReadOnlyDirectoryIsAClearError) {
  const fs::path closed = directory() / "closed";
  ASSERT_TRUE(make_directories(closed));
  ASSERT_EQ(::chmod(directory().c_str(), 0755), 0);
  ASSERT_EQ(::chmod(closed.c_str(), 0555), 0);
  EXPECT_EQ(open_as_nobody((closed / "emend.db").string()), 1) << "new file";
  EXPECT_EQ(open_as_nobody((closed / "sub" / "emend.db").string()), 1) << "new directory";
  ASSERT_EQ(::chmod(closed.c_str(), 0700), 0);
}

TEST_F(SqliteWithoutPowers, ReadOnlyFileOrDirectoryOfAnExistingDatabaseIsAClearError) {
  (void)fill(*open_store(), true);
  ASSERT_EQ(::chmod(path().c_str(), 0444), 0);
  ASSERT_EQ(::chmod(directory().c_str(), 0777), 0);
  if (::geteuid() == 0) { // an owner may make it writable again
    EXPECT_EQ(open_as_nobody(path()), 1) << "read-only file of somebody else";
  }
  ASSERT_EQ(::chmod(path().c_str(), 0666), 0);
  ASSERT_EQ(::chmod(directory().c_str(), 0555), 0);
  EXPECT_EQ(open_as_nobody(path()), 1) << "no place for the log";
  ASSERT_EQ(::chmod(directory().c_str(), 0700), 0);
}

} // namespace emend::testing_support
