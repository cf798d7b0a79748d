#include "adapters/sql/decision_rows.hpp"

namespace emend {

namespace {

const std::string kComments = "id, issue_id, session_id, text, file, line, side, created_ms";
const std::string kWithdrawals =
    "id, session_id, issue_id, kind, reason, commit_sha, patch_sha256, branch_from, branch_to, branch, "
    "created_ms";

Comment read_comment(RowReader& row) {
  Comment comment;
  comment.id = row.text();
  comment.issue_id = row.text();
  comment.session_id = row.text();
  comment.text = row.text();
  comment.file = row.text();
  comment.line = row.small();
  comment.side = row.text();
  comment.created_ms = row.integer();
  return comment;
}

Withdrawal read_withdrawal(RowReader& row) {
  Withdrawal withdrawal;
  withdrawal.id = row.text();
  withdrawal.session_id = row.text();
  withdrawal.issue_id = row.text();
  withdrawal.kind = row.word(parse_withdrawal_kind);
  withdrawal.reason = row.text();
  withdrawal.commit = row.text();
  withdrawal.patch_sha256 = row.text();
  withdrawal.branch_from = row.text();
  withdrawal.branch_to = row.text();
  withdrawal.branch = row.word(parse_branch_change);
  withdrawal.created_ms = row.integer();
  return withdrawal;
}

// Of an issue, of a session, of an issue in a session, or all.
std::string which(const std::string& columns, const std::string& table, const std::string& issue_id,
                  const std::string& session_id, Values& values) {
  std::string sql = "select " + columns + " from " + table;
  for (const auto& [column, value] : {std::pair{"issue_id", issue_id}, std::pair{"session_id", session_id}}) {
    if (value.empty()) continue;
    values.emplace_back(value);
    sql += std::string(values.size() == 1 ? " where " : " and ") + column + " = $" +
           std::to_string(values.size());
  }
  return sql + " order by n";
}

} // namespace

Status insert_comment(Database& database, const Comment& comment) {
  static const std::string sql = insert_sql("comments", kComments);
  TRY(run(database, sql,
          {comment.id, comment.issue_id, comment.session_id, comment.text, comment.file,
           std::int64_t{comment.line}, comment.side, comment.created_ms}));
  return {};
}

Result<std::vector<Comment>> select_comments(Database& database, const std::string& issue_id,
                                             const std::string& session_id) {
  Values values;
  const std::string sql = which(kComments, "comments", issue_id, session_id, values);
  return select(database, sql, values, read_comment);
}

Status put_withdrawal(Database& database, const Withdrawal& withdrawal) {
  static const std::string sql =
      insert_sql("withdrawals", kWithdrawals) + " on conflict (id) do update set branch = excluded.branch";
  TRY(run(database, sql,
          {withdrawal.id, withdrawal.session_id, withdrawal.issue_id, std::string(to_string(withdrawal.kind)),
           withdrawal.reason, withdrawal.commit, withdrawal.patch_sha256, withdrawal.branch_from,
           withdrawal.branch_to, std::string(to_string(withdrawal.branch)), withdrawal.created_ms}));
  return {};
}

Result<std::vector<Withdrawal>> select_withdrawals(Database& database, const std::string& issue_id,
                                                   const std::string& session_id) {
  Values values;
  const std::string sql = which(kWithdrawals, "withdrawals", issue_id, session_id, values);
  return select(database, sql, values, read_withdrawal);
}

} // namespace emend
