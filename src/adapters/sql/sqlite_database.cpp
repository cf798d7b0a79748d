#include "adapters/sql/sqlite_database.hpp"

#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <thread>

#include "adapters/sql/sqlite_error.hpp"
#include "base/files.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr const char* kMemory = ":memory:";
// Reading every page at each start is cheap up to here (tens of milliseconds); a larger file is checked as it
// is read.
constexpr std::uintmax_t kWholeCheckBytes = 32ULL << 20;

class SqliteStatement final : public Statement {
public:
  SqliteStatement(sqlite3_stmt* statement, const std::string& path) : statement_(statement), path_(path) {}
  ~SqliteStatement() override { sqlite3_finalize(statement_); }
  SqliteStatement(const SqliteStatement&) = delete;
  SqliteStatement& operator=(const SqliteStatement&) = delete;

  Status bind(int number, const Value& value) override {
    const int index = index_of(number);
    if (index == 0) return fail(ErrorCode::internal, "statement has no parameter $" + std::to_string(number));
    return check(bind_at(index, value));
  }

  Result<bool> step() override {
    const int code = sqlite3_step(statement_);
    if (code == SQLITE_ROW) return true;
    if (code == SQLITE_DONE) return false;
    TRY(check(sqlite3_extended_errcode(sqlite3_db_handle(statement_))));
    return false;
  }

  void reset() override {
    sqlite3_reset(statement_);
    sqlite3_clear_bindings(statement_);
  }

  std::int64_t integer(int column) const override { return sqlite3_column_int64(statement_, column); }

  std::string text(int column) const override {
    const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
    return bytes == nullptr
               ? std::string()
               : std::string(bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column)));
  }

private:
  // SQLite sees "$2" as a name and numbers names as they appear.
  int index_of(int number) {
    const auto at = static_cast<std::size_t>(number);
    if (at >= indexes_.size()) indexes_.resize(at + 1);
    if (indexes_[at] == 0)
      indexes_[at] = sqlite3_bind_parameter_index(statement_, ("$" + std::to_string(number)).c_str());
    return indexes_[at];
  }

  int bind_at(int index, const Value& value) {
    if (const auto* number = std::get_if<std::int64_t>(&value))
      return sqlite3_bind_int64(statement_, index, *number);
    if (const auto* text = std::get_if<std::string>(&value)) {
      return sqlite3_bind_text64(statement_, index, text->data(), text->size(), SQLITE_STATIC, SQLITE_UTF8);
    }
    return sqlite3_bind_null(statement_, index);
  }

  Status check(int code) const {
    if (code == SQLITE_OK) return {};
    return fail(sqlite_error(code, sqlite3_db_handle(statement_), path_));
  }

  sqlite3_stmt* statement_;
  std::vector<int> indexes_; // by number; 0 = not asked yet
  const std::string& path_;  // the database's, which outlives its statements
};

Error cannot_use(const std::string& path, const std::string& why) {
  return {ErrorCode::database, "the database " + path + " cannot be used: " + why,
          "check the path and its permissions, or choose another place with EMEND_HOME"};
}

// The file is made and its mode set without opening it: closing a descriptor of our own would drop the locks
// that another connection of this process holds on the same file.
Status prepare_file(const std::string& path) {
  const fs::path parent = fs::path(path).parent_path();
  if (!parent.empty()) {
    if (auto made = make_directories(parent, 0700); !made)
      return fail(cannot_use(path, made.error().message));
  }
  if (::mknod(path.c_str(), S_IFREG | 0600, 0) != 0 && errno != EEXIST)
    return fail(cannot_use(path, std::strerror(errno)));
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return fail(cannot_use(path, std::strerror(errno)));
  if (!S_ISREG(info.st_mode)) return fail(cannot_use(path, "not a regular file"));
  if ((info.st_mode & 077) != 0 && info.st_uid == ::geteuid()) ::chmod(path.c_str(), 0600);
  // SQLite would take the empty file for a new database and drop the log that still holds its content.
  struct stat log {};
  if (info.st_size == 0 && ::stat((path + "-wal").c_str(), &log) == 0 && log.st_size > 0) {
    return fail(sqlite_error(SQLITE_CORRUPT, nullptr, path));
  }
  return {};
}

