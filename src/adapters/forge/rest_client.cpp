#include "adapters/forge/rest_client.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>

#include "base/redact.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr int kTries = 4, kMaxPages = 50, kMaxRedirects = 3;
constexpr std::int64_t kFirstPauseMs = 500, kLongestWaitMs = 60'000, kSecondaryWaitMs = 60'000;
constexpr std::size_t kMaxAnswerBytes = 32'000'000;
constexpr TransferLimits kLimits{10'000, 30, 120'000};

// What the forge says about a refusal: its message, and of a list of mistakes the words.
std::string words_of(const std::string& body) {
  const auto json = parse_json(body);
  if (!json || !json->is_object()) return {};
  std::string said;
  for (const char* key : {"message", "error_description", "error"}) {
    const Json* value = find_member(*json, key);
    if (value == nullptr || !said.empty()) continue;
    said = value->is_string() ? value->get<std::string>() : dump_json(*value);
  }
  if (const Json* errors = find_member(*json, "errors"); errors != nullptr && errors->is_array())
    for (const Json& error : *errors) {
      std::string one = error.is_string()   ? error.get<std::string>()
                        : error.is_object() ? string_or(error, "message")
                                            : "";
      if (one.empty() && error.is_object()) one = string_or(error, "field") + " " + string_or(error, "code");
      if (!trim(one).empty()) said += (said.empty() ? "" : "; ") + std::string(trim(one));
    }
  return first_line(Redactor().redact(clean_text(said)), 300);
}

std::string origin_of(const std::string& url) {
  const std::size_t scheme = url.find("://");
  return to_lower(url.substr(0, url.find('/', scheme == std::string::npos ? 0 : scheme + 3)));
}

} // namespace

std::string url_part(std::string_view text) {
  std::string encoded;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '.' || c == '_' || c == '~';
    encoded += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return encoded;
}

RestClient::RestClient(RestSettings settings, const Clock& clock)
    : settings_(std::move(settings)), clock_(clock), client_(settings_.product, settings_.ca_file, kLimits) {}

Result<Json> RestClient::get(const std::string& path, std::stop_token stop) {
  TRY_ASSIGN(Answered answered, ask("GET", settings_.api_url + path, "", {true}, std::move(stop)));
  return std::move(answered.body);
}

Result<std::vector<Json>> RestClient::list(const std::string& path, std::stop_token stop) {
  return list_in(path, "", std::move(stop));
}

Result<std::vector<Json>> RestClient::list_in(const std::string& path, const std::string& member,
                                              std::stop_token stop) {
  std::vector<Json> all;
  std::string url = settings_.api_url + path + (contains(path, "?") ? "&" : "?") + settings_.page_size;
  for (int page = 0; page < kMaxPages && !url.empty(); ++page) {
    TRY_ASSIGN(Answered answered, ask("GET", url, "", {true}, stop));
    const bool bare = member.empty();
    if (!bare && (!answered.body.is_object() || !answered.body.contains(member)))
      return fail(ErrorCode::io, settings_.product + " did not answer with " + member + " at " + path);
    Json& elements = bare ? answered.body : answered.body.at(member);
    if (!elements.is_array())
      return fail(ErrorCode::io, settings_.product + " did not answer with a list at " + path);
    for (Json& element : elements) all.push_back(std::move(element));
    url = std::move(answered.next);
  }
  return all;
}

Result<Json> RestClient::send(const std::string& method, const std::string& path, const Json& body,
                              std::stop_token stop) {
  TRY_ASSIGN(Answered answered,
             ask(method, settings_.api_url + path, dump_json(body), {method != "POST"}, std::move(stop)));
  return std::move(answered.body);
}

Result<Json> RestClient::query(const std::string& path, const Json& body, std::stop_token stop) {
  TRY_ASSIGN(Answered answered,
             ask("POST", settings_.api_url + path, dump_json(body), {true}, std::move(stop)));
  return std::move(answered.body);
}

Result<std::string> RestClient::text(const std::string& path, std::stop_token stop) {
  std::string url = settings_.api_url + path;
  TRY_ASSIGN(HttpAnswer answer, answer_to("GET", url, "", {true, true}, std::move(stop)));
  return std::move(answer.body);
}

Result<HttpAnswer> RestClient::once(const std::string& method, const std::string& url,
                                    const std::string& body, std::stop_token stop) {
  HttpCall call{method, url, settings_.headers, body, kMaxAnswerBytes};
  call.headers.emplace_back("User-Agent: emend");
  if (!settings_.token_header.empty() && on_this_server(url)) call.headers.push_back(settings_.token_header);
  if (!body.empty()) call.headers.emplace_back("Content-Type: application/json");
  return client_.perform(call, std::move(stop));
}

Result<HttpAnswer> RestClient::answer_to(const std::string& method, std::string& url, const std::string& body,
                                         Manner manner, std::stop_token stop) {
  const std::string what = method + " " + path_of(url);
  std::int64_t pause = kFirstPauseMs, waited = 0;
  int redirects = 0;
  for (int stumbles = 0;;) {
    auto answer = once(method, url, body, stop);
    if (!answer || answer->status >= 500) {
      if (!answer && answer.error().code != ErrorCode::io) return fail(answer.error());
      if (manner.repeat && ++stumbles < kTries) {
        TRY(wait(pause, stop));
        pause *= 2;
        continue;
      }
      if (!answer) return fail(std::move(answer).error());
      return refusal(what, *answer);
    }
    if (const auto wanted = wait_wanted(*answer)) {
      waited += *wanted;
      if (waited > kLongestWaitMs)
        return fail(ErrorCode::limit,
                    fmt::format("{} asks to wait until {}: {}", settings_.product,
                                rfc3339_utc(clock_.wall_ms() + *wanted), words_of(answer->body)),
                    "run the command again after that time; nothing is done twice");
      TRY(wait(*wanted, stop));
      continue;
    }
    if (answer->status >= 300 && answer->status < 400) {
      if (++redirects > kMaxRedirects || (method != "GET" && answer->status < 307))
        return refusal(what, *answer);
      TRY_ASSIGN(url, redirected(*answer, url, manner));
      continue;
    }
    if (answer->status < 200 || answer->status >= 300) return refusal(what, *answer);
    return *std::move(answer);
  }
}

