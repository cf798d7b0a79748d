#include "base/secret.hpp"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include "base/hash.hpp"
#include "base/strings.hpp"

namespace emend {

std::string hmac_sha256(std::string_view key, std::string_view bytes) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  static const char none = 0; // a null key means "the key of last time" to OpenSSL
  const char* const key_bytes = key.empty() ? &none : key.data();
  HMAC(EVP_sha256(), key_bytes, static_cast<int>(key.size()),
       reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest, &size);
  return std::string(reinterpret_cast<const char*>(digest), size);
}

std::string hmac_sha256_hex(std::string_view key, std::string_view bytes) {
  return to_hex(hmac_sha256(key, bytes));
}

// Digests have one length, so not even that is told.
bool same_secret(std::string_view given, std::string_view expected) {
  const std::string a = sha256_hex(given), b = sha256_hex(expected);
  return !expected.empty() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

} // namespace emend
