#include "base/signature.hpp"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>

#include <memory>
#include <new>

namespace emend {

namespace {

template <auto Free>
struct Freed {
  template <typename T>
  void operator()(T* thing) const {
    Free(thing);
  }
};
using Number = std::unique_ptr<BIGNUM, Freed<BN_free>>;
using Builder = std::unique_ptr<OSSL_PARAM_BLD, Freed<OSSL_PARAM_BLD_free>>;
using Parameters = std::unique_ptr<OSSL_PARAM, Freed<OSSL_PARAM_free>>;
using KeyContext = std::unique_ptr<EVP_PKEY_CTX, Freed<EVP_PKEY_CTX_free>>;
using Key = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY_free>>;
using DigestContext = std::unique_ptr<EVP_MD_CTX, Freed<EVP_MD_CTX_free>>;
using EcSignature = std::unique_ptr<ECDSA_SIG, Freed<ECDSA_SIG_free>>;

constexpr int kSmallestRsaBits = 2'048;
constexpr std::size_t kLargestRsaBytes = 1'024, kP256Bytes = 32;

const unsigned char* raw(std::string_view bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

Number number(std::string_view bytes) {
  return Number(BN_bin2bn(raw(bytes), static_cast<int>(bytes.size()), nullptr));
}

// Null = these values are no key: a point beside the curve, for example.
Key key_of(const char* type, OSSL_PARAM_BLD* builder) {
  const Parameters parameters(OSSL_PARAM_BLD_to_param(builder));
  const KeyContext context(EVP_PKEY_CTX_new_from_name(nullptr, type, nullptr));
  EVP_PKEY* made = nullptr;
  if (!parameters || !context || EVP_PKEY_fromdata_init(context.get()) != 1 ||
      EVP_PKEY_fromdata(context.get(), &made, EVP_PKEY_PUBLIC_KEY, parameters.get()) != 1)
    return nullptr;
  return Key(made);
}

bool holds(EVP_PKEY* key, std::string_view bytes, std::string_view signature) {
  const DigestContext context(EVP_MD_CTX_new());
  if (!context) throw std::bad_alloc();
  return EVP_DigestVerifyInit(context.get(), nullptr, EVP_sha256(), nullptr, key) == 1 &&
         EVP_DigestVerify(context.get(), raw(signature), signature.size(), raw(bytes), bytes.size()) == 1;
}

// OpenSSL reads such a signature as DER only.
std::string der_of(std::string_view signature) {
  const EcSignature pair(ECDSA_SIG_new());
  Number r = number(signature.substr(0, kP256Bytes)), s = number(signature.substr(kP256Bytes));
  if (!pair || !r || !s) throw std::bad_alloc();
  if (ECDSA_SIG_set0(pair.get(), r.get(), s.get()) != 1) return {};
  (void)r.release(); // the pair has them now
  (void)s.release();
  unsigned char* der = nullptr;
  const int size = i2d_ECDSA_SIG(pair.get(), &der);
  if (size <= 0) return {};
  std::string text(reinterpret_cast<const char*>(der), static_cast<std::size_t>(size));
  OPENSSL_free(der);
  return text;
}

} // namespace

bool rsa_signature_holds(const RsaPublicKey& key, std::string_view bytes, std::string_view signature) {
  if (key.modulus.empty() || key.modulus.size() > kLargestRsaBytes || key.exponent.empty() ||
      key.exponent.size() > kLargestRsaBytes)
    return false;
  const Number modulus = number(key.modulus), exponent = number(key.exponent);
  const Builder builder(OSSL_PARAM_BLD_new());
  if (!modulus || !exponent || !builder) throw std::bad_alloc();
  if (BN_num_bits(modulus.get()) < kSmallestRsaBits ||
      OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_N, modulus.get()) != 1 ||
      OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_E, exponent.get()) != 1)
    return false;
  const Key made = key_of("RSA", builder.get());
  return made && holds(made.get(), bytes, signature);
}

bool p256_signature_holds(const P256PublicKey& key, std::string_view bytes, std::string_view signature) {
  if (key.x.size() != kP256Bytes || key.y.size() != kP256Bytes || signature.size() != 2 * kP256Bytes)
    return false;
  const std::string point = '\x04' + key.x + key.y;
  const Builder builder(OSSL_PARAM_BLD_new());
  if (!builder) throw std::bad_alloc();
  if (OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1", 0) != 1 ||
      OSSL_PARAM_BLD_push_octet_string(builder.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(), point.size()) !=
          1)
    return false;
  const Key made = key_of("EC", builder.get());
  return made && holds(made.get(), bytes, der_of(signature));
}

} // namespace emend
