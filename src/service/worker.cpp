#include "service/worker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "base/files.hpp"
#include "engine/claims/work_claim.hpp"
#include "engine/session/shared_sessions.hpp"
#include "engine/session/shared_units.hpp"
#include "service/workbench.hpp"

namespace emend {
namespace {

// For the work of a worker that died nobody rings, and not everybody has a connection to hear with.
std::int64_t look_again_ms(std::int64_t lease_ms) {
  return std::clamp(lease_ms / 2, std::int64_t{1'000}, std::int64_t{30'000});
}
constexpr std::int64_t kAfterTrouble = 2'000;

// A place of its own for each worker of a home, kept for the next one: mirrors are worth keeping.
struct WorkerPlace {
  FileLock lock;
  std::string directory;
};

Result<WorkerPlace> take_place(const std::string& home) {
  constexpr int kMost = 1'000;
  const fs::path workers = fs::path(home) / "workers";
  TRY(make_directories(workers, 0700));
  for (int number = 1; number <= kMost; ++number) {
    auto lock = FileLock::try_lock(workers / fmt::format("{}.lock", number));
    if (!lock && lock.error().code == ErrorCode::conflict) continue;
    if (!lock) return fail(std::move(lock).error());
    const fs::path directory = workers / std::to_string(number);
    TRY(make_directories(directory, 0700));
    return WorkerPlace{*std::move(lock), directory.string()};
  }
  return fail(ErrorCode::conflict, "there are too many workers in " + home);
}

class Worker {
public:
  Worker(const Dependencies& dependencies, Store& store, Presence& presence, std::string home,
         const WorkerOptions& options, const std::function<void(const WorkerNews&)>& tell)
      : dependencies_(dependencies),
        store_(store),
        presence_(presence),
        home_(std::move(home)),
        options_(options),
        tell_(tell),
        limits_(dependencies, options.environment, options.home) {
    if (dependencies.make_analyzers) analyzers_ = dependencies.make_analyzers({});
  }

  [[nodiscard]] WorkerSum sum() const { return sum_; }

  [[nodiscard]] Status open_repositories() {
    for (const std::string& directory : options_.repositories) {
      WorkbenchPlace place;
      place.directory = directory;
      place.home = options_.home;
      place.user_file = options_.user_file;
      place.environment = options_.environment;
      place.presence = &presence_;
      TRY_ASSIGN(std::unique_ptr<Workbench> bench,
                 Workbench::open(
                     dependencies_, [this]() -> Result<Store*> { return &store_; }, place));
      bench->start({});
      presence_.also_offer(session_label(bench->repository().id()));
      benches_[bench->repository().id()] = std::move(bench);
    }
    return {};
  }

  void work(std::stop_token stop) {
    ClaimQuery anything;
    anything.kinds = {"unit", "session"};
    while (!stop.stop_requested()) {
      auto claim = presence_.claim(anything);
      if (!claim) {
        news({"", "", "", "trouble", claim.error().message});
        pause(kAfterTrouble, stop);
        continue;
      }
      if (*claim) {
        take(**claim, stop);
        continue;
      }
      if (options_.once) return;
      presence_.board().wait(look_again_ms(options_.lease_ms), stop);
    }
  }

private:
  void take(HeldClaim& claim, const std::stop_token& stop) {
    const SharedJob& job = claim.job();
    const auto told = [&](const std::string& what, const std::string& detail) {
      news({job.id, job.session_id, job.order.value("issue", ""), what, detail});
    };
    told("began", "");
    auto done = job.kind == "session" ? on_session(claim, stop) : on_unit(claim);
    if (claim.lost()) {
      count(&WorkerSum::lost);
      return told("lost", "another worker has it now");
    }
    if (done && claim.ended()) {
      count(&WorkerSum::done);
      return told("done", done->value("status", ""));
    }
    if (done) {
      auto ended = claim.finish(*done);
      count(ended ? &WorkerSum::done : &WorkerSum::lost);
      return told(ended ? "done" : "lost", ended ? done->value("status", "") : ended.error().message);
    }
    count(&WorkerSum::given_back);
    told("given back", done.error().message);
    const bool in_the_way = job.kind == "session" &&
                            done.error().code == ErrorCode::conflict; // somebody else is at the repository
    if (in_the_way) pause(kAfterTrouble, stop);
    if (in_the_way || done.error().code == ErrorCode::cancelled) return; // the claim gives itself back
    if (claim.ended()) return;
    if (auto returned = claim.give_back(done.error().message); !returned)
      told("lost", returned.error().message);
    pause(kAfterTrouble, stop); // another one may do better
  }

