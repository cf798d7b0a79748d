// The connections of this process to one PostgreSQL database: made when one is needed, lent for a statement
// or a transaction, closed when nobody needs it. So a process that waits for agents holds none.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "adapters/sql/postgres_address.hpp"
#include "base/result.hpp"

struct pg_conn;
struct pg_result;

namespace emend {

struct PostgresClose {
  void operator()(pg_conn* connection) const;
  void operator()(pg_result* answer) const;
};
using PostgresAnswer = std::unique_ptr<pg_result, PostgresClose>;

struct PostgresConnection {
  std::unique_ptr<pg_conn, PostgresClose> raw;
  std::set<std::string> prepared; // names of statements
  std::chrono::steady_clock::time_point last_used;
};

// What is the same for all connections to it.
struct PostgresServer {
  std::string schema; // quoted
  bool pooled =
      false; // a pooler is in between that may give each transaction another connection to the server
  bool asks_password = true;
};

// Safe to use from many threads. Lives as long as the process.
class PostgresPool {
public:
  static PostgresPool& of(const PostgresAddress& address, int busy_timeout_ms);

  // By whoever has the database open. When the last one leaves, no connection stays.
  void join();
  void leave();
  // One that was used before, or a new one. When the server has no room it is asked again for a while.
  [[nodiscard]] Result<std::unique_ptr<PostgresConnection>> lend();
  void take_back(std::unique_ptr<PostgresConnection> connection);
  // Those that lie here are of a server that is gone.
  void forget_idle();
  // Closes what nobody has used for so long.
  void close_unused(std::chrono::milliseconds age);
  // Known once something was lent.
  [[nodiscard]] PostgresServer server() const;
  // What begin() puts before its work where settings of a session mean nothing; empty elsewhere.
  [[nodiscard]] std::string local_settings() const;

private:
  PostgresPool(PostgresAddress address, int busy_timeout_ms)
      : address_(std::move(address)), busy_timeout_ms_(busy_timeout_ms) {}
  [[nodiscard]] Result<std::unique_ptr<PostgresConnection>> connect();
  [[nodiscard]] Status set_up(PostgresConnection& connection);
  [[nodiscard]] Status look_at_server(PostgresConnection& connection);
  [[nodiscard]] std::string settings(bool local) const;

  const PostgresAddress address_;
  const int busy_timeout_ms_;
  mutable std::mutex mutex_;
  int users_ = 0;
  bool known_ = false;
  PostgresServer server_;
  std::vector<std::unique_ptr<PostgresConnection>> idle_;
};

} // namespace emend
