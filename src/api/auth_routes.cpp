#include "api/fields.hpp"
#include "api/guard.hpp"
#include "api/routes.hpp"

namespace emend {

namespace {

std::string login_cookie(const ApiParts& parts, const std::string& value, std::int64_t seconds) {
  return "emend_login=" + value + "; Path=/; HttpOnly; SameSite=Strict; Max-Age=" + std::to_string(seconds) +
         (parts.secure_cookies ? "; Secure" : "");
}

Result<HttpReply> log_in(const ApiParts& parts, const Call& call) {
  Fields fields(call.body);
  const std::string code = fields.text("code", 200);
  if (auto problem = fields.problems()) return *problem;
  const auto cookie = parts.access.exchange(code);
  if (!cookie)
    return problem_response(401, "auth-required",
                            "this launch code was used or is too old; for a new link: emend open");
  HttpResponse response{204, {{"Set-Cookie", login_cookie(parts, *cookie, kLoginMs / 1000)}}, ""};
  return response;
}

Result<HttpReply> log_out(const ApiParts& parts, const Call& call) {
  if (const auto cookie = cookie_value(call.request, "emend_login")) TRY(parts.access.end_login(*cookie));
  parts.on_logout();
  return HttpResponse{204, {{"Set-Cookie", login_cookie(parts, "", 0)}}, ""};
}

} // namespace

std::vector<Operation> auth_operations(const ApiParts& parts) {
  return {
      {"POST", "/api/auth/session", "logIn", [&parts](const Call& call) { return log_in(parts, call); },
       Admission::anybody, BodyKind::json, false, 1'000},
      {"DELETE", "/api/auth/session", "logOut", [&parts](const Call& call) { return log_out(parts, call); }},
      {"POST", "/api/auth/launch-codes", "createLaunchCode",
       [&parts](const Call&) -> Result<HttpReply> {
         return json_response(
             201, {{"code", parts.access.new_launch_code()}, {"expires_in", kLaunchCodeMs / 1000}});
       },
       Admission::owner},
  };
}

} // namespace emend
