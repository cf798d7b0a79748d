// Digests (OpenSSL) and unguessable names.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace emend {

[[nodiscard]] std::string sha256_hex(std::string_view bytes);
[[nodiscard]] std::string sha1_hex(std::string_view bytes);
// The id git gives a blob with these bytes; algorithm is "sha1" or "sha256".
[[nodiscard]] std::string git_blob_id(std::string_view bytes, std::string_view algorithm);

[[nodiscard]] std::string random_hex(std::size_t bytes); // from the kernel
[[nodiscard]] std::string new_uuid();                    // version 4
[[nodiscard]] std::string
new_session_id(); // 8 characters of [a-z0-9], starts with a letter: short enough to type

} // namespace emend
