// An operation of the API as a value: where it is, who may call it, what it takes, what it does. Routes are
// lists of these.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "api/rights_table.hpp"
#include "base/json.hpp"
#include "base/result.hpp"
#include "http/message.hpp"
#include "model/actor.hpp"
#include "model/rights.hpp"

namespace emend {

enum class Admission {
  anybody,     // says nothing that is not public
  member,      // token, login or the server's own socket
  owner,       // token or socket only: what a browser may not do
  signed_body, // checks the caller itself, by a signature over the body
};

[[nodiscard]] std::string_view to_string(Admission admission);

enum class BodyKind { none, json, bytes };
[[nodiscard]] std::string_view to_string(BodyKind kind);

// Who asks.
struct Caller {
  Actor actor;
  Rights rights;
  std::string account_id = {}; // empty = the owner
  bool by_token = false;       // a personal token, not a browser's login
};

struct Call {
  const HttpRequest& request;
  const Caller& caller;
  const std::map<std::string, std::string, std::less<>>& parameters;
  Json body; // of BodyKind::json; an object
  // The repository the request is about, as the operation's scope finds it; the caller has the role for it.
  // Operations work on this one and look for no other.
  Result<std::string> repository = std::string();

  [[nodiscard]] const std::string& parameter(std::string_view name) const {
    return parameters.find(name)->second;
  }
};

struct Operation {
  std::string method;
  std::string pattern; // "/api/issues/{code}"
  std::string id;      // "getIssue", as in the OpenAPI document
  std::function<Result<HttpReply>(const Call&)> run;
  Admission admission = Admission::member;
  BodyKind body = BodyKind::none;
  bool once = false; // takes an Idempotency-Key
  std::uint64_t max_body = 1'000'000;
  const NeededRight* need = nullptr; // from the table
};

// The problem document for an error.
[[nodiscard]] HttpResponse problem_of(const Error& error);

} // namespace emend
