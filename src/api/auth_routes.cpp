#include <algorithm>

#include "api/fields.hpp"
#include "api/guard.hpp"
#include "api/login_cookie.hpp"
#include "api/lookups.hpp"
#include "api/routes.hpp"

namespace emend {

namespace {

Result<HttpReply> log_in(const ApiParts& parts, const Call& call) {
  Fields fields(call.body);
  const std::string code = fields.text("code", 200);
  if (auto problem = fields.problems()) return *problem;
  TRY_ASSIGN(const auto cookie, parts.access.exchange(code, call.request.header("user-agent").value_or("")));
  if (!cookie)
    return problem_response(401, "auth-required",
                            "this launch code was used or is too old; for a new link: emend open");
  return HttpResponse{204, {login_cookie(*cookie, kLoginMs / 1000, parts.secure_cookies)}, ""};
}

Result<HttpReply> log_out(const ApiParts& parts, const Call& call) {
  if (const auto cookie = cookie_value(call.request, "emend_login")) TRY(parts.access.end_cookie(*cookie));
  parts.on_logout();
  return HttpResponse{204, {login_cookie("", 0, parts.secure_cookies)}, ""};
}

Result<HttpReply> launch_code(const ApiParts& parts, const Call&) {
  TRY_ASSIGN(const std::string code, parts.access.new_launch_code());
  return json_response(201, {{"code", code}, {"expires_in", kLaunchCodeMs / 1000}});
}

// The new token is in the file and in no answer.
Result<HttpReply> change_token(const ApiParts& parts, const Call& call) {
  TRY(parts.access.change_token());
  TRY(note_deed(parts, call, "server.token_changed", "", "server"));
  parts.on_logout();
  return json_response(200, {{"token_file", parts.access.token_file()}});
}

// --- browsers that are logged in

bool minds(const Call& call, const Login& login) {
  return call.caller.account_id == login.account_id || call.caller.rights.may(Role::administer, kEverywhere);
}

Result<HttpReply> list_logins(const ApiParts& parts, const Call& call) {
  TRY_ASSIGN(const auto logins, all_logins(parts.ledger, parts.now_ms()));
  TRY_ASSIGN(const auto directory, parts.callers.directory());
  const auto cookie = cookie_value(call.request, "emend_login");
  const auto own = cookie ? parts.access.seen_login(*cookie) : std::nullopt;
  Json data = Json::array();
  for (const Login& login : logins) {
    if (!minds(call, login)) continue;
    Json row = to_json(login);
    const Account* account = directory->find(login.account_id);
    row["account"] = account == nullptr ? Json(nullptr) : Json(account->name);
    row["this_one"] = own && own->id == login.id;
    data.push_back(std::move(row));
  }
  return page_response(call.request, std::move(data), "");
}

Result<HttpReply> end_login(const ApiParts& parts, const Call& call) {
  constexpr std::size_t kShown = 16; // as to_json() names it
  TRY_ASSIGN(const auto logins, all_logins(parts.ledger, parts.now_ms()));
  const auto known = std::find_if(logins.begin(), logins.end(), [&](const Login& login) {
    return login.id.substr(0, kShown) == call.parameter("id") && minds(call, login);
  });
  if (known == logins.end()) return problem_response(404, "not-found", "you have no such login");
  TRY(parts.access.end_login(known->id));
  TRY_ASSIGN(const auto directory, parts.callers.directory());
  const Account* account = directory->find(known->account_id);
  TRY(note_deed(parts, call, "login.ended", "", account == nullptr ? "owner" : account->name));
  parts.on_logout();
  return HttpResponse{204, {}, ""};
}

} // namespace

std::vector<Operation> auth_operations(const ApiParts& parts) {
  const auto by = [&parts](Result<HttpReply> (*run)(const ApiParts&, const Call&)) {
    return [&parts, run](const Call& call) { return run(parts, call); };
  };
  return {
      {"POST", "/api/auth/session", "logIn", by(log_in), Admission::anybody, BodyKind::json, false, 1'000},
      {"DELETE", "/api/auth/session", "logOut", by(log_out)},
      {"POST", "/api/auth/launch-codes", "createLaunchCode", by(launch_code), Admission::owner},
      {"POST", "/api/auth/token", "changeServerToken", by(change_token), Admission::owner},
      {"GET", "/api/logins", "listLogins", by(list_logins)},
      {"DELETE", "/api/logins/{id}", "endLogin", by(end_login)},
  };
}

} // namespace emend
