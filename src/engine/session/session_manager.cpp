#include "engine/session/session_manager.hpp"
#include "engine/branch/ledger.hpp"

#include <fmt/format.h>

#include "base/hash.hpp"
#include "base/strings.hpp"
#include "engine/branch/sync.hpp"
#include "engine/context/audit.hpp"
#include "engine/context/event_log.hpp"
#include "engine/context/run_context.hpp"
#include "engine/fix/fixer_prompt.hpp"
#include "engine/intake/importer.hpp"
#include "engine/intake/known_issues.hpp"
#include "engine/intake/triage.hpp"
#include "engine/review/review.hpp"
#include "engine/session/report.hpp"
#include "engine/verify/verify.hpp"
#include "model/events.hpp"

namespace emend {

SessionManager::SessionManager(Ports ports, std::string home, std::function<void(const Event&)> on_event)
    : ports_(ports), home_(std::move(home)), on_event_(std::move(on_event)) {}

Result<std::vector<Issue>> SessionManager::add_findings(const std::vector<Finding>& findings,
                                                        const std::string& base_ref) {
  std::vector<Issue> issues;
  const auto give_each = [&](const TakeFinding& take) -> Status {
    for (const Finding& finding : findings) TRY(take(finding));
    return {};
  };
  TRY(import_findings(base_ref, give_each, [&](Issue&& issue) { issues.push_back(std::move(issue)); }));
  return issues;
}

Status SessionManager::import_findings(const std::string& base_ref,
                                       const std::function<Status(const TakeFinding&)>& findings,
                                       const std::function<void(Issue&&)>& stored) {
  TRY_ASSIGN(const std::string base, ports_.repository.resolve(base_ref));
  TRY_ASSIGN(Importer importer, Importer::begin(ports_, base, stored));
  TRY(findings([&](Finding finding) { return importer.take(std::move(finding)); }));
  return importer.finish();
}

Result<std::vector<Issue>> SessionManager::preview_findings(const std::vector<Finding>& findings,
                                                            const std::string& base_ref) {
  TRY_ASSIGN(const std::string base, ports_.repository.resolve(base_ref));
  TRY_ASSIGN(const Tree* tree, ports_.repository.tree(base));
  TRY_ASSIGN(const Redactor redactor, ports_.redactor());
  TRY_ASSIGN(std::vector<Issue> issues, triage(findings, ports_.repository, base, redactor));
  Sighting sighting = new_sighting(base, [tree](const std::string& file) { return tree->contains(file); });
  sighting.dry = true;
  TRY_ASSIGN(issues, ports_.store.add_issues(std::move(issues), ports_.clock.wall_ms(), sighting));
  EventLog log(ports_.store, ports_.clock, {});
  TRY_ASSIGN(const auto seen, judge_sightings(issues, base, false, ports_.repository, ports_.store, log));
  std::size_t fresh = 0;
  for (Issue& issue : issues) {
    if (const auto as = seen.find(issue.fingerprint); as != seen.end() && as->second == SeenAs::regressed)
      issue.status = IssueStatus::open;
    if (!issue.id.empty()) continue;
    issue.id = new_uuid();
    issue.code = fmt::format("NEW-{:03}", ++fresh);
  }
  return issues;
}

Result<Review> SessionManager::review(const std::vector<std::unique_ptr<Analyzer>>& analyzers,
                                      const ReviewRequest& request, std::stop_token stop) {
  return emend::review(ports_, analyzers, request, stop);
}

Result<std::vector<DryRunPrompt>> SessionManager::dry_run(const FixRequest& request,
                                                          const std::vector<Issue>& issues) {
  EventLog log(ports_.store, ports_.clock, {});
  Session session;
  session.id = "dry-run";
  session.repository_id = ports_.repository.id();
  TRY_ASSIGN(session.base, ports_.repository.resolve(request.base_ref));
  session.review_report = request.review_report;
  session.policy = request.policy;
  TRY_ASSIGN(Redactor redactor, Redactor::with_patterns(request.policy.redact_patterns));
  RunContext context(ports_, log, home_, session, std::move(redactor));
  std::vector<DryRunPrompt> prompts;
  for (const Issue& issue : issues) {
    Unit unit;
    unit.session_id = session.id;
    unit.base = session.base;
    unit.issue_ids = {issue.id};
    TRY_ASSIGN(TurnPrompt prompt, turn_prompt(context, unit, issue, EarlierRounds{}, nullptr));
    prompts.push_back({issue.code, prompt.role, request.policy.fixer.name, std::move(prompt.text)});
  }
  return prompts;
}

Result<Verification> SessionManager::verify(const Policy& policy, const std::string& ref,
                                            const std::vector<std::string>& names, std::stop_token stop) {
  EventLog log(ports_.store, ports_.clock, on_event_);
  Session session;
  session.id = "verify";
  session.policy = policy;
  TRY_ASSIGN(session.base, ports_.repository.resolve(ref));
  std::vector<VerifyCommand> commands;
  for (const VerifyCommand& command : policy.commands)
    if (names.empty() || std::find(names.begin(), names.end(), command.name) != names.end())
      commands.push_back(command);
  for (const std::string& name : names)
    if (std::none_of(commands.begin(), commands.end(),
                     [&](const VerifyCommand& command) { return command.name == name; }))
      return fail(ErrorCode::usage, "there is no check named " + name, "see `emend verify --list`");
  TRY_ASSIGN(Redactor redactor, Redactor::with_patterns(policy.redact_patterns));
  RunContext context(ports_, log, home_, session, std::move(redactor));
  return Verifier(context).execute(VerificationKind::baseline, session.base, Patch{}, commands, stop);
}

Result<FixReport> SessionManager::report(const std::string& session_id) {
  return make_report(ports_, session_id);
}

Result<Explanation> SessionManager::explain(const std::string& code) {
  TRY_ASSIGN(const Issue issue, ports_.store.issue(ports_.repository.id(), code));
  return make_explanation(ports_, issue);
}

Result<Issue> SessionManager::decide(const std::string& code, IssueStatus to, IssueMove move) {
  TRY_ASSIGN(const Issue issue, ports_.store.issue(ports_.repository.id(), code));
  if (!may_move(issue.status, to, Mover::person))
    return fail(
        ErrorCode::usage,
        fmt::format("{} is {}: it cannot become {}", issue.code, to_string(issue.status), to_string(to)),
        "see `emend explain " + issue.code + "`");
  move.issue_id = issue.id;
  move.from = issue.status;
  move.to = to;
  move.mover = Mover::person;
  Event event = make_event(issue.session_id, issue.code,
                           IssueUpdated{to_string(to), move.reason, move.detail, {}, {}, {}, {}});
  Change change;
  note_audit(
      change, ports_, to == IssueStatus::open ? "issue.reopened" : "issue." + to_lower(to_string(to)),
      issue.code, issue.session_id,
      {{"severity", to_string(issue.finding.severity)}, {"reason", move.reason}, {"note", move.detail}});
  change.moves.push_back(std::move(move));
  change.events.push_back(std::move(event));
  EventLog log(ports_.store, ports_.clock, on_event_);
  TRY(log.apply(std::move(change)));
  return ports_.store.issue(issue.repository_id, issue.id);
}

Result<SyncReport> SessionManager::sync(const std::string& branch, std::stop_token stop) {
  EventLog log(ports_.store, ports_.clock, on_event_);
  TRY_ASSIGN(SyncReport report, sync_merged(ports_, log, branch, stop));
  TRY(update_ledger(ports_, report.target, stop));
  return report;
}

Result<std::vector<FixOutcome>> SessionManager::outcomes(const std::string& branch, std::stop_token stop) {
  const auto target = sync_target(ports_.repository, branch);
  if (!target && !branch.empty()) return fail(target.error());
  if (!target) return ports_.store.fix_outcomes(ports_.repository.id());
  return update_ledger(ports_, *target, stop);
}

Result<Issue> SessionManager::reopen(const std::string& code, const std::string& note) {
  IssueMove move;
  move.reason = "reopened";
  move.detail = note;
  return decide(code, IssueStatus::open, std::move(move));
}

Result<Issue> SessionManager::ignore(const std::string& code, const std::string& reason,
                                     const std::string& note) {
  IssueMove move;
  move.reason = reason;
  move.detail = note;
  return decide(code, IssueStatus::ignored, std::move(move));
}

Result<Issue> SessionManager::mark_duplicate(const std::string& code, const std::string& of) {
  TRY_ASSIGN(const Issue original, ports_.store.issue(ports_.repository.id(), of));
  TRY_ASSIGN(const Issue issue, ports_.store.issue(ports_.repository.id(), code));
  if (original.id == issue.id) return fail(ErrorCode::usage, issue.code + " cannot be a duplicate of itself");
  if (original.status == IssueStatus::duplicate)
    return fail(ErrorCode::usage, original.code + " is itself a duplicate of " + original.duplicate_of,
                "name that one instead");
  IssueMove move;
  move.reason = "duplicate";
  move.detail = "duplicate of " + original.code;
  move.duplicate_of = original.code;
  return decide(code, IssueStatus::duplicate, std::move(move));
}

} // namespace emend
