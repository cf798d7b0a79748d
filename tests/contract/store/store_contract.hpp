// The suite every Store must pass, and the ways to open one.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/files.hpp"
#include "ports/store.hpp"
#include "tests/contract/store/records.hpp"

namespace emend::testing_support {

inline constexpr std::int64_t kNow = 1'800'000'000'000;

struct StoreKind {
  std::string name;
  bool survives_closing = false;
  std::function<std::string(const fs::path& directory)> address; // of a new database; asked for once a test
};

[[nodiscard]] const std::vector<StoreKind>& store_kinds();

// An open store, and enough records for others to refer to.
class StoreContract : public ::testing::TestWithParam<StoreKind> {
protected:
  void SetUp() override;
  void reopen();
  void reopen_if_durable();
  [[nodiscard]] Store& store() { return *store_; }
  [[nodiscard]] const std::string& address() const { return address_; }

  // The value, or a failed test.
  template <typename T>
  static T must(Result<T> result) {
    if (!result) ADD_FAILURE() << result.error().message << " / " << result.error().remedy;
    return result ? *std::move(result) : T{};
  }
  static void must(const Status& status) {
    if (!status) ADD_FAILURE() << status.error().message << " / " << status.error().remedy;
  }

  void add_session(const std::string& id);
  [[nodiscard]] Issue add_issue(const std::string& fingerprint, const std::string& file = "src/a.c");
  // Session "sess1", unit "u1", attempt "a1" on a new issue, which is IN_PROGRESS.
  [[nodiscard]] Issue add_issue_in_work(const std::string& fingerprint);
  void move(const std::string& issue_id, IssueStatus from, IssueStatus to, Mover actor = Mover::engine);

  // Somebody asks for the end of a session.
  [[nodiscard]] Status cancel(const std::string& session_id) {
    Change change;
    change.cancels = {session_id};
    const auto applied = store().apply(change, kNow);
    return applied ? Status() : fail(applied.error());
  }

private:
  std::optional<TemporaryDirectory> directory_;
  std::string address_;
  std::unique_ptr<Store> store_;
};

// A change that proves and resolves an issue added by add_issue_in_work.
[[nodiscard]] Change resolving(const Issue& issue, const std::string& commit);

} // namespace emend::testing_support
