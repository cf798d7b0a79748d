// Accounts of a server: people, and programs; the tokens they show.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/actor.hpp"
#include "model/rights.hpp"

namespace emend {

struct Account {
  std::string id;                     // UUID
  std::string name;                   // unique; what is typed
  std::string full_name;              // for people to read; empty = the name
  ActorKind kind = ActorKind::person; // person or service
  std::string issuer, subject;        // who confirms the sign-in: "proxy", or empty
  bool removed = false;               // its name stays in the history
  std::int64_t created_ms = 0;

  [[nodiscard]] Actor actor() const;
};
[[nodiscard]] Json to_json(const Account& account);

struct AccessToken {
  std::string id; // UUID
  std::string account_id;
  std::string name;   // what it is for
  std::string sha256; // of the token: the token itself is nowhere
  std::string begins; // its first characters, to recognise it
  std::int64_t created_ms = 0;
  std::int64_t expires_ms = 0; // 0 = never
  std::int64_t revoked_ms = 0; // 0 = it is good

  [[nodiscard]] bool good(std::int64_t now_ms) const {
    return revoked_ms == 0 && (expires_ms == 0 || expires_ms > now_ms);
  }
};
[[nodiscard]] Json to_json(const AccessToken& token);

// "emend_pat_" and 36 letters and digits, the last six of them a checksum, so that scanners of secrets know
// one without asking.
[[nodiscard]] std::string new_access_token();
[[nodiscard]] bool is_access_token(std::string_view text);

// All that is known of accounts at one moment.
struct Directory {
  std::int64_t version = 0; // grows with every change
  std::vector<Account> accounts;
  std::vector<AccessToken> tokens;
  std::vector<Grant> grants;

  [[nodiscard]] const Account* find(std::string_view name_or_id) const; // removed ones too
  [[nodiscard]] Rights rights_of(const std::string& account_id) const;
};

} // namespace emend
