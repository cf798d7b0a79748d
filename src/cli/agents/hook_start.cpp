// A coding agent begins: what it should know about this repository before it changes anything.
#include <fmt/format.h>

#include "base/files.hpp"
#include "base/strings.hpp"
#include "cli/agents/conversation.hpp"
#include "cli/agents/hook_event.hpp"
#include "config/config_files.hpp"
#include "service/database_place.hpp"
#include "service/needs.hpp"

namespace emend {
namespace {

// Said once in a repository: whoever does not want checks there is not asked again.
Result<std::string> about_checks(CommandContext& context) {
  TRY_ASSIGN(const Config config, context.config());
  std::string text;
  if (!config.untrusted().empty())
    text =
        "emend cannot check changes in this repository yet: nobody has allowed its checks to run. A person "
        "can, with: "
        "emend trust";
  else if (config.policy().commands.empty())
    text =
        "emend cannot check changes in this repository yet: it has no checks. A person can add those it "
        "finds, with: "
        "emend init";
  if (text.empty()) return text;
  TRY_ASSIGN(const bool before, said_before(context, text));
  return before ? std::string() : text + "\n";
}

Result<std::string> about_needs(CommandContext& context) {
  TRY_ASSIGN(const bool known, context.has_database());
  if (!known) return std::string();
  TRY_ASSIGN(const std::string home, context.home());
  const std::string address = database_address(context.environment(), home);
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(Repository * repository, context.repository());
  TRY_ASSIGN(const std::unique_ptr<Ledger> ledger, context.dependencies().open_ledger(address));
  TRY_ASSIGN(const Needs needs, needs_of(*store, *ledger, repository->id()));
  if (needs.total() == 0) return std::string();
  return fmt::format(
      "emend: {} a person (questions: {}, fixes on branches: {}, failed: {}). Say so: emend tui\n",
      needs.total() == 1 ? "1 thing here needs" : fmt::format("{} things here need", needs.total()),
      needs.questions(), needs.ready.size(), needs.failed_total);
}

// What the agent finds here is not its work. In the middle of a conversation (its memory is made shorter)
// nothing begins.
Status remember_state(CommandContext& context, const Json& event) {
  TRY_ASSIGN(const fs::path file, conversation_file(context, event));
  Conversation talk = read_conversation(file);
  if (string_or(event, "source") == "compact" && !talk.began_at.empty()) return {};
  TRY_ASSIGN(const CheckOrder order, change_in(context, {}));
  talk.began_at = order.base;
  talk.began_time = context.dependencies().clock->wall_ms() / 1000;
  talk.settled = state_of(order);
  return keep_conversation(file, talk);
}

// Nothing here may keep an agent from starting.
Result<ExitStatus> run_session_start(CommandContext& context) {
  const std::optional<Json> event = hook_event(context);
  if (!event || find_repository_root(fs::current_path().string()).empty()) return ExitStatus::done;
  const auto checks = about_checks(context), needs = about_needs(context);
  (void)remember_state(context, *event);
  const std::string text = checks.value_or("") + needs.value_or("");
  if (text.empty()) return ExitStatus::done;
  context.print(
      dump_json({{"hookSpecificOutput",
                  {{"hookEventName", "SessionStart"}, {"additionalContext", std::string(trim(text))}}}}) +
      "\n");
  return context.finish(ExitStatus::done);
}

} // namespace

Command session_start_hook() {
  Command command;
  command.name = "session-start";
  command.summary = "tell a coding agent what needs a person here, when it begins (event SessionStart)";
  command.examples =
      "Reads the agent's event on stdin. Prints nothing unless something needs a person. Notes how the\n"
      "repository is now: what the agent finds here is not its work.\n"
      "  echo '{\"cwd\": \".\"}' | emend hook session-start\n";
  command.run = [](CommandContext& context) { return run_session_start(context); };
  return command;
}

} // namespace emend
