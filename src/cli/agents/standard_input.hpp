// Bytes of stdin as they come, for the servers that speak over it.
#pragma once

#include <functional>
#include <string_view>

namespace emend {

// Until its end, until the process is asked to stop (EINTR), or until take() or idle() says no. idle: called
// after each wait; wait_ms() says how long the next one may be. Both may be empty.
void each_input(const std::function<bool(std::string_view bytes)>& take,
                const std::function<bool()>& idle = {}, const std::function<int()>& wait_ms = {});

} // namespace emend
