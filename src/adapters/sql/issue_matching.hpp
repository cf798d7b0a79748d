// Which known issue a finding is, and what becomes of both: the identity of issues over time.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "adapters/sql/issue_rows.hpp"

namespace emend {

// The known issues that a place without its fingerprint may be, held while one look lasts: each is read once,
// however many calls add to it.
class IssueMatcher {
public:
  explicit IssueMatcher(Sighting sighting);

  [[nodiscard]] const std::string& look() const { return sighting_.look; }
  // Stores each issue, known or new, and puts what is stored in its place. Inside a transaction; after a
  // failure the matcher is of no further use.
  [[nodiscard]] Status add(Database& database, std::vector<Issue>& issues, std::int64_t now_ms);

private:
  // What is needed to recognise an issue that nobody has claimed in this look.
  struct Candidate {
    std::string id, content, line_key, file;
    bool closed = false;     // RESOLVED or MERGED: an open one goes first
    std::string rule, words; // only of issues from before content and line_key were kept
    int line = 0;
    bool claimed = false;
  };
  using Queues = std::unordered_map<std::string, std::deque<std::size_t>>;
  using Places = std::unordered_map<std::string, std::size_t>;
  struct Pool {
    std::vector<Candidate> candidates;
    Queues by_content, by_line;   // open ones first; claimed ones are taken away from the front
    std::vector<std::size_t> old; // of before content and line_key were kept
  };
  struct Others { // issues that no open one has the fingerprint of
    std::vector<std::size_t> which;
    std::unordered_map<std::size_t, IssueRow> closed; // the closed one that has it
  };
  using Known = Result<std::optional<IssueRow>>;
  using Suits = std::function<bool(const Candidate&)>;

  static void put(Pool& pool, Candidate candidate);
  [[nodiscard]] Status load(Database& database, const std::string& repository_id, const std::string& file,
                            Pool& pool) const;
  [[nodiscard]] Status load_gone_files(Database& database, const std::string& repository_id);
  [[nodiscard]] Result<Pool*> pool_of(Database& database, const Issue& issue);
  [[nodiscard]] Known take(Database& database, Pool& pool, Queues& queues, const std::string& key,
                           const Issue& issue, const Suits& suits);
  [[nodiscard]] Known claim(Database& database, Candidate& candidate) const;
  [[nodiscard]] Known still_open(Database& database, const Issue& issue);
  [[nodiscard]] Known renamed(Database& database, const Issue& issue);
  [[nodiscard]] Known edited_near(Database& database, const Issue& issue);
  [[nodiscard]] Known nearest_old(Database& database, Pool& pool, const Issue& issue) const;
  [[nodiscard]] Known recognise(Database& database, const Issue& issue, std::optional<IssueRow> same);
  [[nodiscard]] Result<Issue> see_again(Database& database, IssueRow known, const Issue& seen,
                                        std::int64_t now_ms);
  [[nodiscard]] Result<Issue> add_new(Database& database, CodeGiver& codes, const Issue& issue,
                                      std::int64_t now_ms);
  [[nodiscard]] Status add_unrecognised(Database& database, std::vector<Issue>& issues, Others others,
                                        std::int64_t now_ms);

  Sighting sighting_;
  NewIssues new_;                                 // none between two calls of add()
  std::set<std::string> repositories_;            // whose gone files are loaded
  std::unordered_map<std::string, Pool> of_file_; // by repository and file
  std::unordered_map<std::string, Pool> gone_;    // by repository: of files that are not in the tree any more
  std::set<std::pair<std::string, std::string>> renames_; // from, to: seen in this look
};

} // namespace emend
