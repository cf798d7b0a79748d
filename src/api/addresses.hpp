// Where a server is found: by programs of this machine, and by people who follow a link. Pure.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"

namespace emend {

// The address to connect to, as "127.0.0.1" or "::1": of one that listens everywhere, this machine's own.
[[nodiscard]] std::string reachable_address(const std::string& listens_on);
// "http://127.0.0.1:8790", "http://[::1]:8790".
[[nodiscard]] std::string local_origin(const std::string& listens_on, int port);

struct PublicPlace {
  std::string configured; // server.address; empty = it follows from the rest
  std::vector<std::string> allowed_hosts;
  bool behind_proxy = false;
};
// Without a slash at its end. ErrorCode::config: what is configured is no address.
[[nodiscard]] Result<std::string> public_origin(const PublicPlace& place, const std::string& local);

} // namespace emend
