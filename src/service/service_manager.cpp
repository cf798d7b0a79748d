#include "service/service_manager.hpp"

#include <sys/socket.h>
#include <sys/un.h>

#include <cerrno>
#include <cstddef>
#include <cstring>

#include "base/owned_fd.hpp"

namespace emend {

Status tell_service_manager(const std::string& socket, std::string_view state) {
  if (socket.empty()) return {};
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if ((socket.front() != '/' && socket.front() != '@') || socket.size() >= sizeof address.sun_path)
    return fail(ErrorCode::config, "NOTIFY_SOCKET is not an address: " + socket);
  std::memcpy(address.sun_path, socket.data(), socket.size());
  if (socket.front() == '@') address.sun_path[0] = '\0'; // a name that is in no directory
  const OwnedFd sender(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + socket.size());
  const auto sent = sender.get() < 0 ? -1
                                     : ::sendto(sender.get(), state.data(), state.size(), MSG_NOSIGNAL,
                                                reinterpret_cast<const sockaddr*>(&address), length);
  if (sent < 0)
    return fail(ErrorCode::io, std::string("cannot notify the service manager: ") + std::strerror(errno));
  return {};
}

} // namespace emend
