#include "adapters/agents/failure.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <initializer_list>

#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::size_t kMostText = 600;
constexpr std::size_t kMostSearched = 64'000;

bool has_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [text](std::string_view word) { return contains(text, word); });
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

int status_at(std::string_view text, std::size_t at) {
  while (at < text.size() &&
         (text[at] == ' ' || text[at] == ':' || text[at] == '"' || text[at] == '=' || text[at] == '('))
    ++at;
  int value = 0;
  const auto parsed = std::from_chars(text.data() + at, text.data() + text.size(), value);
  const auto digits = static_cast<std::size_t>(parsed.ptr - (text.data() + at));
  return parsed.ec == std::errc() && digits == 3 && value >= 400 && value <= 599 ? value : 0;
}

// "33s", "1.5s", "5m30s", "2 minutes", "300" (seconds) at the start of text, in milliseconds.
std::optional<std::int64_t> duration_at(std::string_view text) {
  double total_s = 0;
  bool any = false;
  while (!text.empty()) {
    double number = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
    if (parsed.ec != std::errc() || number < 0 || number > 1e7 || !is_digit(text.front())) break;
    text.remove_prefix(static_cast<std::size_t>(parsed.ptr - text.data()));
    while (text.starts_with(' ')) text.remove_prefix(1);
    double unit = 1;
    if (text.starts_with("ms"))
      unit = 0.001;
    else if (text.starts_with('m'))
      unit = 60;
    else if (text.starts_with('h'))
      unit = 3600;
    else if (text.starts_with("day"))
      unit = 86400;
    total_s += number * unit;
    any = true;
    const auto next = text.find_first_of("0123456789");
    const auto word = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz");
    if (unit == 1 || next == std::string_view::npos || word != next) break;
    text.remove_prefix(next);
  }
  if (!any) return std::nullopt;
  return static_cast<std::int64_t>(total_s * 1000);
}

std::optional<std::int64_t> retry_after(std::string_view lower) {
  for (const std::string_view mark :
       {"try again in ", "retry in ", "retrydelay\":\"", "retry-after: ", "retry after ", "retry_after\":"}) {
    const auto at = lower.find(mark);
    if (at != std::string_view::npos) return duration_at(lower.substr(at + mark.size(), 40));
  }
  return std::nullopt;
}

// "...limit reached|1794709546": seconds since 1970.
std::optional<std::int64_t> reset_time(std::string_view lower) {
  for (const std::string_view mark : {"limit reached|", "resets_at\":", "resetsat\":", "reset_at\":"}) {
    const auto at = lower.find(mark);
    if (at == std::string_view::npos) continue;
    std::int64_t value = 0;
    const char* begin = lower.data() + at + mark.size();
    const auto parsed = std::from_chars(begin, lower.data() + lower.size(), value);
    if (parsed.ec == std::errc() && value > 1'500'000'000 && value < 10'000'000'000) return value * 1000;
  }
  return std::nullopt;
}

bool is_quota(std::string_view lower) {
  return has_any(lower, {"insufficient_quota", "exceeded your current quota", "quota exceeded", "usage limit",
                         "hit your limit", "limit reached", "per day", "perday", "daily limit", "daily quota",
                         "weekly limit", "session limit"});
}

AgentStatus status_by_words(std::string_view lower) {
  if (has_any(lower, {"credit balance", "payment required", "billing_error", "billing_hard_limit",
                      "billing details", "billing is disabled"}) &&
      !contains(lower, "quota"))
    return AgentStatus::billing;
  if (is_quota(lower)) return AgentStatus::quota;
  if (has_any(lower,
              {"no conversation found", "session not found", "no session found", "invalid session identifier",
               "no previous sessions", "no rollout found", "thread not found", "error resuming session"}))
    return AgentStatus::conversation_lost;
  if (has_any(lower, {"rate limit", "rate_limit", "too many requests", "resource_exhausted"}))
    return AgentStatus::rate_limited;
  if (has_any(lower,
              {"not logged in", "please run /login", "invalid api key", "api key not valid", "authentication",
               "unauthorized", "missing environment variable", "oauth token", "must set an auth method",
               "invalid auth method", "please set an auth method", "log in", "permission_error"}))
    return AgentStatus::not_logged_in;
  if (has_any(lower, {"overloaded", "server_error", "internal server error", "service unavailable",
                      "high demand", "\"unavailable\""}))
    return AgentStatus::overloaded;
  if (has_any(lower, {"prompt is too long", "context length", "context_length", "context window",
                      "maximum length", "exceeds 10mb", "input exceeds", "output token maximum"}))
    return AgentStatus::too_long;
  if (has_any(lower, {"model_not_found", "not_found_error", "model not found", " is not found]",
                      "is not found for api version", "does not exist or you do not have access"}))
    return AgentStatus::unknown_model;
  if (has_any(lower, {"refusal", "safety settings", "safeguards flagged", "content policy", "content_policy",
                      "usage policy"}))
    return AgentStatus::refused;
  if (has_any(lower, {"econnrefused", "enotfound", "econnreset", "etimedout", "eai_again", "fetch failed",
                      "connection error", "connection refused", "stream disconnected", "unable to connect",
                      "error sending request", "network error", "socket hang up", "without a finish reason",
                      "connection dropped"}))
    return AgentStatus::unreachable;
  if (contains(lower, "empty response")) return AgentStatus::no_result;
  return AgentStatus::api_error;
}

AgentStatus status_of(int http, std::string_view lower) {
  const AgentStatus words = status_by_words(lower);
  if (http == 402) return AgentStatus::billing;
  if (http == 401) return AgentStatus::not_logged_in;
  if (http == 403)
    return words == AgentStatus::quota || words == AgentStatus::billing ? words : AgentStatus::not_logged_in;
  if (http == 429)
    return words == AgentStatus::quota || words == AgentStatus::billing ? words : AgentStatus::rate_limited;
  if (http == 404) return AgentStatus::unknown_model;
  if (http == 413) return AgentStatus::too_long;
  if (http >= 500) return AgentStatus::overloaded;
  // Other 4xx: the request itself was refused, whatever else its message mentions; only the clearest words
  // count.
  if (http >= 400)
    return words == AgentStatus::billing || words == AgentStatus::too_long || words == AgentStatus::quota ||
                   words == AgentStatus::not_logged_in || words == AgentStatus::unknown_model
               ? words
               : AgentStatus::api_error;
  return words;
}

} // namespace

int http_status_in(std::string_view text) {
  const std::string lower = to_lower(text.substr(0, kMostSearched));
  for (const std::string_view mark : {"api error", "last status", "unexpected status", "statuscode\"",
                                      "status code", "\"code\"", "http status", "status:", "http "}) {
    for (auto at = lower.find(mark); at != std::string::npos; at = lower.find(mark, at + 1)) {
      if (const int status = status_at(lower, at + mark.size()); status != 0) return status;
    }
  }
  return 0;
}

AgentState failure_of(int http_status, std::string_view text) {
  const std::string lower = to_lower(text.substr(0, kMostSearched));
  AgentState state;
  state.http_status = http_status != 0 ? http_status : http_status_in(text);
  state.status = status_of(state.http_status, lower);
  state.text = trim_middle(clean_text(trim(text)), kMostText);
  if (state.passing()) {
    state.retry_after_ms = retry_after(lower);
    state.resets_at_ms = reset_time(lower);
  }
  return state;
}

} // namespace emend
