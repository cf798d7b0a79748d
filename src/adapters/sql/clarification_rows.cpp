#include "adapters/sql/clarification_rows.hpp"

#include <map>

#include "base/strings.hpp"

namespace emend {

namespace {

const std::string kColumns =
    "issue_id, question_id, round, question, context, suggestions, state, answer, asked_ms, answered_ms";

Clarification read_clarification(RowReader& row) {
  Clarification clarification;
  clarification.issue_id = row.text();
  clarification.question_id = row.text();
  clarification.round = row.small();
  clarification.question = row.text();
  clarification.context = row.text();
  clarification.suggestions = row.strings();
  clarification.state = row.word(parse_clarification_state);
  clarification.answer = row.text();
  clarification.asked_ms = row.integer();
  clarification.answered_ms = row.integer();
  return clarification;
}

// One issue is asked for by its id; for a list, reading the small table once is cheaper than asking issue by
// issue.
Result<std::vector<Clarification>> clarifications_for(Database& database, const std::vector<Issue>& issues) {
  const std::string all = "select " + kColumns + " from clarifications";
  if (issues.size() == 1)
    return select(database, all + " where issue_id = $1 order by n", {issues.front().id}, read_clarification);
  return select(database, all + " order by n", {}, read_clarification);
}

} // namespace

Status put_clarification(Database& database, const Clarification& clarification) {
  const std::string sql =
      insert_sql("clarifications", kColumns) +
      " on conflict (issue_id, question_id) do update set state = excluded.state, answer = excluded.answer, "
      "answered_ms = excluded.answered_ms";
  TRY(run(database, sql,
          {clarification.issue_id, clarification.question_id, std::int64_t{clarification.round},
           clarification.question, clarification.context, strings_to_text(clarification.suggestions),
           std::string(to_string(clarification.state)), clarification.answer, clarification.asked_ms,
           clarification.answered_ms}));
  return {};
}

Status attach_clarifications(Database& database, std::vector<Issue>& issues) {
  if (issues.empty()) return {};
  TRY_ASSIGN(auto found, clarifications_for(database, issues));
  std::map<std::string, std::vector<Clarification>> by_issue;
  for (Clarification& clarification : found)
    by_issue[clarification.issue_id].push_back(std::move(clarification));
  for (Issue& issue : issues)
    if (const auto own = by_issue.find(issue.id); own != by_issue.end()) issue.clarifications = own->second;
  return {};
}

} // namespace emend
