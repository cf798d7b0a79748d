// A database file in a directory of its own, the store on it, and the raw SQLite connection an outsider would
// use.
#pragma once

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "ports/store.hpp"

namespace emend::testing_support {

// Plain SQLite without any of the store's care.
class RawDatabase {
public:
  explicit RawDatabase(const std::string& path);
  ~RawDatabase();
  RawDatabase(const RawDatabase&) = delete;
  RawDatabase& operator=(const RawDatabase&) = delete;

  // Empty = done; else SQLite's message.
  [[nodiscard]] std::string run(const std::string& sql);
  // First column of all rows.
  [[nodiscard]] std::vector<std::string> read(const std::string& sql);

private:
  sqlite3* connection_ = nullptr;
};

class SqliteFile : public ::testing::Test {
protected:
  void SetUp() override;
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] fs::path directory() const { return directory_->path(); }
  // A failed test and null when it cannot be opened.
  [[nodiscard]] std::unique_ptr<Store> open_store() const;
  // The error of opening; a failed test when it opens.
  [[nodiscard]] Error refused() const;
  // See filled_store.hpp.
  [[nodiscard]] std::string fill(Store& store, bool resolved) const;

private:
  std::optional<TemporaryDirectory> directory_;
  std::string path_;
};

} // namespace emend::testing_support
