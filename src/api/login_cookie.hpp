// The cookies of browsers that are logged in or about to be.
#pragma once

#include <string>

#include "http/message.hpp"

namespace emend {

// seconds: 0 = it ends now.
[[nodiscard]] HttpHeader login_cookie(const std::string& value, std::int64_t seconds, bool secure);
// Sent along when a browser comes back from another site, and to nothing but the address it comes back to.
[[nodiscard]] HttpHeader sign_in_cookie(const std::string& value, std::int64_t seconds, bool secure);

} // namespace emend
