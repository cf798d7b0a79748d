// All operations of the API, by what they are about. What they share is handed in once.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "api/access.hpp"
#include "api/callers.hpp"
#include "api/fetching.hpp"
#include "api/forge_errand.hpp"
#include "api/operation.hpp"
#include "api/pull_request_order.hpp"
#include "api/served_repositories.hpp"
#include "api/webhooks.hpp"
#include "api/work_queue.hpp"
#include "http/http_server.hpp"
#include "mcp/server.hpp"
#include "service/notify_settings.hpp"
#include "service/sign_in.hpp"

namespace emend {

// Everything outlives the operations.
struct ApiParts {
  const Dependencies& dependencies;
  Store& store;
  Ledger& ledger;
  Access& access;
  Callers& callers;
  ServedRepositories& repositories;
  WorkQueue& queue;
  std::string home;
  bool secure_cookies = false;
  std::int64_t started_ms = 0;
  std::function<HttpCounters()> http_counters;
  std::function<void(const Event&)> on_event; // tells the streams
  std::function<void()> on_logout;            // streams of a login end with it
  WebhookSecrets webhooks;
  // What coding agents are offered for the repository in this directory; empty = nothing is.
  std::function<mcp::Offer(const std::string& directory, const std::string& caller)> mcp_offer = {};
  RunErrand run_errand = {};          // what deliveries of forges ask for; empty = it is not done
  SignInProvider* provider = nullptr; // null = people do not sign in at one
  const SignInSettings* sign_in = nullptr;
  NotifySettings notify = {};
  std::function<std::string()> address = {}; // of the dashboard, for people: "https://emend.example.org"
  std::function<void()> on_notice = [] {};   // something is to be sent now
  ProposeSession propose_session = {};       // empty = pull requests are not created from here
  Fetching fetching = {};                    // empty = nothing is cloned or fetched

  [[nodiscard]] std::int64_t now_ms() const { return dependencies.clock->wall_ms(); }
};

[[nodiscard]] std::vector<Operation> auth_operations(const ApiParts& parts);
[[nodiscard]] std::vector<Operation> sign_in_operations(const ApiParts& parts);
[[nodiscard]] std::vector<Operation> notification_operations(const ApiParts& parts);
[[nodiscard]] std::vector<Operation> people_operations(
    const ApiParts& parts); // and tokens, and the audit log
[[nodiscard]] std::vector<Operation> system_operations(const ApiParts& parts);
[[nodiscard]] std::vector<Operation> config_operations(const ApiParts& parts);
[[nodiscard]] std::vector<Operation> repository_operations(const ApiParts& parts);
[[nodiscard]] std::vector<Operation> setup_operations(const ApiParts& parts); // the first emend.toml
[[nodiscard]] std::vector<Operation> budget_operations(const ApiParts& parts);
[[nodiscard]] std::vector<Operation> issue_operations(const ApiParts& parts);
[[nodiscard]] std::vector<Operation> question_operations(const ApiParts& parts);
[[nodiscard]] std::vector<Operation> needs_operations(const ApiParts& parts);
[[nodiscard]] std::vector<Operation> trend_operations(const ApiParts& parts);
[[nodiscard]] std::vector<Operation> fix_operations(const ApiParts& parts);
[[nodiscard]] std::vector<Operation> session_operations(const ApiParts& parts);
[[nodiscard]] std::vector<Operation> decision_operations(const ApiParts& parts);
[[nodiscard]] std::vector<Operation> pull_request_operations(const ApiParts& parts);
[[nodiscard]] std::vector<Operation> run_operations(const ApiParts& parts);
[[nodiscard]] std::vector<Operation> review_operations(const ApiParts& parts);
[[nodiscard]] std::vector<Operation> check_operations(const ApiParts& parts);
[[nodiscard]] std::vector<Operation> mcp_operations(const ApiParts& parts);
[[nodiscard]] std::vector<Operation> work_operations(const ApiParts& parts);
[[nodiscard]] std::vector<Operation> agent_operations(const ApiParts& parts);
[[nodiscard]] std::vector<Operation> sync_operations(const ApiParts& parts); // and the forges' webhooks
[[nodiscard]] std::vector<Operation> document_operations();  // the contract, what problems mean
[[nodiscard]] std::vector<Operation> dashboard_operations(); // the page and what it is made of

// What the queue can do: "fix", "review", ...
void handle_check_jobs(const ApiParts& parts, WorkQueue& queue);
void handle_fix_jobs(const ApiParts& parts, WorkQueue& queue);
void handle_review_jobs(const ApiParts& parts, WorkQueue& queue);
void handle_sync_jobs(const ApiParts& parts, WorkQueue& queue);
// What an interrupted server left open at forges is closed, as a job for each repository that has any.
[[nodiscard]] Status tidy_forges(const ApiParts& parts);
void handle_work_jobs(const ApiParts& parts, WorkQueue& queue);

// The state of a session and where its events go on:
// {"session":..,"issues":[..],"commits":[..],"runs":..,"seq":..}.
[[nodiscard]] Result<Json> session_snapshot(const ApiParts& parts, const std::string& session_id);
// The live stream of a session, from Last-Event-ID (or ?after=) on, or from a snapshot. 204 when it is over
// and nothing is new.
[[nodiscard]] Result<HttpReply> follow_session(const ApiParts& parts, const HttpRequest& request,
                                               const std::string& session_id);

// The frame for a reader that cannot be told all it has missed; nullopt = it can.
[[nodiscard]] Result<std::optional<std::string>> gap_before(const ApiParts& parts,
                                                            std::optional<std::uint64_t> last_seen,
                                                            const std::string& session_id);

// "?limit=" within bounds.
[[nodiscard]] Result<std::size_t> page_size(const HttpRequest& request, std::size_t fallback = 50,
                                            std::size_t most = 200);
// {"data":[..],"next_cursor":..}, with a Link header when there is more.
[[nodiscard]] HttpResponse page_response(const HttpRequest& request, Json data,
                                         const std::string& next_cursor);
// Answers 304 when the weak ETag matches: the caller has these bytes already.
[[nodiscard]] HttpResponse tagged_response(const HttpRequest& request, const Json& body);
[[nodiscard]] std::string tag_of(const Json& body); // "\"...\""

} // namespace emend
