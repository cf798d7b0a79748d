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

// What a final word rests on, in the words of the journal.
struct NotedGround {
  std::string files;
  Sometimes<int> number;
  Sometimes<Texts> findings;
};

NotedGround noted(const ReviewGround& ground) {
  if (ground.files.empty()) return {};
  Texts findings;
  for (const Issue& issue : ground.findings)
    findings.push_back(issue.code + " " + std::string(to_string(issue.finding.severity)));
  return {ground.files, ground.number, std::move(findings)};
}

Status note(const Ports& ports, const Forge& forge, const HeadStatus& status, const std::string& run,
            const NotedGround& ground) {
  return note_forge_event(
      ports, HeadStatusSet{forge.place().web(), status.sha, status.context, to_string(status.state),
                           status.summary, run, ground.files, ground.number, ground.findings});
}

// "BE-001 high" -> the issue as it is now, as bad as it was found.
Result<Issue> finding_named(const Ports& ports, std::string_view noted_as) {
  const std::size_t blank = noted_as.find(' ');
  TRY_ASSIGN(Issue issue, ports.store.issue(ports.repository.id(), std::string(noted_as.substr(0, blank))));
  const std::string_view severity = blank == std::string_view::npos ? "" : noted_as.substr(blank + 1);
  issue.finding.severity = parse_severity(severity).value_or(issue.finding.severity);
  return issue;
}

bool is_a_verdict(const HeadStatusSet& said) {
  return said.findings && !said.files.empty() && said.state != to_string(HeadState::pending) &&
         said.state != to_string(HeadState::error);
}

Result<KnownReview> known_review(const Ports& ports, const HeadStatusSet& said) {
  KnownReview known{said.sha, said.state, said.summary, {said.files, said.number.value_or(0), {}}};
  for (const std::string& each : *said.findings) {
    TRY_ASSIGN(Issue issue, finding_named(ports, each));
    known.ground.findings.push_back(std::move(issue));
  }
  return known;
}

Result<std::vector<HeadStatusSet>> said_of(const Ports& ports, const PendingHead& pending) {
  TRY_ASSIGN(auto known, forge_events<HeadStatusSet>(ports));
  std::erase_if(known, [&](const HeadStatusSet& each) {
    return each.sha != pending.sha || each.context != pending.context;
  });
  return known;
}

