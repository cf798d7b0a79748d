#include "adapters/http_client/curl_setup.hpp"

#include <sys/socket.h>

namespace emend {

namespace {

int look_at_stop(void* user, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  return static_cast<const std::stop_token*>(user)->stop_requested() ? 1 : 0;
}

// libcurl opens sockets that children would inherit.
curl_socket_t open_socket(void*, curlsocktype, curl_sockaddr* address) {
  return ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

} // namespace

// Since 7.84 it may be called while other threads run; curl_global_cleanup() never may, and nobody does.
Status make_curl_ready() {
  TRY(libcurl.load());
  static const bool ready = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
  return ready ? Status() : fail(ErrorCode::io, "libcurl could not be set up");
}

void set_limits(CURL* curl, const TransferLimits& limits) {
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_QUICK_EXIT, 1L); // who stops does not wait for a name lookup
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(limits.connect_ms));
  curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, static_cast<long>(limits.total_ms));
  curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 100L);
  curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, static_cast<long>(limits.stall_seconds));
}

void set_manners(CURL* curl, const std::stop_token& stop) {
  curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, &look_at_stop);
  curl_easy_setopt(curl, CURLOPT_XFERINFODATA, &stop);
  curl_easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, &open_socket);
}

} // namespace emend
