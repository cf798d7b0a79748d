#include "bench/sse_own.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <iostream>
#include <thread>

#include "adapters/clock/system_clock.hpp"
#include "adapters/sql/sql_ledger.hpp"
#include "adapters/sql/sql_store.hpp"
#include "api/access.hpp"
#include "api/api_application.hpp"
#include "base/files.hpp"
#include "base/strings.hpp"

namespace emend::bench {

namespace {

constexpr std::size_t kTextBytes = 1'000;

// As the real route: from where the reader was, or from now on.
Operation follow_events(Ledger& ledger) {
  return {"GET", "/api/events", "followEvents", [&ledger](const Call& call) -> Result<HttpReply> {
            EventStream stream;
            TRY_ASSIGN(const std::int64_t newest, ledger.newest_event());
            const auto given = parse_unsigned(call.request.header("last-event-id").value_or(""));
            stream.after = given ? static_cast<std::int64_t>(*given) : newest;
            if (!given) stream.preface = event_frame(newest, "stream_start", "{}");
            return stream;
          }};
}

using Moment = std::chrono::steady_clock;

// due: what a reader counts from; who is late with an event is late.
Status emit(Store& store, const Clock& clock, Moment::time_point due) {
  Event event;
  event.time_ms = clock.wall_ms();
  event.session_id = "bench";
  event.type = "fix_issue_streaming";
  event.issue_code = "BE-001";
  event.data = {{"t", due.time_since_epoch().count()}, {"text", std::string(kTextBytes, 'x')}};
  Change change;
  change.events.push_back(std::move(event));
  TRY(store.apply(change, clock.wall_ms()));
  return {};
}

Status serve(const std::string& directory, std::size_t max_streams) {
  const SystemClock clock;
  TRY_ASSIGN(const auto store, open_sql_store(directory + "/emend.db"));
  TRY_ASSIGN(const auto ledger, open_sql_ledger(directory + "/emend.db"));
  TRY_ASSIGN(const auto access, Access::open(directory + "/server", *ledger, clock));
  TRY_ASSIGN(const std::string token, read_file(access->token_file()));
  TRY(emit(*store, clock, Moment::now())); // readers begin behind something
  Callers callers(*access, *store, clock, [] { return Actor{}; }, {});
  ApiApplication application(callers, *ledger, clock, 0);
  application.add({follow_events(*ledger)});
  HttpOptions options;
  options.max_streams = max_streams;
  HttpServer server(application, options);
  TRY(server.start([&](int port) { application.set_names(own_names(port, {}, false)); }));
  fmt::print("port {} {}\n", server.port(), trim(token));
  std::fflush(stdout);
  std::string word;
  for (std::uint64_t count = 0, wait_us = 0; std::cin >> word >> count >> wait_us;) {
    const Moment::time_point began = Moment::now();
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto due = wait_us > 0 ? began + std::chrono::microseconds(i * wait_us) : Moment::now();
      std::this_thread::sleep_until(due);
      TRY(emit(*store, clock, due));
      server.ring();
    }
    fmt::print("emitted\n");
    std::fflush(stdout);
  }
  server.stop();
  return {};
}

} // namespace

int serve_events(const std::string& directory, std::size_t max_streams) {
  const Status served = serve(directory, max_streams);
  if (!served) fmt::print(stderr, "bench_sse: {}\n", served.error().message);
  return served ? 0 : 1;
}

} // namespace emend::bench
