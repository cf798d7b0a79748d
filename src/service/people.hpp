// Accounts, roles and tokens, changed by somebody: each change is one transaction with its entry in the audit
// log. Who may ask for it is decided by the caller.
#pragma once

#include <optional>
#include <string>

#include "model/account.hpp"
#include "ports/clock.hpp"
#include "ports/store.hpp"

namespace emend {

struct NewAccount {
  std::string name;      // letters, digits and . _ @ + -; as it is typed
  std::string full_name; // may be empty
  ActorKind kind = ActorKind::person;
  std::string issuer, subject; // of who signs in by a provider
};

// A token in clear is shown once and nowhere kept.
struct MadeToken {
  AccessToken record;
  std::string token;
};

class People {
public:
  // What it is given outlives it.
  People(Store& store, const Clock& clock, Actor by) : store_(store), clock_(clock), by_(std::move(by)) {}

  [[nodiscard]] Result<Account> find(const std::string& name); // not_found: nobody active is called so
  // One that was removed comes back, without its old roles and tokens.
  [[nodiscard]] Result<Account> add(const NewAccount& wanted);
  // Its tokens and roles go; its name stays in the history.
  [[nodiscard]] Status remove(const std::string& name);
  // repository_id: or kEverywhere. role: nullopt = none any more.
  [[nodiscard]] Status set_role(const std::string& name, const std::string& repository_id,
                                std::optional<Role> role);
  // expires_ms: 0 = never.
  [[nodiscard]] Result<MadeToken> make_token(const std::string& name, const std::string& what_for,
                                             std::int64_t expires_ms);
  [[nodiscard]] Result<AccessToken> revoke_token(const std::string& id_or_begin);

private:
  [[nodiscard]] Status store(Change change, const std::string& action, const std::string& subject,
                             const std::string& repository_id, Json detail);

  Store& store_;
  const Clock& clock_;
  const Actor by_;
};

} // namespace emend
