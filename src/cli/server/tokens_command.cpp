#include "api/local_request.hpp"
#include "base/strings.hpp"
#include "cli/commands.hpp"
#include "cli/context.hpp"
#include "cli/report_text.hpp"
#include "cli/text_table.hpp"
#include "service/people.hpp"

namespace emend {

namespace {

struct TokenOptions {
  std::string account, name, expires = "90d", token;
};

Result<People> people_here(CommandContext& context) {
  TRY_ASSIGN(Store * store, context.store());
  return People(*store, *context.dependencies().clock, context.actor());
}

std::string state_of(const AccessToken& token, std::int64_t now_ms) {
  if (token.revoked_ms != 0) return "revoked " + utc_time(token.revoked_ms);
  if (token.expires_ms == 0) return "never expires";
  return (token.good(now_ms) ? "expires " : "expired ") + utc_time(token.expires_ms);
}

Result<ExitStatus> list(CommandContext& context, const TokenOptions&) {
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(const Directory directory, store->directory());
  Json data = Json::array();
  std::string text;
  for (const AccessToken& token : directory.tokens) {
    const Account* account = directory.find(token.account_id);
    const std::string owner = account == nullptr ? "?" : account->name;
    Json row = to_json(token);
    row["account"] = owner;
    data.push_back(std::move(row));
    text += token.id.substr(0, 8) + "  " + token.begins + "...  " + one_line(owner) + "  " +
            one_line(token.name) + "  " + state_of(token, context.dependencies().clock->wall_ms()) + "\n";
  }
  if (context.global().json)
    context.print_json_list("tokens", std::move(data));
  else
    context.print(text.empty() ? "There are no tokens: emend tokens create --for NAME --name TEXT\n" : text);
  return context.finish(ExitStatus::done);
}

Result<std::int64_t> expiry(CommandContext& context, const std::string& text) {
  if (text == "never") return 0;
  const auto duration = parse_duration_ms(text);
  if (!duration || *duration <= 0)
    return fail(ErrorCode::usage, "--expires: \"" + text + "\" is not a duration",
                "for example 90d, or never");
  return context.dependencies().clock->wall_ms() + *duration;
}

Result<ExitStatus> create(CommandContext& context, const TokenOptions& options) {
  TRY_ASSIGN(People people, people_here(context));
  TRY_ASSIGN(const std::int64_t expires_ms, expiry(context, options.expires));
  TRY_ASSIGN(const MadeToken made, people.make_token(options.account, options.name, expires_ms));
  if (context.global().json) {
    Json body = to_json(made.record);
    body["token"] = made.token;
    context.print_json("token", std::move(body));
  } else {
    context.print(made.token + "\n");
  }
  context.hint("this is the only time it is shown; " +
               state_of(made.record, context.dependencies().clock->wall_ms()));
  return context.finish(ExitStatus::done);
}

Result<ExitStatus> revoke(CommandContext& context, const TokenOptions& options) {
  TRY_ASSIGN(People people, people_here(context));
  TRY_ASSIGN(const AccessToken token, people.revoke_token(options.token));
  if (context.global().json)
    context.print_json("token", to_json(token));
  else
    context.print("revoked " + token.id.substr(0, 8) + " (" + one_line(token.name) + ")\n");
  return context.finish(ExitStatus::done);
}

// The running server does it: it must know the new one at once.
Result<ExitStatus> change(CommandContext& context, const TokenOptions&) {
  TRY_ASSIGN(const std::string home, context.home());
  TRY_ASSIGN(const LocalServer server, find_local_server(home));
  TRY_ASSIGN(const Json answer, post_to_local_server(server, "/api/auth/token"));
  const std::string file = string_or(answer, "token_file");
  if (context.global().json)
    context.print_json("token", {{"file", file}});
  else
    context.print("the server has another token, in " + file + "; all logins have ended\n");
  return context.finish(ExitStatus::done);
}

using Action = Result<ExitStatus> (*)(CommandContext&, const TokenOptions&);

Command token_action(std::string name, std::string summary, std::vector<Option> flags, Action run,
                     const std::shared_ptr<TokenOptions>& options) {
  Command command = action(std::move(name), std::move(summary), std::move(flags),
                           [run, options](CommandContext& context) { return run(context, *options); });
  command.storage = options;
  return command;
}

} // namespace

Command tokens_command() {
  const auto options = std::make_shared<TokenOptions>();
  TokenOptions& o = *options;
  Command command =
      token_action("tokens", "list, make and revoke tokens of people and programs", {}, list, options);
  command.examples =
      "  emend tokens create --for ci --name \"nightly build\" --expires 90d\n  emend tokens revoke "
      "3f9a1c22\n";
  command.subcommands = {
      token_action("list", "list tokens (default)", {}, list, options),
      token_action("create", "make a token and print it, once",
                   {{"--for", &o.account, "whose token", "NAME", {}, true},
                    {"--name", &o.name, "what it is for", "TEXT", {}, true},
                    {"--expires", &o.expires, "when it ends: 12h, 90d (default), or never", "TIME"}},
                   create, options),
      token_action("revoke", "end a token at once",
                   {{"TOKEN",
                     &o.token,
                     "its id or the first characters of it, or the token itself",
                     "TOKEN",
                     {},
                     true}},
                   revoke, options),
      token_action("change", "replace the server's own token while it runs; all logins end", {}, change,
                   options),
  };
  return command;
}

} // namespace emend
