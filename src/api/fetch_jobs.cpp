#include "api/fetch_jobs.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>

#include "api/routes.hpp"
#include "base/hash.hpp"
#include "base/log.hpp"
#include "base/strings.hpp"
#include "engine/branch/ledger.hpp"
#include "engine/branch/sync.hpp"

namespace emend {

namespace {

constexpr int kCloneMinutes = 15;

std::string clones_of(const std::string& home) { return home + "/clones/"; }

// The address as the person wrote it: git makes of it what their configuration says.
Result<std::string> origin_of(Remotes& remotes) {
  TRY_ASSIGN(const auto all, remotes.list());
  for (const NamedRemote& remote : all)
    if (remote.name == "origin") return remote.written;
  return fail(ErrorCode::not_found, "the repository has no remote called origin");
}

// Into the engine's own store: no branch, file or object of the person's repository changes.
Result<SyncTarget> fetched_target(const ApiParts& parts, Workbench& bench, std::stop_token stop) {
  TRY_ASSIGN(SyncTarget target, sync_target(bench.repository(), ""));
  TRY_ASSIGN(const auto remotes, parts.fetching.open_remotes(bench.repository().root(), parts.home));
  TRY_ASSIGN(const std::string url, origin_of(*remotes));
  TRY_ASSIGN(const std::string tip, remotes->fetch(url, "refs/heads/" + target.branch, std::move(stop)));
  return SyncTarget{target.branch, "refs/remotes/origin/" + target.branch, tip};
}

Result<Json> run_fetch(const ApiParts& parts, const Job& job, const std::stop_token& stop) {
  TRY_ASSIGN(Workbench * bench, parts.repositories.bench(job.repository_id));
  const std::string root = bench->repository().root();
  if (is_own_clone(parts.home, root)) {
    TRY(parts.fetching.refresh(root, stop));
    TRY_ASSIGN(const SyncReport report, bench->manager(job.by).sync("", stop));
    return to_json(report);
  }
  TRY_ASSIGN(const SyncTarget target, fetched_target(parts, *bench, stop));
  const Ports ports = bench->ports(job.by);
  EventLog log(ports.store, ports.clock, parts.on_event);
  TRY_ASSIGN(const SyncReport report, sync_merged(ports, log, target, stop));
  TRY(update_ledger(ports, target, stop));
  return to_json(report);
}

Result<Json> run_clone(const ApiParts& parts, const Job& job, std::stop_token stop) {
  const std::string url = string_or(job.order, "url");
  const std::string directory = clone_directory(parts.home, url);
  TRY(parts.fetching.clone(url, directory, std::move(stop)));
  TRY_ASSIGN(const ServedRepository added, parts.repositories.add(directory));
  AuditEntry entry;
  entry.actor = job.by;
  entry.action = "repository.added";
  entry.repository_id = added.id;
  entry.subject = url;
  Change change;
  change.audit.push_back(std::move(entry));
  TRY(parts.store.apply(change, parts.now_ms()));
  return Json{{"repository_id", added.id}};
}

Status add_fetch_job(const ApiParts& parts, const ServedRepository& repository) {
  Job job;
  job.id = new_session_id();
  job.kind = "fetch";
  job.repository_id = repository.id;
  job.order = Json::object();
  job.same_as = "fetch " + repository.id;
  job.priority = JobPriority::low;
  bool joined = false;
  TRY(parts.queue.add(std::move(job), Actor{}.through("the schedule"), joined));
  return {};
}

} // namespace

bool is_own_clone(const std::string& home, const std::string& root) {
  std::error_code problem;
  const std::string clones = fs::weakly_canonical(clones_of(home), problem).string();
  return root.starts_with(clones.ends_with("/") ? clones : clones + "/");
}

std::string clone_url_problem(const std::string& url) {
  if (url.front() == '-' || contains(url, "::") || url.find_first_of("\r\n\t ") != std::string::npos)
    return "must be the address of a git repository";
  const std::size_t scheme = url.find("://");
  if (scheme == std::string::npos) return "";
  const std::string host = url.substr(scheme + 3, url.find('/', scheme + 3) - scheme - 3);
  const std::size_t at = host.find('@');
  return at != std::string::npos && host.find(':') < at
             ? "must have no password in it: give it to the git of the server (git credential)"
             : "";
}

std::string clone_directory(const std::string& home, const std::string& url) {
  std::string name;
  for (const char c : fs::path(url).filename().string())
    if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_')
      name += c;
    else if (c == '.')
      break;
  return clones_of(home) + (name.empty() ? "repository" : name.substr(0, 60)) + "-" +
         sha256_hex(url).substr(0, 8) + ".git";
}

void handle_fetch_jobs(const ApiParts& parts, WorkQueue& queue) {
  if (!parts.fetching.clone) return;
  queue.handle("fetch",
               [&parts](const Job& job, std::stop_token stop) { return run_fetch(parts, job, stop); });
  queue.handle("clone", [&parts](const Job& job, std::stop_token stop) {
    return run_clone(parts, job, std::move(stop));
  });
}

Result<std::string> add_clone_job(const ApiParts& parts, const std::string& url, const Actor& by) {
  Job job;
  job.id = new_session_id();
  job.kind = "clone";
  job.repository_id = "clone of " + url;
  job.order = {{"url", url}};
  job.same_as = sha256_hex("clone\n" + url);
  bool joined = false;
  TRY_ASSIGN(const JobRecord record, parts.queue.add(std::move(job), by, joined));
  return record.job.id;
}

void FetchSchedule::start() {
  if (!parts_.fetching.clone) return;
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

void FetchSchedule::run(const std::stop_token& stop) {
  constexpr auto kLook = std::chrono::seconds(10);
  std::mutex mutex;
  std::condition_variable_any stopped;
  std::unique_lock lock(mutex);
  while (!stop.stop_requested()) {
    if (const Status looked = look(); !looked) log(LogLevel::warn, looked.error().message);
    stopped.wait_for(lock, stop, kLook, [] { return false; });
  }
}

// Who writes first that it is done for this while is the one to do it, also after a restart.
Status FetchSchedule::look() {
  TRY_ASSIGN(const auto repositories, parts_.repositories.list());
  for (const ServedRepository& repository : repositories) {
    const int minutes =
        minutes_ > 0 ? minutes_ : (is_own_clone(parts_.home, repository.root) ? kCloneMinutes : 0);
    if (minutes == 0) continue;
    const std::int64_t now = parts_.now_ms();
    TRY_ASSIGN(const bool due,
               parts_.ledger.remember_once(
                   {"fetched", repository.id, Json::object(), now + minutes * std::int64_t{60'000}}, now));
    if (due) TRY(add_fetch_job(parts_, repository));
  }
  return {};
}

} // namespace emend
