#include "engine/commit.hpp"

#include "engine/git_proposals.hpp"

#include <fmt/format.h>

#include "base/crash_point.hpp"
#include "base/hash.hpp"
#include "base/mutant.hpp"
#include "base/strings.hpp"
#include "engine/comparison.hpp"
#include "engine/gate.hpp"
#include "engine/new_files.hpp"
#include "engine/proof_bundle.hpp"
#include "engine/proof_parts.hpp"
#include "engine/scope.hpp"

namespace emend {
namespace {

// The commands that count for at least one of the fixes or for one that is committed already, and all that
// pass on the base: whatever its paths say, a fix of another file must not break them.
std::vector<VerifyCommand> commands_of(const Policy& policy, const std::vector<AcceptedFix>& fixes,
                                       const std::vector<Issue>& settled, const Verification& baseline) {
  std::vector<VerifyCommand> chosen;
  for (const VerifyCommand& command : policy.commands) {
    const CommandRun* before = baseline.find(command.name);
    const bool wanted =
        (before != nullptr && before->passed()) ||
        std::any_of(fixes.begin(), fixes.end(),
                    [&](const AcceptedFix& fix) { return command.applies_to(fix.issue.finding.file); }) ||
        std::any_of(settled.begin(), settled.end(),
                    [&](const Issue& issue) { return command.applies_to(issue.finding.file); });
    if (wanted) chosen.push_back(command);
  }
  return chosen;
}

// Tries prefixes of a list of fixes whose combination fails one of its two checks.
class Bisection {
public:
  Bisection(RunContext& context, Verifier& verifier, Rescanner& rescanner, Reproduction& reproduction,
            const CombineOrder& order, std::stop_token stop)
      : context_(context),
        verifier_(verifier),
        rescanner_(rescanner),
        reproduction_(reproduction),
        order_(order),
        stop_(stop) {}

  struct Outcome {
    bool passed = false;
    bool cancelled = false;
    std::string detail, failure;
    std::optional<Verification> run; // what the outcome was read from
  };
  using Check = Result<Outcome> (Bisection::*)(const std::vector<AcceptedFix>& fixes, std::size_t n);

  // Merged patch of the first n fixes. Conflicts were sorted out before, so merging succeeds.
  Result<Patch> merged(const std::vector<AcceptedFix>& fixes, std::size_t n) {
    Patch patch;
    for (std::size_t i = 0; i < n; ++i) {
      TRY_ASSIGN(std::optional<Patch> next, context_.ports.repository.merge(patch, fixes[i].attempt.patch));
      if (!next) return fail(ErrorCode::internal, "a combination that merged before does not merge any more");
      patch = *std::move(next);
    }
    return patch;
  }

  Result<Outcome> verify(const std::vector<AcceptedFix>& fixes, std::size_t n) {
    const std::vector<AcceptedFix> subset(fixes.begin(), fixes.begin() + static_cast<std::ptrdiff_t>(n));
    if (context_.policy().commands.empty() || n == 0) return Outcome{true, false, {}, {}, {}};
    auto baseline = verifier_.baseline(order_.base, stop_);
    if (!baseline && baseline.error().code == ErrorCode::cancelled) return Outcome{false, true, {}, {}, {}};
    TRY(baseline);
    const auto commands = commands_of(context_.policy(), subset, order_.settled, **baseline);
    if (commands.empty()) return Outcome{true, false, {}, {}, {}};
    TRY_ASSIGN(const Patch patch, merged(fixes, n));
    TRY_ASSIGN(const std::optional<Verification> run, run_on(patch, commands, subset));
    if (!run) return Outcome{false, true, {}, {}, {}};
    Outcome outcome = outcome_of(compare(commands, **baseline, *run), "");
    outcome.run = run;
    if (!outcome.passed) return outcome;
    // The tests the fixes bring along must not be what makes the existing ones pass.
    const Patch product = without_new_tests(patch);
    if (product.changes.size() == patch.changes.size() || product.empty()) return outcome;
    TRY_ASSIGN(const std::optional<Verification> without, run_on(product, commands, subset));
    if (!without) return Outcome{false, true, {}, {}, {}};
    Outcome frozen = outcome_of(compare(commands, **baseline, *without), "without the tests it adds: ");
    frozen.run = std::move(outcome.run);
    return frozen;
  }

