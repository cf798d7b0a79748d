#include "base/hash.hpp"

#include <openssl/evp.h>
#include <sys/random.h>

#include <cerrno>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <system_error>

#include "base/strings.hpp"

namespace emend {

namespace {

std::string digest_hex(const EVP_MD* algorithm, std::initializer_list<std::string_view> pieces) {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned length = 0;
  bool ok = context && EVP_DigestInit_ex(context.get(), algorithm, nullptr) == 1;
  for (const std::string_view piece : pieces)
    ok = ok && EVP_DigestUpdate(context.get(), piece.data(), piece.size()) == 1;
  ok = ok && EVP_DigestFinal_ex(context.get(), digest, &length) == 1;
  if (!ok) throw std::runtime_error("OpenSSL could not compute a digest");
  return to_hex(std::string_view(reinterpret_cast<const char*>(digest), length));
}

std::string random_bytes(std::size_t count) {
  std::string bytes(count, '\0');
  std::size_t filled = 0;
  while (filled < count) {
    const ssize_t got = getrandom(bytes.data() + filled, count - filled, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw std::system_error(errno, std::generic_category(), "getrandom");
    filled += static_cast<std::size_t>(got);
  }
  return bytes;
}

// One character of the alphabet, each equally likely: bytes past the last whole multiple are thrown away.
char random_character(std::string_view alphabet) {
  const std::size_t fair = 256 / alphabet.size() * alphabet.size();
  for (;;) {
    for (const char c : random_bytes(16)) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte < fair) return alphabet[byte % alphabet.size()];
    }
  }
}

} // namespace

std::string sha256_hex(std::string_view bytes) { return digest_hex(EVP_sha256(), {bytes}); }

std::string sha1_hex(std::string_view bytes) { return digest_hex(EVP_sha1(), {bytes}); }

std::string git_blob_id(std::string_view bytes, std::string_view algorithm) {
  std::string header = "blob " + std::to_string(bytes.size());
  header.push_back('\0');
  if (algorithm == "sha1") return digest_hex(EVP_sha1(), {header, bytes});
  if (algorithm == "sha256") return digest_hex(EVP_sha256(), {header, bytes});
  throw std::invalid_argument("unknown git object format: " + std::string(algorithm));
}

std::string random_hex(std::size_t bytes) { return to_hex(random_bytes(bytes)); }

std::string new_uuid() {
  std::string bytes = random_bytes(16);
  bytes[6] = static_cast<char>((bytes[6] & 0x0F) | 0x40);
  bytes[8] = static_cast<char>((bytes[8] & 0x3F) | 0x80);
  std::string uuid = to_hex(bytes);
  for (const std::size_t at : {8, 13, 18, 23}) uuid.insert(at, 1, '-');
  return uuid;
}

std::string new_session_id() {
  constexpr std::string_view kLettersFirst = "abcdefghijklmnopqrstuvwxyz0123456789";
  std::string id(1, random_character(kLettersFirst.substr(0, 26)));
  while (id.size() < 8) id += random_character(kLettersFirst);
  return id;
}

} // namespace emend
