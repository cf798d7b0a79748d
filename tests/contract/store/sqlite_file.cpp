#include "tests/contract/store/sqlite_file.hpp"

#include "adapters/sql/sql_store.hpp"
#include "tests/contract/store/filled_store.hpp"

namespace emend::testing_support {

RawDatabase::RawDatabase(const std::string& path) {
  EXPECT_EQ(sqlite3_open(path.c_str(), &connection_), SQLITE_OK);
  sqlite3_busy_timeout(connection_, 5000);
}

RawDatabase::~RawDatabase() { sqlite3_close(connection_); }

std::string RawDatabase::run(const std::string& sql) {
  char* message = nullptr;
  sqlite3_exec(connection_, sql.c_str(), nullptr, nullptr, &message);
  const std::string problem = message == nullptr ? "" : message;
  sqlite3_free(message);
  return problem;
}

std::vector<std::string> RawDatabase::read(const std::string& sql) {
  std::vector<std::string> rows;
  const auto collect = [](void* list, int, char** values, char**) {
    static_cast<std::vector<std::string>*>(list)->emplace_back(values[0] == nullptr ? "" : values[0]);
    return 0;
  };
  EXPECT_EQ(sqlite3_exec(connection_, sql.c_str(), collect, &rows, nullptr), SQLITE_OK)
      << sqlite3_errmsg(connection_);
  return rows;
}

void SqliteFile::SetUp() {
  auto made = TemporaryDirectory::create(fs::temp_directory_path(), "emend-sqlite-");
  ASSERT_TRUE(made) << made.error().message;
  directory_.emplace(std::move(*made));
  path_ = (directory_->path() / "emend.db").string();
}

std::unique_ptr<Store> SqliteFile::open_store() const {
  auto opened = open_sql_store(path_);
  if (opened) return std::move(*opened);
  ADD_FAILURE() << opened.error().message;
  return nullptr;
}

Error SqliteFile::refused() const {
  const auto opened = open_sql_store(path_, 100);
  if (!opened) return opened.error();
  ADD_FAILURE() << path_ << " was opened";
  return {};
}

std::string SqliteFile::fill(Store& store, bool resolved) const { return fill_store(store, resolved); }

} // namespace emend::testing_support
