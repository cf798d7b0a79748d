// A PostgreSQL server of this test program's own: started when the first test asks for it, gone with the
// program, however that ends.
#pragma once

#include <memory>
#include <string>
#include <vector>

struct pg_conn;

namespace emend::testing_support {

class PostgresServer {
public:
  // Why there cannot be one here; empty when there can.
  static std::string missing();
  // Throws when it does not start.
  static PostgresServer& shared();

  PostgresServer();
  ~PostgresServer();
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;

  // The address of a new, empty database that belongs to the superuser. `options` go to "create database".
  [[nodiscard]] std::string new_database(const std::string& options = "");
  // An address with other parts: user "guarded" must give the password "s3cret-pass".
  [[nodiscard]] std::string address(const std::string& database, const std::string& user = "emend",
                                    const std::string& password = "") const;
  [[nodiscard]] const std::string& socket_directory() const { return sockets_; }

private:
  void start();

  std::string directory_, sockets_;
  int databases_ = 0;
  int guardian_ = -1, alive_ = -1; // the guardian ends the server when the pipe closes
};

// A connection without any of the store's care.
class RawPostgres {
public:
  explicit RawPostgres(const std::string& address);
  ~RawPostgres();
  RawPostgres(const RawPostgres&) = delete;
  RawPostgres& operator=(const RawPostgres&) = delete;

  // Empty = done; else the server's message.
  [[nodiscard]] std::string run(const std::string& sql);
  // First column of all rows.
  [[nodiscard]] std::vector<std::string> read(const std::string& sql);

private:
  pg_conn* connection_;
};

} // namespace emend::testing_support

// Skips the test, saying why, when there is no PostgreSQL on this machine.
#define EMEND_NEEDS_POSTGRES()                                                                     \
  do {                                                                                             \
    if (const std::string why = ::emend::testing_support::PostgresServer::missing(); !why.empty()) \
      GTEST_SKIP() << why;                                                                         \
  } while (false)
