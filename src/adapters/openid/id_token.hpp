// The signed token in which a provider says who signed in: read and checked. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/json.hpp"
#include "base/result.hpp"

namespace emend {

struct IdTokenRules {
  std::string issuer, client_id, nonce;
  std::int64_t now_ms = 0;
};

// keys: the provider's key set ({"keys": [...]}). RS256 and ES256 count, nothing else. Gives the claims.
// ErrorCode::auth: it does not hold; not_found: it is signed with a key that is not in the set.
[[nodiscard]] Result<Json> check_id_token(std::string_view token, const Json& keys,
                                          const IdTokenRules& rules);

// Without padding; nullopt = it is none.
[[nodiscard]] std::optional<std::string> from_base64url(std::string_view text);
[[nodiscard]] std::string to_base64url(std::string_view bytes);

} // namespace emend
