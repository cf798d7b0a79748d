// An OpenID Connect provider: authorization code with PKCE, as its discovery document describes it.
#pragma once

#include <memory>

#include "ports/clock.hpp"
#include "ports/sign_in.hpp"

namespace emend {

// Asks the provider nothing yet. The clock outlives it.
[[nodiscard]] Result<std::unique_ptr<SignInProvider>> open_openid_provider(const SignInPlace& place,
                                                                           const Clock& clock);

} // namespace emend
