// Who may come in: the token in a file only its owner can read, and browsers that proved who they are and got
// a cookie. Logins are kept in the database, so every server of it knows them, and ending one ends it on all.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "ports/clock.hpp"
#include "ports/ledger.hpp"

namespace emend {

inline constexpr std::int64_t kLaunchCodeMs = 5 * 60'000;
inline constexpr std::int64_t kLoginMs = 7 * 24 * 3'600'000LL;
inline constexpr std::int64_t kSignInMs = 24 * 3'600'000LL; // a provider is asked again every day

// A browser that is logged in.
struct Login {
  std::string id;         // SHA-256 of its cookie: the cookie itself is nowhere
  std::string account_id; // "" = the owner's
  std::string by;         // "link", "sign-in"
  std::string browser;    // as it calls itself
  std::int64_t created_ms = 0, expires_ms = 0;
};
[[nodiscard]] Json to_json(const Login& login);

// Logins as the database has them, for who has no server at hand.
[[nodiscard]] Result<std::vector<Login>> all_logins(Ledger& ledger, std::int64_t now_ms);
[[nodiscard]] Status forget_login(Ledger& ledger, const std::string& id);

// Safe to use from many threads. The token is kept out of the log.
class Access {
public:
  // directory: made 0700; holds "token", made 0600 when it is missing; where one was deleted, all logins end.
  // A token file others can read is refused.
  [[nodiscard]] static Result<std::unique_ptr<Access>> open(const std::string& directory, Ledger& ledger,
                                                            const Clock& clock);

  [[nodiscard]] const std::string& token_file() const { return token_file_; }
  [[nodiscard]] bool is_token(std::string_view given) const;
  // Another token from now on, and no login any more.
  [[nodiscard]] Status change_token();

  // For one login of this account, within kLaunchCodeMs, at any server of the database; "" = of the owner.
  [[nodiscard]] Result<std::string> new_launch_code(const std::string& account_id = {});
  // The cookie's value; nullopt = no such code, or used, or too old.
  [[nodiscard]] Result<std::optional<std::string>> exchange(std::string_view code,
                                                            std::string_view browser = {});
  // A cookie for somebody who has proved who they are.
  [[nodiscard]] Result<std::string> new_login(const std::string& account_id, const std::string& by,
                                              std::string_view browser, std::int64_t valid_ms);

  // Whether it looks like a cookie of ours; asks nobody.
  [[nodiscard]] static bool may_be_login(std::string_view cookie);
  // As the database says now; nullopt = it is no login (any more).
  [[nodiscard]] Result<std::optional<Login>> find_login(std::string_view cookie);
  // As of the last time it was looked up here; without I/O.
  [[nodiscard]] std::optional<Login> seen_login(std::string_view cookie) const;
  // Looks up again what was seen; true = some have ended meanwhile.
  [[nodiscard]] Result<bool> look_again();
  [[nodiscard]] Status end_login(const std::string& id);
  [[nodiscard]] Status end_cookie(std::string_view cookie);

private:
  Access(Ledger& ledger, const Clock& clock) : ledger_(ledger), clock_(clock) {}
  [[nodiscard]] Status end_all_logins();

  Ledger& ledger_;
  const Clock& clock_;
  std::string token_file_;
  mutable std::mutex mutex_;
  std::string token_;
  std::map<std::string, Login, std::less<>> seen_; // by id
};

} // namespace emend
