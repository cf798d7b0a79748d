// Keyed digests, and comparing secrets without telling by the time it takes how much of them was right.
#pragma once

#include <string>
#include <string_view>

namespace emend {

[[nodiscard]] std::string hmac_sha256(std::string_view key, std::string_view bytes); // 32 raw bytes
[[nodiscard]] std::string hmac_sha256_hex(std::string_view key, std::string_view bytes);
[[nodiscard]] bool same_secret(std::string_view given, std::string_view expected);

} // namespace emend