Result<sqlite3*> connect(const std::string& path, int flags) {
  sqlite3* connection = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &connection,
                                   flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nullptr);
  if (code == SQLITE_OK) return connection;
  const Error error = sqlite_error(code, connection, path);
  sqlite3_close_v2(connection);
  return fail(error);
}

struct CloseAtEnd {
  sqlite3* connection;
  ~CloseAtEnd() { sqlite3_close_v2(connection); }
};

Status copy_database(sqlite3* from, sqlite3* to, const std::string& path) {
  sqlite3_backup* backup = sqlite3_backup_init(to, "main", from, "main");
  if (backup == nullptr) return fail(sqlite_error(sqlite3_extended_errcode(to), to, path));
  sqlite3_backup_step(backup, -1);
  const int code = sqlite3_backup_finish(backup);
  if (code != SQLITE_OK) return fail(sqlite_error(code, to, path));
  return {};
}

} // namespace

Result<std::unique_ptr<SqliteDatabase>> SqliteDatabase::open(const std::string& path, int busy_timeout_ms) {
  if (path.empty()) return fail(ErrorCode::internal, "the database has no path");
  if (path != kMemory) TRY(prepare_file(path));
  TRY_ASSIGN(sqlite3 * connection, connect(path, SQLITE_OPEN_READWRITE));
  std::unique_ptr<SqliteDatabase> database(new SqliteDatabase(path, connection));
  TRY(database->configure(busy_timeout_ms));
  return database;
}

SqliteDatabase::~SqliteDatabase() {
  statements_.clear();
  sqlite3_close_v2(connection_);
}

