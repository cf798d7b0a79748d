#include "http/head_text.hpp"

#include <string_view>

namespace emend {

namespace {

// On every answer: nothing here is for other origins, for frames or for guessing content types.
constexpr std::string_view kAlways =
    "X-Content-Type-Options: nosniff\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "X-Frame-Options: DENY\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n"
    "Cross-Origin-Opener-Policy: same-origin\r\n"
    "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; "
    "base-uri 'none'; frame-ancestors 'none'; form-action 'self'\r\n"
    "Emend-Api-Version: 1\r\n";

} // namespace

std::string head_text(int status, const std::string& request_id, const std::vector<HttpHeader>& headers) {
  std::string text = "HTTP/1.1 " + std::to_string(status) + " " + std::string(status_text(status)) + "\r\n";
  text += kAlways;
  text += "X-Request-Id: " + request_id + "\r\n";
  bool for_caches = false; // only what says so itself
  for (const HttpHeader& header : headers) {
    text += header.name + ": " + header.value + "\r\n";
    for_caches = for_caches || header.name == "Cache-Control";
  }
  if (!for_caches) text += "Cache-Control: no-store\r\n";
  return text;
}

} // namespace emend