  // What is begun is brought to its end, whoever asks this process to stop; the claim's own stop counts.
  Result<Json> on_unit(HeldClaim& claim) {
    const SharedJob& job = claim.job();
    TRY_ASSIGN(Repository * repository, mirror(job.repository_id, job.order.value("base", ""),
                                               options_.clone ? job.order.value("url", "") : ""));
    const std::unique_ptr<AgentFactory> agents = dependencies_.make_agents(repository->root());
    Ports ports{store_,      *repository, *dependencies_.processes, *agents, *dependencies_.clock,
                &analyzers_, Actor{},     dependencies_.version,    nullptr, &presence_};
    ports.allowance = [this, id = job.repository_id] { return allowance(id); };
    return work_on_unit(ports, home_, claim, {});
  }

  // By the budgets in the database, and the quotas of this machine's user.
  Result<Allowance> allowance(const std::string& repository_id) {
    ConfigPlace own;
    own.directory = home_;
    own.user_file = options_.user_file;
    own.environment = options_.environment;
    return limits_.rest([&] { return project_config(dependencies_, own, {}); }, store_, repository_id);
  }

  // Asked to stop, it is set aside for another worker: a session may take hours.
  Result<Json> on_session(HeldClaim& claim, const std::stop_token& stop) {
    Workbench& bench = *benches_.at(claim.job().repository_id);
    std::stop_source source;
    const std::stop_callback asked(stop, [&] { source.request_stop(); });
    const std::stop_callback lost(claim.stop(), [&] { source.request_stop(); });
    TRY_ASSIGN(const FixReport report,
               bench.manager(Actor{}).resume(claim.job().session_id, source.get_token(), &claim));
    if (!claim.ended()) return fail(ErrorCode::cancelled, "left to another worker");
    return Json{{"status", to_string(report.session.status)}};
  }

  // Opened once for each base; workspaces a dead worker of this place left are removed the first time.
  Result<Repository*> mirror(const std::string& repository_id, const std::string& commit,
                             const std::string& url) {
    const std::lock_guard lock(mutex_);
    std::unique_ptr<Repository>& known = mirrors_[repository_id + " " + commit];
    if (known) return known.get();
    TRY_ASSIGN(known,
               dependencies_.open_mirror(
                   repository_id, commit, home_, url, [&](const std::string& wanted) -> Result<std::string> {
                     TRY_ASSIGN(std::optional<std::string> pack,
                                presence_.board().parcel(pack_name(repository_id, wanted)));
                     if (!pack)
                       return fail(ErrorCode::not_found,
                                   "the files of commit " + wanted + " are not on the board");
                     return *std::move(pack);
                   }));
    if (tidied_.insert(repository_id).second) known->clean_leftovers();
    return known.get();
  }

  void news(const WorkerNews& what) {
    if (tell_) tell_(what);
  }
  void count(int WorkerSum::*which) {
    const std::lock_guard lock(mutex_);
    ++(sum_.*which);
  }
  void pause(std::int64_t ms, const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any wake;
    std::unique_lock lock(mutex);
    wake.wait_for(lock, stop, std::chrono::milliseconds(ms), [] { return false; });
  }

  const Dependencies& dependencies_;
  Store& store_;
  Presence& presence_;
  const std::string home_;
  const WorkerOptions& options_;
  const std::function<void(const WorkerNews&)>& tell_;
  SharedLimits limits_;
  std::vector<std::unique_ptr<Analyzer>> analyzers_;
  std::map<std::string, std::unique_ptr<Workbench>> benches_; // by repository
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<Repository>> mirrors_;
  std::set<std::string> tidied_;
  WorkerSum sum_;
};

} // namespace

Result<WorkerSum> run_worker(const Dependencies& dependencies, Store& store, WorkBoard& board,
                             const WorkerOptions& options, const std::function<void(const WorkerNews&)>& tell,
                             std::stop_token stop) {
  TRY_ASSIGN(const WorkerPlace place, take_place(options.home));
  PresenceOptions presence_options;
  presence_options.lease_ms = options.lease_ms;
  presence_options.labels = offers_of(
      options.labels, dependencies.sandbox ? dependencies.sandbox(place.directory) : SandboxKind::none);
  presence_options.slots = options.jobs;
  presence_options.version = dependencies.version;
  TRY_ASSIGN(const std::unique_ptr<Presence> presence, Presence::begin(board, std::move(presence_options)));
  const std::stop_callback drains(stop, [&] { presence->drain(); });
  Worker worker(dependencies, store, *presence, place.directory, options, tell);
  TRY(worker.open_repositories());
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < options.jobs; ++i) threads.emplace_back([&] { worker.work(stop); });
  }
  return worker.sum();
}

} // namespace emend
