// Signing in at the organisation's provider: away with one half of a secret, back with the other.
#include <algorithm>
#include <memory>
#include <mutex>

#include "api/guard.hpp"
#include "api/login_cookie.hpp"
#include "api/routes.hpp"
#include "base/hash.hpp"
#include "base/log.hpp"
#include "base/secret.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr const char *kTrip = "sign_in", *kUsedTrip = "used_sign_in";
constexpr std::int64_t kTripMs = 10 * 60'000;
constexpr int kBeginningsPerSecond = 20;

// Whoever begins costs a row; nobody can make it many.
class Pace {
public:
  bool allows(std::int64_t now_ms) {
    const std::lock_guard guard(mutex_);
    if (now_ms / 1'000 != second_) count_ = 0;
    second_ = now_ms / 1'000;
    return ++count_ <= kBeginningsPerSecond;
  }

private:
  std::mutex mutex_;
  std::int64_t second_ = 0;
  int count_ = 0;
};

HttpResponse go(const std::string& where) {
  return {303, {{"Location", where}, {"Cache-Control", "no-store"}, {"Referrer-Policy", "no-referrer"}}, ""};
}

// The page says what the word means; what exactly went wrong is in the log.
HttpResponse failed(const ApiParts& parts, const char* word, const std::string& why) {
  log(LogLevel::warn, "a sign-in failed", {{"why", why}});
  HttpResponse response = go(std::string("/#sign-in=") + word);
  response.headers.push_back(sign_in_cookie("", 0, parts.secure_cookies));
  return response;
}

// One of our own places, and nothing that a browser could read as somebody else's.
std::string own_page(std::string_view wanted) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           contains("/-_.~?=&%,:", {&c, 1});
  };
  const bool fits = wanted.starts_with("/") && !wanted.starts_with("//") && wanted.size() < 1'000 &&
                    std::all_of(wanted.begin(), wanted.end(), plain);
  return fits ? std::string(wanted) : "/";
}

// The name the browser used is one of the server's own: nobody else's comes this far.
std::string return_url(const ApiParts& parts, const HttpRequest& request) {
  const std::string host = to_lower(request.header("host").value_or(""));
  const bool here =
      host.starts_with("127.0.0.1:") || host.starts_with("localhost:") || host.starts_with("[::1]:");
  return (parts.secure_cookies && !here ? "https://" : "http://") + host + "/auth/callback";
}

Result<HttpReply> sign_in_offer(const ApiParts& parts, const Call&) {
  if (parts.provider == nullptr) return json_response(200, {{"sign_in", nullptr}});
  return json_response(200, {{"sign_in", {{"label", parts.sign_in->label}, {"url", "/auth/sign-in"}}}});
}

