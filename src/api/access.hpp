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

  // For one login, within kLaunchCodeMs.
  [[nodiscard]] std::string new_launch_code();
  // The cookie's value; nullopt = no such code, or used, or too old.
  [[nodiscard]] std::optional<std::string> exchange(std::string_view code);
  // Signed with a key made of the token, so it holds over a restart and ends with the token.
  [[nodiscard]] bool is_login(std::string_view cookie) const;
  [[nodiscard]] Status end_login(std::string_view cookie);

private:
  Access(Ledger& ledger, const Clock& clock) : ledger_(ledger), clock_(clock) {}
  [[nodiscard]] std::string signature(std::string_view text) const;

  Ledger& ledger_;
  const Clock& clock_;
  std::string token_file_, token_;
  mutable std::mutex mutex_;
  std::map<std::string, std::int64_t> codes_; // sha256 of the code -> when it ends
  std::set<std::string> ended_;               // ids of logins that were ended before their time
};

} // namespace emend
