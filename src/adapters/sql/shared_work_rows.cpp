#include "adapters/sql/shared_work_rows.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "adapters/sql/rows.hpp"

namespace emend {

template <typename Visitor, Of<WorkerRecord> Record>
void columns(Visitor& visit, Record& worker) {
  visit.table("workers");
  visit("id", worker.id);
  visit("host", worker.host);
  visit("pid", worker.process.pid);
  visit("start_ticks", worker.process.start_ticks);
  visit("boot_id", worker.process.boot_id);
  visit("labels", worker.labels);
  visit("slots", worker.slots);
  visit("version", worker.version);
  visit("draining", worker.draining);
}

template <typename Visitor, Of<SharedJob> Record>
void columns(Visitor& visit, Record& job) {
  visit.table("shared_jobs", "",
              " on conflict (id) do update set state = 'queued', deliveries = 0, worker_id = null, problem = "
              "'', result = 'null', stop_asked = 0, needs = excluded.needs, job_order = excluded.job_order "
              "where shared_jobs.state in ('done', 'failed')");
  visit("id", job.id);
  visit("kind", job.kind);
  visit("repository_id", job.repository_id);
  visit("session_id", job.session_id);
  visit("needs", job.needs);
  visit("job_order", job.order);
  visit("state", job.state, parse_shared_job_state);
  visit.given("deliveries", job.deliveries);
  visit.given("token", job.token);
  visit.given("worker_id", job.worker_id);
  visit.given("problem", job.problem);
  visit.given("result", job.result);
  visit.given("stop_asked", job.stop_asked);
}

namespace {

WorkerRecord read_worker(RowReader& row) {
  WorkerRecord worker = read_row<WorkerRecord>(row);
  worker.alive_until_ms = row.integer();
  worker.alive = row.flag();
  worker.claims = row.small();
  return worker;
}

Error not_ours(const Fence& fence) {
  return {ErrorCode::conflict, "the work " + fence.job_id + " was given to another process meanwhile",
          "nothing of this claim was written; its new owner continues"};
}

// A word of our own, for a list in SQL text: parameters cannot be counted in a statement that is kept.
std::string quoted(const std::string& word) { return "'" + replace_all(word, "'", "''") + "'"; }

std::string one_of(const std::vector<std::string>& words) {
  std::vector<std::string> parts;
  for (const std::string& word : words) parts.push_back(quoted(word));
  return "(" + join(parts, ", ") + ")";
}

Status expect_claim(Result<int> hit, const Fence& fence) {
  TRY_ASSIGN(const int rows, std::move(hit));
  return rows == 1 ? Status() : fail(not_ours(fence));
}

constexpr std::size_t kPartBytes = 384 * 1024;

} // namespace

Status hold_fence(Database& database, const Fence& fence) {
  return expect_claim(run(database,
                          "update shared_jobs set token = token where id = $1 and token = $2 and state = "
                          "'claimed' returning id",
                          {fence.job_id, fence.token}),
                      fence);
}

Status put_worker(Database& database, const WorkerRecord& worker, std::int64_t lease_ms) {
  static const std::string assigned =
      "labels = excluded.labels, slots = excluded.slots, draining = excluded.draining, alive_until_ms = "
      "excluded.alive_until_ms";
  const std::string sql = fmt::format(
      "insert into workers ({}, alive_until_ms) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, {} + $10) on "
      "conflict (id) do update set {}",
      row_sql<WorkerRecord>().columns(), database.clock_sql(), assigned);
  Values values = row_values(worker);
  values.emplace_back(lease_ms);
  TRY(run(database, sql, values));
  return {};
}

Status remove_worker(Database& database, const std::string& id) {
  TRY(run(database, "delete from workers where id = $1", {id}));
  TRY(run(database,
          "update shared_jobs set state = 'queued', worker_id = null, deliveries = deliveries - 1 where "
          "worker_id = $1 and state = 'claimed'",
          {id}));
  return database.ring("emend_work");
}

Status end_leases(Database& database, const std::string& id) {
  TRY(run(database,
          fmt::format("update workers set alive_until_ms = {} - 1 where id = $1", database.clock_sql()),
          {id}));
  TRY(run(
      database,
      fmt::format("update shared_jobs set held_until_ms = {} - 1 where worker_id = $1 and state = 'claimed'",
                  database.clock_sql()),
      {id}));
  return database.ring("emend_work");
}

Result<std::vector<WorkerRecord>> select_workers(Database& database) {
  constexpr std::int64_t kHour = 3'600'000;
  const std::string clock(database.clock_sql());
  return select(
      database,
      fmt::format(
          "select {0}, alive_until_ms, case when alive_until_ms >= {1} then 1 else 0 end, "
          "(select count(*) from shared_jobs where shared_jobs.worker_id = workers.id and state = 'claimed') "
          "from workers where alive_until_ms >= {1} - $1 order by host, id",
          row_sql<WorkerRecord>().columns(), clock),
      {kHour}, read_worker);
}

Result<bool> several_releases(Database& database) {
  TRY_ASSIGN(const auto releases,
             select(database,
                    fmt::format("select count(distinct version) from workers where alive_until_ms >= {}",
                                database.clock_sql()),
                    {}, [](RowReader& row) { return row.integer(); }));
  return !releases.empty() && releases.front() > 1;
}

Result<Beat> settle_claims(Database& database, const std::string& worker_id, std::int64_t lease_ms,
                           const std::vector<Fence>& works_on) {
  Beat beat;
  TRY(for_each_row(
      database,
      "select id, token, stop_asked from shared_jobs where worker_id = $1 and state = 'claimed' order by id",
      {worker_id}, [&](RowReader& row) -> Status {
        Fence fence;
        fence.job_id = row.text();
        fence.token = row.integer();
        const bool stop = row.flag();
        const bool known = std::any_of(works_on.begin(), works_on.end(), [&](const Fence& own) {
          return own.job_id == fence.job_id && own.token == fence.token;
        });
        if (known && stop) beat.asked_stop.push_back(fence);
        (known ? beat.held : beat.given_back).push_back(std::move(fence));
        return {};
      }));
  const std::string renewed = fmt::format(
      "update shared_jobs set held_until_ms = {} + $3 where id = $1 and token = $2 and state = 'claimed'",
      database.clock_sql());
  for (const Fence& fence : beat.held) TRY(run(database, renewed, {fence.job_id, fence.token, lease_ms}));
  for (const Fence& fence : beat.given_back)
    TRY(run(database,
            "update shared_jobs set state = 'queued', worker_id = null, deliveries = deliveries - 1 where id "
            "= $1 and token = $2 and state = 'claimed'",
            {fence.job_id, fence.token}));
  if (!beat.given_back.empty()) TRY(database.ring("emend_work"));
  return beat;
}

Status offer_job(Database& database, const SharedJob& job) {
  SharedJob offered = job;
  offered.state = SharedJobState::queued;
  TRY(put_row(database, offered));
  return database.ring("emend_work");
}

Status fail_poisonous(Database& database, int max_deliveries) {
  TRY_ASSIGN(
      const int failed,
      run(database,
          "update shared_jobs set state = 'failed', problem = 'given up: ' || deliveries || ' workers died "
          "while they worked on it' where id in (select id from shared_jobs "
          "where state = 'claimed' and kind <> 'repository' and deliveries >= $1 and held_until_ms < " +
              std::string(database.clock_sql()) + std::string(database.skip_locked()) + ") returning id",
          {max_deliveries}));
  return failed == 0 ? Status() : database.ring("emend_work");
}

Result<std::optional<SharedJob>> claim_job(Database& database, const WorkerRecord& worker,
                                           const ClaimQuery& query) {
  std::vector<std::string> offered = worker.labels;
  offered.emplace_back();
  std::string wanted = query.id.empty() ? "j.needs in " + one_of(offered) : "1 = 1";
  Values values = {worker.id};
  const auto also = [&](const std::string& column, const std::string& value) {
    if (value.empty()) return;
    values.emplace_back(value);
    wanted += fmt::format(" and j.{} = ${}", column, values.size());
  };
  if (!query.kinds.empty()) wanted += " and j.kind in " + one_of(query.kinds);
  also("id", query.id);
  also("session_id", query.session_id);
  const std::string free_sql = fmt::format(
      "(j.state = 'queued' or (j.state = 'claimed' and j.held_until_ms < {}))", database.clock_sql());
  // One thing at a time for each repository: a session that would have to wait is left to wait.
  const std::string may_run = fmt::format(
      "(j.kind <> 'session' or j.id = {} or not exists (select 1 from shared_jobs r where r.kind = "
      "'repository' "
      "and r.repository_id = j.repository_id and r.state = 'claimed' and r.held_until_ms >= {}))",
      query.id.empty() ? "''" : "$2", database.clock_sql());
  // The first lease ends when its worker is heard of next; that word renews it, or gives it back.
  const std::string sql = fmt::format(
      "update shared_jobs set state = 'claimed', worker_id = $1, token = token + 1, deliveries = deliveries "
      "+ 1, "
      "held_until_ms = coalesce((select alive_until_ms from workers where id = $1), 0) where id = "
      "(select j.id from shared_jobs j where j.state in ('queued', 'claimed') and {} and {} and {} order by "
      "j.n limit 1{}) returning {}",
      wanted, free_sql, may_run, database.skip_locked(), row_sql<SharedJob>().columns());
  TRY_ASSIGN(auto claimed, select(database, sql, values, read_row<SharedJob>));
  if (claimed.empty()) return std::optional<SharedJob>();
  return std::optional<SharedJob>(std::move(claimed.front()));
}

Status end_claim(Database& database, const Fence& fence, SharedJobState state, const std::string& problem,
                 const Json& result) {
  TRY(expect_claim(
      run(database,
          "update shared_jobs set state = $3, problem = $4, result = $5 where id = $1 and token = $2 and "
          "state = 'claimed' returning id",
          {fence.job_id, fence.token, std::string(to_string(state)), problem, dump_json(result)}),
      fence));
  return database.ring("emend_work");
}

Status return_claim(Database& database, const Fence& fence, bool counts, const std::string& problem,
                    int max_deliveries) {
  TRY(expect_claim(
      run(database,
          "update shared_jobs set state = case when $3 = 1 and deliveries >= $5 then 'failed' else 'queued' "
          "end, worker_id = null, problem = $4, "
          "deliveries = deliveries - 1 + $3 where id = $1 and token = $2 and state = 'claimed' returning id",
          {fence.job_id, fence.token, std::int64_t{counts ? 1 : 0}, problem, std::int64_t{max_deliveries}}),
      fence));
  return database.ring("emend_work");
}

Status ask_job_to_stop(Database& database, const std::string& id) {
  TRY(run(database, "update shared_jobs set stop_asked = 1 where id = $1", {id}));
  return database.ring("emend_work");
}

Result<bool> withdraw_job(Database& database, const std::string& id) {
  TRY_ASSIGN(const int hit, run(database,
                                "update shared_jobs set state = 'failed', problem = 'withdrawn' where id = "
                                "$1 and state = 'queued' returning id",
                                {id}));
  return hit == 1;
}

Result<SharedJob> select_shared_job(Database& database, const std::string& id) {
  TRY_ASSIGN(auto found, select_rows<SharedJob>(database, "id = $1", {id}));
  if (found.empty()) return fail(ErrorCode::not_found, "there is no shared work " + id);
  return std::move(found.front());
}

Result<std::vector<SharedJob>> select_shared_jobs(Database& database, const std::string& session_id) {
  if (session_id.empty())
    return select_rows<SharedJob>(database,
                                  "state in ('queued', 'claimed') and kind <> 'repository' order by n", {});
  return select_rows<SharedJob>(database, "session_id = $1 order by n", {session_id});
}

Result<std::vector<std::string>> select_claimed(Database& database, const std::string& kind) {
  return select(database,
                fmt::format("select id from shared_jobs where kind = $1 and state = 'claimed' and "
                            "held_until_ms >= {} order by id",
                            database.clock_sql()),
                {kind}, [](RowReader& row) { return row.text(); });
}

// In pieces: a repository may be large, and a row should not be.
Status insert_parcel(Database& database, const std::string& name, std::string_view bytes) {
  const std::size_t parts = std::max<std::size_t>(1, (bytes.size() + kPartBytes - 1) / kPartBytes);
  static const std::string sql = insert_sql("parcels", "name, part, parts, data") + " on conflict do nothing";
  for (std::size_t part = 0; part < parts; ++part)
    TRY(run(database, sql,
            {name, static_cast<std::int64_t>(part), static_cast<std::int64_t>(parts),
             to_base64(bytes.substr(part * kPartBytes, kPartBytes))}));
  return {};
}

Result<std::optional<std::string>> select_parcel(Database& database, const std::string& name) {
  std::string bytes;
  std::int64_t expected = 0, seen = 0;
  TRY(for_each_row(database, "select parts, data from parcels where name = $1 order by part", {name},
                   [&](RowReader& row) -> Status {
                     expected = row.integer();
                     const std::optional<std::string> part = from_base64(row.text());
                     if (!part)
                       return fail(ErrorCode::database, "a piece of the parcel " + name + " cannot be read");
                     bytes += *part;
                     ++seen;
                     return {};
                   }));
  if (seen == 0 || seen != expected) return std::optional<std::string>();
  return std::optional<std::string>(std::move(bytes));
}

Status delete_parcels(Database& database, const std::string& prefix) {
  TRY(run(database, "delete from parcels where substr(name, 1, length($1)) = $1", {prefix}));
  return {};
}

} // namespace emend
