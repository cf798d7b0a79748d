#include "api/local_request.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "api/addresses.hpp"
#include "base/files.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::size_t kMaxAnswer = 1'000'000;
constexpr int kSeconds = 10;

tl::unexpected<Error> nobody_there() {
  return fail(ErrorCode::not_found, "no server is running", "to start one: emend serve");
}

class LocalSocket {
public:
  explicit LocalSocket(int family) : fd_(::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const timeval patience{kSeconds, 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    ::setsockopt(fd_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  }
  LocalSocket(const LocalSocket&) = delete;
  LocalSocket& operator=(const LocalSocket&) = delete;
  ~LocalSocket() {
    if (fd_ >= 0) ::close(fd_);
  }

  bool connect(const sockaddr* address, socklen_t size) {
    return fd_ >= 0 && ::connect(fd_, address, size) == 0;
  }
  bool send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }
  std::string read_to_end() {
    std::string all;
    char buffer[4096];
    for (ssize_t got = 0; all.size() < kMaxAnswer && (got = ::recv(fd_, buffer, sizeof buffer, 0)) > 0;)
      all.append(buffer, static_cast<std::size_t>(got));
    return all;
  }

private:
  int fd_;
};

bool is_six(const LocalServer& server) { return contains(server.address, ":"); }

int family_of(const LocalServer& server) {
  if (server.port == 0) return AF_UNIX;
  return is_six(server) ? AF_INET6 : AF_INET;
}

bool connect_to_port(LocalSocket& socket, const LocalServer& server) {
  const std::string where = reachable_address(server.address);
  const auto port = htons(static_cast<std::uint16_t>(server.port));
  if (is_six(server)) {
    sockaddr_in6 address{};
    address.sin6_family = AF_INET6;
    address.sin6_port = port;
    return ::inet_pton(AF_INET6, where.c_str(), &address.sin6_addr) == 1 &&
           socket.connect(reinterpret_cast<const sockaddr*>(&address), sizeof address);
  }
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = port;
  return ::inet_pton(AF_INET, where.c_str(), &address.sin_addr) == 1 &&
         socket.connect(reinterpret_cast<const sockaddr*>(&address), sizeof address);
}

bool connect(LocalSocket& socket, const LocalServer& server) {
  if (server.port > 0) return connect_to_port(socket, server);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (server.unix_socket.size() >= sizeof address.sun_path) return false;
  server.unix_socket.copy(address.sun_path, sizeof address.sun_path - 1);
  return socket.connect(reinterpret_cast<const sockaddr*>(&address), sizeof address);
}

} // namespace

std::string LocalServer::origin() const { return local_origin(address, port); }

Result<LocalServer> find_local_server(const std::string& home) {
  const auto text = read_file_nofollow(fs::path(home) / "server" / "address.json", 10'000);
  const auto token = read_file_nofollow(fs::path(home) / "server" / "token", 1'000);
  if (!text || !token) return nobody_there();
  TRY_ASSIGN(const Json address, parse_json(*text));
  LocalServer server;
  const Json* port = find_member(address, "port");
  if (port != nullptr) server.port = static_cast<int>(exact_int(*port, 1, 65'535).value_or(0));
  server.address = string_or(address, "address", server.address);
  server.unix_socket = string_or(address, "socket");
  server.token = trim(*token);
  return server;
}

namespace {

// The whole answer: status line, headers, body.
Result<std::string> post(const LocalServer& server, const std::string& path, const std::string& headers,
                         const std::string& body) {
  LocalSocket socket(family_of(server));
  if (!connect(socket, server)) return nobody_there();
  const std::string host = server.port > 0 ? "127.0.0.1:" + std::to_string(server.port) : "localhost";
  if (!socket.send("POST " + path + " HTTP/1.1\r\nHost: " + host + "\r\nAuthorization: Bearer " +
                   server.token + "\r\n" + headers + "Content-Length: " + std::to_string(body.size()) +
                   "\r\nConnection: close\r\n\r\n" + body))
    return nobody_there();
  return socket.read_to_end();
}

} // namespace

Result<LocalAnswer> post_to_local_server(const LocalServer& server, const std::string& path,
                                         const Json& body) {
  TRY_ASSIGN(
      const std::string text,
      post(server, path, "Content-Type: application/json\r\nAccept: application/json\r\n", dump_json(body)));
  const std::size_t head = text.find("\r\n\r\n");
  const auto status =
      text.starts_with("HTTP/1.1 ") ? parse_unsigned(std::string_view(text).substr(9, 3)) : std::nullopt;
  // It may be at work on it: whoever takes this for "nobody is there" would do it a second time.
  if (!status || head == std::string::npos)
    return fail(ErrorCode::io, "the server did not answer in time", "to see what it does: emend sessions");
  LocalAnswer answer{static_cast<int>(*status), nullptr};
  if (auto json = parse_json(std::string_view(text).substr(head + 4))) answer.body = std::move(*json);
  return answer;
}

Result<Json> post_to_local_server(const LocalServer& server, const std::string& path) {
  TRY_ASSIGN(const std::string answer, post(server, path, "", ""));
  const std::size_t body = answer.find("\r\n\r\n");
  if (!answer.starts_with("HTTP/1.1 2") || body == std::string::npos)
    return fail(ErrorCode::conflict, "the process that listens there is not the server of this EMEND_HOME",
                "to start it: emend serve");
  return parse_json(std::string_view(answer).substr(body + 4));
}

} // namespace emend
