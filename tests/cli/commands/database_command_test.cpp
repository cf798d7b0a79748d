// emend db, and everything else with the state in PostgreSQL.
#include "tests/cli/commands/cli_fixture.hpp"
#include "tests/support/postgres_server.hpp"

namespace emend {

namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using testing_support::PostgresServer;

constexpr const char* kPassword = "s3cret-pass";

} // namespace

class DatabaseCommand : public CliFixture {};

TEST_F(DatabaseCommand, StatusSaysWhatAndWhere) {
  const auto shown = emend({"db", "status"});
  EXPECT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_THAT(shown.out, AllOf(HasSubstr((base_ / "state" / "emend.db").string()), HasSubstr("SQLite 3."),
                               HasSubstr("schema ")));
  const Json data = data_of(emend({"db", "status", "--json"}), "emend.db_status/v1");
  EXPECT_EQ(data.at("schema"), data.at("known_schema"));
  EXPECT_EQ(data.at("tables").at("issues"), 0);
}

TEST_F(DatabaseCommand, CheckSaysSound) {
  const auto checked = emend({"db", "check"});
  EXPECT_EQ(checked.exit_code, 0) << checked.err;
  EXPECT_THAT(checked.out, HasSubstr("sound: "));
}

TEST_F(DatabaseCommand, CopyFromNothingMakesNothing) {
  const auto refused =
      emend({"db", "copy", "--from", (base_ / "none.db").string(), "--to", (base_ / "new.db").string()});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("there is no database"));
  EXPECT_FALSE(fs::exists(base_ / "new.db"));
}

class PostgresCommand : public CliFixture {
protected:
  void SetUp() override {
    EMEND_NEEDS_POSTGRES();
    CliFixture::SetUp();
    PostgresServer& server = PostgresServer::shared();
    const std::string made = server.new_database("owner guarded");
    name_ = made.substr(made.find("@/") + 2, made.find('?') - made.find("@/") - 2);
    environment_ = {"EMEND_DATABASE=" + address()};
  }
  [[nodiscard]] std::string address(const std::string& password = kPassword) const {
    return PostgresServer::shared().address(name_, "guarded", password);
  }
  std::string name_;
};

TEST_F(PostgresCommand, AWholeSessionEndsResolvedAndMovesToAFile) {
  configure(kGoodFix, kGoodVerdict);
  ASSERT_TRUE(write_file(base_ / "findings.json", kFindings));
  const auto fixed = emend({"fix", "--findings", (base_ / "findings.json").string(), "--json"});
  EXPECT_EQ(fixed.exit_code, 0) << fixed.out << fixed.err;
  EXPECT_FALSE(fs::exists(base_ / "state" / "emend.db")) << "nothing goes into a file beside it";
  EXPECT_THAT(emend({"issues", "list"}).out, HasSubstr("RESOLVED"));
  const auto proved = emend({"prove", "BE-001"});
  EXPECT_EQ(proved.exit_code, 0) << proved.out << proved.err;
  EXPECT_EQ(emend({"db", "check"}).exit_code, 0);

  const std::string file = (base_ / "moved.db").string();
  const auto copied = emend({"db", "copy", "--from", address(), "--to", file});
  EXPECT_EQ(copied.exit_code, 0) << copied.err;
  EXPECT_THAT(copied.out + copied.err,
              AllOf(HasSubstr("both contain the same rows"), Not(HasSubstr(kPassword))));
  environment_ = {"EMEND_DATABASE=" + file};
  EXPECT_THAT(emend({"issues", "list"}).out, HasSubstr("RESOLVED"));
  EXPECT_EQ(emend({"prove", "BE-001"}).exit_code, 0) << "the proof holds in the copy";
  environment_ = {"EMEND_DATABASE=" + address()};
  const auto again = emend({"db", "copy", "--from", file, "--to", address()});
  EXPECT_EQ(again.exit_code, 3) << again.out << again.err;
  EXPECT_THAT(again.err, HasSubstr("is not empty"));
}

TEST_F(PostgresCommand, NothingShowsThePassword) {
  for (const std::vector<std::string>& words : {std::vector<std::string>{"db", "status"},
                                                {"db", "status", "--json"},
                                                {"doctor", "--offline"},
                                                {"doctor", "--offline", "--json"},
                                                {"config", "show"}}) {
    const auto shown = emend(words);
    EXPECT_THAT(shown.out + shown.err, Not(HasSubstr(kPassword))) << words.front();
  }
  EXPECT_THAT(emend({"doctor", "--offline"}).out, HasSubstr("PostgreSQL "));
}

TEST_F(PostgresCommand, WhatIsWrongWithTheAddressIsSaidWithoutThePassword) {
  struct Case {
    std::string address, words;
    int exit_code;
  };
  const std::vector<Case> cases = {{address("wrong-pass"), "password authentication failed", 3},
                                   {"postgresql://guarded:wrong-pass@/x?host=/nowhere", "cannot connect", 3},
                                   {"postgresql://guarded:wrong-pass@there@h/x", "cannot be understood", 2}};
  for (const Case& one : cases) {
    environment_ = {"EMEND_DATABASE=" + one.address};
    const auto refused = emend({"issues", "list"});
    EXPECT_EQ(refused.exit_code, one.exit_code) << refused.err;
    EXPECT_THAT(refused.err,
                AllOf(HasSubstr(one.words), Not(HasSubstr("wrong-pass")), Not(HasSubstr("there"))));
  }
}

} // namespace emend
