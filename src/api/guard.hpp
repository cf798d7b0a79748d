// The questions a request must answer before anything is done for it: is it meant for us, and does the page
// it comes from belong to us? Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "http/message.hpp"

namespace emend {

// Exactly the names a browser or a client may use for this server; anything else may be somebody's page that
// had its name rebound.
struct OwnNames {
  std::vector<std::string> hosts;   // "127.0.0.1:8790", "localhost:8790", "[::1]:8790"
  std::vector<std::string> origins; // "http://127.0.0.1:8790", ...
};
[[nodiscard]] OwnNames own_names(int port, const std::vector<std::string>& further_hosts, bool behind_https);

[[nodiscard]] std::optional<HttpResponse> check_host(const HttpRequest& request, const OwnNames& names);
// For a change asked for with a cookie: the page must be ours, and it must say that it is no form.
[[nodiscard]] std::optional<HttpResponse> check_page(const HttpRequest& request, const OwnNames& names);
// A page of somebody else's may not even look, whatever credential it brings.
[[nodiscard]] std::optional<HttpResponse> check_foreign_page(const HttpRequest& request,
                                                             const OwnNames& names);

[[nodiscard]] std::optional<std::string> bearer_token(const HttpRequest& request);
[[nodiscard]] std::optional<std::string> cookie_value(const HttpRequest& request, std::string_view name);

} // namespace emend
