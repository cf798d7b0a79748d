// One request to a server on this machine, for commands that talk to the one that is running.
#pragma once

#include <string>

#include "base/json.hpp"
#include "base/result.hpp"

namespace emend {

struct LocalServer {
  int port = 0;
  std::string address = "127.0.0.1"; // where it listens
  std::string unix_socket;           // used when there is no port
  std::string token;

  [[nodiscard]] std::string origin() const; // "http://127.0.0.1:8790"
};

// From EMEND_HOME/server. ErrorCode::not_found when no server has written down where it is.
[[nodiscard]] Result<LocalServer> find_local_server(const std::string& home);

struct LocalAnswer {
  int status = 0; // of HTTP
  Json body;      // null when it is not JSON
};
// POST with this body. ErrorCode::not_found when nobody listens there any more; what the server refuses is an
// answer, too.
[[nodiscard]] Result<LocalAnswer> post_to_local_server(const LocalServer& server, const std::string& path,
                                                       const Json& body);

// POST without a body; the answer's JSON. ErrorCode::not_found when nobody listens there any more.
[[nodiscard]] Result<Json> post_to_local_server(const LocalServer& server, const std::string& path);

} // namespace emend