  // The analyzers on the whole: everything the session changes, against the base the findings were seen on.
  // Passed: nothing new counts against one of the fixes. Findings that stayed are named in the record.
  Result<Outcome> rescan(const std::vector<AcceptedFix>& fixes, std::size_t n) {
    std::vector<const Issue*> issues;
    for (const Issue& issue : order_.settled)
      if (rescanner_.can_judge(issue)) issues.push_back(&issue);
    const std::size_t old = issues.size();
    for (std::size_t i = 0; i < n; ++i)
      if (rescanner_.can_judge(fixes[i].issue)) issues.push_back(&fixes[i].issue);
    if (issues.size() == old) return Outcome{true, false, {}, {}, {}};
    TRY_ASSIGN(const Patch patch, merged(fixes, n));
    TRY_ASSIGN(std::optional<Verification> run,
               rescanner_.run(context_.session.base, compose(order_.before, patch), issues, nullptr, stop_));
    if (!run) return Outcome{false, true, {}, {}, {}};
    Outcome outcome;
    outcome.passed = true;
    for (const Issue* issue : issues) {
      const std::vector<SeenFinding> fresh = fresh_against(*run->rescan, issue->finding.severity, patch);
      if (fresh.empty() || !touched(fixes, n, fresh.front().file)) continue;
      outcome.passed = false;
      outcome.detail =
          fmt::format("{} reports {} at {}:{}, which was not there before", fresh.front().analyzer,
                      fresh.front().rule, fresh.front().file, fresh.front().line);
    }
    outcome.run = std::move(run);
    return outcome;
  }

  // Every reproducer of what is in the tree, the commits before included, must be green in it.
  Result<Outcome> reproduce(const std::vector<AcceptedFix>& fixes, std::size_t n) {
    TRY_ASSIGN(const Patch patch, merged(fixes, n));
    std::vector<const Issue*> issues;
    for (const Issue& issue : order_.settled) issues.push_back(&issue);
    for (std::size_t i = 0; i < n; ++i) issues.push_back(&fixes[i].issue);
    for (const Issue* issue : issues) {
      TRY_ASSIGN(const std::optional<bool> green,
                 reproduction_.stays_green(*issue, order_.base, patch, stop_));
      if (!green) return Outcome{false, true, {}, {}, {}};
      if (!*green)
        return Outcome{false,
                       false,
                       "the reproducer of " + issue->code + " is not green with all fixes together",
                       {},
                       {}};
    }
    return Outcome{true, false, {}, {}, {}};
  }

  // The length of the shortest known prefix that fails while the one before it passes; all of `fixes` is
  // known to fail.
  Result<std::size_t> first_bad(const std::vector<AcceptedFix>& fixes, Check check, Outcome& outcome) {
    std::size_t good = 0, bad = fixes.size();
    while (bad - good > 1) {
      const std::size_t middle = good + (bad - good) / 2;
      TRY_ASSIGN(Outcome tried, (this->*check)(fixes, middle));
      if (tried.cancelled) {
        outcome = std::move(tried);
        return bad;
      }
      if (tried.passed)
        good = middle;
      else {
        bad = middle;
        outcome = std::move(tried);
      }
    }
    return bad;
  }

private:
  static bool touched(const std::vector<AcceptedFix>& fixes, std::size_t n, const std::string& file) {
    return std::any_of(fixes.begin(), fixes.begin() + static_cast<std::ptrdiff_t>(n),
                       [&](const AcceptedFix& fix) { return fix.attempt.patch.find(file) != nullptr; });
  }

