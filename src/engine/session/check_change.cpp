#include "engine/session/check_change.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.hpp"
#include "base/strings.hpp"
#include "engine/context/event_log.hpp"
#include "engine/context/sandbox_mode.hpp"
#include "engine/fix/fix.hpp"
#include "engine/gate/change_proof.hpp"
#include "engine/patch/called_scripts.hpp"
#include "engine/patch/static_clauses.hpp"
#include "engine/session/session_agents.hpp"
#include "engine/verify/elsewhere.hpp"
#include "engine/verify/preflight.hpp"
#include "engine/verify/probing.hpp"

namespace emend {
namespace {

// What the change is about where nobody named an issue: itself.
Issue own_issue(const Patch& patch) {
  const auto product = std::find_if(patch.changes.begin(), patch.changes.end(),
                                    [](const FileChange& change) { return !is_test_path(change.path); });
  const bool tests_only = product == patch.changes.end();
  Issue issue;
  issue.fingerprint = issue.content_fingerprint = issue.line_key = patch.sha256();
  issue.finding.title = "a change that somebody made";
  issue.finding.rule = kGivenRule;
  issue.finding.category = tests_only ? "testing" : "change";
  if (!tests_only) issue.finding.file = product->path; // never a test: that would let the change rewrite it
  return issue;
}

// Tests that pass now belong to the change if they belong to any file of it.
void widen(Issue& issue, const Patch& patch) {
  for (const FileChange& change : patch.changes)
    if (change.path != issue.finding.file) issue.finding.related_files.push_back(change.path);
}

// As for any fix, but it may touch any file that judges nothing, and how sure it is is said, not asked for.
Policy policy_for(const CheckOrder& order) {
  Policy policy = order.policy;
  policy.fixer = {};
  policy.fixer.name = kGivenBy; // no agent of this session's
  policy.fixer.engine = "builtin";
  policy.fixer_fallbacks.clear();
  policy.scope = FixScope::repository;
  policy.minimum_evidence.clear();
  policy.minimum_by_severity.clear();
  policy.minimum_by_path.clear();
  policy.challenger_enabled = order.judge;
  policy.reproduce = Reproduce::never;
  return policy;
}

// Of the base's checks, how they came out before.
Status copy_known_runs(const std::vector<std::string>& keys, RunCache& from, RunCache& to) {
  for (const std::string& key : keys) {
    TRY_ASSIGN(const std::optional<CommandRun> run, from.cached_run(key));
    if (run) TRY(to.cache_run(key, *run));
  }
  return {};
}

std::string names(const std::vector<TestOf>& tests) {
  std::vector<std::string> shown;
  for (const TestOf& test : tests) {
    if (shown.size() == 5) {
      shown.push_back(fmt::format("and {} more", tests.size() - shown.size()));
      break;
    }
    shown.push_back(test.id);
  }
  return join(shown, ", ");
}

// Tests, or checks that name none, that failed before and fail with the change.
std::vector<TestOf> failing_still(const Verification& base, const Verification& run) {
  std::vector<TestOf> still;
  for (const CommandRun& with : run.commands) {
    const CommandRun* before = base.find(with.name);
    if (before == nullptr || before->passed() || with.passed()) continue;
    const std::size_t known = still.size();
    for (const auto& [id, outcome] : with.tests.by_id) {
      const auto earlier = before->tests.by_id.find(id);
      if (outcome == "failed" && earlier != before->tests.by_id.end() && earlier->second == outcome)
        still.push_back({with.name, id});
    }
    if (still.size() == known) still.push_back({with.name, with.name});
  }
  return still;
}

std::string unprovable_reason(const Support& support, const std::vector<TestOf>& still) {
  if (support.own_judge) return "the change touches what its checks run, so they cannot speak for it";
  if (!still.empty()) return "what failed before fails still: " + names(still);
  if (support.confirmed && !support.alive)
    return "nothing that passed before fails, but no check was seen to fail when what it expects was turned "
           "around";
  return "no check can tell whether this change is right";
}

// Nothing speaks against it: what speaks for it?
void say_how_sure(const UnitTurn& turn, const std::optional<Issue>& issue, ChangeCheck& check) {
  check.standing = {evidence_of(turn.support), turn.support.marks};
  const std::string what = issue ? issue->code : "anything";
  if (check.standing.level >= Evidence::repaired) {
    check.verdict = CheckVerdict::proven;
    check.reason = turn.comparison.repaired.empty()
                       ? "a check that failed before passes now, and fails again without the change"
                       : "failed before, passes now, and fails again without the change: " +
                             names(turn.comparison.repaired);
  } else if (check.standing.level == Evidence::unbroken && check.standing.marks.shown) {
    check.verdict = CheckVerdict::proven;
    check.reason = "the tests of the change fail without it and pass with it, and nothing else fails";
  } else if (check.standing.level == Evidence::unbroken) {
    check.verdict = CheckVerdict::verified;
    check.reason = "nothing that passed before fails; no test shows that " + what + " was fixed";
  } else {
    check.verdict = CheckVerdict::unprovable;
    check.reason = unprovable_reason(
        turn.support, turn.baseline ? failing_still(*turn.baseline, turn.run) : std::vector<TestOf>{});
  }
}

CheckVerdict verdict_of(const StepStop& stop, const UnitTurn& turn, bool about_issue) {
  if (stop.step == check_can_fail) return CheckVerdict::cheat;
  if (stop.step == fails_without_change) return CheckVerdict::unprovable;
  if (stop.step == passes_checks) return stop.end.final ? CheckVerdict::unprovable : CheckVerdict::red;
  if (stop.step != keeps_static_rules) return CheckVerdict::red;
  if (!touched_tests(turn.issue.finding, turn.patch(), turn.opened).empty()) return CheckVerdict::cheat;
  const auto clauses = static_clauses(turn.issue, turn.attempt, turn.scope, turn.context.redactor);
  const std::string id = first_failure(clauses)->id;
  if (id == "P1") return about_issue ? CheckVerdict::red : CheckVerdict::nothing;
  return id == "P3" ? CheckVerdict::cheat : CheckVerdict::unprovable;
}

class CheckRun {
public:
  CheckRun(const Ports& ports, Store& records, const CheckOrder& order,
           std::function<void(const Event&)> on_event)
      : known_(ports.store), records_(records), order_(order), log_(records, ports.clock, on_event) {}

