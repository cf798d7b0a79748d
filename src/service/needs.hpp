// What waits for a person in one repository. The dashboard's inbox and its badge show this, so that both
// always agree.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ports/ledger.hpp"
#include "ports/store.hpp"

namespace emend {

struct Needs {
  struct Branch {
    Session session;
    std::vector<Issue> fixes; // resolved and not merged
  };

  std::vector<Issue> asked;     // an agent waits for an answer
  std::vector<Session> plans;   // start when they are approved
  std::vector<Session> stopped; // broke off; issues of theirs wait for them to be resumed
  std::vector<Branch> ready;    // with the fixes that nobody has decided about; newest session first
  std::vector<Branch> taken;    // every fix was accepted, and none is merged yet
  std::vector<Issue> failed;    // worst first, at most kMostFailed
  std::int64_t failed_total = 0;

  static constexpr std::size_t kMostFailed = 50;

  [[nodiscard]] std::int64_t questions() const;
  [[nodiscard]] std::int64_t total() const; // questions, sessions and issues that need somebody
};

[[nodiscard]] Result<Needs> needs_of(Store& store, Ledger& ledger, const std::string& repository_id);

} // namespace emend