// "earlier": how often this commit was spoken of before, which tells our words from those of another time.
Status announce(const Ports& ports, const Forge& forge, PendingHead& pending) {
  TRY_ASSIGN(const auto earlier, said_of(ports, pending));
  pending.intent = new_uuid();
  Change change;
  change.intents.push_back({pending.intent,
                            forge_stream(ports),
                            kIntent,
                            {{"project", forge.place().web()},
                             {"sha", pending.sha},
                             {"context", pending.context},
                             {"earlier", earlier.size()},
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

// The check run that was made for it, from what was noted; where the end came before the answer, from the
// forge.
Result<std::string> run_of(Forge& forge, const PendingHead& pending, const std::optional<HeadStatusSet>& last,
                           std::stop_token stop) {
  if (last) return std::string(last->run);
  HeadStatus lost;
  lost.sha = pending.sha;
  lost.context = pending.context;
  lost.reference = pending.intent;
  const auto run = forge.find_check(lost, std::move(stop));
  const bool may_not =
      !run && (run.error().code == ErrorCode::auth || run.error().code == ErrorCode::not_found);
  if (may_not) return std::string(); // who may not read check runs has made none
  if (!run) return fail(run.error());
  return run->value_or("");
}

} // namespace

Result<PendingHead> show_pending(const Ports& ports, Forge& forge, StatusWay way, const std::string& sha,
                                 const std::string& context, std::stop_token stop) {
  PendingHead pending;
  pending.sha = sha;
  pending.context = context;
  TRY(announce(ports, forge, pending));
  const HeadStatus status{sha, context, HeadState::pending, "emend is at work", "", "", {}, pending.intent};
  TRY_ASSIGN(const auto run, try_check(ports, forge, way, status, pending, stop));
  pending.by_check = run.has_value();
  pending.run = run.value_or("");
  if (!run) TRY(forge.put_status(status, std::move(stop)));
  TRY(note(ports, forge, status, pending.run, {}));
  return pending;
}

namespace {

Status say_final(const Ports& ports, Forge& forge, const PendingHead& pending, HeadStatus status,
                 const NotedGround& ground, std::stop_token stop) {
  status.sha = pending.sha;
  status.context = pending.context;
  // Noted first: after a crash the same is said again, not that nothing is known.
  TRY(note(ports, forge, status, pending.run, ground));
  TRY(put(forge, pending, status, std::move(stop)));
  return ports.store.finish_intent(pending.intent);
}

} // namespace

Status show_final(const Ports& ports, Forge& forge, const PendingHead& pending, HeadStatus status,
                  const ReviewGround& ground, std::stop_token stop) {
  return say_final(ports, forge, pending, std::move(status), noted(ground), std::move(stop));
}

Result<int> close_left_open(const Ports& ports, Forge& forge, std::stop_token stop) {
  return close_each(ports, kIntent, forge.place().web(), [&](const Intent& intent) -> Status {
    PendingHead pending{
        intent.id, string_or(intent.data, "sha"), string_or(intent.data, "context"), "", false, {}};
    TRY_ASSIGN(const auto known, said_of(ports, pending));
    const auto last = known.size() > intent.data.value("earlier", std::size_t{0})
                          ? std::optional(known.back())
                          : std::nullopt;
    TRY_ASSIGN(pending.run, run_of(forge, pending, last, stop));
    pending.by_check = !pending.run.empty();
    if (last && last->state != to_string(HeadState::pending))
      return say_final(ports, forge, pending, {"", "", state_named(last->state), last->summary, "", "", {}},
                       {last->files, last->number, last->findings}, stop);
    return say_final(ports, forge, pending, {"", "", HeadState::error, kDied, "", "", {}}, {}, stop);
  });
}

Status note_override(const Ports& ports, const Forge& forge, const PullRequest& pull, const std::string& by) {
  const Actor actor{ActorKind::person, "", clean_name(by), "a label"};
  const GateOverridden told{forge.place().web(), pull.number, pull.head_sha, actor.shown()};
  TRY_ASSIGN(const auto known, forge_events<GateOverridden>(ports));
  if (std::any_of(known.begin(), known.end(), [&](const GateOverridden& each) {
        return each.project == told.project && each.number == told.number && each.head == told.head &&
               each.by == told.by;
      }))
    return {};
  AuditEntry entry;
  entry.actor = actor;
  entry.action = "gate.overridden";
  entry.repository_id = ports.repository.id();
  entry.subject = "pull request " + std::to_string(pull.number);
  entry.detail = {{"project", forge.place().web()}, {"head", pull.head_sha}};
  Change change;
  change.audit.push_back(std::move(entry));
  change.events.push_back(make_event(forge_stream(ports), "", told));
  return EventLog(ports.store, ports.clock, {}).apply(std::move(change));
}

Result<std::string> hash_of_files(Repository& repository, const std::string& commit) {
  TRY_ASSIGN(const Tree* tree, repository.tree(commit));
  std::string all;
  for (const auto& [path, entry] : *tree)
    all += std::to_string(entry.mode) + " " + entry.id + " " + path + std::string(1, '\0');
  return sha256_hex(all);
}

Result<std::optional<KnownReview>> review_of_files(const Ports& ports, const std::string& project,
                                                   const std::string& context, const std::string& files) {
  TRY_ASSIGN(const auto said, forge_events<HeadStatusSet>(ports));
  for (auto each = said.rbegin(); each != said.rend(); ++each) {
    if (each->project != project || each->context != context || each->files != files || !is_a_verdict(*each))
      continue;
    TRY_ASSIGN(KnownReview known, known_review(ports, *each));
    return std::optional(std::move(known));
  }
  return std::nullopt;
}

Result<std::optional<KnownReview>> review_of_commit(const Ports& ports, const std::string& project,
                                                    const std::string& context, const std::string& sha) {
  TRY_ASSIGN(const auto said, forge_events<HeadStatusSet>(ports));
  for (auto each = said.rbegin(); each != said.rend(); ++each) {
    if (each->project != project || each->context != context || each->sha != sha) continue;
    if (!is_a_verdict(*each)) return std::nullopt;
    TRY_ASSIGN(KnownReview known, known_review(ports, *each));
    return std::optional(std::move(known));
  }
  return std::nullopt;
}

} // namespace emend
