// What opening a PostgreSQL database says when it cannot: which database, what to do, and never the password.
#include "adapters/sql/database_address.hpp"
#include "adapters/sql/migrations.hpp"
#include "base/strings.hpp"
#include "tests/contract/store/postgres_database.hpp"

namespace emend::testing_support {

namespace {

void expect_error(const Error& error, ErrorCode code, const std::string& message, const std::string& remedy) {
  EXPECT_EQ(error.code, code) << error.message;
  EXPECT_TRUE(contains(error.message, message)) << error.message;
  EXPECT_TRUE(contains(error.remedy, remedy)) << error.remedy;
  for (const std::string& text : {error.message, error.remedy})
    for (const char* secret : {"s3cret", "wrong", "half"}) EXPECT_FALSE(contains(text, secret)) << text;
}

} // namespace

class PostgresOpening : public PostgresTest {
protected:
  static PostgresServer& server() { return PostgresServer::shared(); }
  [[nodiscard]] std::string name() const {
    return address().substr(address().find("@/") + 2, address().find('?') - address().find("@/") - 2);
  }
};

TEST_F(PostgresOpening, ADatabaseOfAnotherProgramIsLeftAlone) {
  EXPECT_EQ(RawPostgres(address()).run("create table theirs (a int)"), "");
  expect_error(refused(address()), ErrorCode::database, "database of another program", "EMEND_DATABASE");
  EXPECT_EQ(RawPostgres(address()).read("select count(*) from pg_class where relname = 'issues'"),
            std::vector<std::string>{"0"});
}

TEST_F(PostgresOpening, ANewerSchemaIsLeftAlone) {
  (void)open_store();
  EXPECT_EQ(RawPostgres(address()).run("insert into schema_migrations (number, name) values (999, 'later')"),
            "");
  expect_error(refused(address()), ErrorCode::database, "newer emend (schema 999", "use the newer emend");
}

TEST_F(PostgresOpening, KeywordsAreAnAddressToo) {
  const auto store = must_open("host=" + server().socket_directory() + " user=emend dbname=" + name());
  EXPECT_TRUE(store->issues({}).value().empty());
}

TEST_F(PostgresOpening, AWrongOrMissingPasswordIsSaid) {
  expect_error(refused(server().address(name(), "guarded", "wrong")), ErrorCode::database,
               "password authentication failed for user \"guarded\"", "PGPASSWORD");
  expect_error(refused(server().address(name(), "guarded")), ErrorCode::database, "guarded@", "~/.pgpass");
}

TEST_F(PostgresOpening, AUserWhoMayNotCreateTablesIsToldWhoMust) {
  EXPECT_EQ(RawPostgres(address()).run("revoke create on schema public from public"), "");
  expect_error(refused(server().address(name(), "guarded", "s3cret-pass")), ErrorCode::database,
               "permission denied", "owner");
}

TEST_F(PostgresOpening, AServerThatIsNotThereIsSaid) {
  expect_error(refused("postgresql://emend:s3cret@/x?host=/nowhere"), ErrorCode::database,
               "cannot connect to the database postgresql://emend@/x?host=/nowhere",
               "check that the server runs");
}

TEST_F(PostgresOpening, ADatabaseThatIsNotThereIsSaid) {
  expect_error(refused(server().address("nobody_made_it")), ErrorCode::database, "does not exist",
               "createdb");
}

TEST_F(PostgresOpening, AnotherEncodingIsRefused) {
  const std::string latin = server().new_database("encoding 'LATIN1' locale 'C' template template0");
  expect_error(refused(latin), ErrorCode::database, "encoded as LATIN1", "--encoding=UTF8");
}

TEST_F(PostgresOpening, AnAddressThatIsNoneShowsNothingOfItself) {
  for (const char* address :
       {"postgresql://u:half@s3cret@h/db", "postgresql://u:s3cret/half@h/db", "postgresql://u:12/half@h/db",
        "postgresql://u:s3cret@[::1/db", "postgresql://u:s3cret%zz@h/db", "host=h password=s3cret nonsense",
        "postgresql://u:s3cret@h/db?s3cret=1"})
    expect_error(refused(address), ErrorCode::config, "cannot be understood", "percent-encoded");
}

TEST_F(PostgresOpening, AnOlderSchemaIsBroughtUpToDate) {
  {
    auto database = open_database(address(), 5'000);
    ASSERT_TRUE(database) << database.error().message;
    std::vector<Migration> first(schema_migrations().begin(), schema_migrations().begin() + 3);
    ASSERT_TRUE(migrate(**database, first));
  }
  EXPECT_TRUE(open_store()->issues({}).value().empty());
  EXPECT_EQ(RawPostgres(address()).read("select max(number) from schema_migrations"),
            std::vector<std::string>{std::to_string(schema_migrations().back().number)});
}

} // namespace emend::testing_support
