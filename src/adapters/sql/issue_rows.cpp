#include "adapters/sql/issue_rows.hpp"

#include "adapters/sql/clarification_rows.hpp"
#include "adapters/sql/issue_search.hpp"
#include "base/strings.hpp"
#include "model/issue_state.hpp"

namespace emend {

namespace {

const std::string kColumns =
    "id, repository_id, code, fingerprint, content_fingerprint, line_key, finding, status, reason, detail, "
    "evidence, duplicate_of, "
    "session_id, commit_sha, last_score, attempts, trend, seen_commit, absent_commit, created_ms, "
    "updated_ms, seen_look";

Values values_of(const IssueRow& row) {
  const Issue& issue = row.issue;
  return {issue.id,
          issue.repository_id,
          issue.code,
          issue.fingerprint,
          issue.content_fingerprint,
          issue.line_key,
          dump_json(to_json(issue.finding)),
          std::string(to_string(issue.status)),
          issue.reason,
          issue.detail,
          issue.evidence,
          issue.duplicate_of,
          or_null(issue.session_id),
          issue.commit,
          issue.last_score,
          issue.attempts,
          std::string(to_string(issue.trend)),
          issue.seen_commit,
          issue.absent_commit,
          issue.created_ms,
          issue.updated_ms,
          row.look,
          issue.finding.file,
          std::string(to_string(issue.finding.severity)),
          issue.finding.rule,
          issue.finding.category,
          issue.finding.agent,
          search_text(issue.finding, issue.code)};
}

Status expect_one(int rows, const std::string& id) {
  return rows == 1 ? Status() : fail(ErrorCode::conflict, "there is no issue " + id + " any more");
}

Value optional_value(const std::optional<std::string>& text) { return text ? Value(*text) : Value(nullptr); }

Status refused_move(Database& database, const IssueMove& move) {
  TRY_ASSIGN(const auto now, select(database, "select code, status from issues where id = $1",
                                    {move.issue_id}, [](RowReader& row) {
                                      return std::pair<std::string, std::string>{row.text(), row.text()};
                                    }));
  if (now.empty()) return fail(ErrorCode::conflict, "there is no issue " + move.issue_id + " any more");
  return fail(ErrorCode::conflict,
              now.front().first + " is " + now.front().second + ", not " + std::string(to_string(move.from)) +
                  " any more",
              "somebody else changed it; look at it with `emend issues show " + now.front().first + "`");
}

} // namespace

const std::string& issue_columns() { return kColumns; }

IssueRow read_issue_row(RowReader& row) {
  IssueRow read;
  Issue& issue = read.issue;
  issue.id = row.text();
  issue.repository_id = row.text();
  issue.code = row.text();
  issue.fingerprint = row.text();
  issue.content_fingerprint = row.text();
  issue.line_key = row.text();
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
  issue.trend = row.word(parse_issue_trend);
  issue.seen_commit = row.text();
  issue.absent_commit = row.text();
  issue.created_ms = row.integer();
  issue.updated_ms = row.integer();
  read.look = row.text();
  return read;
}

Status insert_issue(Database& database, const IssueRow& row) {
  static const std::string sql =
      insert_sql("issues", kColumns + ", file, severity, rule, category, tool, search_text");
  TRY(run(database, sql, values_of(row)));
  return {};
}

Status update_sighting(Database& database, const IssueRow& row) {
  static const std::string sql =
      "update issues set fingerprint = $1, content_fingerprint = $2, line_key = $3, file = $4, finding = $5, "
      "trend = $6, seen_look = $7, "
      "seen_commit = $8, absent_commit = $9, updated_ms = $10, severity = $11, rule = $12, category = $13, "
      "tool = $14, search_text = $15 where id = $16 "
      "returning id";
  const Issue& issue = row.issue;
  TRY_ASSIGN(const int rows,
             run(database, sql,
                 {issue.fingerprint, issue.content_fingerprint, issue.line_key, issue.finding.file,
                  dump_json(to_json(issue.finding)), std::string(to_string(issue.trend)), row.look,
                  issue.seen_commit, issue.absent_commit, issue.updated_ms,
                  std::string(to_string(issue.finding.severity)), issue.finding.rule, issue.finding.category,
                  issue.finding.agent, search_text(issue.finding, issue.code), issue.id}));
  return expect_one(rows, issue.id);
}

Status touch_sighting(Database& database, const IssueRow& row) {
  static const std::string sql =
      "update issues set trend = $1, seen_look = $2, seen_commit = $3, absent_commit = $4 where id = $5 "
      "returning id";
  const Issue& issue = row.issue;
  TRY_ASSIGN(const int rows, run(database, sql,
                                 {std::string(to_string(issue.trend)), row.look, issue.seen_commit,
                                  issue.absent_commit, issue.id}));
  return expect_one(rows, issue.id);
}

Result<std::string> CodeGiver::next(const std::string& repository_id, Side side) {
  const std::string prefix(code_prefix(side));
  const auto [last, fresh] = last_.try_emplace({repository_id, prefix}, 0);
  if (fresh) {
    TRY_ASSIGN(
        const auto numbers,
        select(database_, "select last_number from code_counters where repository_id = $1 and prefix = $2",
               {repository_id, prefix}, [](RowReader& row) { return row.integer(); }));
    if (!numbers.empty()) last->second = numbers.front();
  }
  std::string digits = std::to_string(++last->second);
  if (digits.size() < 3) digits.insert(0, 3 - digits.size(), '0');
  return prefix + "-" + digits;
}

Status CodeGiver::store() {
  for (const auto& [key, number] : last_)
    TRY(run(database_,
            upsert_sql("code_counters", "repository_id, prefix, last_number", "repository_id, prefix"),
            {key.first, key.second, number}));
  return {};
}

Status move_issue(Database& database, const IssueMove& move, std::int64_t now_ms) {
  if (!may_move(move.from, move.to, move.actor)) {
    return fail(ErrorCode::internal, "no move from " + std::string(to_string(move.from)) + " to " +
                                         std::string(to_string(move.to)) + " for the " +
                                         std::string(to_string(move.actor)));
  }
  const auto trend =
      move.trend || move.to != IssueStatus::resolved ? move.trend : std::optional(IssueTrend::ongoing);
  TRY_ASSIGN(
      const int moved,
      run(database,
          "update issues set status = $1, reason = $2, detail = $3, evidence = coalesce($4, evidence), "
          "commit_sha = coalesce($5, commit_sha), session_id = nullif(coalesce($6, session_id), ''), "
          "duplicate_of = coalesce($7, duplicate_of), last_score = coalesce($8, last_score), attempts = "
          "attempts + $9, "
          "updated_ms = $10, trend = coalesce($11, trend) where id = $12 and status = $13 returning id",
          {std::string(to_string(move.to)), move.reason, move.detail, optional_value(move.evidence),
           optional_value(move.commit), optional_value(move.session_id), optional_value(move.duplicate_of),
           move.last_score ? Value(std::int64_t{*move.last_score}) : Value(nullptr), move.add_attempts,
           now_ms, trend ? Value(std::string(to_string(*trend))) : Value(nullptr), move.issue_id,
           std::string(to_string(move.from))}));
  return moved == 1 ? Status() : refused_move(database, move);
}

Status mark_absent(Database& database, const Absence& absence) {
  TRY(run(database, "update issues set absent_commit = $1 where id = $2 and absent_commit = ''",
          {absence.commit, absence.issue_id}));
  return {};
}

Result<std::vector<Issue>> select_issues(Database& database, const IssueFilter& filter) {
  std::vector<Issue> issues;
  std::int64_t after = 0;
  const bool globbed = !filter.file_glob.empty();
  const std::size_t size = globbed || filter.limit == 0 ? 10'000 : filter.limit;
  for (bool more = true; more && (filter.limit == 0 || issues.size() < filter.limit);) {
    TRY_ASSIGN(more, select_issue_page(database, filter, after, size, issues));
  }
  if (filter.limit != 0 && issues.size() > filter.limit) issues.resize(filter.limit);
  TRY(attach_clarifications(database, issues));
  return issues;
}

Result<Issue> select_issue(Database& database, const std::string& repository_id,
                           const std::string& code_or_id) {
  TRY_ASSIGN(auto found,
             select(database,
                    "select " + kColumns + " from issues where repository_id = $1 and (code = $2 or id = $3)",
                    {repository_id, to_upper(code_or_id), code_or_id}, read_issue_row));
  if (found.empty()) {
    return fail(ErrorCode::not_found, "there is no issue " + code_or_id + " in this repository",
                "list them with `emend issues list`");
  }
  std::vector<Issue> issue = {std::move(found.front().issue)};
  TRY(attach_clarifications(database, issue));
  return std::move(issue.front());
}

} // namespace emend
