#include "adapters/openid/id_token.hpp"

#include <algorithm>
#include <limits>

#include "base/secret.hpp"
#include "base/signature.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::int64_t kLeewaySeconds = 60; // clocks differ
constexpr std::size_t kLongestToken = 64'000, kLongestSubject = 255;

struct Token {
  Json header, claims;
  std::string signed_text, signature;
};

Status refused(const std::string& why) {
  return fail(ErrorCode::auth, "the provider's ID token is refused: " + why);
}

Result<Json> part(std::string_view text) {
  const auto bytes = from_base64url(text);
  if (!bytes) return fail(ErrorCode::auth, "the provider's ID token is not readable");
  auto object = parse_json(*bytes);
  if (!object || !object->is_object())
    return fail(ErrorCode::auth, "the provider's ID token is not readable");
  return *std::move(object);
}

Result<Token> read(std::string_view text) {
  const auto parts = split(text, '.');
  if (text.size() > kLongestToken || parts.size() != 3)
    return fail(ErrorCode::auth, "the provider's ID token is not readable");
  Token token;
  TRY_ASSIGN(token.header, part(parts[0]));
  TRY_ASSIGN(token.claims, part(parts[1]));
  const auto signature = from_base64url(parts[2]);
  if (!signature || signature->empty()) return fail(ErrorCode::auth, "the provider's ID token is not signed");
  token.signature = *signature;
  token.signed_text = parts[0] + "." + parts[1];
  return token;
}

bool fits(const Json& key, const std::string& kind, const std::string& algorithm, const std::string& id) {
  if (!key.is_object() || string_or(key, "kty") != kind || string_or(key, "use", "sig") != "sig" ||
      string_or(key, "alg", algorithm) != algorithm)
    return false;
  return id.empty() || string_or(key, "kid") == id;
}

std::string bytes_of(const Json& key, const char* member) {
  return from_base64url(string_or(key, member)).value_or("");
}

bool holds(const Token& token, const std::string& algorithm, const Json& key) {
  if (algorithm == "RS256")
    return rsa_signature_holds({bytes_of(key, "n"), bytes_of(key, "e")}, token.signed_text, token.signature);
  return string_or(key, "crv") == "P-256" &&
         p256_signature_holds({bytes_of(key, "x"), bytes_of(key, "y")}, token.signed_text, token.signature);
}

// What the token says of itself chooses among the provider's keys and decides nothing else: no key of another
// kind is ever used with its algorithm.
Status check_signature(const Token& token, const Json& keys) {
  const std::string algorithm = string_or(token.header, "alg");
  if (algorithm != "RS256" && algorithm != "ES256")
    return refused("it is signed with \"" + visible_text(algorithm) + "\"; only RS256 and ES256 count");
  if (find_member(token.header, "crit") != nullptr) return refused("it has conditions that are not known");
  const std::string kind = algorithm == "RS256" ? "RSA" : "EC", id = string_or(token.header, "kid");
  const Json* all = find_member(keys, "keys");
  bool found = false;
  for (const Json& key : all == nullptr || !all->is_array() ? Json::array() : *all) {
    if (!fits(key, kind, algorithm, id)) continue;
    found = true;
    if (holds(token, algorithm, key)) return {};
  }
  if (!found) return fail(ErrorCode::not_found, "the provider has no key " + visible_text(id));
  return refused("its signature is wrong");
}

bool names(const Json* audience, const std::string& client_id) {
  if (audience == nullptr) return false;
  if (audience->is_string()) return *audience == client_id;
  return audience->is_array() &&
         std::any_of(audience->begin(), audience->end(), [&](const Json& one) { return one == client_id; });
}

// Seconds, perhaps with a fraction; nullopt = it says none.
std::optional<std::int64_t> seconds(const Json& claims, const char* name) {
  const Json* value = find_member(claims, name);
  if (value == nullptr || !value->is_number()) return std::nullopt;
  const double number = value->get<double>();
  constexpr double kMost = 1e11;
  if (!(number >= 0 && number < kMost)) return std::nullopt;
  return static_cast<std::int64_t>(number);
}

Status check_claims(const Json& claims, const IdTokenRules& rules) {
  if (string_or(claims, "iss") != rules.issuer) return refused("another issuer made it");
  const Json* audience = find_member(claims, "aud");
  if (!names(audience, rules.client_id)) return refused("it is meant for somebody else");
  const bool several = audience->is_array() && audience->size() > 1;
  const Json* party = find_member(claims, "azp");
  if ((several && party == nullptr) || (party != nullptr && *party != rules.client_id))
    return refused("it was made for another program");
  const std::int64_t now = rules.now_ms / 1'000;
  const auto expires = seconds(claims, "exp"), made = seconds(claims, "iat");
  if (!expires || *expires + kLeewaySeconds <= now) return refused("it has expired");
  if (!made || *made - kLeewaySeconds > now) return refused("it is from the future");
  if (const auto begins = seconds(claims, "nbf"); begins && *begins - kLeewaySeconds > now)
    return refused("it does not count yet");
  if (!same_secret(string_or(claims, "nonce"), rules.nonce)) return refused("it answers another sign-in");
  const std::string subject = string_or(claims, "sub");
  if (subject.empty() || subject.size() > kLongestSubject) return refused("it names nobody");
  return {};
}

} // namespace

std::optional<std::string> from_base64url(std::string_view text) {
  if (text.find_first_of("+/=") != std::string_view::npos || text.size() % 4 == 1) return std::nullopt;
  std::string plain = replace_all(replace_all(std::string(text), "-", "+"), "_", "/");
  plain.append((4 - plain.size() % 4) % 4, '=');
  return from_base64(plain);
}

std::string to_base64url(std::string_view bytes) {
  std::string text = replace_all(replace_all(to_base64(bytes), "+", "-"), "/", "_");
  text.erase(std::min(text.find('='), text.size()));
  return text;
}

Result<Json> check_id_token(std::string_view text, const Json& keys, const IdTokenRules& rules) {
  TRY_ASSIGN(Token token, read(text));
  TRY(check_signature(token, keys));
  TRY(check_claims(token.claims, rules));
  return std::move(token.claims);
}

} // namespace emend
