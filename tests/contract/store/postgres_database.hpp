// A new PostgreSQL database for a test, the store on it, and the raw connection an outsider would use.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "adapters/sql/sql_store.hpp"
#include "tests/contract/store/records.hpp"
#include "tests/support/postgres_server.hpp"

namespace emend::testing_support {

class PostgresTest : public ::testing::Test {
protected:
  void SetUp() override {
    EMEND_NEEDS_POSTGRES();
    address_ = PostgresServer::shared().new_database();
  }
  [[nodiscard]] const std::string& address() const { return address_; }
  [[nodiscard]] std::unique_ptr<Store> open_store() const { return must_open(address_); }
  [[nodiscard]] static std::unique_ptr<Store> must_open(const std::string& address) {
    auto opened = open_sql_store(address);
    if (opened) return std::move(*opened);
    ADD_FAILURE() << opened.error().message;
    return nullptr;
  }
  // The error of opening; a failed test when it opens.
  [[nodiscard]] static Error refused(const std::string& address) {
    const auto opened = open_sql_store(address, 100);
    if (!opened) return opened.error();
    ADD_FAILURE() << "it was opened";
    return {};
  }

private:
  std::string address_;
};

} // namespace emend::testing_support
