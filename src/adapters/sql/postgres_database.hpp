// The PostgreSQL driver: one connection, made when it is needed and made again when it was lost, never in the
// middle of a transaction.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "adapters/sql/database.hpp"
#include "adapters/sql/postgres_address.hpp"

struct pg_conn;
struct pg_result;

namespace emend {

struct PostgresClose {
  void operator()(pg_conn* connection) const;
  void operator()(pg_result* answer) const;
};
using PostgresAnswer = std::unique_ptr<pg_result, PostgresClose>;
using PostgresParameters = std::vector<std::optional<std::string>>;

// One writer at a time, as with SQLite: begin() and each write outside of a transaction take one lock of the
// database. So events become visible in the order of their numbers, and a reader that goes on after the last
// one it saw misses none. Readers never wait.
class PostgresDatabase final : public Database {
public:
  // Connects. busy_timeout_ms: how long a lock is waited for.
  static Result<std::unique_ptr<PostgresDatabase>> open(const std::string& address, int busy_timeout_ms);
  ~PostgresDatabase() override;
  PostgresDatabase(const PostgresDatabase&) = delete;
  PostgresDatabase& operator=(const PostgresDatabase&) = delete;

  [[nodiscard]] Result<Statement*> prepare(const std::string& sql) override;
  [[nodiscard]] Status execute(const std::string& script) override;
  [[nodiscard]] Status set_durable(bool durable) override;
  [[nodiscard]] Status begin() override;
  [[nodiscard]] Status commit() override;
  void rollback() noexcept override;
  [[nodiscard]] Result<std::vector<std::string>> tables() override;
  [[nodiscard]] SqlDialect dialect() const override { return SqlDialect::postgresql; }
  [[nodiscard]] std::string declared(const std::string& sql) const override;
  [[nodiscard]] std::string ruled(const std::vector<Rule>& rules) const override;
  // The server's own tools do that.
  [[nodiscard]] Result<std::string> keep_backup(const std::string&) override { return std::string(); }
  [[nodiscard]] const std::string& location() const override { return address_.location; }
  [[nodiscard]] std::string_view elsewhere() const override;
  [[nodiscard]] std::string_view clock_sql() const override {
    return "(extract(epoch from clock_timestamp()) * 1000)::bigint";
  }
  void let_others_write() override { others_write_ = true; }
  [[nodiscard]] std::string_view skip_locked() const override { return " for update skip locked"; }
  [[nodiscard]] Status ring(const std::string& channel) override;
  [[nodiscard]] Status listen(const std::string& channel) override;
  [[nodiscard]] Result<bool> wait_for_ring(std::int64_t timeout_ms) override;

  // Whether the server let us in without asking for a password. Then it may let in other programs of this
  // user as well.
  [[nodiscard]] bool came_in_without_password() const;

  // For its statements: runs one and reads its whole answer. generation: the connection it was last prepared
  // on.
  [[nodiscard]] Result<PostgresAnswer> run_prepared(const std::string& name, const std::string& sql,
                                                    const PostgresParameters& parameters, int& generation);

private:
  PostgresDatabase(PostgresAddress address, int busy_timeout_ms)
      : address_(std::move(address)), busy_timeout_ms_(busy_timeout_ms) {}
  [[nodiscard]] Status connect();
  [[nodiscard]] Status set_up();
  [[nodiscard]] Status ensure_connected();
  [[nodiscard]] bool is_lost(const pg_result* answer) const;
  [[nodiscard]] Error error_of(const pg_result* answer) const;
  [[nodiscard]] PostgresAnswer send(const std::string& script);
  [[nodiscard]] Result<PostgresAnswer> write_alone(const std::string& name, const std::string& sql,
                                                   const PostgresParameters& parameters, int& generation);

  PostgresAddress address_;
  int busy_timeout_ms_;
  bool durable_ = true;
  bool in_transaction_ = false;
  bool others_write_ = false;
  int generation_ = 0; // of the connection
  std::string schema_; // quoted
  std::unique_ptr<pg_conn, PostgresClose> connection_;
  std::map<std::string, std::unique_ptr<Statement>> statements_;
};

} // namespace emend
