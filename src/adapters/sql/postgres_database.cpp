#include "adapters/sql/postgres_database.hpp"

#include <poll.h>

#include <charconv>
#include <cstdlib>
#include <cstring>

#include "adapters/sql/libpq.hpp"
#include "adapters/sql/postgres_error.hpp"
#include "adapters/sql/storable_text.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr int kOldestServer = 130000;
constexpr Oid kBoolean = 16;

// A name for "whoever writes", apart from locks of other programs in the same database; other schemas have
// writers of their own.
constexpr int kStandstillMs = 10'000;
constexpr const char* kWriterLock = "select pg_advisory_xact_lock(1701669486, hashtext(current_schema()))";

bool is_done(const pg_result* answer) {
  const ExecStatusType status = PQresultStatus(answer);
  return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK || status == PGRES_EMPTY_QUERY;
}

bool is_write(std::string_view sql) {
  const std::string word = to_lower(trim(sql).substr(0, 6));
  return word == "insert" || word == "update" || word == "delete";
}

class PostgresStatement final : public Statement {
public:
  PostgresStatement(PostgresDatabase& database, std::string name, std::string sql)
      : database_(database), name_(std::move(name)), sql_(std::move(sql)) {}

  Status bind(int number, const Value& value) override {
    const auto at = static_cast<std::size_t>(number);
    if (parameters_.size() < at) parameters_.resize(at);
    if (const auto* integer = std::get_if<std::int64_t>(&value))
      parameters_[at - 1] = std::to_string(*integer);
    else if (const auto* text = std::get_if<std::string>(&value))
      parameters_[at - 1] = storable_text(*text);
    else
      parameters_[at - 1].reset();
    return {};
  }

  Result<bool> step() override {
    if (!answer_) {
      TRY_ASSIGN(answer_, database_.run_prepared(name_, sql_, parameters_, generation_));
      row_ = -1;
    }
    return ++row_ < PQntuples(answer_.get());
  }

  void reset() override {
    answer_.reset();
    parameters_.clear();
  }

  std::int64_t integer(int column) const override {
    const std::string_view text = value(column);
    if (PQftype(answer_.get(), column) == kBoolean) return text == "t" ? 1 : 0;
    std::int64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
  }

  std::string text(int column) const override { return text_as_it_was(value(column)); }

private:
  [[nodiscard]] std::string_view value(int column) const { // null has length 0
    return {PQgetvalue(answer_.get(), row_, column),
            static_cast<std::size_t>(PQgetlength(answer_.get(), row_, column))};
  }

  PostgresDatabase& database_; // outlives its statements
  std::string name_, sql_;
  int generation_ = 0;
  PostgresParameters parameters_;
  PostgresAnswer answer_;
  int row_ = -1;
};

// What the address, the environment or a service file says comes after these and wins; our client encoding
// comes last.
pg_conn* connect_to(const std::string& address) {
  std::vector<const char*> words, values;
  const auto add = [&](const char* word, const char* value) {
    words.push_back(word);
    values.push_back(value);
  };
  if (std::getenv("PGCONNECT_TIMEOUT") == nullptr) add("connect_timeout", "10");
  // A server that is gone without a word is noticed in a minute.
  add("keepalives_idle", "20");
  add("keepalives_interval", "10");
  add("keepalives_count", "3");
  add("tcp_user_timeout", "60000");
  add("fallback_application_name", "emend");
  add("dbname", address.c_str());
  add("client_encoding", "UTF8");
  add(nullptr, nullptr);
  return PQconnectdbParams(words.data(), values.data(), 1);
}

} // namespace

void PostgresClose::operator()(pg_conn* connection) const { PQfinish(connection); }
void PostgresClose::operator()(pg_result* answer) const { PQclear(answer); }

Result<std::unique_ptr<PostgresDatabase>> PostgresDatabase::open(const std::string& address,
                                                                 int busy_timeout_ms) {
  TRY_ASSIGN(PostgresAddress parsed, PostgresAddress::parse(address));
  std::unique_ptr<PostgresDatabase> database(new PostgresDatabase(std::move(parsed), busy_timeout_ms));
  TRY(database->connect());
  return database;
}

PostgresDatabase::~PostgresDatabase() = default;

Status PostgresDatabase::connect() {
  connection_.reset();
  connection_.reset(connect_to(address_.text));
  if (PQstatus(connection_.get()) != CONNECTION_OK) {
    const Error error = postgres_connection_error(connection_.get(), location());
    connection_.reset();
    return fail(error);
  }
  PQsetNoticeProcessor(
      connection_.get(), [](void*, const char*) {}, nullptr);
  ++generation_;
  const Status ready = set_up();
  if (!ready) connection_.reset();
  return ready;
}

