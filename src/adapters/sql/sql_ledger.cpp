#include "adapters/sql/sql_ledger.hpp"

#include <mutex>

#include "adapters/sql/clarification_rows.hpp"
#include "adapters/sql/database_address.hpp"
#include "adapters/sql/issue_search.hpp"
#include "adapters/sql/journal_rows.hpp"
#include "adapters/sql/migrations.hpp"
#include "adapters/sql/rows.hpp"
#include "adapters/sql/session_rows.hpp"

namespace emend {

template <typename Visitor, Of<ServedRepository> Record>
void columns(Visitor& visit, Record& repository) {
  visit.table("served_repositories", "",
              " on conflict (id) do update set root = excluded.root, name = excluded.name");
  visit("id", repository.id);
  visit("root", repository.root);
  visit("name", repository.name);
  visit("added_ms", repository.added_ms);
}

template <typename Visitor, Of<Remembered> Record>
void columns(Visitor& visit, Record& entry) {
  visit.table("remembered", "kind, key");
  visit("kind", entry.kind);
  visit("key", entry.key);
  visit("value", entry.value);
  visit("expires_ms", entry.expires_ms);
}

namespace {

class SqlLedger final : public Ledger {
public:
  explicit SqlLedger(std::unique_ptr<Database> database) : database_(std::move(database)) {}

  Status put_repository(const ServedRepository& repository) override {
    const std::lock_guard guard(mutex_);
    return put_row(*database_, repository);
  }

  Result<std::vector<ServedRepository>> repositories() override {
    const std::lock_guard guard(mutex_);
    return select_rows<ServedRepository>(*database_, "1 = 1 order by n", {});
  }

  Status forget_repository(const std::string& id) override {
    const std::lock_guard guard(mutex_);
    TRY(run(*database_, "delete from served_repositories where id = $1", {id}));
    return {};
  }

  Result<bool> remember_once(const Remembered& entry, std::int64_t now_ms) override {
    const std::lock_guard guard(mutex_);
    TRY_ASSIGN(Transaction transaction, Transaction::begin(*database_));
    TRY(run(*database_, "delete from remembered where kind = $1 and key = $2 and expires_ms <= $3",
            {entry.kind, entry.key, now_ms}));
    TRY_ASSIGN(const int added, run(*database_,
                                    insert_sql("remembered", "kind, key, value, expires_ms") +
                                        " on conflict do nothing returning key",
                                    row_values(entry)));
    TRY(transaction.commit());
    return added == 1;
  }

  Status remember(const Remembered& entry) override {
    const std::lock_guard guard(mutex_);
    return put_row(*database_, entry);
  }

  Result<std::optional<Remembered>> remembered(const std::string& kind, const std::string& key,
                                               std::int64_t now_ms) override {
    const std::lock_guard guard(mutex_);
    TRY_ASSIGN(auto rows, select_rows<Remembered>(*database_, "kind = $1 and key = $2 and expires_ms > $3",
                                                  {kind, key, now_ms}));
    return rows.empty() ? std::optional<Remembered>() : std::optional<Remembered>(std::move(rows.front()));
  }

  Result<std::vector<Remembered>> all_remembered(const std::string& kind, std::int64_t now_ms) override {
    const std::lock_guard guard(mutex_);
    return select_rows<Remembered>(*database_, "kind = $1 and expires_ms > $2 order by expires_ms, key",
                                   {kind, now_ms});
  }

  Status forget(const std::string& kind, const std::string& key) override {
    const std::lock_guard guard(mutex_);
    TRY(run(*database_, "delete from remembered where kind = $1 and key = $2", {kind, key}));
    return {};
  }

  Status forget_expired(std::int64_t now_ms) override {
    const std::lock_guard guard(mutex_);
    TRY(run(*database_, "delete from remembered where expires_ms <= $1", {now_ms}));
    return {};
  }

