#include "api/guard.hpp"

#include <algorithm>

#include "base/strings.hpp"

namespace emend {

namespace {

bool is_one_of(std::string_view text, const std::vector<std::string>& list) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

} // namespace

OwnNames own_names(int port, const std::vector<std::string>& further_hosts, bool behind_https) {
  OwnNames names;
  const std::string suffix = ":" + std::to_string(port);
  if (port > 0) names.hosts = {"127.0.0.1" + suffix, "localhost" + suffix, "[::1]" + suffix};
  for (const std::string& host : names.hosts) names.origins.push_back("http://" + host);
  for (const std::string& host : further_hosts) {
    names.hosts.push_back(to_lower(host));
    names.origins.push_back((behind_https ? "https://" : "http://") + to_lower(host));
  }
  return names;
}

std::optional<HttpResponse> check_host(const HttpRequest& request, const OwnNames& names) {
  const std::string host = to_lower(request.header("host").value_or("")); // names have no case
  if (is_one_of(host, names.hosts) || (request.local_socket && host == "localhost")) return std::nullopt;
  return problem_response(
      421, "host-not-allowed",
      "unknown host name; use the address the server printed, or allow the name with --allow-host");
}

std::optional<HttpResponse> check_foreign_page(const HttpRequest& request, const OwnNames& names) {
  const auto origin = request.header("origin");
  if (origin && !is_one_of(*origin, names.origins))
    return problem_response(403, "csrf-failed", "this page does not belong to the server");
  const std::string_view site = request.header("sec-fetch-site").value_or("none");
  if (site != "same-origin" && site != "none")
    return problem_response(403, "csrf-failed", "this page does not belong to the server");
  return std::nullopt;
}

std::optional<HttpResponse> check_page(const HttpRequest& request, const OwnNames& names) {
  const bool ours = is_one_of(request.header("origin").value_or(""), names.origins) &&
                    request.header("sec-fetch-site") == "same-origin";
  if (ours && request.header("x-emend-csrf") == "1") return std::nullopt;
  return problem_response(
      403, "csrf-failed",
      "a change by cookie needs the Origin of this server, Sec-Fetch-Site: same-origin and X-Emend-CSRF: 1");
}

std::optional<std::string> bearer_token(const HttpRequest& request) {
  const auto header = request.header("authorization");
  constexpr std::string_view scheme = "bearer "; // in any case, says RFC 9110
  if (!header || to_lower(header->substr(0, scheme.size())) != scheme) return std::nullopt;
  return std::string(trim(header->substr(scheme.size())));
}

std::optional<std::string> cookie_value(const HttpRequest& request, std::string_view name) {
  for (const std::string& part : split(request.header("cookie").value_or(""), ';')) {
    const std::string_view pair = trim(part);
    if (pair.starts_with(std::string(name) + "=")) return std::string(pair.substr(name.size() + 1));
  }
  return std::nullopt;
}

} // namespace emend
