#include "service/sign_in.hpp"

#include <algorithm>
#include <map>

#include "base/environment.hpp"
#include "base/hash.hpp"
#include "base/strings.hpp"
#include "service/people.hpp"

namespace emend {

namespace {

std::string text_of(const Config& config, const char* key) {
  const auto found = config.settings().find(key);
  return found == config.settings().end() ? "" : found->second.value.get<std::string>();
}

std::vector<std::string> list_of(const Config& config, const char* key) {
  const auto found = config.settings().find(key);
  return found == config.settings().end() ? std::vector<std::string>()
                                          : found->second.value.get<std::vector<std::string>>();
}

AuditEntry deed(const Account& account, std::string action, Json detail, std::string repository_id = {}) {
  AuditEntry entry;
  entry.actor = account.actor().through("sign-in");
  entry.action = std::move(action);
  entry.subject = account.name;
  entry.repository_id = std::move(repository_id);
  entry.detail = std::move(detail);
  return entry;
}

// Somebody else may have typed an address that the provider has not confirmed.
Result<std::string> name_of(const ConfirmedIdentity& identity, const SignInRules& rules) {
  std::string name = string_or(identity.claims, rules.name_claim);
  if (name.empty())
    return fail(ErrorCode::auth, "the provider says no \"" + rules.name_claim + "\" of who signed in",
                "choose another claim: sign_in.name_claim");
  const Json* confirmed = find_member(identity.claims, "email_verified");
  if (rules.name_claim == "email" && (confirmed == nullptr || *confirmed != true))
    return fail(ErrorCode::auth, "the provider has not confirmed the address of who signed in",
                "confirm it there, or choose another claim: sign_in.name_claim");
  return rules.name_claim == "email" ? to_lower(name) : name;
}

const Account* account_of(const Directory& directory, const ConfirmedIdentity& identity) {
  const auto found =
      std::find_if(directory.accounts.begin(), directory.accounts.end(), [&](const Account& account) {
        return account.issuer == identity.issuer && account.subject == identity.subject;
      });
  return found == directory.accounts.end() ? nullptr : &*found;
}

// A name an administrator wrote down is taken by the first who proves to have it, and stays theirs.
Status take_name(const Directory& directory, const ConfirmedIdentity& identity, const SignInRules& rules,
                 Account& account, Change& change) {
  TRY_ASSIGN(const std::string name, name_of(identity, rules));
  const Account* known = directory.find(name);
  if (known != nullptr && (known->removed || known->kind != ActorKind::person || !known->subject.empty()))
    return fail(ErrorCode::auth, visible_text(name) + " may not sign in here",
                known->removed ? "an administrator can add them again: emend people add " + name
                               : "the account belongs to somebody else");
  if (known == nullptr && !rules.add_people)
    return fail(ErrorCode::not_found, "there is no account named " + visible_text(name),
                "an administrator can add them: emend people add " + name);
  if (known != nullptr) {
    account = *known;
  } else {
    account.id = new_uuid();
    account.name = name;
  }
  account.issuer = identity.issuer;
  account.subject = identity.subject;
  if (account.full_name.empty()) account.full_name = clean_name(string_or(identity.claims, "name"));
  change.accounts.push_back(account);
  change.audit.push_back(known != nullptr
                             ? deed(account, "person.linked", {{"issuer", identity.issuer}})
                             : deed(account, "person.added", {{"kind", "person"}, {"by", "sign-in"}}));
  return {};
}

std::vector<std::string> groups_of(const ConfirmedIdentity& identity, const std::string& claim) {
  std::vector<std::string> groups;
  const Json* said = find_member(identity.claims, claim);
  if (said != nullptr && said->is_string()) groups.push_back(said->get<std::string>());
  for (const Json& one : said != nullptr && said->is_array() ? *said : Json::array())
    if (one.is_string()) groups.push_back(one.get<std::string>());
  return groups;
}

using Roles = std::map<std::string, Role>; // by repository

void set_role(const Account& account, const std::string& repository_id, std::optional<Role> role,
              Change& change) {
  const bool everywhere = repository_id == kEverywhere;
  change.grants.push_back({account.id, repository_id, role});
  change.audit.push_back(deed(account, "role.changed",
                              {{"role", role ? Json(to_string(*role)) : Json(nullptr)},
                               {"repositories", everywhere ? "all" : repository_id},
                               {"by", "sign-in"}},
                              everywhere ? "" : repository_id));
}

// What the groups give, and nothing else.
Status follow_groups(const Directory& directory, const Account& account, const ConfirmedIdentity& identity,
                     const SignInRules& rules,
                     const std::function<Result<std::string>(const std::string&)>& find_repository,
                     Change& change) {
  const auto groups = groups_of(identity, rules.groups_claim);
  Roles wanted;
  for (const GroupRole& row : rules.groups) {
    if (std::find(groups.begin(), groups.end(), row.group) == groups.end()) continue;
    std::string id(kEverywhere);
    if (!row.repository.empty()) {
      TRY_ASSIGN(id, find_repository(row.repository));
    }
    if (id.empty()) continue; // not served now
    const auto [place, fresh] = wanted.emplace(id, row.role);
    if (!fresh) place->second = std::max(place->second, row.role);
  }
  for (const Grant& grant : directory.grants) {
    if (grant.account_id != account.id) continue;
    const auto now = wanted.find(grant.repository_id);
    if (now == wanted.end())
      set_role(account, grant.repository_id, std::nullopt, change);
    else if (now->second == grant.role)
      wanted.erase(now);
  }
  for (const auto& [id, role] : wanted) set_role(account, id, role, change);
  return {};
}

} // namespace

Result<GroupRole> parse_group_role(const std::string& text) {
  const std::size_t equals = text.rfind('=');
  GroupRole row;
  if (equals != std::string::npos && equals > 0) {
    const std::string given = text.substr(equals + 1);
    const std::size_t at = given.find('@');
    row.group = text.substr(0, equals);
    row.repository = at == std::string::npos ? "" : given.substr(at + 1);
    const auto role = parse_role(given.substr(0, at));
    if (role && (at == std::string::npos || !row.repository.empty())) {
      row.role = *role;
      return row;
    }
  }
  return fail(ErrorCode::config, "sign_in.groups: \"" + visible_text(text) + "\" is no GROUP=ROLE",
              "for example \"platform=administer\", or \"backend=run@app\" for one repository");
}

Result<SignInSettings> sign_in_settings(const Config& config, const std::vector<std::string>& environment) {
  SignInSettings settings;
  settings.place.issuer = text_of(config, "sign_in.issuer");
  if (!settings.wanted()) return settings;
  settings.place.client_id = text_of(config, "sign_in.client_id");
  settings.place.client_secret = variable(environment, "EMEND_OPENID_SECRET");
  settings.place.scopes = list_of(config, "sign_in.scopes");
  settings.place.ca_file = text_of(config, "sign_in.ca_file");
  settings.label = text_of(config, "sign_in.label");
  settings.rules.name_claim = text_of(config, "sign_in.name_claim");
  settings.rules.groups_claim = text_of(config, "sign_in.groups_claim");
  settings.rules.add_people = text_of(config, "sign_in.new_people") == "add";
  settings.rules.role = parse_role(text_of(config, "sign_in.new_role"));
  for (const std::string& text : list_of(config, "sign_in.groups")) {
    TRY_ASSIGN(GroupRole row, parse_group_role(text));
    settings.rules.groups.push_back(std::move(row));
  }
  settings.place.claims = {settings.rules.name_claim};
  if (settings.rules.name_claim == "email") settings.place.claims.emplace_back("email_verified");
  if (!settings.rules.groups.empty()) settings.place.claims.push_back(settings.rules.groups_claim);
  return settings;
}

Result<Account> sign_in(Store& store, const Clock& clock, const ConfirmedIdentity& identity,
                        const SignInRules& rules,
                        const std::function<Result<std::string>(const std::string&)>& find_repository) {
  TRY_ASSIGN(const Directory directory, store.directory());
  Change change;
  Account account;
  if (const Account* known = account_of(directory, identity); known == nullptr) {
    account.created_ms = clock.wall_ms();
    TRY(take_name(directory, identity, rules, account, change));
    const bool added = directory.find(account.id) == nullptr;
    if (added && rules.role && rules.groups.empty())
      set_role(account, std::string(kEverywhere), *rules.role, change);
  } else if (known->removed) {
    return fail(ErrorCode::auth, visible_text(known->name) + " may not sign in here",
                "an administrator can add them again: emend people add " + known->name);
  } else {
    account = *known;
  }
  if (!rules.groups.empty()) TRY(follow_groups(directory, account, identity, rules, find_repository, change));
  change.audit.push_back(deed(account, "person.signed_in", {{"issuer", identity.issuer}}));
  TRY(store.apply(change, clock.wall_ms()));
  return account;
}

} // namespace emend