  Result<ChangeCheck> run(const Ports& ports, const std::string& home, std::stop_token stop) {
    TRY_ASSIGN(const Session session, begin(ports));
    TRY_ASSIGN(Redactor redactor, ports.redactor());
    const Ports own{records_,           ports.repository, ports.processes, ports.agents, ports.clock,
                    ports.analyzers,    Actor{},          ports.version,   nullptr,      nullptr,
                    ports.make_redactor};
    RunContext context(own, log_, home, session, std::move(redactor));
    TRY_ASSIGN(const std::unique_ptr<SessionAgents> agents, SessionAgents::assemble(context));
    const auto keys = baseline_keys(session.base, session.policy);
    TRY(copy_known_runs(keys, known_, records_));
    auto checked = look(context, *agents, stop);
    TRY(copy_known_runs(keys, records_, known_)); // also when the time was not enough for the rest
    TRY_ASSIGN(ChangeCheck check, std::move(checked));
    for (const std::string& notice : context.notices()) check.notes.push_back(notice);
    return check;
  }

private:
  // What the steps keep their records under.
  Result<Session> begin(const Ports& ports) {
    Session session;
    session.id = "check";
    session.repository_id = ports.repository.id();
    session.base = order_.base;
    session.policy = policy_for(order_);
    session.started_ms = ports.clock.wall_ms();
    settle_sandbox(ports.repository, session.policy);
    issue_ = order_.issue.value_or(own_issue(order_.patch));
    if (!order_.issue) widen(issue_, order_.patch);
    issue_.repository_id = session.repository_id;
    const std::string known_id = issue_.id;
    TRY_ASSIGN(const auto stored, records_.add_issues({issue_}, session.started_ms));
    issue_.id = stored.front().id;
    issue_.code = order_.issue ? issue_.code : stored.front().code;
    session.issue_ids = {issue_.id};
    unit_.id = new_uuid();
    unit_.session_id = session.id;
    unit_.issue_ids = session.issue_ids;
    unit_.base = session.base;
    Change change;
    change.sessions.push_back(session);
    change.units.push_back(unit_);
    TRY(records_.apply(change, session.started_ms));
    TRY(take_along(known_id));
    return session;
  }

