#include "service/people.hpp"

#include <algorithm>

#include "base/hash.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::size_t kLongestName = 100, kBegins = 14;

Status check_name(const std::string& name) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           contains("._@+-", {&c, 1});
  };
  if (!name.empty() && name.size() <= kLongestName && std::all_of(name.begin(), name.end(), fits)) return {};
  return fail(ErrorCode::usage, "\"" + visible_text(name) + "\" cannot be the name of an account",
              "use 1 to 100 letters, digits and . _ @ + -");
}

void take_rights(const Directory& directory, const std::string& account_id, std::int64_t now_ms,
                 Change& change) {
  for (const Grant& grant : directory.grants)
    if (grant.account_id == account_id) change.grants.push_back({account_id, grant.repository_id, {}});
  for (AccessToken token : directory.tokens) {
    if (token.account_id != account_id || token.revoked_ms != 0) continue;
    token.revoked_ms = now_ms;
    change.tokens.push_back(std::move(token));
  }
}

} // namespace

Status People::store(Change change, const std::string& action, const std::string& subject,
                     const std::string& repository_id, Json detail) {
  AuditEntry entry;
  entry.actor = by_;
  entry.action = action;
  entry.subject = subject;
  entry.repository_id = repository_id;
  entry.detail = std::move(detail);
  change.audit.push_back(std::move(entry));
  TRY(store_.apply(change, clock_.wall_ms()));
  return {};
}

Result<Account> People::find(const std::string& name) {
  TRY_ASSIGN(const Directory directory, store_.directory());
  const Account* account = directory.find(name);
  if (account == nullptr || account->removed)
    return fail(ErrorCode::not_found, "nobody is called " + visible_text(name), "see: emend people");
  return *account;
}

Result<Account> People::add(const NewAccount& wanted) {
  TRY(check_name(wanted.name));
  TRY_ASSIGN(const Directory directory, store_.directory());
  const Account* known = directory.find(wanted.name);
  if (known != nullptr && !known->removed)
    return fail(ErrorCode::conflict, "somebody is called " + wanted.name + " already");
  Account account;
  account.id = known == nullptr ? new_uuid() : known->id;
  account.name = wanted.name;
  account.full_name = clean_name(wanted.full_name);
  account.kind = wanted.kind;
  account.issuer = wanted.issuer;
  account.subject = wanted.subject;
  account.created_ms = clock_.wall_ms();
  Change change;
  change.accounts.push_back(account);
  TRY(store(std::move(change), "person.added", account.name, {}, {{"kind", to_string(account.kind)}}));
  return account;
}

Status People::remove(const std::string& name) {
  TRY_ASSIGN(Account account, find(name));
  TRY_ASSIGN(const Directory directory, store_.directory());
  account.removed = true;
  Change change;
  change.accounts.push_back(account);
  take_rights(directory, account.id, clock_.wall_ms(), change);
  return store(std::move(change), "person.removed", account.name, {}, Json::object());
}

Status People::set_role(const std::string& name, const std::string& repository_id, std::optional<Role> role) {
  TRY_ASSIGN(const Account account, find(name));
  Change change;
  change.grants.push_back({account.id, repository_id, role});
  const bool everywhere = repository_id == kEverywhere;
  return store(std::move(change), "role.changed", account.name, everywhere ? "" : repository_id,
               {{"role", role ? Json(to_string(*role)) : Json(nullptr)},
                {"repositories", everywhere ? "all" : repository_id}});
}

Result<MadeToken> People::make_token(const std::string& name, const std::string& what_for,
                                     std::int64_t expires_ms) {
  TRY_ASSIGN(const Account account, find(name));
  const std::string purpose = clean_name(what_for);
  if (purpose.empty())
    return fail(ErrorCode::usage, "say what the token is for",
                "emend tokens create --name \"CI of the app\"");
  if (expires_ms != 0 && expires_ms <= clock_.wall_ms())
    return fail(ErrorCode::usage, "the token would have expired already");
  MadeToken made;
  made.token = new_access_token();
  made.record = {new_uuid(),       account.id, purpose, sha256_hex(made.token), made.token.substr(0, kBegins),
                 clock_.wall_ms(), expires_ms, 0};
  Change change;
  change.tokens.push_back(made.record);
  TRY(store(std::move(change), "token.created", account.name, {},
            {{"token_id", made.record.id},
             {"name", purpose},
             {"expires_at", expires_ms == 0 ? Json(nullptr) : Json(rfc3339_utc(expires_ms))}}));
  return made;
}

Result<AccessToken> People::revoke_token(const std::string& id_or_begin) {
  TRY_ASSIGN(const Directory directory, store_.directory());
  std::vector<AccessToken> found;
  for (const AccessToken& token : directory.tokens)
    if (token.id == id_or_begin || (id_or_begin.size() >= 4 && token.id.starts_with(id_or_begin)) ||
        (id_or_begin.size() >= kBegins && id_or_begin.starts_with(token.begins)))
      found.push_back(token);
  if (found.empty())
    return fail(ErrorCode::not_found, "there is no token " + visible_text(id_or_begin.substr(0, kBegins)),
                "see: emend tokens");
  if (found.size() > 1)
    return fail(ErrorCode::usage, "several tokens begin so", "use the whole id: emend tokens");
  AccessToken token = found.front();
  if (token.revoked_ms != 0) return token;
  token.revoked_ms = clock_.wall_ms();
  const Account* account = directory.find(token.account_id);
  Change change;
  change.tokens.push_back(token);
  TRY(store(std::move(change), "token.revoked", account == nullptr ? "" : account->name, {},
            {{"token_id", token.id}, {"name", token.name}}));
  return token;
}

} // namespace emend
