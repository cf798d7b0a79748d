#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "api/addresses.hpp"
#include "api/api_server.hpp"
#include "base/environment.hpp"
#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/log.hpp"
#include "base/strings.hpp"
#include "cli/agents/mcp_tools.hpp"
#include "cli/commands.hpp"
#include "cli/context.hpp"
#include "cli/maintenance/db_command.hpp"
#include "cli/process_record.hpp"
#include "cli/server/forge_errands.hpp"
#include "cli/server/pull_requests.hpp"
#include "cli/state_directory.hpp"
#include "cli/terminal.hpp"
#include "config/config_files.hpp"
#include "service/server_place.hpp"
#include "service/service_manager.hpp"

namespace emend {

namespace {

struct ServeOptions {
  std::string listen = "127.0.0.1:8790", socket;
  std::vector<std::string> repositories, allowed_hosts, trusted_proxies;
  bool behind_proxy = false, routes = false;
  std::string log_format = "auto", session, idle_exit, user_header;
  std::optional<int> parallel, max_streams, max_connections, max_connections_per_peer;
};

// "ADDRESS:PORT", "[::1]:PORT", "PORT" or "none".
Status read_listen(const std::string& text, ServerOptions& server) {
  if (text == "none") {
    server.tcp = false;
    return {};
  }
  const std::size_t colon = text.rfind(':');
  const auto port = parse_unsigned(colon == std::string::npos ? text : text.substr(colon + 1));
  if (!port || *port > 65'535)
    return fail(ErrorCode::usage, "--listen: \"" + text + "\" has no port",
                "for example --listen 127.0.0.1:8790, 0 for any free port");
  server.port = static_cast<int>(*port);
  if (colon == std::string::npos) return {};
  server.address = text.substr(0, colon);
  if (server.address.size() > 2 && server.address.front() == '[' && server.address.back() == ']')
    server.address = server.address.substr(1, server.address.size() - 2);
  if (server.address == "localhost") server.address = "127.0.0.1";
  return {};
}

// Both or neither: a header without an address would be believed from everybody.
Result<ProxyTrust> proxy_trust(const ServeOptions& options) {
  if (options.user_header.empty() != options.trusted_proxies.empty())
    return fail(ErrorCode::usage, "--proxy-user-header and --trust-proxy need each other",
                "for example --proxy-user-header X-Forwarded-User --trust-proxy 10.0.0.5");
  ProxyTrust proxy;
  proxy.header = to_lower(options.user_header);
  if (proxy.header == "authorization" || proxy.header == "cookie" || proxy.header == "host")
    return fail(ErrorCode::usage, options.user_header + " has another meaning",
                "use a header that only the proxy sets, such as X-Forwarded-User");
  for (const std::string& address : options.trusted_proxies) {
    if (address == "unix")
      proxy.socket = true;
    else
      proxy.addresses.push_back(address);
  }
  return proxy;
}

// As many as the machine carries: an agent and its checks want a processor and 2 GB. One that has less still
// does two: agents mostly wait.
int sessions_carried() {
  constexpr std::int64_t kBytes = std::int64_t{2} << 30;
  constexpr std::int64_t kLeast = 2, kMost = 32;
  const std::int64_t memory = std::int64_t{::sysconf(_SC_PHYS_PAGES)} * ::sysconf(_SC_PAGESIZE);
  const std::int64_t processors = std::thread::hardware_concurrency();
  return static_cast<int>(std::clamp(std::min(processors, memory / kBytes), kLeast, kMost));
}

Result<ServerOptions> server_options(CommandContext& context, const ServeOptions& options) {
  ServerOptions server;
  TRY(read_listen(options.listen, server));
  server.unix_socket = options.socket.empty() ? "" : fs::absolute(options.socket).string();
  if (!server.tcp && server.unix_socket.empty())
    return fail(ErrorCode::usage, "--listen none needs --socket", "add --socket PATH");
  server.allowed_hosts = options.allowed_hosts;
  server.behind_proxy = options.behind_proxy;
  server.parallel_sessions = options.parallel.value_or(sessions_carried());
  server.max_streams =
      static_cast<std::size_t>(options.max_streams.value_or(static_cast<int>(server.max_streams)));
  if (options.max_connections) server.max_connections = static_cast<std::size_t>(*options.max_connections);
  if (options.max_connections_per_peer)
    server.max_connections_per_peer = static_cast<std::size_t>(*options.max_connections_per_peer);
  TRY_ASSIGN(server.proxy, proxy_trust(options));
  TRY_ASSIGN(server.home, context.home());
  server.user_file = user_config_file(context.environment());
  server.environment = context.environment();
  return server;
}

// What `emend open` needs to find the server again.
Status write_address(const std::string& home, const ApiServer& server, const ServerOptions& options) {
  Json address = process_record();
  address["port"] = options.tcp ? Json(server.port()) : Json(nullptr);
  address["address"] = options.address;
  address["socket"] = options.unix_socket;
  address["public"] = server.public_address();
  address["webhooks"] = server.webhook_sources();
  return write_file(home + "/server/address.json", dump_json(address) + "\n", 0600);
}

// Unless another server of this home has written its own there.
void forget_address(const std::string& home) {
  const std::string path = home + "/server/address.json";
  const auto text = read_file_nofollow(path, 10'000);
  const auto address = text ? parse_json(*text) : Result<Json>(fail(ErrorCode::not_found, ""));
  if (address && address->value("pid", 0) != ::getpid()) return;
  std::error_code ignored;
  fs::remove(path, ignored);
}

// The one that had its address there has gone.
Status take_over_address(const std::string& home, const ApiServer& server, const ServerOptions& options) {
  std::error_code problem;
  if (fs::exists(home + "/server/address.json", problem) || problem) return {};
  return write_address(home, server, options);
}

// Until told to stop, or until nobody has used the server for idle_ms (nullopt: whatever happens).
void wait_for(std::stop_token stop, const ApiServer& server, const ServerOptions& options, const Clock& clock,
              std::optional<std::int64_t> idle_ms) {
  constexpr std::chrono::milliseconds kLook(500);
  std::mutex mutex;
  std::condition_variable_any stopped;
  std::unique_lock lock(mutex);
  if (!idle_ms && !server.shares_work()) {
    stopped.wait(lock, stop, [] { return false; });
    return;
  }
  std::uint64_t requests = 0;
  for (std::int64_t used_ms = clock.steady_ms();
       !stop.stop_requested() && (!idle_ms || clock.steady_ms() - used_ms < *idle_ms);) {
    if (const Status told = take_over_address(options.home, server, options); !told)
      log(LogLevel::warn, told.error().message);
    const ApiServer::Use use = server.use();
    if (use.busy || use.requests != requests) used_ms = clock.steady_ms();
    requests = use.requests;
    stopped.wait_for(lock, stop, kLook, [] { return false; });
  }
}

Result<std::optional<std::int64_t>> idle_time(const ServeOptions& options) {
  if (options.idle_exit.empty()) return std::optional<std::int64_t>();
  const auto ms = parse_duration_ms(options.idle_exit);
  if (!ms || *ms == 0)
    return fail(ErrorCode::usage, "--idle-exit: \"" + options.idle_exit + "\" is not a duration",
                "for example --idle-exit 10m");
  return ms;
}

// The page the printed link leads to.
Result<std::string> first_page(CommandContext& context, const ServeOptions& options) {
  if (options.session.empty()) return std::string("/");
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(const Session session, store->session(options.session));
  return "/sessions/" + session.id;
}

void tell_manager(CommandContext& context, std::string_view state) {
  if (const Status told = tell_service_manager(variable(context.environment(), "NOTIFY_SOCKET"), state);
      !told)
    log(LogLevel::warn, told.error().message);
}

// Programs that read the log want every request; people only what went wrong, unless they say otherwise.
void choose_log(CommandContext& context, const ServeOptions& options) {
  const bool json =
      options.log_format == "json" || (options.log_format == "auto" && !context.error_is_terminal());
  set_log_format(json ? LogFormat::json : LogFormat::text);
  if (json && variable(context.environment(), "EMEND_LOG").empty()) set_log_level(LogLevel::info);
}

// A link that lets somebody in has no place where lines are kept.
Status say_where(CommandContext& context, ApiServer& server, const ServerOptions& chosen,
                 const ServeOptions& options, const std::string& page) {
  const std::string address = chosen.tcp ? local_origin(chosen.address, server.port()) : "";
  log(LogLevel::info, "listening",
      {{"pid", ::getpid()},
       {"version", context.dependencies().version},
       {"address", address},
       {"socket", chosen.unix_socket},
       {"token_file", server.token_file()}});
  if (options.log_format == "json") return {};
  if (chosen.tcp) context.print("listening  " + address + "\n");
  if (chosen.tcp && context.output_is_terminal()) {
    TRY_ASSIGN(const std::string link, server.launch_link(page));
    context.print("open       " + link + "   (works once, within five minutes; later: emend open)\n");
  } else if (chosen.tcp) {
    context.print("open       emend open\n");
  }
  if (!chosen.unix_socket.empty()) context.print("listening  " + chosen.unix_socket + "\n");
  context.print("token      " + server.token_file() + "\n");
  if (log_format() == LogFormat::text)
    context.hint("Ctrl-C stops the server; running work continues at the next start");
  return {};
}

// Also beside a server that is running.
Result<ExitStatus> print_routes(CommandContext& context, const ServerOptions& chosen) {
  TRY_ASSIGN(const auto server, ApiServer::make(context.dependencies(), chosen));
  context.print_json_list("routes", server->routes());
  return context.finish(ExitStatus::done);
}

Result<ExitStatus> run_serve(CommandContext& context, const ServeOptions& options) {
  TRY_ASSIGN(ServerOptions chosen, server_options(context, options));
  McpJobs jobs(fs::path(chosen.home) / "jobs");
  chosen.mcp_offer = [&, key = random_hex(32)](const std::string& directory, const std::string& caller) {
    return mcp_offer(context.dependencies(), {context.global(), directory, caller, false, key}, jobs);
  };
  chosen.run_errand = forge_errands(context);
  chosen.propose_session = pull_requests(context);
  chosen.database_tools = &database_tools();
  chosen.fetching = {context.dependencies().open_remotes, context.dependencies().clone_repository,
                     context.dependencies().refresh_clone};
  chosen.adopt_repository = [&context, home = chosen.home](const std::string& directory,
                                                           const std::string& id) {
    return context.dependencies().adopt_repository(directory, home, id);
  };
  chosen.open_sign_in = context.dependencies().open_sign_in;
  if (options.routes) return print_routes(context, chosen);
  TRY_ASSIGN(const auto idle_ms, idle_time(options));
  TRY_ASSIGN(const std::string page, first_page(context, options));
  choose_log(context, options);
  auto lock = take_server_place(chosen.home, 1);
  if (!lock && lock.error().code != ErrorCode::conflict) return fail(lock.error());
  TRY_ASSIGN(const auto server, ApiServer::make(context.dependencies(), chosen));
  if (!lock && server->shares_work()) lock = take_free_server_place(chosen.home, 2);
  TRY(lock);
  std::vector<std::string> directories = options.repositories;
  if (directories.empty() && !find_repository_root(fs::current_path().string()).empty())
    directories.push_back(".");
  for (const std::string& directory : directories)
    TRY(server->add_repository(fs::absolute(directory).lexically_normal().string()));
  TRY(server->start());
  TRY(write_address(chosen.home, *server, chosen));
  TRY(say_where(context, *server, chosen, options, page));
  tell_manager(context, "READY=1\nSTATUS=serving");
  wait_for(context.dependencies().stop, *server, chosen, *context.dependencies().clock, idle_ms);
  tell_manager(context, "STOPPING=1\nSTATUS=stopping; running work is kept");
  log(LogLevel::info, "stopping", {{"pid", ::getpid()}});
  server->stop();
  forget_address(chosen.home);
  log(LogLevel::info, "stopped", {{"pid", ::getpid()}});
  return context.finish(ExitStatus::done);
}

} // namespace

Command serve_command() {
  const auto options = std::make_shared<ServeOptions>();
  Command command;
  command.name = "serve";
  command.summary = "start the HTTP server with the dashboard and live events";
  command.examples =
      "  emend serve\n  emend serve --listen 127.0.0.1:0 --repo ~/src/a --repo ~/src/b\n  emend serve "
      "--listen none --socket ~/.emend.sock\n";
  command.options = {
      {"--listen", &options->listen,
       "address and port (default 127.0.0.1:8790; port 0 = any free one; none = only --socket)",
       "ADDRESS:PORT"},
      {"--socket", &options->socket, "also listen on this socket file, which only you can open", "PATH"},
      {"--repo", &options->repositories, "serve this repository (default: the current one; may be repeated)",
       "DIR"},
      {"--allow-host", &options->allowed_hosts,
       "another host name that clients may use, with its port if not the default", "NAME"},
      {"--behind-proxy", &options->behind_proxy, "the server runs behind a proxy with TLS"},
      {"--proxy-user-header", &options->user_header,
       "a header in which the proxy names the user who is logged in there (needs --trust-proxy)", "NAME"},
      {"--trust-proxy", &options->trusted_proxies,
       "believe that header from this address, or from the socket file (unix); may be repeated",
       "ADDRESS|unix"},
      {"--routes", &options->routes, "print all routes and who may call them"},
      {"--log-format",
       &options->log_format,
       "json: one JSON object for each request on stderr; text: only errors (default: text on a "
       "terminal, else json)",
       "FORMAT",
       {"auto", "json", "text"}},
      {"--session", &options->session, "the printed link opens this session", "ID"},
      {"--idle-exit", &options->idle_exit,
       "exit after this time without use and without running work (10m, 2h)", "TIME"},
      {"--sessions", NumberTarget{&options->parallel, 1, 64},
       "most sessions at the same time, each of another repository (default: a processor and 2 GB for each, "
       "at least 2)",
       "N"},
      {"--max-streams", NumberTarget{&options->max_streams, 1, 1'000'000},
       "most live streams at the same time (default 1000)", "N"},
      {"--max-connections", NumberTarget{&options->max_connections, 1, 1'000'000},
       "most connections at the same time, without streams (default 256); beyond that the longest "
       "idle one is closed",
       "N"},
      {"--max-connections-per-peer", NumberTarget{&options->max_connections_per_peer, 1, 1'000'000},
       "most connections from one address (default: as --max-connections)", "N"},
  };
  command.run = [options](CommandContext& context) { return run_serve(context, *options); };
  command.storage = options;
  return command;
}

} // namespace emend
