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

  // Somebody closed its thread in a pull request without a fix, or wrote that there will be none.
  struct Dismissal {
    Issue issue;
    std::string by;
    int number = 0; // of the pull request
  };

  std::vector<Dismissal> dismissals;
  std::vector<Issue> asked;     // an agent waits for an answer
  std::vector<Session> plans;   // start when they are approved
  std::vector<Session> stopped; // broke off; issues of theirs wait for them to be resumed
  std::vector<Branch> ready;    // with the fixes that nobody has decided about
  std::vector<Branch> taken;    // every fix was accepted, and none is merged yet
  std::vector<Issue> failed;    // at most kMostFailed of a repository
  std::int64_t failed_total = 0;
  std::int64_t older_branches = 0; // with fixes, too; beyond the kMostBranches newest nobody looks closer

  static constexpr std::size_t kMostFailed = 50, kMostBranches = 200;

  [[nodiscard]] std::int64_t questions() const;
  [[nodiscard]] std::int64_t total() const; // questions, sessions and issues that need somebody
};

// Those of another repository beside them: the worst first, whichever repository it is of; of what is as bad,
// the newest session first.
void add_needs(Needs& all, Needs more);

// However many sessions have run since.
[[nodiscard]] Result<Needs> needs_of(Store& store, Ledger& ledger, const std::string& repository_id);

} // namespace emend