  // What people decided about the issue, and the checks they gave for it.
  Status take_along(const std::string& known_id) {
    if (!order_.issue) return {};
    TRY_ASSIGN(const auto decisions, known_.opened_tests(known_id));
    opened_ = open_for(decisions);
    TRY_ASSIGN(std::vector<Reproducer> checks, known_.reproducers(known_id));
    std::erase_if(checks, [](const Reproducer& one) { return one.state != ReproducerState::given; });
    Change change;
    for (Reproducer& one : checks) {
      one.issue_id = issue_.id;
      one.session_id.clear();
      change.reproducers.push_back(std::move(one));
    }
    if (change.reproducers.empty()) return {};
    TRY(records_.apply(change, 0));
    return {};
  }

  Result<ChangeCheck> look(RunContext& context, SessionAgents& agents, std::stop_token stop) {
    Stages stages = agents.stages();
    TRY_ASSIGN(const auto baseline, stages.verifier.baseline(order_.base, stop));
    TRY(check_base(context.policy(), *baseline));
    TRY_ASSIGN(const Tree* tree, context.ports.repository.tree(order_.base));
    TRY_ASSIGN(const PathSet called, called_scripts(context.ports.repository, context.policy(), order_.base));
    const Scope scope(context.policy(), *tree, called, opened_);
    Attempt attempt = begin_attempt(context, context.policy().fixer, {unit_, issue_});
    attempt.ending = kNoProcess;
    attempt.claim = Claim::fixed;
    attempt.patch = order_.patch;
    Change change;
    change.attempts.push_back(attempt);
    TRY(log_.apply(std::move(change)));
    const EarlierRounds none;
    UnitTurn turn{context, stages, false, unit_, issue_, scope, called, stop, attempt, none};
    turn.opened = opened_;
    ChangeCheck check;
    TRY(decide(turn, check));
    if (order_.proof && check.verdict == CheckVerdict::proven) TRY(prove(turn, *tree, called, check));
    if (turn.baseline) check.base = *turn.baseline;
    if (!turn.run.commands.empty()) check.run = turn.run;
    check.notes = turn.notes;
    check.doubts = turn.doubts;
    return check;
  }

  Status decide(UnitTurn& turn, ChangeCheck& check) {
    TRY_ASSIGN(const std::optional<StepStop> stopped, steps_before_judge(turn));
    if (!stopped) {
      say_how_sure(turn, order_.issue, check);
      if (check.verdict == CheckVerdict::proven) TRY(check_otherwise(turn, check));
      if (check.verdict == CheckVerdict::proven) TRY(check_elsewhere(turn, check));
      return order_.judge && check.holds() ? ask_judge(turn, check) : Status{};
    }
    if (stopped->end.cancelled()) return fail(ErrorCode::cancelled, "the check was stopped");
    check.verdict = verdict_of(*stopped, turn, order_.issue.has_value());
    check.reason = stopped->end.detail.substr(0, stopped->end.detail.rfind(" [P"));
    check.failure = stopped->end.next.failure;
    return {};
  }

  Status prove(const UnitTurn& turn, const Tree& tree, const PathSet& called, ChangeCheck& check) {
    SeenChange seen{turn.context.policy(), turn.issue, turn.attempt, {}, opened_};
    TRY_ASSIGN(seen.verifications, records_.verifications(turn.context.session.id));
    TRY_ASSIGN(const std::vector<Verdict> verdicts, records_.verdicts(turn.context.session.id));
    GateInput in = gate_input(seen);
    in.base_tree = &tree;
    in.called_scripts = called;
    check.proof = change_proof(in, verdicts, turn.context.ports.version, turn.context.redactor);
    return {};
  }

  // What a session sees when its fixes are together.
  static Status check_otherwise(UnitTurn& turn, ChangeCheck& check) {
    const ProbedTree tree{turn.attempt.base, turn.product, *turn.baseline, turn.product_run};
    const ProbedFix fix{turn.issue, compare(turn.commands, *turn.baseline, turn.product_run,
                                            about_fix(turn.issue, turn.attempt))};
    Prober prober(turn.context, turn.stages.verifier);
    TRY_ASSIGN(const bool ran, prober.probe_otherwise(tree, {fix}, turn.stop));
    if (!ran) return fail(ErrorCode::cancelled, "the check was stopped");
    TRY_ASSIGN(const std::optional<Probed> probed, prober.probe(tree, fix, turn.stop));
    if (!probed || probed->end != Probed::End::failed) return {};
    check.verdict = CheckVerdict::red;
    check.reason = "the check cannot fail with this change: " + probed->detail;
    return {};
  }

