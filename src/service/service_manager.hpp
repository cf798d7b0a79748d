// Tells the service manager that started us how we are: systemd's protocol, a datagram to the socket it
// names.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace emend {

// socket: NOTIFY_SOCKET, a path or "@name"; empty = nobody wants to know. state: "READY=1", lines
// "NAME=VALUE".
[[nodiscard]] Status tell_service_manager(const std::string& socket, std::string_view state);

} // namespace emend
