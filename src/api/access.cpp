#include "api/access.hpp"

#include <sys/stat.h>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/log.hpp"
#include "base/secret.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr const char* kEnded = "ended_login";

// "EXPIRES.ID.SIGNATURE" of the owner, "EXPIRES.ID.ACCOUNT.SIGNATURE" of others.
struct Cookie {
  std::int64_t expires_ms = 0;
  std::string id, account_id, signature, signed_text;
};

std::optional<Cookie> parse_cookie(std::string_view text) {
  const auto parts = split(text, '.');
  if (parts.size() < 3 || parts.size() > 4 || parts[0].size() > 15) return std::nullopt;
  const auto expires = parse_unsigned(parts[0]);
  if (!expires) return std::nullopt;
  const std::string account = parts.size() == 4 ? parts[2] : "";
  return Cookie{static_cast<std::int64_t>(*expires), parts[1], account, parts.back(),
                std::string(text.substr(0, text.rfind('.')))};
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

Result<std::unique_ptr<Access>> Access::open(const std::string& directory, Ledger& ledger,
                                             const Clock& clock) {
  std::unique_ptr<Access> access(new Access(ledger, clock));
  TRY(make_directories(directory, 0700));
  access->token_file_ = directory + "/token";
  std::error_code problem;
  if (!fs::exists(fs::symlink_status(access->token_file_, problem)))
    TRY(write_file(access->token_file_, random_hex(32) + "\n", 0600));
  TRY_ASSIGN(access->token_, read_token(access->token_file_));
  hide_in_log(access->token_);
  TRY_ASSIGN(const auto ended, ledger.all_remembered(kEnded, clock.wall_ms()));
  for (const Remembered& entry : ended) access->ended_.insert(entry.key);
  return access;
}

bool Access::is_token(std::string_view given) const { return same_secret(given, token_); }

std::string Access::signature(std::string_view text) const {
  return hmac_sha256_hex("emend login " + token_, text);
}

std::string Access::new_launch_code(const std::string& account_id) {
  const std::string code = random_hex(16);
  const std::lock_guard guard(mutex_);
  std::erase_if(codes_,
                [now = clock_.wall_ms()](const auto& known) { return known.second.expires_ms <= now; });
  codes_[sha256_hex(code)] = {clock_.wall_ms() + kLaunchCodeMs, account_id};
  return code;
}

std::optional<std::string> Access::exchange(std::string_view code) {
  LaunchCode launch;
  {
    const std::lock_guard guard(mutex_);
    const auto known = codes_.find(sha256_hex(code));
    if (known == codes_.end()) return std::nullopt;
    launch = known->second;
    codes_.erase(known);
  }
  if (launch.expires_ms <= clock_.wall_ms()) return std::nullopt;
  return new_login(launch.account_id);
}

std::string Access::new_login(const std::string& account_id) const {
  const std::string text = std::to_string(clock_.wall_ms() + kLoginMs) + "." + random_hex(16) +
                           (account_id.empty() ? "" : "." + account_id);
  return text + "." + signature(text);
}

std::optional<std::string> Access::login_of(std::string_view cookie) const {
  const auto parsed = parse_cookie(cookie);
  if (!parsed || !same_secret(parsed->signature, signature(parsed->signed_text)) ||
      parsed->expires_ms <= clock_.wall_ms())
    return std::nullopt;
  const std::lock_guard guard(mutex_);
  return ended_.contains(parsed->id) ? std::nullopt : std::optional(parsed->account_id);
}

Status Access::end_login(std::string_view cookie) {
  if (!is_login(cookie)) return {};
  const Cookie parsed = *parse_cookie(cookie);
  {
    const std::lock_guard guard(mutex_);
    ended_.insert(parsed.id);
  }
  return ledger_.remember({kEnded, parsed.id, Json::object(), parsed.expires_ms});
}

} // namespace emend