  static Outcome outcome_of(const Comparison& comparison, const std::string& where) {
    Outcome outcome;
    outcome.passed = comparison.failures.empty() && comparison.lost_tests.empty();
    if (!outcome.passed)
      outcome.detail = where + join(comparison.failures, "; ") + join(comparison.lost_tests, "; ");
    if (comparison.first_failure != nullptr) outcome.failure = comparison.first_failure->output;
    return outcome;
  }

  // Known, or run now and stored; nullopt = cancelled.
  Result<std::optional<Verification>> run_on(const Patch& patch, const std::vector<VerifyCommand>& commands,
                                             const std::vector<AcceptedFix>& subset) {
    TRY_ASSIGN(std::optional<Verification> run, known_run(patch, commands, subset));
    if (run) return run;
    TRY_ASSIGN(run, verifier_.run(VerificationKind::combined, order_.base, patch, commands, nullptr, stop_));
    if (was_cancelled(*run)) run.reset();
    return run;
  }

  // The same tree was verified before: by a run that was interrupted, or alone when there is only one fix.
  Result<std::optional<Verification>> known_run(const Patch& patch,
                                                const std::vector<VerifyCommand>& commands,
                                                const std::vector<AcceptedFix>& subset) {
    TRY_ASSIGN(const std::vector<Verification> runs, context_.ports.store.verifications(context_.session.id));
    const std::string sha = patch.sha256();
    for (const Verification& run : runs) {
      const bool alone =
          run.kind == VerificationKind::alone && subset.size() == 1 && run.issue_id == subset[0].issue.id;
      const bool ours = run.kind == VerificationKind::combined || alone;
      if (!ours || run.base != order_.base || run.patch_sha256 != sha) continue;
      const bool complete = std::all_of(commands.begin(), commands.end(),
                                        [&](const VerifyCommand& c) { return run.find(c.name) != nullptr; });
      if (complete) return std::optional<Verification>(run);
    }
    return std::optional<Verification>{};
  }

