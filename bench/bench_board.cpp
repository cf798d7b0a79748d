// How many jobs a second the work board hands out and takes back, beside a bare loop of `for update skip
// locked` on the same server.
#include <fmt/format.h>
#include <libpq-fe.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "adapters/sql/sql_board.hpp"
#include "tests/support/postgres_server.hpp"

namespace emend::testing_support {
namespace {

constexpr int kJobs = 3'000;

double seconds_of(int threads, const std::function<void(int)>& work) {
  const auto start = std::chrono::steady_clock::now();
  {
    std::vector<std::jthread> all;
    for (int i = 0; i < threads; ++i) all.emplace_back([&, i] { work(i); });
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct Close {
  void operator()(PGconn* connection) const { PQfinish(connection); }
  void operator()(PGresult* answer) const { PQclear(answer); }
};

// One statement, its first field; "" without rows.
std::string ask(PGconn* connection, const char* sql) {
  const std::unique_ptr<PGresult, Close> answer(PQexec(connection, sql));
  const ExecStatusType status = PQresultStatus(answer.get());
  if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK)
    throw std::runtime_error(PQerrorMessage(connection));
  return PQntuples(answer.get()) > 0 ? PQgetvalue(answer.get(), 0, 0) : "";
}

// As autovacuum does sooner or later on a server that is in use.
void know_the_tables(const std::string& address) {
  const std::unique_ptr<PGconn, Close> connection(PQconnectdb(address.c_str()));
  ask(connection.get(), "analyze");
}

double bare(const std::string& address, int threads) {
  const std::unique_ptr<PGconn, Close> first(PQconnectdb(address.c_str()));
  ask(first.get(),
      "set client_min_messages = warning; drop table if exists bare; create table bare (n bigserial primary "
      "key, state text not null)");
  ask(first.get(),
      ("insert into bare (state) select 'queued' from generate_series(1, " + std::to_string(kJobs) + ")")
          .c_str());
  ask(first.get(), "create index on bare (state, n)");
  know_the_tables(address);
  std::atomic<int> done = 0;
  const double seconds = seconds_of(threads, [&](int) {
    const std::unique_ptr<PGconn, Close> own(PQconnectdb(address.c_str()));
    while (true) {
      const std::string n = ask(own.get(),
                                "update bare set state = 'claimed' where n = (select n from bare where state "
                                "= 'queued' order by n limit 1 for update skip locked) returning n");
      if (n.empty()) return;
      ask(own.get(), ("update bare set state = 'done' where n = " + n).c_str());
      ++done;
    }
  });
  if (done != kJobs) throw std::runtime_error("the bare loop lost jobs");
  return kJobs / seconds;
}

template <typename T>
T must(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message);
  return *std::move(result);
}
void must(const Status& status) {
  if (!status) throw std::runtime_error(status.error().message);
}

double board(const std::string& address, int threads) {
  const auto first = must(open_sql_board(address));
  for (int i = 0; i < kJobs; ++i) {
    SharedJob job;
    job.id = fmt::format("unit/{}-{}", threads, i);
    job.kind = "unit";
    must(first->offer(job));
  }
  know_the_tables(address);
  std::atomic<int> done = 0;
  const double seconds = seconds_of(threads, [&](int number) {
    const auto own = must(open_sql_board(address));
    WorkerRecord self;
    self.id = fmt::format("w{}-{}", threads, number);
    self.slots = 1;
    must(own->beat(self, 60'000, {}));
    while (const auto job = must(own->claim(self, {}))) {
      must(own->finish({job->id, job->token}, Json{{"status", "accepted"}}));
      ++done;
    }
  });
  if (done != kJobs) throw std::runtime_error("the board lost jobs");
  return kJobs / seconds;
}

int run_all() {
  if (const std::string missing = PostgresServer::missing(); !missing.empty()) {
    fmt::print("work board: {}\n", missing);
    return 0;
  }
  fmt::print(
      "work board, {} jobs claimed and finished (fsync off)\n  workers   jobs/s   bare skip locked   ratio\n",
      kJobs);
  for (const int threads : {1, 2, 4, 8, 16}) {
    const double floor = bare(PostgresServer::shared().new_database(), threads),
                 ours = board(PostgresServer::shared().new_database(), threads);
    fmt::print("  {:7}  {:7.0f}  {:17.0f}   {:5.2f}\n", threads, ours, floor, ours / floor);
  }
  return 0;
}

} // namespace
} // namespace emend::testing_support

int main() {
  try {
    return emend::testing_support::run_all();
  } catch (const std::exception& problem) {
    fmt::print(stderr, "bench_board: {}\n", problem.what());
    return 1;
  }
}
