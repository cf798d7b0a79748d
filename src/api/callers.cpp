#include "api/callers.hpp"

#include <algorithm>

#include "api/guard.hpp"
#include "base/hash.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr const char* kLogin = "emend_login";

const AccessToken* token_in(const Directory& directory, const std::string& given, std::int64_t now_ms) {
  const std::string hash = sha256_hex(given);
  for (const AccessToken& token : directory.tokens)
    if (token.sha256 == hash) return token.good(now_ms) ? &token : nullptr;
  return nullptr;
}

const Account* active(const Account* account) {
  return account == nullptr || account->removed ? nullptr : account;
}

// Programs show tokens; nobody confirms who they are for.
const Account* person(const Account* account) {
  return account == nullptr || account->kind != ActorKind::person ? nullptr : account;
}

} // namespace

bool ProxyTrust::trusts(const HttpRequest& request) const {
  if (header.empty()) return false;
  if (request.local_socket) return socket;
  return std::find(addresses.begin(), addresses.end(), request.peer) != addresses.end();
}

Callers::Callers(Access& access, PeopleStore& store, const Clock& clock, std::function<Actor()> owner,
                 ProxyTrust proxy)
    : access_(access),
      store_(store),
      clock_(clock),
      owner_(std::move(owner)),
      proxy_(std::move(proxy)),
      directory_(std::make_shared<const Directory>()) {}

std::shared_ptr<const Directory> Callers::seen() const {
  const std::lock_guard guard(mutex_);
  return directory_;
}

// Where a proxy uses the socket, the socket says nothing about who is behind it.
bool Callers::is_owner(const HttpRequest& request) const {
  if (const auto token = bearer_token(request)) return access_.is_token(*token);
  if (request.local_socket) return !proxy_.trusts(request);
  if (proxy_.trusts(request) && request.header(proxy_.header)) return false;
  const auto login = seen_login(request);
  return login && login->account_id.empty();
}

std::optional<Login> Callers::seen_login(const HttpRequest& request) const {
  const auto cookie = cookie_value(request, kLogin);
  return cookie ? access_.seen_login(*cookie) : std::nullopt;
}

const Account* Callers::account_of(const HttpRequest& request, const Directory& directory) const {
  if (const auto given = bearer_token(request)) {
    if (!is_access_token(*given)) return nullptr;
    const AccessToken* token = token_in(directory, *given, clock_.wall_ms());
    return token == nullptr ? nullptr : active(directory.find(token->account_id));
  }
  if (proxy_.trusts(request)) {
    if (const auto name = request.header(proxy_.header)) return person(active(directory.find(trim(*name))));
    if (request.local_socket) return nullptr;
  }
  const auto login = seen_login(request);
  if (!login || login->account_id.empty()) return nullptr;
  // Who was removed and added again starts without what they had.
  const Account* account = active(directory.find(login->account_id));
  return account != nullptr && login->created_ms >= account->created_ms ? account : nullptr;
}

std::optional<Caller> Callers::caller_in(const HttpRequest& request, const Directory& directory) const {
  const bool browser = by_browser(request), token = bearer_token(request).has_value();
  const std::string via = browser ? "the dashboard" : token ? "the API" : "";
  if (is_owner(request)) return Caller{owner_().through(via), Rights::all()};
  const Account* account = account_of(request, directory);
  if (account == nullptr) return std::nullopt;
  return Caller{account->actor().through(via), directory.rights_of(account->id), account->id, token};
}

bool Callers::by_browser(const HttpRequest& request) const {
  if (bearer_token(request)) return false;
  if (proxy_.trusts(request)) return true;
  return !request.local_socket;
}

bool Callers::may_be_known(const HttpRequest& request) const {
  if (const auto token = bearer_token(request)) return access_.is_token(*token) || is_access_token(*token);
  if (proxy_.trusts(request) && request.header(proxy_.header)) return true;
  if (request.local_socket) return !proxy_.trusts(request);
  const auto cookie = cookie_value(request, kLogin);
  return cookie && Access::may_be_login(*cookie);
}

bool Callers::is_known(const HttpRequest& request) const {
  return is_owner(request) || account_of(request, *seen()) != nullptr;
}

std::optional<Caller> Callers::known_now(const HttpRequest& request) const {
  return caller_in(request, *seen());
}

Result<std::shared_ptr<const Directory>> Callers::directory() {
  TRY_ASSIGN(const std::int64_t version, store_.directory_version());
  std::shared_ptr<const Directory> known = seen();
  if (known->version == version) return known;
  TRY_ASSIGN(Directory read, store_.directory());
  auto fresh = std::make_shared<const Directory>(std::move(read));
  const std::lock_guard guard(mutex_);
  if (directory_->version < fresh->version) directory_ = fresh;
  return fresh;
}

Result<std::optional<Caller>> Callers::find(const HttpRequest& request) {
  if (const auto cookie = cookie_value(request, kLogin); cookie && !bearer_token(request))
    TRY(access_.find_login(*cookie));
  if (is_owner(request)) return caller_in(request, Directory{});
  if (!may_be_known(request)) return std::optional<Caller>();
  TRY_ASSIGN(const auto now, directory());
  return caller_in(request, *now);
}

std::string Callers::stranger(const HttpRequest& request) const {
  if (bearer_token(request) || !proxy_.trusts(request)) return {};
  const auto name = request.header(proxy_.header);
  return name ? clean_name(*name) : std::string();
}

} // namespace emend
