#include <algorithm>

#include "api/fields.hpp"
#include "api/lookups.hpp"
#include "api/routes.hpp"
#include "base/strings.hpp"
#include "service/people.hpp"

namespace emend {

namespace {

People people_by(const ApiParts& parts, const Call& call) {
  return {parts.store, *parts.dependencies.clock, call.caller.actor};
}

Json roles_json(const Directory& directory, const std::string& account_id) {
  Json roles = Json::array();
  for (const Grant& grant : directory.grants)
    if (grant.account_id == account_id)
      roles.push_back({{"repository_id", grant.repository_id}, {"role", to_string(grant.role)}});
  return roles;
}

Json person_json(const Directory& directory, const Account& account) {
  Json body = to_json(account);
  body["roles"] = roles_json(directory, account.id);
  return body;
}

// Also for the owner, who has no account.
Result<HttpReply> me(const ApiParts& parts, const Call& call) {
  const Caller& caller = call.caller;
  Json body = {
      {"kind", to_string(caller.actor.kind)},
      {"name", caller.actor.name},
      {"account_id", caller.account_id.empty() ? Json(nullptr) : Json(caller.account_id)},
      {"roles", Json::array({{{"repository_id", kEverywhere}, {"role", to_string(Role::administer)}}})}};
  if (!caller.account_id.empty()) {
    TRY_ASSIGN(const auto directory, parts.callers.directory());
    body["roles"] = roles_json(*directory, caller.account_id);
  }
  return json_response(200, body);
}

Result<HttpReply> list(const ApiParts& parts, const Call& call) {
  TRY_ASSIGN(const auto directory, parts.callers.directory());
  Json data = Json::array();
  for (const Account& account : directory->accounts)
    if (!account.removed) data.push_back(person_json(*directory, account));
  return page_response(call.request, std::move(data), "");
}

Result<HttpReply> add(const ApiParts& parts, const Call& call) {
  Fields fields(call.body);
  NewAccount wanted;
  wanted.name = fields.text("name", 100);
  wanted.full_name = fields.text_or("full_name", "", 100);
  wanted.kind = fields.word("kind", {"person", "service"}, "person") == "service" ? ActorKind::service
                                                                                  : ActorKind::person;
  if (auto problem = fields.problems()) return *problem;
  TRY_ASSIGN(const Account account, people_by(parts, call).add(wanted));
  return json_response(201, person_json({}, account));
}

Result<HttpReply> remove(const ApiParts& parts, const Call& call) {
  TRY(people_by(parts, call).remove(call.parameter("name")));
  TRY(parts.callers.directory());
  parts.on_logout();
  return HttpResponse{204, {}, ""};
}

// A role for everything needs the right to everything; the table has checked the one for a repository.
Result<HttpReply> set_role(const ApiParts& parts, const Call& call) {
  Fields fields(call.body);
  const std::string repository = fields.text("repository_id", 200);
  const std::string word = fields.word("role", {"none", "read", "decide", "run", "administer"}, "");
  if (word.empty()) fields.refuse("role", "is missing");
  if (auto problem = fields.problems()) return *problem;
  TRY_ASSIGN(const std::string id, call.repository);
  TRY(people_by(parts, call).set_role(call.parameter("name"), id, parse_role(word)));
  TRY_ASSIGN(const auto directory, parts.callers.directory());
  parts.on_logout();
  TRY_ASSIGN(const Account account, people_by(parts, call).find(call.parameter("name")));
  return json_response(200, person_json(*directory, account));
}

Result<HttpReply> login_link(const ApiParts& parts, const Call& call) {
  TRY_ASSIGN(const Account account, people_by(parts, call).find(call.parameter("name")));
  if (account.kind != ActorKind::person)
    return problem_response(422, "validation-failed", account.name + " is a program: make a token for it");
  TRY(note_deed(parts, call, "person.login_link", "", account.name));
  TRY_ASSIGN(const std::string code, parts.access.new_launch_code(account.id));
  return json_response(
      201,
      {{"code", code}, {"expires_in", kLaunchCodeMs / 1000}, {"url", parts.address() + "/#launch=" + code}});
}

// --- tokens

// Whose tokens the caller may see and end: their own; with the right to everything, all.
bool minds(const Call& call, const std::string& account_id) {
  return call.caller.account_id == account_id || call.caller.rights.may(Role::administer, kEverywhere);
}

Result<HttpReply> list_tokens(const ApiParts& parts, const Call& call) {
  TRY_ASSIGN(const auto directory, parts.callers.directory());
  Json data = Json::array();
  for (const AccessToken& token : directory->tokens) {
    if (!minds(call, token.account_id)) continue;
    Json row = to_json(token);
    const Account* account = directory->find(token.account_id);
    row["account"] = account == nullptr ? Json(nullptr) : Json(account->name);
    data.push_back(std::move(row));
  }
  return page_response(call.request, std::move(data), "");
}

// For oneself, or by an administrator for a program. A token makes no further tokens: what was stolen cannot
// live on.
Result<HttpReply> create_token(const ApiParts& parts, const Call& call) {
  Fields fields(call.body);
  const std::string name = fields.text("name", 100), wanted = fields.text_or("account", "", 100);
  const auto days = fields.number("expires_in_days", 1, 3'650);
  if (auto problem = fields.problems()) return *problem;
  if (call.caller.by_token)
    return problem_response(403, "forbidden", "a token cannot make tokens: log in, or use the command line");
  const std::string who = wanted.empty() ? call.caller.account_id : wanted;
  if (who.empty())
    return problem_response(422, "validation-failed", "the owner has a token already; name an account");
  const auto account = people_by(parts, call).find(who);
  const bool own = account && account->id == call.caller.account_id;
  const bool program =
      account && account->kind == ActorKind::service && call.caller.rights.may(Role::administer, kEverywhere);
  if (!own && !program)
    return problem_response(403, "forbidden",
                            "people make their own tokens; administrators make those of programs");
  constexpr std::int64_t kDayMs = 24 * 3'600'000LL;
  TRY_ASSIGN(const MadeToken made,
             people_by(parts, call).make_token(who, name, parts.now_ms() + days.value_or(90) * kDayMs));
  Json body = to_json(made.record);
  body["account"] = account->name;
  body["token"] = made.token;
  return json_response(201, body);
}

Result<HttpReply> revoke_token(const ApiParts& parts, const Call& call) {
  TRY_ASSIGN(const auto directory, parts.callers.directory());
  const auto& tokens = directory->tokens;
  const auto known = std::find_if(tokens.begin(), tokens.end(), [&](const AccessToken& token) {
    return token.id == call.parameter("id") && minds(call, token.account_id);
  });
  if (known == tokens.end()) return problem_response(404, "not-found", "you have no such token");
  TRY(people_by(parts, call).revoke_token(known->id));
  TRY(parts.callers.directory());
  parts.on_logout();
  return HttpResponse{204, {}, ""};
}

// --- the audit log

Result<HttpReply> audit(const ApiParts& parts, const Call& call) {
  AuditSearch search;
  TRY_ASSIGN(search.repository_id, call.repository);
  search.repositories = call.caller.rights.repositories();
  search.actor = call.request.query_value("actor").value_or("");
  search.action = call.request.query_value("action").value_or("");
  search.subject = call.request.query_value("subject").value_or("");
  TRY_ASSIGN(const std::size_t limit, page_size(call.request));
  const auto cursor = parse_unsigned(call.request.query_value("cursor").value_or("0"));
  if (!cursor) return problem_response(422, "validation-failed", "invalid cursor");
  search.before = static_cast<std::int64_t>(*cursor);
  search.limit = limit + 1;
  TRY_ASSIGN(auto entries, parts.store.audit(search));
  const bool more = entries.size() > limit;
  if (more) entries.pop_back();
  Json data = Json::array();
  for (const AuditEntry& entry : entries) data.push_back(to_json(entry));
  return page_response(call.request, std::move(data), more ? std::to_string(entries.back().n) : "");
}

} // namespace

std::vector<Operation> people_operations(const ApiParts& parts) {
  const auto member = Admission::member;
  const auto json = BodyKind::json;
  const auto by = [&parts](Result<HttpReply> (*run)(const ApiParts&, const Call&)) {
    return [&parts, run](const Call& call) { return run(parts, call); };
  };
  return {
      {"GET", "/api/me", "getMe", by(me)},
      {"GET", "/api/people", "listPeople", by(list)},
      {"POST", "/api/people", "addPerson", by(add), member, json},
      {"DELETE", "/api/people/{name}", "removePerson", by(remove)},
      {"PUT", "/api/people/{name}/role", "setRole", by(set_role), member, json},
      {"POST", "/api/people/{name}/login-links", "createLoginLink", by(login_link)},
      {"GET", "/api/tokens", "listTokens", by(list_tokens)},
      {"POST", "/api/tokens", "createToken", by(create_token), member, json},
      {"DELETE", "/api/tokens/{id}", "revokeToken", by(revoke_token)},
      {"GET", "/api/audit", "listAudit", by(audit)},
  };
}

} // namespace emend