  Result<std::int64_t> newest_event() override {
    const std::lock_guard guard(mutex_);
    return select_newest_event(*database_);
  }

  Result<std::int64_t> oldest_event() override {
    const std::lock_guard guard(mutex_);
    TRY_ASSIGN(const auto oldest, select(*database_, "select coalesce(min(seq), 0) from events", {},
                                         [](RowReader& row) { return row.integer(); }));
    return oldest.empty() ? 0 : oldest.front();
  }

  Result<std::vector<Event>> events_after(std::int64_t seq, const std::string& session_id,
                                          std::size_t limit) override {
    const std::lock_guard guard(mutex_);
    return select_events(*database_, seq, session_id, limit);
  }

  Result<std::vector<Event>> events_of_issue(const std::string& repository_id, const std::string& code,
                                             std::size_t limit) override {
    const std::lock_guard guard(mutex_);
    return select_events_of_issue(*database_, repository_id, code, limit);
  }

  Result<IssuePage> issue_page(const IssueSearch& filter, std::int64_t after) override {
    const std::lock_guard guard(mutex_);
    const std::size_t size = filter.limit == 0 ? 50 : filter.limit;
    IssuePage page;
    if (filter.offset || filter.order != IssueOrder::found) {
      TRY_ASSIGN(page.issues, select_issue_rows(*database_, filter, size));
      TRY(attach_clarifications(*database_, page.issues));
      return page;
    }
    bool more = true;
    while (more && page.issues.size() < size) {
      TRY_ASSIGN(more, select_issue_page(*database_, filter, after, size - page.issues.size(), page.issues));
    }
    if (more) page.next = after;
    TRY(attach_clarifications(*database_, page.issues));
    return page;
  }

  Result<SessionPage> session_page(const std::string& repository_id, const std::string& before,
                                   std::size_t limit,
                                   const std::optional<std::vector<std::string>>& among) override {
    const std::lock_guard guard(mutex_);
    SessionPage page;
    TRY_ASSIGN(page.sessions,
               select_sessions_before(*database_, repository_id, before, limit + 1, // one more tells
                                      among));                                      // whether there is more
    page.more = page.sessions.size() > limit;
    if (page.more) page.sessions.pop_back();
    return page;
  }

  Result<std::vector<Session>> unfinished_sessions(const std::string& repository_id) override {
    const std::lock_guard guard(mutex_);
    return select_unfinished_sessions(*database_, repository_id);
  }

  Result<std::vector<SessionCount>> session_counts() override {
    const std::lock_guard guard(mutex_);
    return select(*database_, "select status, count(*) from sessions group by status order by status", {},
                  [](RowReader& row) {
                    SessionCount counted;
                    counted.status = row.word(parse_session_status);
                    counted.count = row.integer();
                    return counted;
                  });
  }

  Result<std::vector<IssueCount>> issue_counts() override {
    const std::lock_guard guard(mutex_);
    return select(
        *database_,
        "select status, severity, sum(total) from issue_kinds where total > 0 group by status, severity", {},
        [](RowReader& row) {
          IssueCount counted;
          counted.status = parse_issue_status(row.text()).value_or(counted.status);
          counted.severity = parse_severity(row.text()).value_or(counted.severity);
          counted.count = row.integer();
          return counted;
        });
  }

  Result<std::vector<IssueKindCount>> issue_kinds(const IssueSearch& filter) override {
    const std::lock_guard guard(mutex_);
    return select_issue_kinds(*database_, filter);
  }

private:
  std::mutex mutex_;
  std::unique_ptr<Database> database_;
};

} // namespace

Result<std::unique_ptr<Ledger>> open_sql_ledger(const std::string& address, int busy_timeout_ms) {
  TRY_ASSIGN(auto database, open_database(address, busy_timeout_ms));
  TRY(migrate(*database, schema_migrations()));
  return std::make_unique<SqlLedger>(std::move(database));
}

} // namespace emend
