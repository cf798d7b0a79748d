#include "engine/forge/head_report.hpp"

#include <algorithm>

#include "base/hash.hpp"
#include "engine/forge/forge_log.hpp"
#include "engine/forge/owner.hpp"
#include "model/events.hpp"

namespace emend {

namespace {

constexpr const char* kIntent = "head-status";
constexpr const char* kDied = "emend ended before it was done; nothing is known about this change";

HeadState state_named(std::string_view word) {
  for (const HeadState state :
       {HeadState::pending, HeadState::success, HeadState::neutral, HeadState::failure})
    if (to_string(state) == word) return state;
  return HeadState::error;
}

Result<bool> check_runs_were_refused(const Ports& ports, const Forge& forge) {
  TRY_ASSIGN(const auto known, forge_events<CheckRunsRefused>(ports));
  return std::any_of(known.begin(), known.end(),
                     [&](const CheckRunsRefused& each) { return each.project == forge.place().web(); });
}

Status note(const Ports& ports, const Forge& forge, const HeadStatus& status, const std::string& run,
            const std::string& files) {
  return note_forge_event(ports, HeadStatusSet{forge.place().web(), status.sha, status.context,
                                               to_string(status.state), status.summary, run, files});
}

Status announce(const Ports& ports, const Forge& forge, PendingHead& pending) {
  pending.intent = new_uuid();
  Change change;
  change.intents.push_back({pending.intent,
                            forge_stream(ports),
                            kIntent,
                            {{"project", forge.place().web()},
                             {"sha", pending.sha},
                             {"context", pending.context},
                             {"owner", owner_of_this()}}});
  TRY(ports.store.apply(change, ports.clock.wall_ms()));
  return {};
}

// A check run where the token may make one; nullopt = a status it is.
Result<std::optional<std::string>> try_check(const Ports& ports, Forge& forge, StatusWay way,
                                             const HeadStatus& status, PendingHead& pending,
                                             std::stop_token stop) {
  if (way == StatusWay::status) return std::nullopt;
  TRY_ASSIGN(const bool refused, check_runs_were_refused(ports, forge));
  if (way == StatusWay::automatic && refused) return std::nullopt;
  auto run = forge.put_check(status, "", std::move(stop));
  if (run) return std::optional(*std::move(run));
  const ErrorCode code = run.error().code;
  const bool may_not = code == ErrorCode::auth || code == ErrorCode::usage || code == ErrorCode::not_found;
  if (way == StatusWay::check || !may_not) return fail(run.error());
  TRY(note_forge_event(ports, CheckRunsRefused{forge.place().web(), run.error().message}));
  pending.notes.push_back("this token may not make check runs (" + run.error().message +
                          "): commit statuses are used from now on");
  return std::nullopt;
}

Status put(Forge& forge, const PendingHead& pending, const HeadStatus& status, std::stop_token stop) {
  if (!pending.by_check) return forge.put_status(status, std::move(stop));
  TRY(forge.put_check(status, pending.run, std::move(stop)));
  return {};
}

// The check run that was made for it, if its answer came before the end did.
Result<std::string> run_of(const Ports& ports, const PendingHead& pending) {
  TRY_ASSIGN(const auto known, forge_events<HeadStatusSet>(ports));
  for (auto each = known.rbegin(); each != known.rend(); ++each)
    if (each->sha == pending.sha && each->context == pending.context)
      return each->state == to_string(HeadState::pending) ? std::string(each->run) : std::string();
  return std::string();
}

} // namespace

Result<PendingHead> show_pending(const Ports& ports, Forge& forge, StatusWay way, const std::string& sha,
                                 const std::string& context, std::stop_token stop) {
  PendingHead pending;
  pending.sha = sha;
  pending.context = context;
  const HeadStatus status{sha, context, HeadState::pending, "emend is at work", "", "", {}};
  TRY(announce(ports, forge, pending));
  TRY_ASSIGN(const auto run, try_check(ports, forge, way, status, pending, stop));
  pending.by_check = run.has_value();
  pending.run = run.value_or("");
  if (!run) TRY(forge.put_status(status, std::move(stop)));
  TRY(note(ports, forge, status, pending.run, ""));
  return pending;
}

Status show_final(const Ports& ports, Forge& forge, const PendingHead& pending, HeadStatus status,
                  const std::string& files, std::stop_token stop) {
  status.sha = pending.sha;
  status.context = pending.context;
  TRY(put(forge, pending, status, std::move(stop)));
  TRY(note(ports, forge, status, pending.run, files));
  return ports.store.finish_intent(pending.intent);
}

Result<int> close_left_open(const Ports& ports, Forge& forge, std::stop_token stop) {
  TRY_ASSIGN(const std::vector<Intent> open, ports.store.open_intents(forge_stream(ports)));
  int closed = 0;
  for (const Intent& intent : open) {
    if (intent.kind != kIntent || string_or(intent.data, "project") != forge.place().web() ||
        is_at_work(intent.data.value("owner", Json())))
      continue;
    PendingHead pending{
        intent.id, string_or(intent.data, "sha"), string_or(intent.data, "context"), "", false, {}};
    TRY_ASSIGN(pending.run, run_of(ports, pending));
    pending.by_check = !pending.run.empty();
    TRY(show_final(ports, forge, pending, {"", "", HeadState::error, kDied, "", "", {}}, "", stop));
    ++closed;
  }
  return closed;
}

Result<std::string> hash_of_files(Repository& repository, const std::string& commit) {
  TRY_ASSIGN(const Tree* tree, repository.tree(commit));
  std::string all;
  for (const auto& [path, entry] : *tree)
    all += std::to_string(entry.mode) + " " + entry.id + " " + path + std::string(1, '\0');
  return sha256_hex(all);
}

Result<HeadStatus> known_status(const Ports& ports, const std::string& project, const std::string& context,
                                const std::string& files) {
  TRY_ASSIGN(const auto known, forge_events<HeadStatusSet>(ports));
  for (auto each = known.rbegin(); each != known.rend(); ++each)
    if (each->project == project && each->context == context && each->files == files && !files.empty() &&
        each->state != to_string(HeadState::pending) && each->state != to_string(HeadState::error))
      return HeadStatus{each->sha, context, state_named(each->state), each->summary, "", "", {}};
  return HeadStatus{};
}

} // namespace emend
