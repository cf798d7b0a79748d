// Issues and their codes as rows.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "adapters/sql/database.hpp"
#include "ports/store.hpp"

namespace emend {

// An issue as its row has it, with the look that saw it last.
struct IssueRow {
  Issue issue;
  std::string look;
};

// The columns read_issue_row() expects, in order.
[[nodiscard]] const std::string& issue_columns();
[[nodiscard]] IssueRow read_issue_row(RowReader& row);

// What IssueSearch::text is looked for in. In lower case, by our rule and not by a database's.
[[nodiscard]] std::string search_text(const Finding& finding, const std::string& code);

// "$2, $3, $4": so many parameters, from the first on.
[[nodiscard]] std::string parameters_sql(std::size_t count, std::size_t first);

// Rows that are inserted many at a time: each statement costs as much as a few rows.
class NewIssues {
public:
  // Inserts what is full; the rest waits for store(). The row's id, fingerprint and code are nobody else's.
  [[nodiscard]] Status add(Database& database, IssueRow row);
  // One that waits; null when there is none of this id.
  [[nodiscard]] IssueRow* find(const std::string& id);
  [[nodiscard]] Status store(Database& database); // before anything looks for them in the database

private:
  std::vector<IssueRow> waiting_;
};

// Where it was seen and what was said of it; status and history stay as they are.
[[nodiscard]] Status update_sighting(Database& database, const IssueRow& row);
// The same for one that did not change: no index is touched.
[[nodiscard]] Status touch_sighting(Database& database, const IssueRow& row);

[[nodiscard]] Status move_issue(Database& database, const IssueMove& move, std::int64_t now_ms);
[[nodiscard]] Status mark_absent(Database& database, const Absence& absence);
[[nodiscard]] Result<Issue> select_issue(Database& database, const std::string& repository_id,
                                         const std::string& code_or_id);

// Gives codes in a transaction. The counter only goes up, so a code names one issue for ever, even when its
// row is gone.
class CodeGiver {
public:
  explicit CodeGiver(Database& database) : database_(database) {}
  [[nodiscard]] Result<std::string> next(const std::string& repository_id, Side side);
  // This code if no issue has it, and none before it is given out any more; else the next one.
  [[nodiscard]] Result<std::string> take(const std::string& repository_id, const std::string& code,
                                         Side side);
  [[nodiscard]] Status store(); // before the transaction ends

private:
  [[nodiscard]] Result<std::int64_t*> last_of(const std::string& repository_id, const std::string& prefix);

  Database& database_;
  std::map<std::pair<std::string, std::string>, std::int64_t> last_; // by repository and prefix
};

} // namespace emend
