#include "cli/session_log.hpp"

#include <fmt/format.h>

#include "base/strings.hpp"
#include "engine/run_log.hpp"

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
    return fail(ErrorCode::not_found, "the session has no run \"" + one_line(wanted) + "\"", fmt::format("name one by its number, 1 to {}", runs.size()));
  return found;
}

Result<std::string> text_of(const std::string& home, const SeenRun& run, bool prompt) {
  if (prompt) return read_run_prompt(home, run.start);
  TRY_ASSIGN(LogPart part, read_run_log(home, run.start, 0, kMaxRunLog * 2));
  return std::move(part.bytes);
}

} // namespace

Result<ExitStatus> print_session_log(CommandContext& context, const SessionLogOptions& options) {
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(const std::string home, context.home());
  const auto session = store->session(options.session); // reviews and votes have runs and no session
  TRY_ASSIGN(const auto runs, seen_runs(*store, session ? session->id : options.session));
  if (runs.empty()) return fail(ErrorCode::not_found, "no agent has run in \"" + one_line(options.session) + "\"", "see `emend sessions`");
  TRY_ASSIGN(const auto numbers, chosen(runs, options.run));
  Json list = Json::array();
  for (const std::size_t i : numbers) {
    const SeenRun& run = runs[i];
    const auto text = text_of(home, run, options.prompt);
    if (!text && text.error().code != ErrorCode::not_found) return fail(text.error());
    const std::string status = status_of(home, run);
    if (context.global().json) {
      list.push_back({{"number", i + 1}, {"id", run.start.id}, {"role", run.start.role}, {"agent", run.start.agent}, {"status", status},
                      {"started_at", rfc3339_utc(run.start.started_ms)}, {options.prompt ? "prompt" : "log", text ? Json(*text) : Json(nullptr)}});
      continue;
    }
    if (numbers.size() > 1) context.print(fmt::format("{}==> {} {} {} ({})\n", i == numbers.front() ? "" : "\n", i + 1, run.start.role, one_line(run.start.agent, 60), status));
    if (text) context.print(*text);
    else context.hint(text.error().message);
  }
  if (context.global().json) context.print_json_list("runs", std::move(list));
  return context.finish(ExitStatus::done);
}

} // namespace emend