Result<HttpReply> begin(const ApiParts& parts, const Call& call, Pace& pace) {
  if (parts.provider == nullptr)
    return problem_response(404, "not-found",
                            "sign-in is not configured on this server; to get a link: emend open");
  if (!pace.allows(parts.now_ms())) {
    HttpResponse slow =
        problem_response(429, "too-many-failures", "too many people are signing in at the same time");
    slow.headers.push_back({"Retry-After", "1"});
    return slow;
  }
  const SignInTrip trip{random_hex(32), random_hex(32), random_hex(32), return_url(parts, call.request)};
  const std::string browser = random_hex(32);
  const auto address = parts.provider->address(trip, {});
  if (!address) return failed(parts, "unreachable", address.error().message);
  TRY(parts.ledger.remember({kTrip, sha256_hex(trip.state),
                             Json{{"nonce", trip.nonce},
                                  {"verifier", trip.verifier},
                                  {"return_url", trip.return_url},
                                  {"browser", sha256_hex(browser)},
                                  {"page", own_page(call.request.query_value("page").value_or("/"))}},
                             parts.now_ms() + kTripMs}));
  HttpResponse response = go(*address);
  response.headers.push_back(sign_in_cookie(browser, kTripMs / 1'000, parts.secure_cookies));
  return response;
}

// The trip this browser is on; it ends here, whatever becomes of it. nullopt = it is on none.
Result<std::optional<Json>> take_trip(const ApiParts& parts, const HttpRequest& request) {
  const std::string key = sha256_hex(request.query_value("state").value_or(""));
  const std::int64_t now = parts.now_ms();
  TRY_ASSIGN(const auto trip, parts.ledger.remembered(kTrip, key, now));
  const auto cookie = cookie_value(request, "emend_sign_in");
  if (!trip || !cookie || !same_secret(sha256_hex(*cookie), string_or(trip->value, "browser")))
    return std::optional<Json>();
  TRY_ASSIGN(const bool first,
             parts.ledger.remember_once({kUsedTrip, key, Json::object(), now + kTripMs}, now));
  TRY(parts.ledger.forget(kTrip, key));
  return first ? std::optional(trip->value) : std::nullopt;
}

Result<HttpReply> finish(const ApiParts& parts, const Call& call) {
  if (parts.provider == nullptr)
    return problem_response(404, "not-found", "sign-in is not configured on this server");
  TRY_ASSIGN(const auto kept, take_trip(parts, call.request));
  if (!kept) return failed(parts, "expired", "this sign-in did not begin in this browser");
  if (const auto error = call.request.query_value("error"))
    return failed(parts, "refused", "the provider says " + visible_text(first_line(*error, 100)));
  const SignInTrip trip{std::string(call.request.query_value("state").value_or("")),
                        string_or(*kept, "nonce"), string_or(*kept, "verifier"),
                        string_or(*kept, "return_url")};
  const SignInAnswer answer{std::string(call.request.query_value("code").value_or("")),
                            std::string(call.request.query_value("iss").value_or(""))};
  const auto identity = parts.provider->identity(trip, answer, {});
  if (!identity)
    return failed(parts, identity.error().code == ErrorCode::auth ? "refused" : "unreachable",
                  identity.error().message);
  const auto account = sign_in(parts.store, *parts.dependencies.clock, *identity, parts.sign_in->rules,
                               [&](const std::string& name) -> Result<std::string> {
                                 TRY_ASSIGN(const auto served, parts.ledger.repositories());
                                 const auto found = std::find_if(served.begin(), served.end(),
                                                                 [&](const ServedRepository& one) {
                                                                   return one.id == name || one.name == name;
                                                                 });
                                 return found == served.end() ? "" : found->id;
                               });
  if (!account && account.error().code == ErrorCode::not_found)
    return failed(parts, "no-account", account.error().message + "; " + account.error().remedy);
  if (!account && account.error().code == ErrorCode::auth)
    return failed(parts, "not-allowed", account.error().message + "; " + account.error().remedy);
  TRY(account);
  TRY_ASSIGN(const std::string cookie,
             parts.access.new_login(account->id, "sign-in", call.request.header("user-agent").value_or(""),
                                    kSignInMs));
  TRY(parts.callers.directory());
  HttpResponse response = go(own_page(string_or(*kept, "page")));
  response.headers.push_back(login_cookie(cookie, kSignInMs / 1'000, parts.secure_cookies));
  response.headers.push_back(sign_in_cookie("", 0, parts.secure_cookies));
  return response;
}

} // namespace

std::vector<Operation> sign_in_operations(const ApiParts& parts) {
  const auto pace = std::make_shared<Pace>();
  return {
      {"GET", "/api/auth/sign-in", "getSignIn",
       [&parts](const Call& call) { return sign_in_offer(parts, call); }, Admission::anybody},
      {"GET", "/auth/sign-in", "beginSignIn",
       [&parts, pace](const Call& call) { return begin(parts, call, *pace); }, Admission::anybody},
      {"GET", "/auth/callback", "finishSignIn", [&parts](const Call& call) { return finish(parts, call); },
       Admission::anybody},
  };
}

} // namespace emend
