// The server as a whole: routes over the engine, admission, the queue, live events.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "api/callers.hpp"
#include "api/fetching.hpp"
#include "api/forge_errand.hpp"
#include "api/pull_request_order.hpp"
#include "base/json.hpp"
#include "base/result.hpp"
#include "mcp/server.hpp"
#include "ports/database_tools.hpp"
#include "ports/sign_in.hpp"
#include "service/dependencies.hpp"
#include "service/workbench.hpp"

namespace emend {

struct ServerOptions {
  std::string address = "127.0.0.1";
  int port = 8790; // 0 = any free one
  bool tcp = true;
  std::string unix_socket;
  std::vector<std::string> allowed_hosts; // names beside the loopback ones: "emend.example.org"
  bool behind_proxy = false; // TLS is somebody else's: cookies are Secure, a foreign address may be bound
  ProxyTrust proxy;          // whose word about users is believed
  int parallel_sessions = 2;
  std::size_t max_streams = 1'000;
  std::size_t max_connections = 256;        // beside the streams
  std::size_t max_connections_per_peer = 0; // of one address; 0 = as many as there may be at all
  std::string home;                         // EMEND_HOME
  std::string user_file;
  std::vector<std::string> environment;
  // For /mcp: in a repository, for a client of this name; empty = not served.
  std::function<mcp::Offer(const std::string& directory, const std::string& caller)> mcp_offer;
  RunErrand run_errand = {}; // commands in comments, new heads, red pipelines, by webhook; empty = not done
  DatabaseTools* database_tools = nullptr; // outlives the server; null = its database is left to others
  ProposeSession propose_session = {};     // empty = the dashboard creates no pull requests
  Fetching fetching = {};                  // empty = nothing is cloned or fetched
  // Makes the repository in a directory the one with this id; empty = repositories are not moved from here.
  std::function<Status(const std::string& directory, const std::string& id)> adopt_repository = {};
  // The provider of [sign_in]; empty = nobody signs in at one.
  std::function<Result<std::unique_ptr<SignInProvider>>(const SignInPlace& place)> open_sign_in = {};
};

class ApiServer {
public:
  // dependencies outlive it.
  [[nodiscard]] static Result<std::unique_ptr<ApiServer>> make(const Dependencies& dependencies,
                                                               ServerOptions options);
  ApiServer(const ApiServer&) = delete;
  ApiServer& operator=(const ApiServer&) = delete;
  ~ApiServer();

  // Whether other servers can work on the same database.
  [[nodiscard]] bool shares_work() const;
  // A directory inside a repository, trusted because the person at the terminal named it.
  [[nodiscard]] Result<std::string> add_repository(const std::string& directory);
  // Listens, takes up what an earlier server left.
  [[nodiscard]] Status start();
  [[nodiscard]] int port() const;
  // Where others reach it; empty = only this machine does.
  [[nodiscard]] std::string public_address() const;
  // The forges whose deliveries it takes: "github", "gitlab".
  [[nodiscard]] std::vector<std::string> webhook_sources() const;
  [[nodiscard]] Result<std::string> launch_link(const std::string& page = "/"); // opens the dashboard once
  // Requests so far, and whether something is going on now: a stream that is followed, work that runs or
  // waits.
  struct Use {
    std::uint64_t requests = 0;
    bool busy = false;
  };
  [[nodiscard]] Use use() const;
  [[nodiscard]] const std::string& token_file() const;
  [[nodiscard]] Json routes() const; // [{"method","path","operation","admission","body","idempotency_key"}]
  void stop();                       // drains

private:
  struct Parts;
  [[nodiscard]] static Actor owner_of(Parts& parts);
  [[nodiscard]] static std::string address_of(const Parts& parts);
  [[nodiscard]] static Status start_notifier(Parts& parts);
  static void watch_directory(Parts& parts, const std::stop_token& stop);
  [[nodiscard]] static Status look_at_others(Parts& parts, std::set<std::string>& living);
  explicit ApiServer(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

} // namespace emend
