// The SQLite driver: a private file in WAL mode, every commit on the disk before it returns.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "adapters/sql/database.hpp"

struct sqlite3;

namespace emend {

class SqliteDatabase final : public Database {
public:
  // path may be ":memory:". A missing file is created (0600; directories 0700). A file that is not a sound
  // SQLite database is refused and left as it is. busy_timeout_ms: how long a locked database is waited for.
  static Result<std::unique_ptr<SqliteDatabase>> open(const std::string& path, int busy_timeout_ms);
  ~SqliteDatabase() override;
  SqliteDatabase(const SqliteDatabase&) = delete;
  SqliteDatabase& operator=(const SqliteDatabase&) = delete;

  [[nodiscard]] Result<Statement*> prepare(const std::string& sql) override;
  [[nodiscard]] Status execute(const std::string& script) override;
  [[nodiscard]] Status set_durable(bool durable) override;
  [[nodiscard]] Status begin() override;
  [[nodiscard]] Status begin_reading() override;
  [[nodiscard]] Status commit() override;
  void rollback() noexcept override;
  [[nodiscard]] Result<std::vector<std::string>> tables() override;
  [[nodiscard]] SqlDialect dialect() const override { return SqlDialect::sqlite; }
  [[nodiscard]] std::string declared(const std::string& sql) const override;
  [[nodiscard]] std::string ruled(const std::vector<Rule>& rules) const override;
  // "<path>.<label>.bak" beside the database, complete or not there.
  [[nodiscard]] Result<std::string> keep_backup(const std::string& label) override;
  [[nodiscard]] const std::string& location() const override { return path_; }
  [[nodiscard]] std::string_view elsewhere() const override;
  [[nodiscard]] std::string_view clock_sql() const override {
    return "cast(round((julianday('now') - 2440587.5) * 86400000) as integer)";
  }

  // What is committed now, page by page, into a file that is not there yet (0600).
  [[nodiscard]] Status copy_to(const std::string& path) const;

private:
  SqliteDatabase(std::string path, sqlite3* connection) : path_(std::move(path)), connection_(connection) {}
  [[nodiscard]] Status configure(int busy_timeout_ms);
  [[nodiscard]] Status enter_wal(int busy_timeout_ms);
  [[nodiscard]] Status check_soundness();
  [[nodiscard]] Status check_length();
  [[nodiscard]] Error last_error() const;

  std::string path_;
  bool durable_ = true;
  sqlite3* connection_;
  std::map<std::string, std::unique_ptr<Statement>> statements_;
};

} // namespace emend
