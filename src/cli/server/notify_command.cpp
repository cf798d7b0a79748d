#include "base/strings.hpp"
#include "cli/commands.hpp"
#include "cli/context.hpp"
#include "cli/state_directory.hpp"
#include "service/database_place.hpp"
#include "service/notifier.hpp"
#include "service/people.hpp"

namespace emend {

namespace {

struct NotifyOptions {
  std::string person, mail, when;
  std::vector<std::string> topics;
};

// "" = the owner, who runs this command.
Result<std::string> account_id(CommandContext& context, const std::string& name) {
  if (name.empty()) return name;
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(const Account account,
             People(*store, *context.dependencies().clock, context.actor()).find(name));
  if (account.kind != ActorKind::person)
    return fail(ErrorCode::usage, account.name + " is a program: programs are not sent mail",
                "see notify.webhook_url in docs/operations.md");
  return account.id;
}

Result<std::unique_ptr<Ledger>> ledger_of(CommandContext& context) {
  TRY_ASSIGN(const std::string home, context.home());
  return context.dependencies().open_ledger(database_address(context.environment(), home));
}

std::string sentence(const NotifyWish& wish) {
  if (wish.when == NotifyWhen::off) return "nothing is sent\n";
  return wish.mail + ", " + std::string(to_string(wish.when)) + ": " + join(wish.topics, ", ") + "\n";
}

Result<ExitStatus> show(CommandContext& context, const NotifyOptions& options) {
  TRY_ASSIGN(const std::string account, account_id(context, options.person));
  TRY_ASSIGN(const auto ledger, ledger_of(context));
  TRY_ASSIGN(const NotifyWishes wishes, notify_wishes(*ledger, context.dependencies().clock->wall_ms()));
  const auto known = wishes.find(account);
  const NotifyWish wish = known == wishes.end() ? NotifyWish{} : known->second;
  if (context.global().json)
    context.print_json("notifications", to_json(wish));
  else
    context.print(sentence(wish));
  return context.finish(ExitStatus::done);
}

Result<ExitStatus> set(CommandContext& context, const NotifyOptions& options) {
  TRY_ASSIGN(const std::string account, account_id(context, options.person));
  TRY_ASSIGN(const auto ledger, ledger_of(context));
  TRY_ASSIGN(const NotifyWishes wishes, notify_wishes(*ledger, context.dependencies().clock->wall_ms()));
  const auto known = wishes.find(account);
  NotifyWish wish =
      known == wishes.end() ? NotifyWish{"", NotifyWhen::at_once, notice_topics()} : known->second;
  if (!options.mail.empty()) wish.mail = options.mail;
  if (!options.when.empty()) wish.when = parse_notify_when(options.when).value_or(wish.when);
  if (!options.topics.empty()) wish.topics = options.topics;
  TRY(keep_notify_wish(*ledger, account, wish));
  Change change;
  AuditEntry entry;
  entry.actor = context.actor();
  entry.action = "notifications.changed";
  entry.subject = options.person.empty() ? "owner" : options.person;
  change.audit.push_back(std::move(entry));
  TRY_ASSIGN(Store * store, context.store());
  TRY(store->apply(change, context.dependencies().clock->wall_ms()));
  if (context.global().json)
    context.print_json("notifications", to_json(wish));
  else
    context.print(sentence(wish));
  return context.finish(ExitStatus::done);
}

Result<ExitStatus> queue(CommandContext& context, const NotifyOptions&) {
  TRY_ASSIGN(const auto ledger, ledger_of(context));
  TRY_ASSIGN(const auto letters, Outbox(*ledger).all(context.dependencies().clock->wall_ms()));
  Json data = Json::array();
  std::string text;
  for (const Letter& letter : letters) {
    Json row = to_json(letter);
    row["id"] = letter.id;
    data.push_back(std::move(row));
    text += letter.id.substr(0, 8) + "  " + letter.channel + "  " +
            (letter.given_up ? "given up" : "due " + rfc3339_utc(letter.due_ms)) + "  " +
            (letter.notices.empty() ? "" : letter.notices.front().text) +
            (letter.problem.empty() ? "" : "  (" + letter.problem + ")") + "\n";
  }
  if (context.global().json)
    context.print_json_list("notifications", std::move(data));
  else
    context.print(text.empty() ? "nothing waits to be sent\n" : text);
  return context.finish(ExitStatus::done);
}

using Action = Result<ExitStatus> (*)(CommandContext&, const NotifyOptions&);

Command notify_action(std::string name, std::string summary, std::vector<Option> flags, Action run,
                      const std::shared_ptr<NotifyOptions>& options) {
  Command command = action(std::move(name), std::move(summary), std::move(flags),
                           [run, options](CommandContext& context) { return run(context, *options); });
  command.storage = options;
  return command;
}

} // namespace

Command notify_command() {
  const auto options = std::make_shared<NotifyOptions>();
  NotifyOptions& o = *options;
  const Option person{"--for", &o.person, "whose (default: yours)", "NAME"};
  Command command =
      notify_action("notify", "choose what a server sends you by mail", {person}, show, options);
  command.examples =
      "  emend notify set --mail ann@example.org --when daily --topic questions --topic safety\n  emend "
      "notify "
      "set --when off\n";
  command.subcommands = {
      notify_action("show", "show what you are sent (default)", {person}, show, options),
      notify_action("set", "change it; what is not named stays",
                    {person,
                     {"--mail", &o.mail, "where it is sent", "ADDRESS"},
                     {"--when", &o.when, "when it is sent", "WHEN", {"off", "at-once", "hourly", "daily"}},
                     {"--topic", &o.topics, "only this topic; may be repeated", "TOPIC", notice_topics()}},
                    set, options),
      notify_action("queue", "show what waits to be sent, and what was given up", {}, queue, options),
  };
  return command;
}

} // namespace emend
