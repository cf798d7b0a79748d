// The routes behind the HTTP edge: admits, reads bodies strictly, answers once for one key, and turns errors
// into problems.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "api/callers.hpp"
#include "api/guard.hpp"
#include "api/operation.hpp"
#include "api/rate_limit.hpp"
#include "http/http_server.hpp"
#include "http/route_table.hpp"
#include "ports/clock.hpp"
#include "ports/ledger.hpp"

namespace emend {

class ApiApplication final : public HttpApplication {
public:
  // What it is given outlives it.
  // requests_per_minute: of each person and program but the owner; 0 = no limit.
  ApiApplication(Callers& callers, Ledger& ledger, const Clock& clock, int requests_per_minute);

  // Each must have its row in the table of rights: std::logic_error otherwise.
  void add(std::vector<Operation> operations);
  // How the repository of a request, and of a session's events, is found.
  using FindPlace = std::function<Result<std::string>(Reach scope, const Call& call)>;
  using FindRepository = std::function<std::string(const std::string& session_id)>;
  void set_places(FindPlace place, FindRepository repository) {
    place_ = std::move(place);
    repository_ = std::move(repository);
  }
  [[nodiscard]] const std::vector<Operation>& operations() const { return operations_; }
  // Whether a session goes on although an event of that moment says that it was put aside.
  void set_goes_on(std::function<bool(const std::string& session_id, std::int64_t moment_ms)> goes_on) {
    goes_on_ = std::move(goes_on);
  }
  // Requests that a server which died was answering have no answer; their keys are free again. Those of
  // `living` servers stay. Before the first request.
  [[nodiscard]] Status free_unanswered_keys(const std::set<std::string>& living);
  void set_server(std::string id) { server_ = std::move(id); }  // where there are others
  void set_names(OwnNames names) { names_ = std::move(names); } // before the first request

  std::optional<HttpResponse> refuse(const HttpRequest& head) override;
  std::uint64_t max_body(const HttpRequest& head) override;
  HttpReply answer(const HttpRequest& request) override;
  Result<std::vector<StreamEvent>> events(std::int64_t after, const std::string& session_id,
                                          std::size_t limit) override;
  Result<std::int64_t> newest_event() override;
  void served(const HttpRequest& request, int status, double milliseconds) override;

private:
  [[nodiscard]] std::optional<HttpResponse> refuse_caller(const HttpRequest& head,
                                                          const Operation* operation);
  [[nodiscard]] std::vector<std::string> methods_of(const std::vector<std::string>& path) const;
  [[nodiscard]] HttpResponse options_of(const HttpRequest& head) const;
  [[nodiscard]] bool too_many_failures();
  [[nodiscard]] HttpReply answer_admitted(const HttpRequest& request);
  [[nodiscard]] HttpResponse refuse_credential();
  [[nodiscard]] std::optional<HttpResponse> slow_down(const Caller& caller);
  [[nodiscard]] std::optional<HttpResponse> refuse_rights(const Operation& operation, const Call& call);
  [[nodiscard]] HttpResponse role_missing(const Operation& operation, const std::string& repository_id);
  void guard_stream(const HttpRequest& request, const Caller& caller, EventStream& stream);
  [[nodiscard]] HttpReply run(const Operation& operation, const RouteMatch& match, const HttpRequest& request,
                              const Caller& caller);
  [[nodiscard]] HttpReply replay(const Json& kept, const HttpRequest& request) const;
  [[nodiscard]] HttpReply run_once(const Operation& operation, const RouteMatch& match,
                                   const HttpRequest& request, const Caller& caller, const std::string& key);

  Callers& callers_;
  Ledger& ledger_;
  const Clock& clock_;
  RateLimit pace_;
  OwnNames names_;
  std::string server_;
  std::function<bool(const std::string&, std::int64_t)> goes_on_;
  FindPlace place_;
  FindRepository repository_;
  std::vector<Operation> operations_;
  RouteTable table_;
  std::mutex failing_;
  std::int64_t failure_second_ = 0;
  int failures_ = 0;
};

// An event as clients see it, and whether its session ends with it.
[[nodiscard]] StreamEvent stream_event(const Event& event);

} // namespace emend