  RunContext& context_;
  Verifier& verifier_;
  Rescanner& rescanner_;
  Reproduction& reproduction_;
  const CombineOrder& order_;
  std::stop_token stop_;
};

// Fixes with the very same patch cannot be separated: two reviewers reported one bug. They share a commit. In
// order, fixes[i] included.
std::vector<const AcceptedFix*> same_patch(const std::vector<AcceptedFix>& fixes, std::size_t i) {
  std::vector<const AcceptedFix*> same;
  for (const AcceptedFix& fix : fixes)
    if (fix.attempt.base == fixes[i].attempt.base &&
        fix.attempt.patch.sha256() == fixes[i].attempt.patch.sha256())
      same.push_back(&fix);
  return same;
}

// For the intent to publish them: whoever finds the branch after a crash knows what is on it without making
// it again.
Json encode(const std::vector<CommitRecord>& commits) {
  Json rows = Json::array();
  for (const CommitRecord& commit : commits)
    rows.push_back({{"sha", commit.sha},
                    {"parent", commit.parent},
                    {"issue_ids", commit.issue_ids},
                    {"patch_sha256", commit.patch_sha256},
                    {"subject", commit.subject}});
  return rows;
}

std::vector<CommitRecord> decode(const Json& data, const std::string& session_id) {
  std::vector<CommitRecord> commits;
  const Json* rows = find_member(data, "commits");
  if (rows == nullptr || !rows->is_array()) return commits;
  for (const Json& row : *rows) {
    CommitRecord commit{string_or(row, "sha"),          string_or(row, "parent"), session_id, {},
                        string_or(row, "patch_sha256"), string_or(row, "subject")};
    if (const Json* ids = find_member(row, "issue_ids"); ids != nullptr && ids->is_array())
      for (const Json& id : *ids)
        if (id.is_string()) commit.issue_ids.push_back(id.get<std::string>());
    commits.push_back(std::move(commit));
  }
  return commits;
}

// At most 72 bytes with the code, which must never be cut off. Redacted before it is cut: half a secret is
// not recognised as one.
std::string subject_of(const RunContext& context, const Issue& issue) {
  std::string title = first_line(context.safe(issue.finding.title), 200);
  while (!title.empty() && (title.back() == '.' || title.back() == ' ')) title.pop_back();
  const std::size_t room = 72 - std::string_view("fix:  ()").size() - issue.code.size();
  return fmt::format("fix: {} ({})", title.size() <= room ? title : first_line(title, room - 3), issue.code);
}

} // namespace

namespace {

// Takes what makes the combination fail `check` out of it, one at a time. True: it had to take something out,
// or was cancelled.
Result<bool> take_out_culprit(RunContext& context, Bisection& bisection, Bisection::Check check,
                              Bisection::Outcome outcome, Combination& result) {
  if (outcome.passed) return false;
  TRY_ASSIGN(const std::size_t bad,
             outcome.cancelled ? Result<std::size_t>(0) : bisection.first_bad(result.kept, check, outcome));
  result.cancelled = outcome.cancelled;
  if (outcome.cancelled) return true;
  const auto culprit = result.kept.begin() + static_cast<std::ptrdiff_t>(bad - 1);
  context.notice(
      fmt::format("{} breaks the combination and is taken out; the others are kept", culprit->issue.code));
  result.dropped.push_back({*culprit, outcome.detail, outcome.failure});
  result.kept.erase(culprit);
  return true;
}

// Those whose own finding is not shown to be gone are known by name; what is new has to be bisected.
bool take_out_unproven(Rescan rescan, Rescanner& rescanner, Combination& result) {
  rescan.fresh.clear();
  const auto unproven = [&](const AcceptedFix& fix) {
    return rescanner.can_judge(fix.issue) && !rescan_problem(rescan, fix.issue, fix.attempt.patch).empty();
  };
  const std::size_t before = result.kept.size();
  for (const AcceptedFix& fix : result.kept)
    if (unproven(fix))
      result.dropped.push_back({fix, rescan_problem(rescan, fix.issue, fix.attempt.patch), ""});
  std::erase_if(result.kept, unproven);
  return result.kept.size() != before;
}

} // namespace

Result<Combination> combine(RunContext& context, Verifier& verifier, Rescanner& rescanner,
                            Reproduction& reproduction, const CombineOrder& order, std::stop_token stop) {
  Combination result;
  for (const AcceptedFix& fix : order.fixes) {
    TRY_ASSIGN(std::optional<Patch> next, context.ports.repository.merge(result.patch, fix.attempt.patch));
    if (next) {
      result.patch = *std::move(next);
      result.kept.push_back(fix);
    } else {
      result.conflicting.push_back(fix);
    }
  }
  Bisection bisection(context, verifier, rescanner, reproduction, order, stop);
  while (!result.kept.empty()) { // until nothing had to be taken out
    TRY_ASSIGN(Bisection::Outcome seen, bisection.rescan(result.kept, result.kept.size()));
    result.rescan = seen.run;
    if (seen.run && take_out_unproven(*seen.run->rescan, rescanner, result)) continue;
    TRY_ASSIGN(const bool changed,
               take_out_culprit(context, bisection, &Bisection::rescan, std::move(seen), result));
    if (result.cancelled) return result;
    if (changed) continue;
    TRY_ASSIGN(Bisection::Outcome ran, bisection.verify(result.kept, result.kept.size()));
    result.verified = ran.run;
    TRY_ASSIGN(const bool broken,
               take_out_culprit(context, bisection, &Bisection::verify, std::move(ran), result));
    if (result.cancelled) return result;
    if (broken) continue;
    TRY_ASSIGN(Bisection::Outcome shown, bisection.reproduce(result.kept, result.kept.size()));
    TRY_ASSIGN(const bool found_again,
               take_out_culprit(context, bisection, &Bisection::reproduce, std::move(shown), result));
    if (result.cancelled) return result;
    if (!found_again) break;
  }
  TRY_ASSIGN(result.patch, bisection.merged(result.kept, result.kept.size()));
  return result;
}

std::string commit_message(const RunContext& context, const std::vector<const AcceptedFix*>& fixes) {
  const auto proposed = context.policy().git_agents ? kept_message(context, *fixes.front()) : std::nullopt;
  std::string text = (proposed ? proposed->subject : subject_of(context, fixes.front()->issue)) + "\n\n";
  if (proposed && !proposed->body.empty()) text += proposed->body + "\n\n";
  for (const AcceptedFix* fix : fixes) {
    const Finding& finding = fix->issue.finding;
    const std::string where = finding.file.empty() ? ""
                              : finding.line > 0   ? fmt::format("{}:{}: ", finding.file, finding.line)
                                                   : finding.file + ": ";
    text +=
        first_line(clean_text(where), 500) + trim_middle(context.safe(finding.description), 2'000) + "\n\n";
    if (const Patch judges = apart(fix->issue.finding.file, fix->attempt.patch).judges; !judges.empty())
      text += fmt::format("It is about a {} and changes it: {}\n\n",
                          judging_kind(judges.changes.front().path), path_list(judges));
  }
  const AcceptedFix& first = *fixes.front();
  for (const AcceptedFix* fix : fixes) text += "Emend-Issue: " + fix->issue.code + "\n";
  int score = first.score;
  Evidence evidence = first.evidence; // of several issues in one commit: what holds for each of them
  for (const AcceptedFix* fix : fixes)
    score = std::min(score, fix->score), evidence = std::min(evidence, fix->evidence);
  text += fmt::format("Emend-Session: {}\nEmend-Score: {}\nEmend-Evidence: {}\n", context.session.id, score,
                      to_string(evidence));
  text += fmt::format("Assisted-by: {}{}{}\n", first.attempt.agent, first.attempt.model.empty() ? "" : ":",
                      first_line(clean_text(first.attempt.model), 100));
  return context.redactor.redact(text);
}

namespace {

// One trailer a fix: what is known of the proof before its commit is made, by hash.
class Sealer {
public:
  static Result<Sealer> begin(RunContext& context) {
    Sealer sealer(context);
    TRY_ASSIGN(sealer.runs_, context.ports.store.verifications(context.session.id));
    TRY_ASSIGN(sealer.verdicts_, context.ports.store.verdicts(context.session.id));
    return sealer;
  }

  Result<std::string> trailers(const std::vector<const AcceptedFix*>& fixes) const {
    std::string text;
    for (const AcceptedFix* fix : fixes) {
      TRY_ASSIGN(const std::optional<Reproducer> check,
                 reproducer_of(context_->ports.store, fix->issue.id, context_->session.id));
      const SealInput in{
          context_->policy(),       fix->issue, context_->session.id, fix->attempt, runs_, verdicts_,
          check ? &*check : nullptr};
      text += kSealTrailer + sha256_hex(seal_text(make_seal(in, context_->redactor))) + "\n";
    }
    return text;
  }

private:
  explicit Sealer(RunContext& context) : context_(&context) {}
  RunContext* context_;
  std::vector<Verification> runs_;
  std::vector<Verdict> verdicts_;
};

} // namespace

Result<std::vector<PlannedCommit>> make_commits(RunContext& context, const std::string& parent,
                                                const std::vector<AcceptedFix>& fixes) {
  std::vector<PlannedCommit> planned;
  TRY_ASSIGN(const Sealer sealer, Sealer::begin(context));
  TRY_ASSIGN(const Identity author, context.ports.repository.identity());
  Patch earlier; // what the commits made here changed so far, relative to the session's base
  std::string tip = parent;
  for (std::size_t i = 0; i < fixes.size(); ++i) {
    const AcceptedFix& fix = fixes[i];
    const std::vector<const AcceptedFix*> together = same_patch(fixes, i);
    if (together.front() != &fix) continue; // is in that one's commit
    CommitRequest request;
    request.parent = tip;
    request.patch = fix.attempt.patch;
    if (fix.attempt.base != tip) {
      TRY_ASSIGN(std::optional<Patch> moved, context.ports.repository.rebase(fix.attempt.patch, earlier));
      if (!moved)
        return fail(ErrorCode::internal, fix.issue.code + " does not apply on top of the fixes before it");
      request.patch = *std::move(moved);
    }
    TRY_ASSIGN(std::optional<Patch> next, context.ports.repository.merge(earlier, fix.attempt.patch));
    if (!next) return fail(ErrorCode::internal, fix.issue.code + " does not merge with the fixes before it");
    earlier = *std::move(next);
    TRY_ASSIGN(const std::string seals, sealer.trailers(together));
    request.message = commit_message(context, together) + seals;
    request.author_name = author.name;
    request.author_email = author.email;
    request.time_s = context.session.started_ms / 1000;
    TRY_ASSIGN(const std::string sha, context.ports.repository.commit(request));
    std::vector<std::string> ids;
    for (const AcceptedFix* each : together) ids.push_back(each->issue.id);
    CommitRecord record{sha,
                        tip,
                        context.session.id,
                        std::move(ids),
                        request.patch.sha256(),
                        std::string(lines_of(request.message).front())};
    planned.push_back({std::move(record), std::move(request.message)});
    tip = sha;
  }
  return planned;
}

Result<std::vector<CommitRecord>> published_before(RunContext& context) {
  TRY_ASSIGN(std::vector<CommitRecord> commits, context.ports.store.commits(context.session.id));
  if (!commits.empty()) return commits;
  TRY_ASSIGN(const std::vector<Intent> intents, context.ports.store.open_intents(context.session.id));
  for (const Intent& intent : intents) {
    if (intent.kind != "publish") continue;
    TRY_ASSIGN(const std::optional<std::string> tip,
               context.ports.repository.branch_tip(context.session.branch));
    commits = decode(intent.data, context.session.id);
    if (tip && !commits.empty() && commits.back().sha == *tip) return commits;
    TRY(context.ports.store.finish_intent(intent.id)); // it never came to be
  }
  return std::vector<CommitRecord>{};
}

Status publish_branch(RunContext& context, const std::vector<CommitRecord>& commits) {
  const Session& session = context.session;
  const std::string& tip = commits.back().sha;
  Intent intent;
  intent.id = "publish-" + session.id + "-" + tip.substr(0, 16);
  intent.session_id = session.id;
  intent.kind = "publish";
  intent.data = {
      {"branch", session.branch}, {"tip", tip}, {"base", session.base}, {"commits", encode(commits)}};
  Change announced;
  announced.intents.push_back(intent);
  TRY(context.log.apply(std::move(announced)));
  crash_point("commit.before_publish");
  if (auto published = context.ports.repository.publish(session.branch, tip, session.base);
      !published && !without("P9"))
    return fail(std::move(published).error());
  crash_point("commit.after_publish");
  Change change;
  TRY_ASSIGN(Session latest, context.ports.store.session(session.id));
  const bool told = latest.tip == tip; // by an engine that was killed later on
  latest.tip = tip;
  change.sessions.push_back(std::move(latest));
  change.commits = commits;
  TRY_ASSIGN(const std::vector<Issue> issues,
             context.ports.store.issues(IssueFilter{session.repository_id, {}, session.id, {}, 0}));
  for (const CommitRecord& commit : commits) {
    if (told) break;
    Json codes = Json::array();
    for (const Issue& issue : issues)
      if (std::find(commit.issue_ids.begin(), commit.issue_ids.end(), issue.id) != commit.issue_ids.end())
        codes.push_back(issue.code);
    change.events.push_back(
        context.event("fix_commit_created", "",
                      {{"sha", commit.sha}, {"subject", commit.subject}, {"issue_codes", codes}}));
  }
  TRY(context.log.apply(std::move(change)));
  return context.ports.store.finish_intent(intent.id);
}

} // namespace emend
