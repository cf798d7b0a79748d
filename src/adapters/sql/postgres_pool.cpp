#include "adapters/sql/postgres_pool.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>
#include <thread>

#include "adapters/sql/libpq.hpp"
#include "adapters/sql/postgres_error.hpp"
#include "base/strings.hpp"

namespace emend {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kOldestServer = 130000;
constexpr int kStandstillMs = 10'000;
constexpr std::size_t kMostIdle = 4;
constexpr std::chrono::milliseconds kRoomPatience{20'000};

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

// Those who were turned away together do not come back together.
std::chrono::milliseconds varied(std::chrono::milliseconds pause) {
  thread_local std::minstd_rand random{std::random_device()()};
  return pause / 2 + std::chrono::milliseconds(random() % static_cast<unsigned>(pause.count() + 1));
}

// libpq gives no code for it, only the server's words.
bool has_no_room(const pg_conn* connection) {
  const std::string why = PQerrorMessage(connection);
  return contains(why, "too many clients") || contains(why, "remaining connection slots") ||
         contains(why, "too many connections") || contains(why, "no more connections allowed");
}

} // namespace

void PostgresClose::operator()(pg_conn* connection) const { PQfinish(connection); }
void PostgresClose::operator()(pg_result* answer) const { PQclear(answer); }

// Never destroyed: a thread that still stores something when the process ends must not lose its pool.
PostgresPool& PostgresPool::of(const PostgresAddress& address, int busy_timeout_ms) {
  static std::mutex mutex;
  static auto* const pools = new std::map<std::string, PostgresPool*>;
  const std::lock_guard guard(mutex);
  PostgresPool*& pool = (*pools)[std::to_string(busy_timeout_ms) + " " + address.text];
  if (pool == nullptr) pool = new PostgresPool(address, busy_timeout_ms);
  return *pool;
}

void PostgresPool::join() {
  const std::lock_guard guard(mutex_);
  ++users_;
}

void PostgresPool::leave() {
  const std::lock_guard guard(mutex_);
  if (--users_ == 0) idle_.clear();
}

Result<std::unique_ptr<PostgresConnection>> PostgresPool::lend() {
  {
    const std::lock_guard guard(mutex_);
    while (!idle_.empty()) {
      std::unique_ptr<PostgresConnection> known = std::move(idle_.back());
      idle_.pop_back();
      if (PQstatus(known->raw.get()) == CONNECTION_OK) return known;
    }
  }
  return connect();
}

void PostgresPool::take_back(std::unique_ptr<PostgresConnection> connection) {
  if (!connection || PQstatus(connection->raw.get()) != CONNECTION_OK ||
      PQtransactionStatus(connection->raw.get()) != PQTRANS_IDLE)
    return;
  connection->last_used = Clock::now();
  const std::lock_guard guard(mutex_);
  if (idle_.size() < kMostIdle) idle_.push_back(std::move(connection));
}

void PostgresPool::forget_idle() {
  const std::lock_guard guard(mutex_);
  idle_.clear();
}

void PostgresPool::close_unused(std::chrono::milliseconds age) {
  const auto before = Clock::now() - age;
  const std::lock_guard guard(mutex_);
  std::erase_if(idle_, [&](const auto& connection) { return connection->last_used <= before; });
}

PostgresServer PostgresPool::server() const {
  const std::lock_guard guard(mutex_);
  return server_;
}

std::string PostgresPool::local_settings() const { return server().pooled ? settings(true) + "; " : ""; }

// A server at its limit has room again as soon as another process has stored what it had to.
Result<std::unique_ptr<PostgresConnection>> PostgresPool::connect() {
  const auto deadline = Clock::now() + kRoomPatience;
  for (std::chrono::milliseconds pause(50);; pause = std::min(pause * 2, std::chrono::milliseconds(1'000))) {
    auto connection = std::make_unique<PostgresConnection>();
    connection->raw.reset(connect_to(address_.text));
    if (PQstatus(connection->raw.get()) == CONNECTION_OK) {
      TRY(set_up(*connection));
      return connection;
    }
    if (!has_no_room(connection->raw.get()) || Clock::now() > deadline)
      return fail(postgres_connection_error(connection->raw.get(), address_.location));
    std::this_thread::sleep_for(varied(pause));
  }
}

// Limits somebody has set for this user or database are left alone. A process that stands still in the middle
// of a transaction is cut off after a while: it holds the lock all writers wait for, so they wait longer than
// that.
std::string PostgresPool::settings(bool local) const {
  const std::string scope = local ? "true" : "false";
  const auto unless_set = [&](const char* name, const std::string& value, const char* unset) {
    return std::string("; select set_config('") + name + "', '" + value + "', " + scope +
           ") where current_setting('" + name + "') = '" + unset + "'";
  };
  return std::string(local ? "set local" : "set") +
         " lock_timeout = " + std::to_string(busy_timeout_ms_ + kStandstillMs) +
         unless_set("statement_timeout", "300s", "0") +
         unless_set("idle_in_transaction_session_timeout", std::to_string(kStandstillMs), "0") +
         unless_set("synchronous_commit", "on", "off");
}

Status PostgresPool::set_up(PostgresConnection& connection) {
  PQsetNoticeProcessor(
      connection.raw.get(), [](void*, const char*) {}, nullptr);
  {
    const std::lock_guard guard(mutex_);
    if (!known_) TRY(look_at_server(connection));
    if (server_.pooled) return {};
  }
  const PostgresAnswer set(PQexec(connection.raw.get(), settings(false).c_str()));
  if (PQresultStatus(set.get()) == PGRES_TUPLES_OK) return {};
  return fail(postgres_error(set.get(), address_.location));
}

// A pooler answers for a process of the server that it did not name when we connected.
Status PostgresPool::look_at_server(PostgresConnection& connection) {
  pg_conn* raw = connection.raw.get();
  if (PQserverVersion(raw) < kOldestServer)
    return fail(ErrorCode::database, "the server of " + address_.location + " is too old",
                "use PostgreSQL 13 or newer");
  const PostgresAnswer facts(PQexec(
      raw, "select quote_ident(current_schema()), current_setting('server_encoding'), pg_backend_pid()"));
  if (PQresultStatus(facts.get()) != PGRES_TUPLES_OK)
    return fail(postgres_error(facts.get(), address_.location));
  server_.schema = PQgetvalue(facts.get(), 0, 0);
  if (server_.schema.empty())
    return fail(ErrorCode::database,
                "the database " + address_.location + " has no schema for emend's tables",
                "create the first schema of the user's search_path");
  const std::string encoding = PQgetvalue(facts.get(), 0, 1);
  if (encoding != "UTF8")
    return fail(ErrorCode::database,
                "the database " + address_.location + " is encoded as " + encoding + ", not as UTF8",
                "create one that is: createdb --encoding=UTF8 --template=template0 NAME");
  server_.pooled = PQgetvalue(facts.get(), 0, 2) != std::to_string(PQbackendPID(raw));
  server_.asks_password = PQconnectionUsedPassword(raw) != 0;
  known_ = true;
  return {};
}

} // namespace emend
