#include <map>

#include "api/access.hpp"
#include "api/local_request.hpp"
#include "base/strings.hpp"
#include "cli/commands.hpp"
#include "cli/context.hpp"
#include "cli/text_table.hpp"
#include "service/database_place.hpp"
#include "service/people.hpp"

namespace emend {

namespace {

struct PeopleOptions {
  std::string name, full_name, role, repository;
  bool service = false, everywhere = false;
};

Result<People> people_here(CommandContext& context) {
  TRY_ASSIGN(Store * store, context.store());
  return People(*store, *context.dependencies().clock, context.actor());
}

// --repository, --all, or the repository one stands in.
Result<std::string> chosen_repository(CommandContext& context, const PeopleOptions& options) {
  if (options.everywhere && !options.repository.empty())
    return fail(ErrorCode::usage, "--all and --repository cannot be used together");
  if (options.everywhere) return std::string(kEverywhere);
  TRY_ASSIGN(const std::string home, context.home());
  TRY_ASSIGN(const auto ledger,
             context.dependencies().open_ledger(database_address(context.environment(), home)));
  TRY_ASSIGN(const auto served, ledger->repositories());
  std::vector<std::string> found;
  for (const ServedRepository& one : served)
    if (one.id == options.repository || one.name == options.repository) found.push_back(one.id);
  if (found.size() == 1) return found.front();
  if (found.size() > 1)
    return fail(ErrorCode::usage, "several repositories are called " + options.repository, "use its id");
  if (!options.repository.empty())
    return fail(ErrorCode::not_found, "no repository of the server is called " + options.repository,
                "see: curl .../api/repositories, or stand in it and leave --repository out");
  auto repository = context.repository();
  if (!repository)
    return fail(ErrorCode::usage, "say for which repository", "--repository NAME, or --all for all of them");
  return (*repository)->id();
}

std::map<std::string, std::string> repository_names(CommandContext& context) {
  std::map<std::string, std::string> names = {{std::string(kEverywhere), "all repositories"}};
  const auto home = context.home();
  const auto ledger = home
                          ? context.dependencies().open_ledger(database_address(context.environment(), *home))
                          : Result<std::unique_ptr<Ledger>>(fail(home.error()));
  if (!ledger) return names;
  if (const auto served = (*ledger)->repositories(); served)
    for (const ServedRepository& one : *served) names[one.id] = one.name;
  return names;
}

Json person_json(const Directory& directory, const Account& account) {
  Json body = to_json(account);
  body["roles"] = Json::array();
  for (const Grant& grant : directory.grants)
    if (grant.account_id == account.id)
      body["roles"].push_back({{"repository_id", grant.repository_id}, {"role", to_string(grant.role)}});
  return body;
}

Result<ExitStatus> list(CommandContext& context, const PeopleOptions&) {
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(const Directory directory, store->directory());
  Json data = Json::array();
  std::string text;
  const auto names = repository_names(context);
  for (const Account& account : directory.accounts) {
    if (account.removed) continue;
    data.push_back(person_json(directory, account));
    text += one_line(account.name) + "  " + std::string(to_string(account.kind)) +
            (account.full_name.empty() ? "" : "  " + one_line(account.full_name)) + "\n";
    for (const Grant& grant : directory.grants) {
      if (grant.account_id != account.id) continue;
      const auto name = names.find(grant.repository_id);
      text += "  " + std::string(to_string(grant.role)) + "  " +
              one_line(name == names.end() ? grant.repository_id : name->second) + "\n";
    }
  }
  if (context.global().json)
    context.print_json_list("people", std::move(data));
  else
    context.print(text.empty() ? "You are the only one: emend people add NAME adds somebody.\n" : text);
  return context.finish(ExitStatus::done);
}

Result<ExitStatus> print_person(CommandContext& context, const std::string& name, const std::string& said) {
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(const Directory directory, store->directory());
  const Account* account = directory.find(name);
  if (context.global().json && account != nullptr)
    context.print_json("person", person_json(directory, *account));
  else
    context.print(said + "\n");
  return context.finish(ExitStatus::done);
}

Result<ExitStatus> add(CommandContext& context, const PeopleOptions& options) {
  TRY_ASSIGN(People people, people_here(context));
  NewAccount wanted;
  wanted.name = options.name;
  wanted.full_name = options.full_name;
  wanted.kind = options.service ? ActorKind::service : ActorKind::person;
  TRY(people.add(wanted));
  context.hint("next: emend people role " + options.name + " decide --all; then " +
               (options.service ? "emend tokens create --for " : "emend people login ") + options.name);
  return print_person(context, options.name, "added " + one_line(options.name) + ", without a role yet");
}

Result<ExitStatus> role(CommandContext& context, const PeopleOptions& options) {
  TRY_ASSIGN(People people, people_here(context));
  TRY_ASSIGN(const std::string repository, chosen_repository(context, options));
  TRY(people.set_role(options.name, repository, parse_role(options.role)));
  const bool everywhere = repository == kEverywhere;
  return print_person(context, options.name,
                      one_line(options.name) + " has " +
                          (options.role == "none" ? "no role" : "the role " + options.role) + " for " +
                          (everywhere ? "all repositories" : "this repository"));
}

Result<ExitStatus> remove(CommandContext& context, const PeopleOptions& options) {
  TRY_ASSIGN(People people, people_here(context));
  TRY(people.remove(options.name));
  return print_person(context, options.name,
                      "removed " + one_line(options.name) + ": its tokens, logins and roles are gone");
}

// The server makes the link: it knows the codes that are good.
Result<ExitStatus> login(CommandContext& context, const PeopleOptions& options) {
  TRY_ASSIGN(People people, people_here(context));
  TRY_ASSIGN(const Account account, people.find(options.name));
  if (account.kind != ActorKind::person)
    return fail(ErrorCode::usage, account.name + " is a program, which does not log in",
                "emend tokens create --for " + account.name + " --name TEXT");
  TRY_ASSIGN(const std::string home, context.home());
  TRY_ASSIGN(const LocalServer server, find_local_server(home));
  TRY_ASSIGN(const Json answer, post_to_local_server(server, "/api/people/" + options.name + "/login-links"));
  const std::string link = string_or(answer, "url");
  if (context.global().json)
    context.print_json("link", {{"link", link}});
  else
    context.print(link + "\n");
  context.hint("the link logs " + one_line(options.name) + " in once, within five minutes");
  return context.finish(ExitStatus::done);
}

Result<std::unique_ptr<Ledger>> ledger_here(CommandContext& context) {
  TRY_ASSIGN(const std::string home, context.home());
  return context.dependencies().open_ledger(database_address(context.environment(), home));
}

// Of the account called so; "" = of everybody.
Result<std::vector<Login>> logins_of(CommandContext& context, Ledger& ledger, const std::string& name) {
  TRY_ASSIGN(auto logins, all_logins(ledger, context.dependencies().clock->wall_ms()));
  if (name.empty()) return logins;
  TRY_ASSIGN(People people, people_here(context));
  TRY_ASSIGN(const Account account, people.find(name));
  std::erase_if(logins, [&](const Login& login) { return login.account_id != account.id; });
  return logins;
}

Result<ExitStatus> logins(CommandContext& context, const PeopleOptions& options) {
  TRY_ASSIGN(const auto ledger, ledger_here(context));
  TRY_ASSIGN(const auto found, logins_of(context, *ledger, options.name));
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(const Directory directory, store->directory());
  Json data = Json::array();
  std::string text;
  for (const Login& login : found) {
    const Account* account = directory.find(login.account_id);
    const std::string owner = account == nullptr ? "the owner" : account->name;
    Json row = to_json(login);
    row["account"] = account == nullptr ? Json(nullptr) : Json(account->name);
    data.push_back(std::move(row));
    text += one_line(owner) + "  since " + rfc3339_utc(login.created_ms).substr(0, 16) + "  until " +
            rfc3339_utc(login.expires_ms).substr(0, 16) + "  " + one_line(login.browser) + "\n";
  }
  if (context.global().json)
    context.print_json_list("logins", std::move(data));
  else
    context.print(text.empty() ? "No browser is logged in.\n" : text);
  return context.finish(ExitStatus::done);
}

// A running server looks every second, and at each request.
Result<ExitStatus> log_out(CommandContext& context, const PeopleOptions& options) {
  TRY_ASSIGN(const auto ledger, ledger_here(context));
  TRY_ASSIGN(const auto found, logins_of(context, *ledger, options.name));
  for (const Login& login : found) TRY(forget_login(*ledger, login.id));
  TRY_ASSIGN(Store * store, context.store());
  AuditEntry entry;
  entry.actor = context.actor();
  entry.action = "login.ended";
  entry.subject = options.name;
  entry.detail = {{"logins", found.size()}};
  Change change;
  change.audit.push_back(std::move(entry));
  TRY(store->apply(change, context.dependencies().clock->wall_ms()));
  return print_person(context, options.name,
                      one_line(options.name) + " is logged out everywhere (" + std::to_string(found.size()) +
                          (found.size() == 1 ? " browser)" : " browsers)"));
}

using Action = Result<ExitStatus> (*)(CommandContext&, const PeopleOptions&);

Command people_action(std::string name, std::string summary, std::vector<Option> flags, Action run,
                      const std::shared_ptr<PeopleOptions>& options) {
  Command command = action(std::move(name), std::move(summary), std::move(flags),
                           [run, options](CommandContext& context) { return run(context, *options); });
  command.storage = options;
  return command;
}

} // namespace

Command people_command() {
  const auto options = std::make_shared<PeopleOptions>();
  PeopleOptions& o = *options;
  const Option name = {"NAME", &o.name, "the account's name", "NAME", {}, true};
  Command command = people_action("people", "list and change who may use the server", {}, list, options);
  command.examples =
      "  emend people add ann --full-name \"Ann Lee\"\n  emend people role ann run --all\n"
      "  emend people role ann administer --repository app\n  emend people login ann\n"
      "  emend people add ci --service\n";
  command.subcommands = {
      people_action("list", "list people and programs with their roles (default)", {}, list, options),
      people_action("add", "add a person, or a program with --service",
                    {name,
                     {"--full-name", &o.full_name, "the name people read", "NAME"},
                     {"--service", &o.service, "it is a program: it uses tokens and never logs in"}},
                    add, options),
      people_action("role", "give a role for one repository or for all",
                    {name,
                     {"ROLE",
                      &o.role,
                      "read, decide, run, administer; none takes it away",
                      "ROLE",
                      {"none", "read", "decide", "run", "administer"},
                      true},
                     {"--repository", &o.repository, "for this repository: its name or id", "NAME"},
                     {"--all", &o.everywhere, "for all repositories, those to come included"}},
                    role, options),
      people_action("remove", "take away an account with its roles, tokens and logins", {name}, remove,
                    options),
      people_action("login", "print a link that logs a person in, once", {name}, login, options),
      people_action("logins", "list the browsers that are logged in",
                    {{"NAME", &o.name, "only those of this account", "NAME"}}, logins, options),
      people_action("logout", "log a person out of all browsers", {name}, log_out, options),
  };
  return command;
}

} // namespace emend
