#include "api/api_server.hpp"

#include <thread>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <set>

#include "api/addresses.hpp"
#include "api/api_application.hpp"
#include "api/artifact_janitor.hpp"
#include "api/fetch_jobs.hpp"
#include "api/request_place.hpp"
#include "api/routes.hpp"
#include "api/usage_routes.hpp"
#include "base/log.hpp"
#include "engine/context/service_process.hpp"
#include "engine/context/storage_check.hpp"
#include "service/database_place.hpp"
#include "service/local_owner.hpp"
#include "service/notifier.hpp"
#include "service/project_config.hpp"
#include "service/server_place.hpp"
#include "service/sharing.hpp"

namespace emend {

struct ApiServer::Parts {
  Parts(const Dependencies& given, ServerOptions chosen) : dependencies(given), options(std::move(chosen)) {}

  const Dependencies& dependencies;
  ServerOptions options;
  std::unique_ptr<Store> store;
  std::unique_ptr<Ledger> ledger;
  std::unique_ptr<Access> access;
  Actor owner;
  std::unique_ptr<Callers> callers;
  std::unique_ptr<ArtifactKeeper> artifacts;
  Sharing sharing;
  SignInSettings sign_in;
  std::unique_ptr<SignInProvider> provider; // null = people do not sign in at one
  std::unique_ptr<ServedRepositories> repositories;
  std::unique_ptr<JobOwners> owners; // null = no other server can be there
  std::unique_ptr<WorkQueue> queue;
  std::unique_ptr<ApiParts> shared;
  std::unique_ptr<SessionRepositories> places;
  std::unique_ptr<FetchSchedule> schedule;
  std::unique_ptr<ApiApplication> application;
  std::unique_ptr<HttpServer> http;
  std::unique_ptr<ArtifactTender> tender;
  std::string configured_address; // for links
  NotifySettings notify;
  std::unique_ptr<Messenger> messenger;
  std::unique_ptr<Notifier> notifier; // null = nobody is told of anything
  std::jthread porter;                // lets nobody stay who is nobody any more
  std::jthread ears;                  // last: ends first
};

namespace {

constexpr std::int64_t kDayMs = 24 * 3'600'000LL;

// The user's own: a server works for many repositories.
Result<Config> server_config(const Dependencies& dependencies, const ServerOptions& options) {
  ConfigPlace place;
  place.directory = "/";
  place.user_file = options.user_file;
  place.environment = options.environment;
  return project_config(dependencies, place, []() -> Result<Store*> {
    return fail(ErrorCode::internal, "no store is needed here");
  });
}

// Of this one's kind, by the names that their open requests carry.
Result<std::set<std::string>> living_servers(const Sharing& sharing) {
  std::set<std::string> ids;
  if (!sharing.board) return ids;
  TRY(bury_neighbours(*sharing.board));
  TRY_ASSIGN(const auto workers, sharing.board->workers());
  for (const WorkerRecord& worker : workers)
    if (worker.alive) ids.insert(worker.id);
  return ids;
}

Result<WorkQueue::Teams> queue_teams(Ledger& ledger, const Dependencies& dependencies) {
  const std::int64_t now = dependencies.clock->wall_ms();
  WorkQueue::Teams teams;
  TRY_ASSIGN(teams.of_repository, teams_of_repositories(ledger, now));
  TRY_ASSIGN(const auto budgets, set_budgets(ledger, now));
  for (const SetBudget& budget : budgets) {
    if (budget.limits.sessions <= 0) continue;
    if (budget.scope == BudgetScope::all) teams.all_at_once = budget.limits.sessions;
    if (budget.scope == BudgetScope::team) teams.at_once[budget.name] = budget.limits.sessions;
  }
  return teams;
}

bool is_loopback(const std::string& address) { return address == "::1" || address.starts_with("127."); }

} // namespace

// As the configuration of the first repository names them.
Actor ApiServer::owner_of(Parts& parts) {
  const auto all = parts.repositories->list();
  const auto bench = all && !all->empty() ? parts.repositories->bench(all->front().id)
                                          : Result<Workbench*>(fail(ErrorCode::not_found, ""));
  return local_owner(bench ? &(*bench)->repository() : nullptr, parts.options.environment);
}

// Another server, or the command line, may have changed who may what: open streams are looked at again.
void ApiServer::watch_directory(Parts& parts, const std::stop_token& stop) {
  constexpr std::chrono::milliseconds kLook(1'000);
  std::mutex mutex;
  std::condition_variable_any stopped;
  std::unique_lock lock(mutex);
  constexpr int kSeldom = 5;
  std::set<std::string> living;
  int looks = 0;
  for (std::int64_t seen = -1; !stop.stop_requested(); ++looks) {
    stopped.wait_for(lock, stop, kLook, [] { return false; });
    if (looks % kSeldom == 0)
      if (const Status looked = look_at_others(parts, living); !looked)
        log(LogLevel::debug, looked.error().message);
    const auto ended = parts.access->look_again();
    const auto now = parts.callers->directory();
    const bool changed = now && (*now)->version != seen;
    if (changed) seen = (*now)->version;
    if (changed || (ended && *ended)) parts.http->recheck();
  }
}

// Another server may have changed what teams may do; and what one that died was answering may be asked again.
Status ApiServer::look_at_others(Parts& parts, std::set<std::string>& living) {
  TRY(parts.queue->look_at_teams());
  if (!parts.sharing.presence) return {};
  TRY_ASSIGN(std::set<std::string> now, living_servers(parts.sharing));
  const bool gone = !std::includes(now.begin(), now.end(), living.begin(), living.end());
  living = std::move(now);
  return gone ? parts.application->free_unanswered_keys(living) : Status();
}

// As people reach it.
std::string ApiServer::address_of(const Parts& parts) {
  const std::string local = local_origin(parts.options.address, parts.http->port());
  const PublicPlace place{parts.configured_address, parts.options.allowed_hosts, parts.options.behind_proxy};
  return public_origin(place, local).value_or(local);
}

Status ApiServer::start_notifier(Parts& parts) {
  if (!parts.notify.wanted() || !parts.dependencies.open_messenger)
    return forget_notifier_place(*parts.ledger);
  parts.messenger = parts.dependencies.open_messenger(parts.notify.mail_server, parts.notify.ca_file);
  parts.notifier = std::make_unique<Notifier>(
      NotifierParts{*parts.ledger, *parts.store, *parts.dependencies.clock, *parts.messenger, parts.notify,
                    address_of(parts),
                    [raw = &parts](const std::string& session_id) { return raw->places->find(session_id); },
                    parts.sharing.presence.get()});
  parts.notifier->start();
  return {};
}

ApiServer::ApiServer(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
ApiServer::~ApiServer() { stop(); }

Result<std::unique_ptr<ApiServer>> ApiServer::make(const Dependencies& dependencies, ServerOptions options) {
  if (options.tcp && !is_loopback(options.address) &&
      (!options.behind_proxy || options.allowed_hosts.empty()))
    return fail(ErrorCode::usage,
                "emend listens only on this machine, because its API can run commands: " + options.address +
                    " is refused",
                "put a proxy with TLS in front of it and use: --behind-proxy --allow-host NAME");
  TRY_ASSIGN(WebhookSecrets webhooks, webhook_secrets(options.environment));
  for (const std::string& secret : {webhooks.github, webhooks.gitlab, webhooks.gitlab_signing})
    hide_in_log(secret);
  auto parts = std::make_unique<Parts>(dependencies, std::move(options));
  const std::string database = database_address(parts->options.environment, parts->options.home);
  TRY_ASSIGN(parts->store, dependencies.open_store(database));
  TRY_ASSIGN(parts->ledger, dependencies.open_ledger(database));
  TRY_ASSIGN(parts->access,
             Access::open(parts->options.home + "/server", *parts->ledger, *dependencies.clock));
  parts->callers = std::make_unique<Callers>(
      *parts->access, *parts->store, *dependencies.clock, [raw = parts.get()] { return raw->owner; },
      parts->options.proxy);
  const auto tell = [raw = parts.get()](const Event&) {
    if (raw->http) raw->http->ring();
  };
  parts->artifacts =
      std::make_unique<ArtifactKeeper>(dependencies, parts->options.home, parts->options.environment);
  TRY_ASSIGN(const Config config, server_config(dependencies, parts->options));
  TRY_ASSIGN(parts->sharing, Sharing::open(dependencies, database, config.worker_lease_ms()));
  TRY_ASSIGN(parts->sign_in, sign_in_settings(config, parts->options.environment));
  if (parts->sign_in.wanted() && parts->options.open_sign_in) {
    TRY_ASSIGN(parts->provider, parts->options.open_sign_in(parts->sign_in.place));
  }
  hide_in_log(parts->sign_in.place.client_secret);
  TRY_ASSIGN(parts->notify, notify_settings(config, parts->options.environment));
  for (const std::string& secret : {parts->notify.webhook_secret, parts->notify.mail_server.password,
                                    parts->notify.slack_url, parts->notify.webhook_url})
    hide_in_log(secret);
  parts->configured_address = config.settings().at("server.address").value.get<std::string>();
  TRY(public_origin({parts->configured_address, {}, false}, ""));
  WorkbenchPlace place;
  place.home = parts->options.home;
  place.user_file = parts->options.user_file;
  place.environment = parts->options.environment;
  place.artifacts = parts->artifacts.get();
  place.presence = parts->sharing.presence.get();
  parts->repositories =
      std::make_unique<ServedRepositories>(dependencies, *parts->store, *parts->ledger, place, tell);
  parts->tender = std::make_unique<ArtifactTender>(
      dependencies, *parts->store, *parts->repositories, *parts->artifacts, place,
      DatabaseUpkeep{parts->options.database_tools, database,
                     config.settings().at("retention.events_days").value.get<int>()});
  JobKeeping keeping;
  keeping.check = [raw = parts.get()]() -> Status {
    const std::int64_t now = raw->dependencies.clock->wall_ms();
    TRY(raw->ledger->remember({"store_check", "latest", Json{{"at_ms", now}}, now + kDayMs}));
    return check_disk(raw->options.home);
  };
  parts->queue = std::make_unique<WorkQueue>(*parts->ledger, *dependencies.clock,
                                             parts->options.parallel_sessions, std::move(keeping));
  parts->repositories->set_adopt(parts->options.adopt_repository);
  parts->queue->set_teams([raw = parts.get()] { return queue_teams(*raw->ledger, raw->dependencies); });
  if (parts->sharing.presence) {
    TRY_ASSIGN(const std::string home, home_id(parts->options.home));
    parts->owners = job_owners(*parts->sharing.presence);
    parts->queue->share(*parts->owners, home);
  }
  parts->application =
      std::make_unique<ApiApplication>(*parts->callers, *parts->ledger, *dependencies.clock,
                                       config.settings().at("server.requests_per_minute").value.get<int>());
  if (parts->sharing.presence) parts->application->set_server(parts->sharing.presence->worker_id());
  HttpOptions http;
  http.address = parts->options.address;
  http.port = parts->options.port;
  http.tcp = parts->options.tcp;
  http.unix_socket = parts->options.unix_socket;
  http.max_streams = parts->options.max_streams;
  http.max_connections = parts->options.max_connections;
  http.max_connections_per_peer = parts->options.max_connections_per_peer;
  parts->http = std::make_unique<HttpServer>(*parts->application, http);
  parts->shared.reset(new ApiParts{dependencies,
                                   *parts->store,
                                   *parts->ledger,
                                   *parts->access,
                                   *parts->callers,
                                   *parts->repositories,
                                   *parts->queue,
                                   parts->options.home,
                                   parts->options.behind_proxy,
                                   dependencies.clock->wall_ms(),
                                   [raw = parts.get()] { return raw->http->counters(); },
                                   tell,
                                   [raw = parts.get()] { raw->http->recheck(); },
                                   std::move(webhooks),
                                   parts->options.mcp_offer,
                                   parts->options.run_errand,
                                   parts->provider.get(),
                                   &parts->sign_in,
                                   parts->notify,
                                   [raw = parts.get()] { return address_of(*raw); },
                                   [raw = parts.get()] {
                                     if (raw->notifier) raw->notifier->ring();
                                   },
                                   parts->options.propose_session,
                                   parts->options.fetching});
  parts->schedule = std::make_unique<FetchSchedule>(
      *parts->shared, config.settings().at("server.fetch_minutes").value.get<int>());
  parts->places = std::make_unique<SessionRepositories>(*parts->shared);
  parts->application->set_places(
      [raw = parts.get()](Reach scope, const Call& call) { return repository_of(*raw->shared, scope, call); },
      [raw = parts.get()](const std::string& session_id) { return raw->places->find(session_id); });
  for (auto* group : {auth_operations,     sign_in_operations,    people_operations,  notification_operations,
                      system_operations,   repository_operations, setup_operations,   issue_operations,
                      question_operations, fix_operations,        session_operations, decision_operations,
                      run_operations,      review_operations,     work_operations,    check_operations,
                      mcp_operations,      agent_operations,      usage_operations,   sync_operations,
                      needs_operations,    trend_operations,      config_operations,  pull_request_operations,
                      budget_operations})
    parts->application->add(group(*parts->shared));
  parts->application->add(document_operations());
  parts->application->add(dashboard_operations());
  parts->application->set_goes_on([raw = parts.get()](const std::string& session_id, std::int64_t moment_ms) {
    return raw->queue->goes_on_after(session_id, moment_ms);
  });
  handle_check_jobs(*parts->shared, *parts->queue);
  handle_fetch_jobs(*parts->shared, *parts->queue);
  handle_fix_jobs(*parts->shared, *parts->queue);
  handle_review_jobs(*parts->shared, *parts->queue);
  handle_sync_jobs(*parts->shared, *parts->queue);
  handle_work_jobs(*parts->shared, *parts->queue);
  return std::unique_ptr<ApiServer>(new ApiServer(std::move(parts)));
}

Result<std::string> ApiServer::add_repository(const std::string& directory) {
  TRY_ASSIGN(const ServedRepository added, parts_->repositories->add(directory));
  return added.id;
}

bool ApiServer::shares_work() const { return parts_->sharing.presence != nullptr; }

Status ApiServer::start() {
  // The port is only known when it is bound, and nobody may be answered before the names are known.
  become_service_process();
  parts_->owner = owner_of(*parts_);
  TRY(parts_->callers->directory());
  TRY_ASSIGN(const auto others, living_servers(parts_->sharing));
  TRY(parts_->application->free_unanswered_keys(others));
  TRY(parts_->ledger->forget_expired(parts_->dependencies.clock->wall_ms()));
  TRY(parts_->http->start([this](int port) {
    parts_->application->set_names(
        own_names(port, parts_->options.allowed_hosts, parts_->options.behind_proxy));
  }));
  parts_->tender->start();
  TRY(start_notifier(*parts_));
  parts_->porter = std::jthread([raw = parts_.get()](std::stop_token stop) { watch_directory(*raw, stop); });
  // What workers and other servers write is told to our readers, too.
  if (WorkBoard* board = parts_->sharing.board.get(); board != nullptr)
    parts_->ears = std::jthread([this, board](std::stop_token stop) {
      while (!stop.stop_requested()) {
        board->wait_for_events(1'000, stop);
        parts_->http->ring();
      }
    });
  TRY(parts_->queue->start());
  TRY(tidy_forges(*parts_->shared));
  parts_->schedule->start();
  return {};
}

int ApiServer::port() const { return parts_->http->port(); }

std::string ApiServer::public_address() const {
  const ServerOptions& options = parts_->options;
  return public_origin({parts_->configured_address, options.allowed_hosts, options.behind_proxy}, "")
      .value_or("");
}

std::vector<std::string> ApiServer::webhook_sources() const {
  const auto secrets = webhook_secrets(parts_->options.environment);
  std::vector<std::string> sources;
  if (!secrets || !parts_->options.run_errand) return sources;
  if (!secrets->github.empty()) sources.emplace_back("github");
  if (!secrets->gitlab.empty() || !secrets->gitlab_signing.empty()) sources.emplace_back("gitlab");
  return sources;
}

Result<std::string> ApiServer::launch_link(const std::string& page) {
  TRY_ASSIGN(const std::string code, parts_->access->new_launch_code());
  return local_origin(parts_->options.address, port()) + page + "#launch=" + code;
}

ApiServer::Use ApiServer::use() const {
  const HttpCounters counters = parts_->http->counters();
  const auto unfinished = [](const JobRecord& record) {
    return record.state == JobState::queued || record.state == JobState::running;
  };
  const std::vector<JobRecord> jobs = parts_->queue->list();
  return {counters.requests, counters.streams_open > 0 || std::any_of(jobs.begin(), jobs.end(), unfinished)};
}

const std::string& ApiServer::token_file() const { return parts_->access->token_file(); }

Json ApiServer::routes() const {
  Json list = Json::array();
  for (const Operation& operation : parts_->application->operations())
    list.push_back({{"method", operation.method},
                    {"path", operation.pattern},
                    {"operation", operation.id},
                    {"admission", to_string(operation.admission)},
                    {"role", operation.need->scope == Reach::open ? Json(nullptr)
                                                                  : Json(to_string(operation.need->role))},
                    {"scope", to_string(operation.need->scope)},
                    {"body", to_string(operation.body)},
                    {"idempotency_key", operation.once}});
  return list;
}

void ApiServer::stop() {
  parts_->porter = {};
  if (parts_->notifier) parts_->notifier->stop();
  if (parts_->schedule) parts_->schedule->stop();
  if (parts_->queue) parts_->queue->stop();
  if (parts_->http) parts_->http->stop();
  if (parts_->tender) parts_->tender->stop();
}

} // namespace emend
