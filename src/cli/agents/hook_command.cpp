#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "base/hash.hpp"
#include "base/json.hpp"
#include "base/strings.hpp"
#include "cli/agents/conversation.hpp"
#include "cli/agents/hook_event.hpp"
#include "cli/commands.hpp"
#include "cli/context.hpp"
#include "cli/daily/check_action.hpp"
#include "config/config_files.hpp"
#include "engine/probe/language.hpp"

namespace emend {
namespace {

constexpr int kMostBlocks = 2;   // in a row: nobody is held for ever
constexpr int kMostTimeouts = 2; // in a conversation: the first may have been the base's alone

// Asks for a stop when the time is up, or when the whole program is asked to stop.
class Deadline {
public:
  Deadline(std::stop_token outer, std::chrono::milliseconds budget)
      : forward_(outer, [this] { source_.request_stop(); }), thread_([this, budget](std::stop_token over) {
          std::mutex mutex;
          std::unique_lock lock(mutex);
          std::condition_variable_any ended;
          ended.wait_for(lock, over, budget, [] { return false; });
          if (!over.stop_requested()) source_.request_stop();
        }) {}
  [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

private:
  std::stop_source source_;
  std::stop_callback<std::function<void()>> forward_;
  std::jthread thread_; // last: it ends first
};

// For the agent: what is wrong, and what it can do about it.
std::string reason_of(const ChangeCheck& check) {
  std::string text =
      fmt::format("emend check says {}: {}\n", to_string(check.verdict), first_line(check.reason, 300));
  if (!check.failure.empty()) text += trim_middle(check.failure, 350) + "\n";
  return text + "Next: " + next_step(check) + ". To see it all: emend check";
}

bool changes_code(const Patch& patch) {
  return std::any_of(patch.changes.begin(), patch.changes.end(), [](const FileChange& change) {
    return probe::language_of(change.path, change.new_content) != nullptr;
  });
}

// Asked once in a conversation: work that is not meant to fix anything is no mistake.
std::string unshown_reason(const ChangeCheck& check) {
  const char* way = "add a test that fails without the change";
  if (check.verdict == CheckVerdict::nothing) way = "the code still does what it did; change what it does";
  if (check.verdict == CheckVerdict::unprovable)
    way = "make what fails pass, or add a test that fails without the change";
  return fmt::format(
      "emend check says {}: {}\nIf this is meant to fix something: {}. If not, say so and stop.",
      to_string(check.verdict), first_line(check.reason, 300), way);
}

std::string doubt_reason(const ChangeCheck& check) {
  return fmt::format(
      "emend check says {}, {}: {}\nA change must hold for other input than that of the "
      "tests, too. If it does, say why and stop.",
      to_string(check.verdict), check.holds() ? "but" : "and", trim_middle(join(check.doubts, "; "), 500));
}

// A check that failed as a whole passes with the change. Where it names no tests that proves nothing, and
// still there is nothing to ask the agent for.
bool repairs_a_check(const ChangeCheck& check) {
  if (!check.base || !check.run) return false;
  const auto& runs = check.run->commands;
  return std::any_of(runs.begin(), runs.end(), [&](const CommandRun& run) {
    const CommandRun* before = check.base->find(run.name);
    return run.passed() && before != nullptr && !before->passed();
  });
}

// Does the change hold? If not, or if nothing shows it, why. What has a topic is said once.
void decide(const ChangeCheck& check, bool code, Conversation& talk) {
  talk.reason.clear();
  talk.topic.clear();
  const bool unshown = check.verdict == CheckVerdict::verified || check.verdict == CheckVerdict::nothing;
  const bool repairs = repairs_a_check(check);
  const bool unprovable = check.verdict == CheckVerdict::unprovable && check.next.empty() && !repairs;
  if (check.verdict == CheckVerdict::red || check.verdict == CheckVerdict::cheat) {
    talk.reason = reason_of(check);
  } else if ((check.holds() || repairs) && !check.doubts.empty()) {
    talk.reason = doubt_reason(check);
    talk.topic = "doubt " + sha256_hex(join(check.doubts, "\n")).substr(0, 24);
  } else if ((unshown || unprovable) && code) {
    talk.reason = unshown_reason(check);
    talk.topic = unshown ? "unshown" : "unprovable";
  }
}

// nullopt = there is no change, or none that can be checked here.
Result<std::optional<CheckOrder>> change_here(CommandContext& context, const Conversation& talk) {
  TRY_ASSIGN(CheckOrder order, change_in(context, talk));
  if (order.base.empty() || order.patch.empty()) return std::optional<CheckOrder>{};
  return std::optional<CheckOrder>(std::move(order));
}

// Is this the end of a round that a hook had asked for?
bool is_active(const Json& event) {
  const Json* active = find_member(event, "stop_hook_active");
  return active != nullptr && active->is_boolean() && active->get<bool>();
}

bool was_said(const Conversation& talk) {
  return !talk.topic.empty() && std::find(talk.said.begin(), talk.said.end(), talk.topic) != talk.said.end();
}

// Is the agent held back? Not if it has heard the reason or was held back often enough. Whoever is let go
// with these files is not asked about them again.
bool hold_back(Conversation& talk) {
  talk.let_go = talk.reason.empty() || talk.blocks >= kMostBlocks || was_said(talk);
  if (talk.let_go) {
    talk.settled = talk.checked;
    return false;
  }
  ++talk.blocks;
  if (!talk.topic.empty()) talk.said.push_back(talk.topic);
  return true;
}

// What cannot be remembered is not said: nobody could count how often it was.
Status answer(CommandContext& context, const Json& event, const fs::path& file, Conversation& talk) {
  const bool held = hold_back(talk);
  TRY(keep_conversation(file, talk));
  const bool gemini = string_or(event, "hook_event_name") == "AfterAgent";
  if (held)
    context.print(dump_json({{"decision", gemini ? "deny" : "block"}, {"reason", talk.reason}}) + "\n");
  return {};
}

// An agent is let go where nothing can be checked; the person is told why, once.
void tell_why_not(CommandContext& context, const ChangeCheck& check) {
  if (check.next.empty()) return;
  tell_once(context, "emend did not check this change: " + check.reason + ". " + check.next);
}

// The clients end a hook that takes longer than kSeconds in agent_wiring.cpp, so it may not take longer here.
std::chrono::milliseconds budget(CommandContext& context) {
  constexpr std::chrono::milliseconds kMost{80'000};
  const auto config = context.config();
  if (!config) return kMost; // the check says what is wrong with it
  const auto setting = config->settings().find("hook.timeout");
  if (setting == config->settings().end()) return kMost;
  const auto time = parse_duration_ms(setting->second.value.get<std::string>());
  return std::min(kMost, std::chrono::milliseconds(time.value_or(kMost.count())));
}

// Until the check has come back it counts as one that does not: whoever ends us in the middle of it waits no
// second time for these files, and neither does whoever has let us run out of time.
Status expect_no_verdict(const fs::path& file, Conversation talk) {
  talk.settled = talk.checked;
  talk.reason.clear();
  talk.let_go = true;
  ++talk.timeouts;
  return keep_conversation(file, talk);
}

Status out_of_time(const Conversation& talk) {
  return fail(ErrorCode::cancelled,
              talk.timeouts + 1 < kMostTimeouts
                  ? "the checks gave no verdict in time"
                  : "the checks gave no verdict in time again, so this conversation is not checked any more",
              "emend check; hook.timeout in the configuration is the time they have");
}

// false = the time was not enough.
Result<bool> check_it(CommandContext& context, CheckOrder order, Conversation& talk) {
  const bool code = changes_code(order.patch);
  const Deadline deadline(context.dependencies().stop, budget(context));
  auto check = check_here(context, std::move(order), deadline.token());
  if (!check && check.error().code == ErrorCode::cancelled && !context.dependencies().stop.stop_requested())
    return false;
  TRY(check);
  tell_why_not(context, *check);
  decide(*check, code, talk);
  return true;
}

// Trouble of our own is gone the next time, perhaps; so the files are checked then.
Status check_once(CommandContext& context, CheckOrder order, const fs::path& file, Conversation& talk) {
  const Conversation before = talk;
  talk.checked = state_of(order);
  TRY(expect_no_verdict(file, talk));
  const auto in_time = check_it(context, std::move(order), talk);
  if (!in_time) {
    if (!context.dependencies().stop.stop_requested()) (void)keep_conversation(file, before);
    return fail(in_time.error());
  }
  return *in_time ? Status() : out_of_time(talk);
}

Status look(CommandContext& context, const Json& event) {
  if (find_repository_root(fs::current_path().string()).empty()) return {};
  TRY_ASSIGN(const fs::path file, conversation_file(context, event));
  Conversation talk = read_conversation(file);
  TRY_ASSIGN(std::optional<CheckOrder> order, change_here(context, talk));
  if (!order || state_of(*order) == talk.settled || talk.timeouts >= kMostTimeouts) return {};
  if (talk.let_go && !is_active(event)) talk.blocks = 0; // a person spoke since
  if (talk.checked != state_of(*order)) TRY(check_once(context, *std::move(order), file, talk));
  return answer(context, event, file, talk);
}

// Whatever goes wrong here is not the agent's fault: it is let go, and the person is told why.
Result<ExitStatus> run_stop_hook(CommandContext& context) {
  const std::optional<Json> event = hook_event(context);
  if (!event) return ExitStatus::done;
  if (const Status looked = look(context, *event); !looked)
    tell_once(context, "emend did not check this change: " + first_line(looked.error().message, 300) +
                           (looked.error().remedy.empty() ? "" : ". " + looked.error().remedy));
  return context.finish(ExitStatus::done);
}

} // namespace

Command hook_command() {
  Command stop;
  stop.name = "stop";
  stop.summary = "check what an agent changed before it stops (Claude Code, Codex: Stop; Gemini: AfterAgent)";
  stop.examples =
      "Reads the agent's event on stdin. Prints nothing when nothing changed or the change is a fix; else "
      "the\n"
      "reason, and the agent goes on. At most twice in a row, and never when emend itself fails: then the\n"
      "person is told.\n"
      "  echo '{\"cwd\": \".\"}' | emend hook stop\n";
  stop.run = [](CommandContext& context) { return run_stop_hook(context); };
  Command command;
  command.name = "hook";
  command.summary = "answer a coding agent's events";
  command.subcommands = {std::move(stop), session_start_hook()};
  return command;
}

} // namespace emend
