// Who may come in: the token in a file only its owner can read, and browsers that exchanged a launch code for
// a cookie.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "ports/clock.hpp"
#include "ports/ledger.hpp"

namespace emend {

inline constexpr std::int64_t kLaunchCodeMs = 5 * 60'000;
inline constexpr std::int64_t kLoginMs = 7 * 24 * 3'600'000LL;

// Safe to use from many threads; the questions do no I/O. The token is kept out of the log.
class Access {
public:
  // directory: made 0700; holds "token", made 0600 when it is missing. A token file others can read is
  // refused.
  [[nodiscard]] static Result<std::unique_ptr<Access>> open(const std::string& directory, Ledger& ledger,
                                                            const Clock& clock);

  [[nodiscard]] const std::string& token_file() const { return token_file_; }
  [[nodiscard]] bool is_token(std::string_view given) const;

  // For one login of this account, within kLaunchCodeMs; "" = of the owner.
  [[nodiscard]] std::string new_launch_code(const std::string& account_id = {});
  // The cookie's value; nullopt = no such code, or used, or too old.
  [[nodiscard]] std::optional<std::string> exchange(std::string_view code);
  // A cookie for somebody who has proved who they are. Signed with a key made of the token, so it holds over
  // a restart and ends with the token.
  [[nodiscard]] std::string new_login(const std::string& account_id) const;
  // Whose it is; "" = the owner's, nullopt = it is no login (any more).
  [[nodiscard]] std::optional<std::string> login_of(std::string_view cookie) const;
  [[nodiscard]] bool is_login(std::string_view cookie) const { return login_of(cookie).has_value(); }
  [[nodiscard]] Status end_login(std::string_view cookie);

private:
  Access(Ledger& ledger, const Clock& clock) : ledger_(ledger), clock_(clock) {}
  [[nodiscard]] std::string signature(std::string_view text) const;

  Ledger& ledger_;
  const Clock& clock_;
  std::string token_file_, token_;
  mutable std::mutex mutex_;
  struct LaunchCode {
    std::int64_t expires_ms = 0;
    std::string account_id;
  };
  std::map<std::string, LaunchCode> codes_; // by the code's sha256
  std::set<std::string> ended_;             // ids of logins that were ended before their time
};

} // namespace emend
