// Signatures somebody else made with a private key, checked with the public one (OpenSSL).
#pragma once

#include <string>
#include <string_view>

namespace emend {

struct RsaPublicKey {
  std::string modulus, exponent; // big-endian bytes
};

struct P256PublicKey {
  std::string x, y; // 32 bytes each
};

// RSASSA-PKCS1-v1_5 with SHA-256 (RS256). Keys under 2048 bits hold for nothing.
[[nodiscard]] bool rsa_signature_holds(const RsaPublicKey& key, std::string_view bytes,
                                       std::string_view signature);
// ECDSA on P-256 with SHA-256 (ES256). signature: r and s, 32 bytes each.
[[nodiscard]] bool p256_signature_holds(const P256PublicKey& key, std::string_view bytes,
                                        std::string_view signature);

} // namespace emend
