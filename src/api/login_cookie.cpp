#include "api/login_cookie.hpp"

namespace emend {

namespace {

HttpHeader cookie(const std::string& name, const std::string& value, const char* rules, std::int64_t seconds,
                  bool secure) {
  return {"Set-Cookie", name + "=" + value + rules + std::to_string(seconds) + (secure ? "; Secure" : "")};
}

} // namespace

HttpHeader login_cookie(const std::string& value, std::int64_t seconds, bool secure) {
  return cookie("emend_login", value, "; Path=/; HttpOnly; SameSite=Strict; Max-Age=", seconds, secure);
}

HttpHeader sign_in_cookie(const std::string& value, std::int64_t seconds, bool secure) {
  return cookie("emend_sign_in", value, "; Path=/auth/callback; HttpOnly; SameSite=Lax; Max-Age=", seconds,
                secure);
}

} // namespace emend
