#include "adapters/sql/postgres_database.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>

#include "adapters/sql/libpq.hpp"
#include "adapters/sql/postgres_error.hpp"
#include "adapters/sql/storable_text.hpp"
#include "base/hash.hpp"
#include "base/measures.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr Oid kBoolean = 16;

// A name for "whoever writes", apart from locks of other programs in the same database; other schemas have
// writers of their own.
constexpr const char* kWriterLock = "select pg_advisory_xact_lock(1701669486, hashtext(current_schema()))";
constexpr const char* kWritersLock =
    "select pg_advisory_xact_lock_shared(1701669486, hashtext(current_schema()))";
// Of locks that say: from this number on, events of mine may still come.
constexpr const char* kEventLocks = "hashtext('events of ' || current_schema())";

std::string scope_lock(const std::string& scope) {
  const std::string key =
      std::to_string(static_cast<std::int64_t>(std::stoull(sha256_hex(scope).substr(0, 16), nullptr, 16)));
  return "select pg_advisory_xact_lock(hashtextextended(current_schema(), 1701669486) # (" + key + "))";
}

// Taken before any number is: what is read for the lock can only be too low.
std::string event_lock() {
  return fmt::format(
      "select pg_advisory_xact_lock_shared(({}::bigint << 32) | ((select last_value from "
      "events_seq_seq) & 4294967295))",
      kEventLocks);
}

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
      TRY_ASSIGN(answer_, database_.run_prepared(name_, sql_, parameters_));
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
  PostgresParameters parameters_;
  PostgresAnswer answer_;
  int row_ = -1;
};

} // namespace

Result<std::unique_ptr<PostgresDatabase>> PostgresDatabase::open(const std::string& address,
                                                                 int busy_timeout_ms) {
  TRY_ASSIGN(PostgresAddress parsed, PostgresAddress::parse(address));
  PostgresPool& pool = PostgresPool::of(parsed, busy_timeout_ms);
  std::unique_ptr<PostgresDatabase> database(new PostgresDatabase(std::move(parsed), pool));
  TRY(database->ensure_connected());
  database->let_go();
  return database;
}

PostgresDatabase::~PostgresDatabase() {
  statements_.clear();
  rollback();
  connection_.reset();
  pool_.leave();
}

Status PostgresDatabase::ensure_connected() {
  if (raw() != nullptr && PQstatus(raw()) == CONNECTION_OK) return {};
  if (in_transaction_) return fail(postgres_connection_lost(location(), false));
  connection_.reset();
  TRY_ASSIGN(connection_, pool_.lend());
  return {};
}

void PostgresDatabase::let_go() {
  if (!in_transaction_ && !listening_) pool_.take_back(std::move(connection_));
}

// Where one connection was lost, those that lie about are lost as well.
void PostgresDatabase::lose() {
  connection_.reset();
  listening_ = false;
  pool_.forget_idle();
}

bool PostgresDatabase::is_lost(const pg_result* answer) const {
  return raw() == nullptr || PQstatus(raw()) != CONNECTION_OK || ends_connection(answer);
}

Error PostgresDatabase::error_of(const pg_result* answer) const {
  count(Measure::database_errors, {{"database", "postgresql"}});
  return is_lost(answer) ? postgres_connection_lost(location(), false) : postgres_error(answer, location());
}

PostgresAnswer PostgresDatabase::send(const std::string& script) {
  return PostgresAnswer(PQexec(raw(), script.c_str()));
}

Result<Statement*> PostgresDatabase::prepare(const std::string& sql) {
  auto& known = statements_[sql];
  if (!known) known = std::make_unique<PostgresStatement>(*this, "s" + sha256_hex(sql).substr(0, 24), sql);
  return known.get();
}

// Where a pooler gives each transaction another connection, nothing stays prepared.
PostgresAnswer PostgresDatabase::run_once(const std::string& name, const std::string& sql,
                                          const std::vector<const char*>& values) {
  const auto count = static_cast<int>(values.size());
  if (pool_.server().pooled)
    return PostgresAnswer(
        PQexecParams(raw(), sql.c_str(), count, nullptr, values.data(), nullptr, nullptr, 0));
  if (!connection_->prepared.contains(name)) {
    PostgresAnswer prepared(PQprepare(raw(), name.c_str(), sql.c_str(), 0, nullptr));
    if (!is_done(prepared.get())) return prepared;
    connection_->prepared.insert(name);
  }
  return PostgresAnswer(PQexecPrepared(raw(), name.c_str(), count, values.data(), nullptr, nullptr, 0));
}

// A connection that was lost while nothing was under way is made again, once: reading twice harms nobody.
Result<PostgresAnswer> PostgresDatabase::run_prepared(const std::string& name, const std::string& sql,
                                                      const PostgresParameters& parameters) {
  if (!in_transaction_ && is_write(sql) && !others_write_) return write_alone(name, sql, parameters);
  std::vector<const char*> values;
  for (const auto& parameter : parameters) values.push_back(parameter ? parameter->c_str() : nullptr);
  for (bool again = !in_transaction_ && !is_write(sql);; again = false) {
    TRY(ensure_connected());
    PostgresAnswer answer = run_once(name, sql, values);
    if (is_done(answer.get())) {
      let_go();
      return answer;
    }
    const Error error = error_of(answer.get());
    if (!is_lost(answer.get())) {
      let_go();
      return fail(error);
    }
    lose();
    if (!again) return fail(error);
  }
}

Result<PostgresAnswer> PostgresDatabase::write_alone(const std::string& name, const std::string& sql,
                                                     const PostgresParameters& parameters) {
  TRY_ASSIGN(Transaction transaction, Transaction::begin(*this));
  TRY_ASSIGN(PostgresAnswer answer, run_prepared(name, sql, parameters));
  TRY(transaction.commit());
  return answer;
}

