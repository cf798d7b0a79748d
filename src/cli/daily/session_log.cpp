#include "cli/daily/session_log.hpp"

#include <fmt/format.h>

#include <chrono>
#include <map>
#include <thread>

#include "base/strings.hpp"
#include "engine/agents/run_log.hpp"
#include "engine/branch/recovery.hpp"

namespace emend {

namespace {

std::string status_of(const std::string& home, const SeenRun& run) {
  if (run.record) return std::string(to_string(run.record->state.status));
  return is_running(home, run) ? "running" : "interrupted";
}

// By number or by the beginning of the id; all of them when none is named.
Result<std::vector<std::size_t>> chosen(const std::vector<SeenRun>& runs, const std::string& wanted) {
  std::vector<std::size_t> found;
  const auto number = parse_unsigned(wanted);
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (wanted.empty() || (number && *number == i + 1)) found.push_back(i);
  for (std::size_t i = 0; found.empty() && i < runs.size(); ++i)
    if (runs[i].start.id.starts_with(wanted)) found.push_back(i);
  if (found.empty())
    return fail(ErrorCode::not_found, "the session has no run \"" + one_line(wanted) + "\"",
                fmt::format("name one by its number, 1 to {}", runs.size()));
  return found;
}

Result<std::string> text_of(const std::string& home, const SeenRun& run, bool prompt) {
  if (prompt) return read_run_prompt(home, run.start);
  TRY_ASSIGN(LogPart part, read_run_log(home, run.start, 0, kMaxRunLog * 2));
  return std::move(part.bytes);
}

// Prints what is new in the logs, run by run as they speak; true = there was something.
class LogFollower {
public:
  LogFollower(CommandContext& context, std::string home, std::string wanted)
      : context_(context), home_(std::move(home)), wanted_(std::move(wanted)) {}

  Result<bool> look(const std::vector<SeenRun>& runs) {
    if (runs.empty()) return false;
    const auto numbers = chosen(runs, wanted_);
    if (!numbers && wanted_.empty()) return fail(numbers.error());
    bool anything = false;
    for (const std::size_t i :
         numbers ? *numbers : std::vector<std::size_t>()) { // a run that is asked for may be yet to come
      TRY_ASSIGN(const bool more, print_new(runs[i], i));
      anything = anything || more;
    }
    return anything;
  }

private:
  Result<bool> print_new(const SeenRun& run, std::size_t number) {
    auto part = read_run_log(home_, run.start, printed_[run.start.id], kMaxRunLog * 2);
    if (!part && part.error().code == ErrorCode::not_found) return false;
    TRY(part);
    if (part->bytes.empty()) return false;
    printed_[run.start.id] += part->bytes.size();
    if (last_ != run.start.id && wanted_.empty()) {
      context_.print(fmt::format("{}==> {} {} {}\n",
                                 last_.empty()  ? ""
                                 : at_line_end_ ? "\n"
                                                : "\n\n",
                                 number + 1, run.start.role, one_line(run.start.agent, 60)));
    }
    last_ = run.start.id;
    at_line_end_ = part->bytes.back() == '\n';
    context_.print(part->bytes);
    return true;
  }

  CommandContext& context_;
  std::string home_, wanted_;
  std::map<std::string, std::uint64_t> printed_;
  std::string last_;
  bool at_line_end_ = true;
};

bool goes_on(const Result<Session>& session) {
  if (!session) return false;
  const SessionStatus status = present_status(*session);
  return status == SessionStatus::running || status == SessionStatus::planned;
}

Result<ExitStatus> follow_session_log(CommandContext& context, const SessionLogOptions& options) {
  constexpr std::chrono::milliseconds kLook(250);
  if (options.prompt || context.global().json)
    return fail(ErrorCode::usage, "--follow prints the output of agents as text",
                "leave out --prompt and --json");
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(const std::string home, context.home());
  TRY_ASSIGN(const Session session, store->session(options.session));
  LogFollower follower(context, home, options.run);
  const std::stop_token stop = context.dependencies().stop;
  while (true) {
    const bool more_to_come =
        goes_on(store->session(session.id)); // before looking: what was said until then is printed
    TRY_ASSIGN(const auto runs, seen_runs(*store, session.id));
    TRY_ASSIGN(const bool anything, follower.look(runs));
    if (stop.stop_requested()) return fail(ErrorCode::cancelled, "stopped following; the session continues");
    if (!more_to_come && !anything) return context.finish(ExitStatus::done);
    if (!anything) std::this_thread::sleep_for(kLook);
  }
}

} // namespace

Result<ExitStatus> print_session_log(CommandContext& context, const SessionLogOptions& options) {
  if (options.follow) return follow_session_log(context, options);
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(const std::string home, context.home());
  const auto session = store->session(options.session); // reviews and votes have runs and no session
  TRY_ASSIGN(const auto runs, seen_runs(*store, session ? session->id : options.session));
  if (runs.empty())
    return fail(ErrorCode::not_found, "no agent has run in \"" + one_line(options.session) + "\"",
                "see `emend sessions`");
  TRY_ASSIGN(const auto numbers, chosen(runs, options.run));
  Json list = Json::array();
  for (const std::size_t i : numbers) {
    const SeenRun& run = runs[i];
    const auto text = text_of(home, run, options.prompt);
    if (!text && text.error().code != ErrorCode::not_found) return fail(text.error());
    const std::string status = status_of(home, run);
    if (context.global().json) {
      list.push_back({{"number", i + 1},
                      {"id", run.start.id},
                      {"role", run.start.role},
                      {"agent", run.start.agent},
                      {"status", status},
                      {"started_at", rfc3339_utc(run.start.started_ms)},
                      {options.prompt ? "prompt" : "log", text ? Json(*text) : Json(nullptr)}});
      continue;
    }
    if (numbers.size() > 1)
      context.print(fmt::format("{}==> {} {} {} ({})\n", i == numbers.front() ? "" : "\n", i + 1,
                                run.start.role, one_line(run.start.agent, 60), status));
    if (text)
      context.print(*text);
    else
      context.hint(text.error().message);
  }
  if (context.global().json) context.print_json_list("runs", std::move(list));
  return context.finish(ExitStatus::done);
}

} // namespace emend