  static Status check_elsewhere(UnitTurn& turn, ChangeCheck& check) {
    TRY_ASSIGN(const Verification there,
               run_elsewhere(turn.context, turn.stages.verifier, {turn.attempt.base, turn.patch(), turn.run},
                             turn.commands, turn.stop));
    if (was_cancelled(there)) return fail(ErrorCode::cancelled, "the check was stopped");
    const std::vector<std::string> red = fails_elsewhere(turn.run, there);
    if (red.empty()) return {};
    check.verdict = CheckVerdict::red;
    check.reason = join(red, "; ");
    for (const CommandRun& run : there.commands)
      if (!run.passed() && check.failure.empty()) check.failure = run.output;
    return {};
  }

  static Status ask_judge(UnitTurn& turn, ChangeCheck& check) {
    TRY_ASSIGN(const TurnEnd end, is_judged(turn));
    if (end.cancelled()) return fail(ErrorCode::cancelled, "the check was stopped");
    if (end.score >= 0) check.score = end.score;
    if (end.result == AttemptResult::accepted) return {};
    check.verdict = end.score >= 0 ? CheckVerdict::red : CheckVerdict::unprovable;
    check.reason = "the judge " + end.detail;
    check.failure = end.next.feedback;
    return {};
  }

  Store& known_;
  Store& records_;
  const CheckOrder& order_;
  EventLog log_;
  Issue issue_;
  Unit unit_;
  std::vector<OpenedTest> opened_;
};

} // namespace

std::string_view to_string(CheckVerdict verdict) {
  switch (verdict) {
    case CheckVerdict::nothing: return "NOTHING TO CHECK";
    case CheckVerdict::unprovable: return "UNPROVABLE";
    case CheckVerdict::cheat: return "CHEAT";
    case CheckVerdict::red: return "RED";
    case CheckVerdict::verified: return "VERIFIED";
    case CheckVerdict::proven: return "PROVEN";
  }
  return "UNPROVABLE";
}

std::string next_step(const ChangeCheck& check) {
  if (!check.next.empty()) return check.next;
  switch (check.verdict) {
    case CheckVerdict::nothing: return "change something, then check again";
    case CheckVerdict::unprovable:
      return "add a test that fails without the change, or ask a person to look at it";
    case CheckVerdict::cheat: return "put the tests back and fix the cause";
    case CheckVerdict::red: return "fix what fails, then check again";
    case CheckVerdict::verified: return "to prove it, add a test that fails without the change";
    case CheckVerdict::proven: return "commit it";
  }
  return "";
}

Json to_json(const ChangeCheck& check) {
  Json json = {{"verdict", to_string(check.verdict)},
               {"holds", check.holds()},
               {"reason", check.reason},
               {"failure", check.failure},
               {"evidence", to_string(check.standing.level)},
               {"marks", to_json(check.standing.marks)},
               {"score", check.score ? Json(*check.score) : Json()},
               {"notes", check.notes},
               {"next", next_step(check)},
               {"duration_ms", check.duration_ms}};
  json["base"] = check.base ? to_json(*check.base) : Json();
  json["run"] = check.run ? to_json(*check.run) : Json();
  return json;
}

Result<ChangeCheck> check_change(const Ports& ports, Store& records, const std::string& home,
                                 const CheckOrder& order, std::stop_token stop,
                                 const std::function<void(const Event&)>& on_event) {
  const std::int64_t start = ports.clock.steady_ms();
  ChangeCheck check;
  if (order.patch.empty()) {
    check.reason = "nothing differs from the base";
    return check;
  }
  if (order.policy.commands.empty()) {
    check.verdict = CheckVerdict::unprovable;
    check.reason = "this repository has no checks that could run";
    check.next = "a person can add those emend finds, and allow them: emend init, then emend trust";
    return check;
  }
  TRY(check_sandbox(order.policy, ports.repository.sandbox()));
  TRY_ASSIGN(check, CheckRun(ports, records, order, on_event).run(ports, home, stop));
  check.duration_ms = ports.clock.steady_ms() - start;
  return check;
}

} // namespace emend