Status PostgresDatabase::execute(const std::string& script) {
  TRY(ensure_connected());
  const PostgresAnswer answer = send(script);
  const Status done = is_done(answer.get()) ? Status() : fail(error_of(answer.get()));
  let_go();
  return done;
}

// Takes effect with the next transaction; no write is outside of one.
Status PostgresDatabase::set_durable(bool durable) {
  durable_ = durable;
  return {};
}

Status PostgresDatabase::begin_writing(const std::string& locks) {
  return begin_with("begin; " + pool_.local_settings() +
                    (durable_ ? "" : "set local synchronous_commit = off; ") + locks);
}

Status PostgresDatabase::begin() { return begin_writing(others_write_ ? "" : kWriterLock); }

Status PostgresDatabase::begin_beside(const std::string& scope) {
  return begin_writing(std::string(kWritersLock) + "; " + scope_lock(scope) + "; " + event_lock());
}

// Whoever got a number up to the newest one had its lock by then. So it either still has it, with a lower
// number, or is over and what it wrote can be seen. Hence the order of the two questions, and what is asked
// after them.
Result<std::optional<std::int64_t>> PostgresDatabase::complete_events() {
  const auto integer = [](RowReader& row) { return row.integer(); };
  TRY_ASSIGN(const auto newest, select(*this, "select last_value from events_seq_seq", {}, integer));
  static const std::string held = fmt::format(
      "select cast(objid as bigint) from pg_locks where locktype = 'advisory' and objsubid = 1 and database "
      "= "
      "(select oid from pg_database where datname = current_database()) and cast(classid as bigint) = "
      "({}::bigint & 4294967295)",
      kEventLocks);
  TRY_ASSIGN(const auto locks, select(*this, held, {}, integer));
  std::int64_t complete = newest.empty() ? 0 : newest.front();
  for (const std::int64_t low_half : locks) { // of a number that may have more than 32 bits
    const auto behind = static_cast<std::int32_t>(static_cast<std::uint32_t>(newest.front()) -
                                                  static_cast<std::uint32_t>(low_half));
    if (behind > 0) complete = std::min(complete, newest.front() - behind);
  }
  return complete_events_ = std::max(complete_events_, complete);
}

Status PostgresDatabase::begin_reading() {
  return begin_with("begin isolation level repeatable read read only");
}

Status PostgresDatabase::begin_with(const std::string& script) {
  if (in_transaction_) return fail(ErrorCode::internal, "a transaction in a transaction");
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
    lose();
    if (!again) return fail(error);
  }
}

// A transaction in which something failed is rolled back by "commit", and not called an error.
Status PostgresDatabase::commit() {
  if (raw() == nullptr) return fail(postgres_connection_lost(location(), false));
  const PostgresAnswer answer = send("commit");
  if (is_done(answer.get()) && std::strcmp(PQcmdStatus(answer.get()), "COMMIT") == 0) {
    in_transaction_ = false;
    let_go();
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
  if (raw() == nullptr) return;
  if (PQtransactionStatus(raw()) != PQTRANS_IDLE) PQclear(PQexec(raw(), "rollback"));
  let_go();
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
  return rules_sql(rules, SqlDialect::postgresql, pool_.server().schema);
}

std::string_view PostgresDatabase::elsewhere() const {
  return "give emend a separate database with EMEND_DATABASE; nothing was changed";
}

bool PostgresDatabase::came_in_without_password() const { return !pool_.server().asks_password; }

Status PostgresDatabase::ring(const std::string& channel) {
  TRY_ASSIGN(const auto rung, select(*this, "select pg_notify($1, '') is null", {channel},
                                     [](RowReader& row) { return row.text(); }));
  return {};
}

// A place is a lock of the connection's own, so however many ask at once, no more than that listen, and the
// place of one that is gone is free. Most connections are for those who work.
Result<bool> PostgresDatabase::listen(const std::string& channel) {
  TRY(ensure_connected());
  if (pool_.server().pooled) {
    let_go();
    return false;
  }
  listening_ = true; // from here on the connection is ours alone
  const auto place = select(*this,
                            "select s from generate_series(1, case when (select sum(numbackends) * 5 < 2 * "
                            "current_setting('max_connections')::bigint from pg_stat_database) then "
                            "current_setting('max_connections')::int * 3 / 10 else 0 end) s where "
                            "pg_try_advisory_lock(1701669487, s) limit 1",
                            {}, [](RowReader& row) { return row.integer(); });
  if (place && !place->empty()) {
    TRY(execute("listen " + channel));
    return true;
  }
  listening_ = false;
  let_go();
  if (!place) return fail(place.error());
  return false;
}

void PostgresDatabase::rest() { pool_.close_unused(std::chrono::milliseconds(500)); }

// Nothing is sent: a connection that is gone shows in what the socket says.
Result<bool> PostgresDatabase::wait_for_ring(std::int64_t timeout_ms) {
  if (!listening_) return fail(postgres_connection_lost(location(), false));
  const auto heard = [&] {
    bool any = false;
    while (PGnotify* note = PQnotifies(raw())) {
      PQfreemem(note);
      any = true;
    }
    return any;
  };
  if (heard()) return true;
  pollfd waiting{PQsocket(raw()), POLLIN, 0};
  if (::poll(&waiting, 1, static_cast<int>(timeout_ms)) <= 0) return false;
  if (PQconsumeInput(raw()) == 1) return heard();
  const Error error = error_of(nullptr);
  lose();
  return fail(error);
}

} // namespace emend