// Limits somebody has set for this user or database are left alone. A process that stands still in the middle
// of a transaction is cut off after a while: it holds the lock all writers wait for, so they wait longer than
// that.
Status PostgresDatabase::set_up() {
  if (PQserverVersion(connection_.get()) < kOldestServer)
    return fail(ErrorCode::database, "the server of " + location() + " is too old",
                "use PostgreSQL 13 or newer");
  TRY(execute("set lock_timeout = " + std::to_string(busy_timeout_ms_ + kStandstillMs) +
              "; select set_config('statement_timeout', '300s', false) where "
              "current_setting('statement_timeout') = '0'"
              "; select set_config('idle_in_transaction_session_timeout', '" +
              std::to_string(kStandstillMs) +
              "', false) "
              "where current_setting('idle_in_transaction_session_timeout') = '0'"
              "; select set_config('synchronous_commit', 'on', false) where "
              "current_setting('synchronous_commit') = 'off'"));
  const PostgresAnswer facts =
      send("select quote_ident(current_schema()), current_setting('server_encoding')");
  if (!is_done(facts.get())) return fail(error_of(facts.get()));
  schema_ = PQgetvalue(facts.get(), 0, 0);
  if (schema_.empty())
    return fail(ErrorCode::database, "the database " + location() + " has no schema for emend's tables",
                "create the first schema of the user's search_path");
  const std::string encoding = PQgetvalue(facts.get(), 0, 1);
  if (encoding != "UTF8")
    return fail(ErrorCode::database,
                "the database " + location() + " is encoded as " + encoding + ", not as UTF8",
                "create one that is: createdb --encoding=UTF8 --template=template0 NAME");
  return {};
}

Status PostgresDatabase::ensure_connected() {
  if (connection_ && PQstatus(connection_.get()) == CONNECTION_OK) return {};
  if (in_transaction_) return fail(postgres_connection_lost(location(), false));
  return connect();
}

bool PostgresDatabase::is_lost(const pg_result* answer) const {
  return !connection_ || PQstatus(connection_.get()) != CONNECTION_OK || ends_connection(answer);
}

Error PostgresDatabase::error_of(const pg_result* answer) const {
  return is_lost(answer) ? postgres_connection_lost(location(), false) : postgres_error(answer, location());
}

PostgresAnswer PostgresDatabase::send(const std::string& script) {
  return PostgresAnswer(PQexec(connection_.get(), script.c_str()));
}

Result<Statement*> PostgresDatabase::prepare(const std::string& sql) {
  auto& known = statements_[sql];
  if (!known)
    known = std::make_unique<PostgresStatement>(*this, "s" + std::to_string(statements_.size()), sql);
  return known.get();
}

// A connection that was lost while nothing was under way is made again, once: reading twice harms nobody.
Result<PostgresAnswer> PostgresDatabase::run_prepared(const std::string& name, const std::string& sql,
                                                      const PostgresParameters& parameters, int& generation) {
  if (!in_transaction_ && is_write(sql) && !others_write_)
    return write_alone(name, sql, parameters, generation);
  std::vector<const char*> values;
  for (const auto& parameter : parameters) values.push_back(parameter ? parameter->c_str() : nullptr);
  for (bool again = !in_transaction_ && !is_write(sql);; again = false) {
    TRY(ensure_connected());
    PostgresAnswer answer;
    if (generation != generation_)
      answer.reset(PQprepare(connection_.get(), name.c_str(), sql.c_str(), 0, nullptr));
    if (!answer || is_done(answer.get())) {
      generation = generation_;
      answer.reset(PQexecPrepared(connection_.get(), name.c_str(), static_cast<int>(values.size()),
                                  values.data(), nullptr, nullptr, 0));
    }
    if (is_done(answer.get())) return answer;
    const Error error = error_of(answer.get());
    if (!is_lost(answer.get())) return fail(error);
    connection_.reset();
    if (!again) return fail(error);
  }
}

Result<PostgresAnswer> PostgresDatabase::write_alone(const std::string& name, const std::string& sql,
                                                     const PostgresParameters& parameters, int& generation) {
  TRY_ASSIGN(Transaction transaction, Transaction::begin(*this));
  TRY_ASSIGN(PostgresAnswer answer, run_prepared(name, sql, parameters, generation));
  TRY(transaction.commit());
  return answer;
}

