#include "api/access.hpp"

#include <sys/stat.h>

#include <set>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/log.hpp"
#include "base/secret.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr const char *kLogin = "login", *kCode = "launch_code", *kUsedCode = "used_launch_code";
constexpr std::size_t kRandomDigits = 64, kCheckDigits = 8, kLongestBrowser = 200;

std::string check_digits(std::string_view random) { return sha256_hex(random).substr(0, kCheckDigits); }

Login login_of(const Remembered& entry) {
  const auto created = find_member(entry.value, "created_ms");
  return {entry.key,
          string_or(entry.value, "account_id"),
          string_or(entry.value, "by"),
          string_or(entry.value, "browser"),
          created != nullptr && created->is_number_integer() ? created->get<std::int64_t>() : 0,
          entry.expires_ms};
}

Result<std::string> read_token(const std::string& path) {
  struct stat info {};
  if (::lstat(path.c_str(), &info) == 0 && (!S_ISREG(info.st_mode) || (info.st_mode & 077) != 0))
    return fail(ErrorCode::config, path + " is readable by other users, so it is not secret",
                "delete it: a new one is made at the next start");
  TRY_ASSIGN(const std::string text, read_file_nofollow(path, 1'000));
  const std::string token(trim(text));
  if (token.size() < 64)
    return fail(ErrorCode::config, path + " contains no token",
                "delete it: a new one is made at the next start");
  return token;
}

} // namespace

Json to_json(const Login& login) {
  return {{"id", login.id.substr(0, 16)},
          {"by", login.by},
          {"browser", login.browser},
          {"created_at", rfc3339_utc(login.created_ms)},
          {"expires_at", rfc3339_utc(login.expires_ms)}};
}

Result<std::vector<Login>> all_logins(Ledger& ledger, std::int64_t now_ms) {
  TRY_ASSIGN(const auto entries, ledger.all_remembered(kLogin, now_ms));
  std::vector<Login> logins;
  for (const Remembered& entry : entries) logins.push_back(login_of(entry));
  return logins;
}

Status forget_login(Ledger& ledger, const std::string& id) { return ledger.forget(kLogin, id); }

Result<std::unique_ptr<Access>> Access::open(const std::string& directory, Ledger& ledger,
                                             const Clock& clock) {
  std::unique_ptr<Access> access(new Access(ledger, clock));
  std::error_code problem;
  const bool known_place = fs::exists(directory, problem);
  TRY(make_directories(directory, 0700));
  access->token_file_ = directory + "/token";
  if (!fs::exists(fs::symlink_status(access->token_file_, problem))) {
    if (known_place) TRY(access->end_all_logins());
    TRY(write_file(access->token_file_, random_hex(32) + "\n", 0600));
  }
  TRY_ASSIGN(access->token_, read_token(access->token_file_));
  hide_in_log(access->token_);
  TRY_ASSIGN(const auto logins, all_logins(ledger, clock.wall_ms()));
  for (const Login& login : logins) access->seen_[login.id] = login;
  return access;
}

bool Access::is_token(std::string_view given) const {
  const std::lock_guard guard(mutex_);
  return same_secret(given, token_);
}

// The file first: who reads it a moment too early is refused once, and nobody is left with neither.
Status Access::change_token() {
  const std::string token = random_hex(32);
  hide_in_log(token);
  const std::lock_guard guard(mutex_);
  TRY(write_file(token_file_, token + "\n", 0600));
  token_ = token;
  seen_.clear();
  return end_all_logins();
}

Status Access::end_all_logins() {
  TRY_ASSIGN(const auto entries, ledger_.all_remembered(kLogin, 0));
  for (const Remembered& entry : entries) TRY(ledger_.forget(kLogin, entry.key));
  TRY_ASSIGN(const auto codes, ledger_.all_remembered(kCode, 0));
  for (const Remembered& entry : codes) TRY(ledger_.forget(kCode, entry.key));
  return {};
}

Result<std::string> Access::new_launch_code(const std::string& account_id) {
  std::string code = random_hex(16);
  TRY(ledger_.remember(
      {kCode, sha256_hex(code), Json{{"account_id", account_id}}, clock_.wall_ms() + kLaunchCodeMs}));
  return code;
}

Result<std::optional<std::string>> Access::exchange(std::string_view code, std::string_view browser) {
  const std::string key = sha256_hex(code);
  const std::int64_t now = clock_.wall_ms();
  TRY_ASSIGN(const auto known, ledger_.remembered(kCode, key, now));
  if (!known) return std::optional<std::string>();
  // Of two that come with one code at the same time, one is let in.
  TRY_ASSIGN(const bool first,
             ledger_.remember_once({kUsedCode, key, Json::object(), known->expires_ms}, now));
  TRY(ledger_.forget(kCode, key));
  if (!first) return std::optional<std::string>();
  TRY_ASSIGN(std::string cookie, new_login(string_or(known->value, "account_id"), "link", browser, kLoginMs));
  return std::optional(std::move(cookie));
}

Result<std::string> Access::new_login(const std::string& account_id, const std::string& by,
                                      std::string_view browser, std::int64_t valid_ms) {
  const std::string random = random_hex(kRandomDigits / 2);
  std::string cookie = random + check_digits(random);
  const std::int64_t now = clock_.wall_ms();
  const std::string name = first_line(clean_text(browser), kLongestBrowser);
  TRY(ledger_.remember({kLogin, sha256_hex(cookie),
                        Json{{"account_id", account_id}, {"by", by}, {"browser", name}, {"created_ms", now}},
                        now + valid_ms}));
  return cookie;
}

bool Access::may_be_login(std::string_view cookie) {
  return cookie.size() == kRandomDigits + kCheckDigits &&
         cookie.substr(kRandomDigits) == check_digits(cookie.substr(0, kRandomDigits));
}

Result<std::optional<Login>> Access::find_login(std::string_view cookie) {
  if (!may_be_login(cookie)) return std::optional<Login>();
  const std::string id = sha256_hex(cookie);
  TRY_ASSIGN(const auto known, ledger_.remembered(kLogin, id, clock_.wall_ms()));
  const std::lock_guard guard(mutex_);
  if (!known) {
    seen_.erase(id);
    return std::optional<Login>();
  }
  return std::optional(seen_.insert_or_assign(id, login_of(*known)).first->second);
}

std::optional<Login> Access::seen_login(std::string_view cookie) const {
  if (!may_be_login(cookie)) return std::nullopt;
  const std::lock_guard guard(mutex_);
  const auto known = seen_.find(sha256_hex(cookie));
  return known == seen_.end() || known->second.expires_ms <= clock_.wall_ms() ? std::nullopt
                                                                              : std::optional(known->second);
}

Result<bool> Access::look_again() {
  {
    const std::lock_guard guard(mutex_);
    if (seen_.empty()) return false;
  }
  TRY_ASSIGN(const auto entries, ledger_.all_remembered(kLogin, clock_.wall_ms()));
  std::set<std::string> good;
  for (const Remembered& entry : entries) good.insert(entry.key);
  const std::lock_guard guard(mutex_);
  return std::erase_if(seen_, [&](const auto& one) { return !good.contains(one.first); }) > 0;
}

Status Access::end_login(const std::string& id) {
  TRY(forget_login(ledger_, id));
  const std::lock_guard guard(mutex_);
  seen_.erase(id);
  return {};
}

Status Access::end_cookie(std::string_view cookie) {
  return may_be_login(cookie) ? end_login(sha256_hex(cookie)) : Status();
}

} // namespace emend
