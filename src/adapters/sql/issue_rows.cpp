#include "adapters/sql/issue_rows.hpp"

#include "base/glob.hpp"
#include "base/hash.hpp"
#include "base/strings.hpp"
#include "model/issue_state.hpp"

namespace emend {

namespace {

const std::string kColumns =
    "id, repository_id, code, fingerprint, finding, status, reason, detail, evidence, duplicate_of, session_id, commit_sha, last_score, "
    "attempts, created_ms, updated_ms";

Issue read_issue(RowReader& row) {
  Issue issue;
  issue.id = row.text();
  issue.repository_id = row.text();
  issue.code = row.text();
  issue.fingerprint = row.text();
  issue.finding = finding_from_json(row.json());
  issue.status = row.word(parse_issue_status);
  issue.reason = row.text();
  issue.detail = row.text();
  issue.evidence = row.text();
  issue.duplicate_of = row.text();
  issue.session_id = row.text();
  issue.commit = row.text();
  issue.last_score = row.small();
  issue.attempts = row.small();
  issue.created_ms = row.integer();
  issue.updated_ms = row.integer();
  return issue;
}

Values values_of(const Issue& issue) {
  return {issue.id,         issue.repository_id, issue.code,         issue.fingerprint,          dump_json(to_json(issue.finding)),
          std::string(to_string(issue.status)),  issue.reason,       issue.detail,               issue.evidence,
          issue.duplicate_of, or_null(issue.session_id), issue.commit, issue.last_score,         issue.attempts,
          issue.created_ms, issue.updated_ms};
}

// The counter only goes up, so a code names one issue for ever, even when its row is gone.
Result<std::string> next_code(Database& database, const std::string& repository_id, Side side) {
  const std::string prefix(code_prefix(side));
  TRY_ASSIGN(const auto numbers,
             select(database,
                    "insert into code_counters (repository_id, prefix, last_number) values ($1, $2, 1) "
                    "on conflict (repository_id, prefix) do update set last_number = code_counters.last_number + 1 returning last_number",
                    {repository_id, prefix}, [](RowReader& row) { return row.integer(); }));
  if (numbers.size() != 1) return fail(ErrorCode::internal, "no code for the issue");
  std::string digits = std::to_string(numbers.front());
  if (digits.size() < 3) digits.insert(0, 3 - digits.size(), '0');
  return prefix + "-" + digits;
}

Result<std::optional<Issue>> find_fingerprint(Database& database, const Issue& issue) {
  TRY_ASSIGN(auto found, select(database, "select " + kColumns + " from issues where repository_id = $1 and fingerprint = $2",
                                {issue.repository_id, issue.fingerprint}, read_issue));
  if (found.empty()) return std::optional<Issue>();
  return std::optional<Issue>(std::move(found.front()));
}

Value optional_value(const std::optional<std::string>& text) { return text ? Value(*text) : Value(nullptr); }

Status refused_move(Database& database, const IssueMove& move) {
  TRY_ASSIGN(const auto now, select(database, "select code, status from issues where id = $1", {move.issue_id},
                                    [](RowReader& row) { return std::pair<std::string, std::string>{row.text(), row.text()}; }));
  if (now.empty()) return fail(ErrorCode::conflict, "there is no issue " + move.issue_id + " any more");
  return fail(ErrorCode::conflict,
              now.front().first + " is " + now.front().second + ", not " + std::string(to_string(move.from)) + " any more",
              "somebody else changed it; look at it with `emend issues show " + now.front().first + "`");
}

} // namespace

Result<Issue> add_issue(Database& database, const Issue& issue, std::int64_t now_ms) {
  if (issue.repository_id.empty() || issue.fingerprint.empty()) {
    return fail(ErrorCode::internal, "an issue needs a repository and a fingerprint");
  }
  TRY_ASSIGN(const std::optional<Issue> known, find_fingerprint(database, issue));
  if (known) return *known;
  Issue added = issue;
  added.id = new_uuid();
  TRY_ASSIGN(added.code, next_code(database, issue.repository_id, side_of(issue.finding.file)));
  added.created_ms = now_ms;
  added.updated_ms = now_ms;
  TRY(run(database, insert_sql("issues", kColumns), values_of(added)));
  return added;
}

Status move_issue(Database& database, const IssueMove& move, std::int64_t now_ms) {
  if (!may_move(move.from, move.to, move.actor)) {
    return fail(ErrorCode::internal, "no move from " + std::string(to_string(move.from)) + " to " + std::string(to_string(move.to)) +
                                         " for the " + std::string(to_string(move.actor)));
  }
  TRY_ASSIGN(const int moved,
             run(database,
                 "update issues set status = $1, reason = $2, detail = $3, evidence = coalesce($4, evidence), "
                 "commit_sha = coalesce($5, commit_sha), session_id = nullif(coalesce($6, session_id), ''), "
                 "duplicate_of = coalesce($7, duplicate_of), last_score = coalesce($8, last_score), attempts = attempts + $9, "
                 "updated_ms = $10 where id = $11 and status = $12 returning id",
                 {std::string(to_string(move.to)), move.reason, move.detail, optional_value(move.evidence), optional_value(move.commit),
                  optional_value(move.session_id), optional_value(move.duplicate_of),
                  move.last_score ? Value(std::int64_t{*move.last_score}) : Value(nullptr), move.add_attempts, now_ms, move.issue_id,
                  std::string(to_string(move.from))}));
  return moved == 1 ? Status() : refused_move(database, move);
}

Result<std::vector<Issue>> select_issues(Database& database, const IssueFilter& filter) {
  std::vector<std::string> conditions = {"1 = 1"};
  Values values;
  const auto parameter = [&](const std::string& value) {
    values.emplace_back(value);
    return "$" + std::to_string(values.size());
  };
  if (!filter.repository_id.empty()) conditions.push_back("repository_id = " + parameter(filter.repository_id));
  if (!filter.session_id.empty()) conditions.push_back("session_id = " + parameter(filter.session_id));
  std::vector<std::string> statuses;
  for (const IssueStatus status : filter.statuses) statuses.push_back(parameter(std::string(to_string(status))));
  if (!statuses.empty()) conditions.push_back("status in (" + join(statuses, ", ") + ")");

  // Globs are ours, not the database's, so with one the limit counts here.
  const bool globbed = !filter.file_glob.empty();
  TRY_ASSIGN(auto issues, select(database,
                                 "select " + kColumns + " from issues where " + join(conditions, " and ") + " order by n" +
                                     limit_sql(globbed ? 0 : filter.limit),
                                 values, read_issue));
  if (globbed) {
    std::erase_if(issues, [&](const Issue& issue) { return !glob_match(filter.file_glob, issue.finding.file); });
    if (filter.limit != 0 && issues.size() > filter.limit) issues.resize(filter.limit);
  }
  return issues;
}

Result<Issue> select_issue(Database& database, const std::string& repository_id, const std::string& code_or_id) {
  TRY_ASSIGN(auto found, select(database, "select " + kColumns + " from issues where repository_id = $1 and (code = $2 or id = $3)",
                                {repository_id, to_upper(code_or_id), code_or_id}, read_issue));
  if (found.empty()) {
    return fail(ErrorCode::not_found, "there is no issue " + code_or_id + " in this repository", "list them with `emend issues list`");
  }
  return std::move(found.front());
}

} // namespace emend