Status SqliteDatabase::configure(int busy_timeout_ms) {
  sqlite3_busy_timeout(connection_, busy_timeout_ms);
  sqlite3_db_config(connection_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  if (sqlite3_db_readonly(connection_, "main") == 1) {
    return fail(sqlite_error(SQLITE_READONLY, nullptr, path_));
  }
  TRY(
      execute("pragma trusted_schema = off; pragma foreign_keys = on; pragma cell_size_check = on; pragma "
              "synchronous = full"));
  // A large import touches pages all over the indexes: more of them in memory, and written back less often
  // (every 32 MB of log).
  // What a statement could have to take back stays in memory, too: in a file it costs 40 writes an issue.
  TRY(execute("pragma cache_size = -49152; pragma wal_autocheckpoint = 8192; pragma temp_store = memory"));
  if (path_ == kMemory) return {};
  TRY(check_soundness());
  return enter_wal(busy_timeout_ms);
}

// Two processes that turn a new file to WAL at once get SQLITE_BUSY without the usual wait.
Status SqliteDatabase::enter_wal(int busy_timeout_ms) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(busy_timeout_ms);
  while (true) {
    const int code = sqlite3_exec(connection_, "pragma journal_mode = wal", nullptr, nullptr, nullptr);
    if (code == SQLITE_OK) return {};
    if ((code & 0xff) != SQLITE_BUSY || std::chrono::steady_clock::now() >= deadline)
      return fail(last_error());
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

Status SqliteDatabase::check_soundness() {
  TRY(execute("select count(*) from sqlite_master")); // reads the header and the schema
  TRY(check_length());
  std::error_code ignored;
  if (fs::file_size(path_, ignored) > kWholeCheckBytes) return {};
  TRY_ASSIGN(const auto answers,
             select(*this, "pragma quick_check(1)", {}, [](RowReader& row) { return row.text(); }));
  if (answers.size() == 1 && answers.front() == "ok") return {};
  Error error = sqlite_error(SQLITE_CORRUPT, nullptr, path_);
  if (!answers.empty()) error.message += " (" + answers.front() + ")";
  return fail(error);
}

// SQLite reads what is missing of the last page as zeros. A checkpoint that was cut short leaves such a page
// too, and the log to fix it.
Status SqliteDatabase::check_length() {
  TRY_ASSIGN(const auto page_size,
             select(*this, "pragma page_size", {}, [](RowReader& row) { return row.integer(); }));
  std::error_code ignored;
  const auto size = static_cast<std::int64_t>(fs::file_size(path_, ignored));
  const auto log = fs::file_size(path_ + "-wal", ignored);
  const bool mendable = !ignored && log > 0;
  if (mendable || page_size.size() != 1 || page_size.front() < 1 || size % page_size.front() == 0) return {};
  return fail(sqlite_error(SQLITE_CORRUPT, nullptr, path_));
}

Error SqliteDatabase::last_error() const {
  return sqlite_error(sqlite3_extended_errcode(connection_), connection_, path_);
}

Result<Statement*> SqliteDatabase::prepare(const std::string& sql) {
  const auto known = statements_.find(sql);
  if (known != statements_.end()) return known->second.get();
  sqlite3_stmt* statement = nullptr;
  const int size = static_cast<int>(sql.size());
  if (sqlite3_prepare_v3(connection_, sql.data(), size, SQLITE_PREPARE_PERSISTENT, &statement, nullptr) !=
      SQLITE_OK) {
    return fail(last_error());
  }
  return statements_.emplace(sql, std::make_unique<SqliteStatement>(statement, path_)).first->second.get();
}

Status SqliteDatabase::execute(const std::string& script) {
  if (sqlite3_exec(connection_, script.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
    return fail(last_error());
  return {};
}

Status SqliteDatabase::set_durable(bool durable) {
  if (durable == durable_) return {};
  TRY(execute(durable ? "pragma synchronous = full" : "pragma synchronous = normal"));
  durable_ = durable;
  return {};
}

Status SqliteDatabase::begin() { return execute("begin immediate"); }

Status SqliteDatabase::begin_reading() { return execute("begin deferred"); }

Status SqliteDatabase::commit() { return execute("commit"); }

// Some errors (disk full) have ended the transaction already.
void SqliteDatabase::rollback() noexcept {
  if (sqlite3_get_autocommit(connection_) == 0)
    sqlite3_exec(connection_, "rollback", nullptr, nullptr, nullptr);
}

std::string SqliteDatabase::declared(const std::string& sql) const {
  return replace_all(sql, "{numbering}", "integer primary key autoincrement");
}

std::string SqliteDatabase::ruled(const std::vector<Rule>& rules) const {
  return rules_sql(rules, SqlDialect::sqlite, "");
}

std::string_view SqliteDatabase::elsewhere() const {
  return "move the file away (it was not touched) or choose another place with EMEND_HOME";
}

Result<std::vector<std::string>> SqliteDatabase::tables() {
  return select(
      *this, "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name",
      {}, [](RowReader& row) { return row.text(); });
}

Status SqliteDatabase::copy_to(const std::string& path) const {
  if (::mknod(path.c_str(), S_IFREG | 0600, 0) != 0) return fail(cannot_use(path, std::strerror(errno)));
  TRY_ASSIGN(sqlite3 * from, connect(path_, SQLITE_OPEN_READONLY));
  const CloseAtEnd close_from{from};
  TRY_ASSIGN(sqlite3 * to, connect(path, SQLITE_OPEN_READWRITE));
  const CloseAtEnd close_to{to};
  return copy_database(from, to, path);
}

// Read through a second connection: this one may hold the write lock, and SQLite does not copy from a
// connection that writes.
Result<std::string> SqliteDatabase::keep_backup(const std::string& label) {
  if (path_ == kMemory) return std::string();
  const std::string kept = path_ + "." + label + ".bak";
  const std::string unfinished = kept + ".part";
  ::unlink(unfinished.c_str());
  TRY(copy_to(unfinished));
  if (::rename(unfinished.c_str(), kept.c_str()) != 0) return fail(cannot_use(kept, std::strerror(errno)));
  return kept;
}

} // namespace emend
