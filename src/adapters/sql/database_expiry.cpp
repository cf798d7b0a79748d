#include "adapters/sql/database_expiry.hpp"

#include "base/strings.hpp"
#include "model/session.hpp"

namespace emend {
namespace {

// Whole sessions: the digests of what stays of one would not hold.
constexpr const char* kOver =
    "select id from sessions where updated_ms < $1 and status in ('passed', 'partial', 'failed') and not "
    "exists "
    "(select 1 from proofs where proofs.session_id = sessions.id)";

Result<std::int64_t> count(Database& database, const std::string& sql, const Values& values) {
  TRY_ASSIGN(const auto found, select(database, sql, values, [](RowReader& row) { return row.integer(); }));
  return found.empty() ? 0 : found.front();
}

Result<std::vector<std::string>> sessions_over(Database& database, std::int64_t before_ms) {
  return select(database,
                std::string(kOver) +
                    " and exists (select 1 from events where events.session_id = sessions.id) order by n",
                {before_ms}, [](RowReader& row) { return row.text(); });
}

} // namespace

// Session by session, so that writers never wait for long.
Result<DatabaseExpiry> expire_rows(Database& database, std::int64_t before_ms, bool dry) {
  DatabaseExpiry sum;
  TRY_ASSIGN(const std::vector<std::string> sessions, sessions_over(database, before_ms));
  for (const std::string& id : sessions) {
    TRY_ASSIGN(const std::int64_t events,
               count(database, "select count(*) from events where session_id = $1", {id}));
    const std::string parcels = "artifacts/" + id + "/";
    TRY_ASSIGN(
        const std::int64_t sent,
        count(database, "select count(*) from parcels where substr(name, 1, length($1)) = $1", {parcels}));
    ++sum.sessions;
    sum.events += events;
    sum.parcels += sent;
    if (dry) continue;
    TRY_ASSIGN(Transaction transaction, Transaction::begin(database));
    TRY(run(database, "delete from events where session_id = $1", {id}));
    TRY(run(database, "delete from parcels where substr(name, 1, length($1)) = $1", {parcels}));
    TRY(transaction.commit());
  }
  return sum;
}

} // namespace emend