Status PostgresDatabase::execute(const std::string& script) {
  TRY(ensure_connected());
  const PostgresAnswer answer = send(script);
  if (!is_done(answer.get())) return fail(error_of(answer.get()));
  return {};
}

// Takes effect with the next transaction; no write is outside of one.
Status PostgresDatabase::set_durable(bool durable) {
  durable_ = durable;
  return {};
}

Status PostgresDatabase::begin() {
  if (in_transaction_) return fail(ErrorCode::internal, "a transaction in a transaction");
  const std::string script = std::string("begin; ") +
                             (durable_ ? "" : "set local synchronous_commit = off; ") +
                             (others_write_ ? "" : kWriterLock);
  for (bool again = true;; again = false) {
    TRY(ensure_connected());
    const PostgresAnswer answer = send(script);
    in_transaction_ = is_done(answer.get());
    if (in_transaction_) return {};
    const Error error = error_of(answer.get());
    if (!is_lost(answer.get())) {
      rollback();
      return fail(error);
    }
    connection_.reset();
    if (!again) return fail(error);
  }
}

// A transaction in which something failed is rolled back by "commit", and not called an error.
Status PostgresDatabase::commit() {
  if (!connection_) return fail(postgres_connection_lost(location(), false));
  const PostgresAnswer answer = send("commit");
  if (is_done(answer.get()) && std::strcmp(PQcmdStatus(answer.get()), "COMMIT") == 0) {
    in_transaction_ = false;
    return {};
  }
  if (is_lost(answer.get())) return fail(postgres_connection_lost(location(), true));
  if (!is_done(answer.get())) return fail(error_of(answer.get()));
  return fail(ErrorCode::database,
              "the database " + location() + " did not store the change: a part of it had failed",
              "try again");
}

void PostgresDatabase::rollback() noexcept {
  in_transaction_ = false;
  if (connection_ && PQtransactionStatus(connection_.get()) != PQTRANS_IDLE)
    PQclear(PQexec(connection_.get(), "rollback"));
}

Result<std::vector<std::string>> PostgresDatabase::tables() {
  return select(*this,
                "select cast(relname as text) from pg_class where relkind in ('r', 'p') and relnamespace = "
                "(select oid from pg_namespace "
                "where nspname = current_schema()) and not exists (select 1 from pg_depend where objid = "
                "pg_class.oid and deptype = 'e') order by 1",
                {}, [](RowReader& row) { return row.text(); });
}

// Whatever the order of the database's language is: two databases must agree on it.
std::string PostgresDatabase::declared(const std::string& sql) const {
  std::string declared =
      replace_all(sql, "{numbering}", "bigint generated by default as identity primary key");
  for (const std::string after : {" not null", " references", " primary key", ","})
    declared = replace_all(declared, " text" + after, " text collate \"C\"" + after);
  return declared;
}

std::string PostgresDatabase::ruled(const std::vector<Rule>& rules) const {
  return rules_sql(rules, SqlDialect::postgresql, schema_);
}

std::string_view PostgresDatabase::elsewhere() const {
  return "give emend a separate database with EMEND_DATABASE; nothing was changed";
}

bool PostgresDatabase::came_in_without_password() const {
  return connection_ && PQconnectionUsedPassword(connection_.get()) == 0;
}

Status PostgresDatabase::ring(const std::string& channel) {
  TRY_ASSIGN(const auto rung, select(*this, "select pg_notify($1, '') is null", {channel},
                                     [](RowReader& row) { return row.text(); }));
  return {};
}

Status PostgresDatabase::listen(const std::string& channel) { return execute("listen " + channel); }

// Nothing is sent: a connection that is gone shows in what the socket says.
Result<bool> PostgresDatabase::wait_for_ring(std::int64_t timeout_ms) {
  TRY(ensure_connected());
  const auto heard = [&] {
    bool any = false;
    while (PGnotify* note = PQnotifies(connection_.get())) {
      PQfreemem(note);
      any = true;
    }
    return any;
  };
  if (heard()) return true;
  pollfd waiting{PQsocket(connection_.get()), POLLIN, 0};
  if (::poll(&waiting, 1, static_cast<int>(timeout_ms)) <= 0) return false;
  if (PQconsumeInput(connection_.get()) == 1) return heard();
  const Error error = error_of(nullptr);
  connection_.reset();
  return fail(error);
}

} // namespace emend
