#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "base/environment.hpp"
#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/json.hpp"
#include "base/strings.hpp"
#include "cli/agents/hook_event.hpp"
#include "cli/commands.hpp"
#include "cli/context.hpp"
#include "cli/daily/check_action.hpp"
#include "config/config_files.hpp"
#include "engine/probe/language.hpp"

namespace emend {
namespace {

constexpr int kMostBlocks = 2; // in a row: nobody is held for ever
constexpr std::chrono::seconds kBudget{60};

// Asks for a stop when the time is up, or when the whole program is asked to stop.
class Deadline {
public:
  Deadline(std::stop_token outer, std::chrono::seconds budget)
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

// What was said to one conversation of an agent, so that the same change is not checked twice and nobody is
// held for ever.
struct Held {
  std::string change; // base and patch
  std::string reason; // empty = it was let go
  int most = 0;       // how often in a row it may be held back for this
  int blocks = 0;     // in a row
  bool asked = false; // in this conversation: what shows that anything was fixed?
};

fs::path held_file(const std::string& home, const Json& event) {
  const std::string key = string_or(event, "session_id") + "\n" + fs::current_path().string();
  return fs::path(home) / "hooks" / (sha256_hex(key).substr(0, 24) + ".json");
}

Held read_held(const fs::path& file) {
  const auto text = read_file(file, 100'000);
  const auto json = text ? parse_json(*text) : Result<Json>(fail(text.error()));
  if (!json || !json->is_object()) return {};
  const auto number = [&](std::string_view name) {
    const Json* value = find_member(*json, name);
    return value != nullptr && value->is_number_integer() ? value->get<int>() : 0;
  };
  return {string_or(*json, "change"), string_or(*json, "reason"), number("most"), number("blocks"),
          number("asked") != 0};
}

Status keep_held(const fs::path& file, const Held& held) {
  std::error_code problem;
  fs::create_directories(file.parent_path(), problem);
  return write_file(file, dump_json({{"change", held.change},
                                     {"reason", held.reason},
                                     {"most", held.most},
                                     {"blocks", held.blocks},
                                     {"asked", held.asked ? 1 : 0}}));
}

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
  const bool nothing = check.verdict == CheckVerdict::nothing;
  return fmt::format(
      "emend check says {}: {}\nIf this is meant to fix something: {}. If not, say so and stop.",
      to_string(check.verdict), first_line(check.reason, 300),
      nothing ? "the code still does what it did; change what it does"
              : "add a test that fails without the change");
}

std::string doubt_reason(const ChangeCheck& check) {
  return fmt::format(
      "emend check says {}, but: {}\nA change must hold for other input than that of the "
      "tests, too. If it does, say why and stop.",
      to_string(check.verdict), trim_middle(join(check.doubts, "; "), 500));
}

// Does the change hold? If not, or if nothing shows it, why, and how often in a row that may be said.
void decide(const ChangeCheck& check, bool code, Held& held) {
  held.reason.clear();
  const bool unshown = check.verdict == CheckVerdict::verified || check.verdict == CheckVerdict::nothing;
  if (check.verdict == CheckVerdict::red || check.verdict == CheckVerdict::cheat) {
    held.reason = reason_of(check);
    held.most = kMostBlocks;
  } else if (check.holds() && !check.doubts.empty()) {
    held.reason = doubt_reason(check);
    held.most = 1;
  } else if (unshown && code && !held.asked) {
    held.reason = unshown_reason(check);
    held.most = 1;
    held.asked = true;
  }
}

// nullopt = there is no change, or none that can be checked here.
Result<std::optional<CheckOrder>> uncommitted_change(CommandContext& context) {
  if (find_repository_root(fs::current_path().string()).empty()) return std::optional<CheckOrder>{};
  TRY_ASSIGN(CheckOrder order, order_of(context, {}));
  if (order.base.empty() || order.patch.empty()) return std::optional<CheckOrder>{};
  return std::optional<CheckOrder>(std::move(order));
}

// Is this the end of a round that a hook had asked for?
bool is_active(const Json& event) {
  const Json* active = find_member(event, "stop_hook_active");
  return active != nullptr && active->is_boolean() && active->get<bool>();
}

// Holds the agent back with this reason, unless it was held back often enough.
void answer(CommandContext& context, const Json& event, Held& held) {
  if (held.reason.empty() || held.blocks >= held.most) return;
  ++held.blocks;
  const bool gemini = string_or(event, "hook_event_name") == "AfterAgent";
  context.print(dump_json({{"decision", gemini ? "deny" : "block"}, {"reason", held.reason}}) + "\n");
  if (held.most == 1) held.reason.clear(); // a doubt is said once
}

// An agent is let go where nothing can be checked; the person is told why, once.
Status tell_why_not(CommandContext& context, const ChangeCheck& check) {
  if (check.next.empty()) return {};
  TRY(tell_once(context, "emend did not check this change: " + check.reason + ". " + check.next));
  return {};
}

Status look(CommandContext& context, const Json& event) {
  TRY_ASSIGN(std::optional<CheckOrder> order, uncommitted_change(context));
  if (!order) return {};
  TRY_ASSIGN(const std::string home, context.home());
  const fs::path file = held_file(home, event);
  Held held = read_held(file);
  if (!is_active(event)) held.blocks = 0; // a person spoke since
  const std::string change = order->base + " " + order->patch.sha256();
  if (held.change != change) {
    const bool code = changes_code(order->patch);
    const Deadline deadline(context.dependencies().stop, kBudget);
    auto check = check_here(context, *std::move(order), deadline.token());
    if (!check && check.error().code == ErrorCode::cancelled && !context.dependencies().stop.stop_requested())
      return fail(ErrorCode::cancelled, "the checks gave no verdict within a minute", "emend check");
    TRY(check);
    TRY(tell_why_not(context, *check));
    held.change = change;
    decide(*check, code, held);
  }
  answer(context, event, held);
  return keep_held(file, held);
}

// Whatever goes wrong here is not the agent's fault: it is let go, and the person is told why.
Result<ExitStatus> run_stop_hook(CommandContext& context) {
  const std::optional<Json> event = hook_event(context);
  if (!event) return ExitStatus::done;
  if (const Status looked = look(context, *event); !looked)
    (void)tell_once(context, "emend did not check this change: " + first_line(looked.error().message, 300) +
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
