#include "model/account.hpp"

#include <array>

#include "base/hash.hpp"
#include "base/strings.hpp"
#include "model/json_fields.hpp"

namespace emend {

namespace {

constexpr std::string_view kPrefix = "emend_pat_";
constexpr std::string_view kDigits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
constexpr std::size_t kRandom = 30, kCheck = 6;

std::string checksum(std::string_view text) {
  const std::string digest = sha256_hex(text);
  std::uint64_t number = std::stoull(digest.substr(0, 15), nullptr, 16);
  std::string check;
  for (std::size_t i = 0; i < kCheck; ++i, number /= kDigits.size())
    check += kDigits[number % kDigits.size()];
  return check;
}

Json time_or_null(std::int64_t time_ms) { return time_ms == 0 ? Json(nullptr) : Json(rfc3339_utc(time_ms)); }

} // namespace

Actor Account::actor() const { return {kind, id, full_name.empty() ? name : full_name, {}}; }

Json to_json(const Account& account) {
  return {{"id", account.id},
          {"name", account.name},
          {"full_name", account.full_name},
          {"kind", to_string(account.kind)},
          {"issuer", null_if_empty(account.issuer)},
          {"removed", account.removed},
          {"created_at", rfc3339_utc(account.created_ms)}};
}

Json to_json(const AccessToken& token) {
  return {{"id", token.id},
          {"account_id", token.account_id},
          {"name", token.name},
          {"begins", token.begins},
          {"created_at", rfc3339_utc(token.created_ms)},
          {"expires_at", time_or_null(token.expires_ms)},
          {"revoked_at", time_or_null(token.revoked_ms)}};
}

// A byte above the last multiple of 62 is left out, so that each character is as likely as any other.
std::string new_access_token() {
  constexpr int kFair = 248;
  std::string token(kPrefix);
  while (token.size() < kPrefix.size() + kRandom) {
    const int byte = std::stoi(random_hex(1), nullptr, 16);
    if (byte < kFair) token += kDigits[static_cast<std::size_t>(byte) % kDigits.size()];
  }
  return token + checksum(token);
}

bool is_access_token(std::string_view text) {
  if (text.size() != kPrefix.size() + kRandom + kCheck || !text.starts_with(kPrefix)) return false;
  const std::string_view body = text.substr(0, kPrefix.size() + kRandom);
  return text.substr(body.size()) == checksum(body);
}

const Account* Directory::find(std::string_view name_or_id) const {
  for (const Account& account : accounts)
    if (account.id == name_or_id || account.name == name_or_id) return &account;
  return nullptr;
}

Rights Directory::rights_of(const std::string& account_id) const {
  std::vector<Grant> own;
  for (const Grant& grant : grants)
    if (grant.account_id == account_id) own.push_back(grant);
  return Rights(own);
}

} // namespace emend
