#include "adapters/sql/audit_rows.hpp"

#include "adapters/sql/record_tables.hpp"

namespace emend {

namespace {

AuditHead read_head(RowReader& row) {
  AuditHead head;
  head.n = row.integer();
  head.digest = row.text();
  return head;
}

// Conditions with their values.
class Where {
public:
  [[nodiscard]] std::string value(const Value& given) {
    values_.push_back(given);
    return "$" + std::to_string(values_.size());
  }
  void add(const std::string& condition) { text_ += " and " + condition; }
  void equal(const std::string& column, const std::string& wanted) {
    if (!wanted.empty()) add(column + " = " + value(wanted));
  }
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] const Values& values() const { return values_; }

private:
  std::string text_ = "1 = 1";
  Values values_;
};

std::string like_text(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '%' || c == '_' || c == '!') safe += '!';
    safe += c;
  }
  return to_lower(safe);
}

void choose_repositories(Where& where, const std::vector<std::string>& ids) {
  std::vector<std::string> places;
  for (const std::string& id : ids) places.push_back(where.value(id));
  where.add(places.empty() ? "1 = 0" : "repository_id in (" + join(places, ", ") + ")");
}

} // namespace

Status append_audit(Database& database, const AuditEntry& entry, std::int64_t now_ms) {
  TRY(run(database, "insert into audit_head (one, n, digest) values (1, 0, '') on conflict (one) do nothing",
          {}));
  TRY_ASSIGN(
      const auto before,
      select(database, "update audit_head set n = n + 1 where one = 1 returning n, digest", {}, read_head));
  if (before.size() != 1) return fail(ErrorCode::internal, "the audit log has no end to write after");
  AuditEntry stored = entry;
  stored.n = before.front().n;
  if (stored.time_ms == 0) stored.time_ms = now_ms;
  stored.digest = audit_digest(before.front().digest, stored);
  TRY(put_row(database, stored));
  TRY(run(database, "update audit_head set digest = $1 where one = 1", {stored.digest}));
  return {};
}

Result<std::vector<AuditEntry>> select_audit(Database& database, const AuditSearch& search) {
  Where where;
  if (!search.actor.empty())
    where.add("(actor_id = " + where.value(search.actor) + " or lower(actor_name) like " +
              where.value("%" + like_text(search.actor) + "%") + " escape '!')");
  if (!search.action.empty())
    where.add("(action = " + where.value(search.action) + " or action like " +
              where.value(like_text(search.action) + ".%") + " escape '!')");
  where.equal("repository_id", search.repository_id);
  where.equal("subject", search.subject);
  if (search.since_ms > 0) where.add("time_ms >= " + where.value(search.since_ms));
  if (search.until_ms > 0) where.add("time_ms < " + where.value(search.until_ms));
  if (search.after > 0) where.add("n > " + where.value(search.after));
  if (search.before > 0) where.add("n < " + where.value(search.before));
  if (search.repositories) choose_repositories(where, *search.repositories);
  return select_rows<AuditEntry>(
      database, where.text() + " order by n" + (search.oldest_first ? "" : " desc") + limit_sql(search.limit),
      where.values());
}

Result<AuditHead> select_audit_head(Database& database) {
  TRY_ASSIGN(const auto head,
             select(database, "select n, digest from audit_head where one = 1", {}, read_head));
  return head.empty() ? AuditHead{} : head.front();
}

} // namespace emend
