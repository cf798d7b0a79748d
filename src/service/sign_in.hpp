// Who a provider says has signed in becomes one of the server's people, by the rules of the server's
// configuration.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "config/config.hpp"
#include "model/account.hpp"
#include "ports/clock.hpp"
#include "ports/sign_in.hpp"
#include "ports/store.hpp"

namespace emend {

// Members of a group of the provider have a role.
struct GroupRole {
  std::string group;
  Role role = Role::read;
  std::string repository; // its name or id; empty = all of them
};

struct SignInRules {
  std::string name_claim = "email", groups_claim = "groups";
  bool add_people = false;       // whom nobody has added may come in
  std::optional<Role> role = {}; // for all repositories, of who is added so
  std::vector<GroupRole> groups; // when there are any, roles come from here alone, at each sign-in
};

struct SignInSettings {
  SignInPlace place; // no issuer = nobody signs in so
  SignInRules rules;
  std::string label; // what the page calls the provider

  [[nodiscard]] bool wanted() const { return !place.issuer.empty(); }
};

// [sign_in] of the configuration; the secret is in the environment only (EMEND_OPENID_SECRET).
[[nodiscard]] Result<SignInSettings> sign_in_settings(const Config& config,
                                                      const std::vector<std::string>& environment);
// "GROUP=ROLE", "GROUP=ROLE@REPOSITORY".
[[nodiscard]] Result<GroupRole> parse_group_role(const std::string& text);

// The account, with what changed of it stored. find_repository: the id of a repository by name or id; empty =
// none is called so. ErrorCode::not_found: nobody has added them; auth: they may not come in, and why.
[[nodiscard]] Result<Account> sign_in(
    Store& store, const Clock& clock, const ConfirmedIdentity& identity, const SignInRules& rules,
    const std::function<Result<std::string>(const std::string&)>& find_repository);

} // namespace emend