Result<RestClient::Answered> RestClient::ask(const std::string& method, std::string url,
                                             const std::string& body, Manner manner, std::stop_token stop) {
  TRY_ASSIGN(const HttpAnswer answer, answer_to(method, url, body, manner, std::move(stop)));
  Answered answered{Json(), page_after(answer, url)};
  if (trim(answer.body).empty()) return answered;
  auto json = parse_json(answer.body);
  if (!json)
    return fail(ErrorCode::io, settings_.product + " did not answer with JSON to " + method + " " + url,
                "is forge.api_url right?");
  answered.body = *std::move(json);
  return answered;
}

// For messages. The server chose the address of a next page, so it may be any.
std::string RestClient::path_of(const std::string& url) const {
  const std::string plain = url.substr(0, url.find('?'));
  return plain.starts_with(settings_.api_url) ? plain.substr(settings_.api_url.size()) : plain;
}

bool RestClient::on_this_server(const std::string& url) const {
  return origin_of(url) == origin_of(settings_.api_url);
}

// Link: <https://.../x?page=2>; rel="next", <...>; rel="last". Older GitLabs only say x-next-page.
std::string RestClient::page_after(const HttpAnswer& answer, const std::string& url) const {
  for (const std::string& part : split(answer.header("link"), ',')) {
    const std::size_t open = part.find('<'), close = part.find('>');
    if (open == std::string::npos || close == std::string::npos || close < open ||
        !contains(part.substr(close), "rel=\"next\""))
      continue;
    const std::string next = part.substr(open + 1, close - open - 1);
    return on_this_server(next) ? next : "";
  }
  const auto number = parse_unsigned(answer.header("x-next-page"));
  if (!number) return {};
  std::string base = url;
  if (const std::size_t at = base.find("&page="); at != std::string::npos) base.erase(at);
  return base + "&page=" + std::to_string(*number);
}

// The token goes to no other server than the one it is for: see once().
Result<std::string> RestClient::redirected(const HttpAnswer& answer, const std::string& url,
                                           Manner manner) const {
  std::string to = answer.header("location");
  if (to.starts_with('/') && !to.starts_with("//")) to = origin_of(url) + to;
  const bool safe = to.starts_with("https://") || origin_of(to).starts_with("http://127.0.0.1:");
  if (!on_this_server(to) && !(manner.may_go_away && safe))
    return fail(ErrorCode::io, settings_.product + " sends us to another server, which is not followed",
                "check the remote of the repository; the project may have moved");
  return to;
}

// Milliseconds; nullopt = the answer is about something else.
std::optional<std::int64_t> RestClient::wait_wanted(const HttpAnswer& answer) const {
  if (answer.status != 403 && answer.status != 429) return std::nullopt;
  constexpr std::uint64_t kDay = 86'400;
  if (const auto seconds = parse_unsigned(answer.header("retry-after")))
    return static_cast<std::int64_t>(std::min(*seconds, kDay)) * 1000;
  for (const char* prefix : {"x-ratelimit-", "ratelimit-"}) {
    const auto reset = parse_unsigned(answer.header(std::string(prefix) + "reset"));
    if (answer.header(std::string(prefix) + "remaining") != "0" || !reset || *reset > 100'000'000'000ULL)
      continue;
    return std::max<std::int64_t>(1000, static_cast<std::int64_t>(*reset) * 1000 - clock_.wall_ms() + 1000);
  }
  const std::string said = to_lower(words_of(answer.body));
  if (answer.status == 429 || contains(said, "rate limit") || contains(said, "abuse detection"))
    return kSecondaryWaitMs;
  return std::nullopt;
}

Status RestClient::wait(std::int64_t ms, std::stop_token stop) const {
  std::mutex mutex;
  std::unique_lock lock(mutex);
  std::condition_variable_any never;
  never.wait_for(lock, stop, std::chrono::milliseconds(ms), [] { return false; });
  if (stop.stop_requested())
    return fail(ErrorCode::cancelled, "stopped while waiting for " + settings_.product);
  return {};
}

tl::unexpected<Error> RestClient::refusal(const std::string& what, const HttpAnswer& answer) const {
  const std::string said = words_of(answer.body);
  const std::string message = fmt::format("{} answers {} to {}{}", settings_.product, answer.status, what,
                                          said.empty() ? "" : ": " + said);
  switch (answer.status) {
    case 401: return fail(ErrorCode::auth, message, settings_.login_advice);
    case 403: return fail(ErrorCode::auth, message, "the token may not do this: " + settings_.login_advice);
    case 404:
      return fail(ErrorCode::not_found, message,
                  "is it there, and may the token see it? " + settings_.login_advice);
    case 409: return fail(ErrorCode::conflict, message);
    case 400:
    case 405:
    case 410:
    case 422: return fail(ErrorCode::usage, message);
    default: break;
  }
  if (answer.status >= 300 && answer.status < 400)
    return fail(ErrorCode::io, message + " (it has moved)",
                "the project may have moved; update the remote's URL");
  return fail(ErrorCode::io, message,
              "the forge has a problem: check its status page, and run the command again later");
}

} // namespace emend
