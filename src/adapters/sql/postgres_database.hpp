// The PostgreSQL driver: a connection of the process's pool for each statement and each transaction. One that
// was lost is made again, never in the middle of a transaction.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "adapters/sql/database.hpp"
#include "adapters/sql/postgres_address.hpp"
#include "adapters/sql/postgres_pool.hpp"

namespace emend {

using PostgresParameters = std::vector<std::optional<std::string>>;

// begin() and each write outside of a transaction take one lock of the database, as with SQLite. Transactions
// of begin_beside() share that lock and have one of their scope: they wait for those of the same scope only.
// Readers never wait.
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
  [[nodiscard]] Status begin_beside(const std::string& scope) override;
  [[nodiscard]] Result<std::optional<std::int64_t>> complete_events() override;
  [[nodiscard]] Status begin_reading() override;
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
  [[nodiscard]] Result<bool> listen(const std::string& channel) override;
  [[nodiscard]] Result<bool> wait_for_ring(std::int64_t timeout_ms) override;
  void rest() override;

  // Whether the server let us in without asking for a password. Then it may let in other programs of this
  // user as well.
  [[nodiscard]] bool came_in_without_password() const;

  // For its statements: runs one and reads its whole answer. It is prepared under that name where that is
  // kept.
  [[nodiscard]] Result<PostgresAnswer> run_prepared(const std::string& name, const std::string& sql,
                                                    const PostgresParameters& parameters);

private:
  PostgresDatabase(PostgresAddress address, PostgresPool& pool) : address_(std::move(address)), pool_(pool) {
    pool_.join();
  }
  [[nodiscard]] Status ensure_connected();
  void let_go(); // of the connection, unless it is in use beyond this call
  void lose();
  [[nodiscard]] PostgresAnswer run_once(const std::string& name, const std::string& sql,
                                        const std::vector<const char*>& values);
  [[nodiscard]] bool is_lost(const pg_result* answer) const;
  [[nodiscard]] Error error_of(const pg_result* answer) const;
  [[nodiscard]] Status begin_writing(const std::string& locks);
  [[nodiscard]] Status begin_with(const std::string& script);
  [[nodiscard]] PostgresAnswer send(const std::string& script);
  [[nodiscard]] Result<PostgresAnswer> write_alone(const std::string& name, const std::string& sql,
                                                   const PostgresParameters& parameters);
  [[nodiscard]] pg_conn* raw() const { return connection_ ? connection_->raw.get() : nullptr; }

  PostgresAddress address_;
  PostgresPool& pool_;
  bool durable_ = true;
  bool in_transaction_ = false;
  bool others_write_ = false;
  bool listening_ = false;
  std::int64_t complete_events_ = 0;               // what was complete once stays so
  std::unique_ptr<PostgresConnection> connection_; // while it is lent to us
  std::map<std::string, std::unique_ptr<Statement>> statements_;
};

} // namespace emend
