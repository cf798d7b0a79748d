#include "base/stream_digest.hpp"

#include <openssl/evp.h>

#include <array>
#include <stdexcept>

#include "base/strings.hpp"

namespace emend {
namespace {

EVP_MD_CTX* context_of(void* context) { return static_cast<EVP_MD_CTX*>(context); }

void must(bool done) {
  if (!done) throw std::runtime_error("OpenSSL could not compute a digest");
}

} // namespace

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
  must(context_ != nullptr && EVP_DigestInit_ex(context_of(context_), EVP_sha256(), nullptr) == 1);
}

Sha256::~Sha256() { EVP_MD_CTX_free(context_of(context_)); }

void Sha256::add(std::string_view bytes) {
  must(EVP_DigestUpdate(context_of(context_), bytes.data(), bytes.size()) == 1);
}

std::string Sha256::hex() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  must(EVP_DigestFinal_ex(context_of(context_), digest.data(), &length) == 1);
  return to_hex(std::string_view(reinterpret_cast<const char*>(digest.data()), length));
}

} // namespace emend
