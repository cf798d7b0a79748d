#include "engine/branch/withdraw.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.hpp"
#include "base/strings.hpp"
#include "engine/branch/recovery.hpp"
#include "engine/branch/withdrawals.hpp"
#include "engine/claims/repository_lock.hpp"
#include "engine/context/audit.hpp"
#include "engine/context/run_context.hpp"
#include "engine/context/sandbox_mode.hpp"
#include "engine/verify/remaining_fixes.hpp"
#include "model/events.hpp"

namespace emend {
namespace {

bool holds(const std::vector<std::string>& ids, const std::string& id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

std::string short_sha(const std::string& sha) { return sha.substr(0, 12); }

const Withdrawal* of_issue(const std::vector<Withdrawal>& withdrawals, const std::string& issue_id) {
  const auto found = std::find_if(withdrawals.begin(), withdrawals.end(),
                                  [&](const Withdrawal& one) { return one.issue_id == issue_id; });
  return found == withdrawals.end() ? nullptr : &*found;
}

Result<Session> ended_session(const Ports& ports, const std::string& id) {
  TRY_ASSIGN(Session session, ports.store.session(id));
  if (session.repository_id != ports.repository.id())
    return fail(ErrorCode::usage, "session " + session.id + " belongs to another repository",
                "run the command in that repository (or use -C)");
  if (!is_final(session.status))
    return fail(
        ErrorCode::conflict,
        fmt::format("session {} has not ended ({})", session.id, to_string(session.status)),
        fmt::format("let it end (emend sessions resume {0}), or stop it first: emend sessions cancel {0}",
                    session.id));
  return session;
}

// Every place where a fix of ours is noted, to be changed together.
class Withdrawing {
public:
  Withdrawing(const Ports& ports, Session session) : ports_(ports), session_(std::move(session)) {}

  [[nodiscard]] Status load() {
    TRY_ASSIGN(commits_, ports_.store.commits(session_.id));
    TRY_ASSIGN(units_, ports_.store.units(session_.id));
    TRY_ASSIGN(known_, ports_.store.withdrawals("", session_.id));
    TRY_ASSIGN(tip_, own_tip(ports_.store, session_));
    TRY_ASSIGN(redactor_, Redactor::with_patterns(session_.policy.redact_patterns));
    return {};
  }

  [[nodiscard]] const Session& session() const { return session_; }
  [[nodiscard]] const std::string& tip() const { return tip_; }
  [[nodiscard]] const std::vector<CommitRecord>& commits() const { return commits_; }
  [[nodiscard]] const std::vector<Withdrawal>& known() const { return known_; }
  [[nodiscard]] Result<Issue> issue(const std::string& code_or_id) const {
    return ports_.store.issue(session_.repository_id, code_or_id);
  }
  [[nodiscard]] std::string safe(const std::string& text) const {
    return redactor_->redact(clean_text(text));
  }
  // RESOLVED by this session, with a fix that is still on its branch.
  [[nodiscard]] bool stands(const Issue& issue) const {
    return issue.status == IssueStatus::resolved && issue.session_id == session_.id &&
           of_issue(known_, issue.id) == nullptr;
  }

  // The issues of one commit, in one change: their fix is taken back, and what they wait for on the branch is
  // written down.
  [[nodiscard]] Status note(const CommitRecord& commit, Withdrawal like, Change& change) const {
    for (const std::string& id : commit.issue_ids) {
      TRY_ASSIGN(const Issue issue, this->issue(id));
      if (issue.status == IssueStatus::merged || of_issue(known_, id) != nullptr) continue;
      like.id = new_uuid();
      like.session_id = session_.id;
      like.issue_id = id;
      like.commit = commit.sha;
      like.created_ms = ports_.clock.wall_ms();
      TRY_ASSIGN(like.patch_sha256, accepted_patch(id));
      change.withdrawals.push_back(like);
      close_unit(id, change);
      if (!stands(issue)) continue;
      change.moves.push_back(move_of(issue, like));
      change.events.push_back(event_of(issue, like));
      if (like.kind == WithdrawalKind::rejected)
        change.comments.push_back(
            {new_uuid(), id, session_.id, like.reason, {}, 0, {}, like.created_ms, like.by});
    }
    return {};
  }

  [[nodiscard]] Result<Withdrawn> answer(const std::vector<std::string>& issue_ids, bool again) const {
    Withdrawn answer{session_, {}, {}, again, {}};
    TRY_ASSIGN(const std::vector<Withdrawal> now, ports_.store.withdrawals("", session_.id));
    for (const std::string& id : issue_ids) {
      const Withdrawal* one = of_issue(now, id);
      if (one == nullptr) continue;
      TRY_ASSIGN(Issue issue, this->issue(id));
      answer.issues.push_back(std::move(issue));
      answer.withdrawals.push_back(*one);
    }
    return answer;
  }

private:
  [[nodiscard]] Result<std::string> accepted_patch(const std::string& issue_id) const {
    for (const Unit& unit : units_) {
      if (!holds(unit.issue_ids, issue_id) || unit.accepted_attempt.empty()) continue;
      TRY_ASSIGN(const Attempt attempt, ports_.store.attempt(unit.accepted_attempt));
      return attempt.patch.sha256();
    }
    return std::string();
  }

  // Nobody takes it up again in this session.
  void close_unit(const std::string& issue_id, Change& change) const {
    for (Unit unit : units_) {
      if (!holds(unit.issue_ids, issue_id)) continue;
      unit.status = UnitStatus::finished;
      change.units.push_back(std::move(unit));
    }
  }

  [[nodiscard]] static IssueMove move_of(const Issue& issue, const Withdrawal& why) {
    IssueMove move;
    move.issue_id = issue.id;
    move.from = IssueStatus::resolved;
    move.to = IssueStatus::open;
    move.mover = Mover::person;
    move.reason = to_string(why.kind);
    move.detail = why.reason;
    return move;
  }

  [[nodiscard]] Event event_of(const Issue& issue, const Withdrawal& why) const {
    const std::string_view kind = to_string(why.kind);
    return why.kind == WithdrawalKind::rejected
               ? make_event(session_.id, issue.code, FixIssueRejected{"OPEN", kind, why.reason, why.commit})
               : make_event(session_.id, issue.code, FixIssueDiscarded{"OPEN", kind, why.reason, why.commit});
  }

  const Ports& ports_;
  Session session_;
  std::vector<CommitRecord> commits_;
  std::vector<Unit> units_;
  std::vector<Withdrawal> known_;
  std::string tip_;
  std::optional<Redactor> redactor_;
};

// --- the branch
// -------------------------------------------------------------------------------------------------------------

std::string by_hand(const Session& session, const CommitRecord& commit, const std::string& code) {
  return fmt::format("undo it there yourself: git switch {} && git revert {}; then: emend issues reopen {}",
                     shell_quote(session.branch), short_sha(commit.sha), code);
}

// Is the branch ours to change? Where it is: yes, and where. nullopt: there is none.
Result<std::optional<std::string>> untouched_tip(Branches& repository, const Withdrawing& work,
                                                 const std::string& remedy) {
  const std::string& branch = work.session().branch;
  TRY_ASSIGN(const std::optional<std::string> tip, repository.branch_tip(branch));
  if (!tip) return std::optional<std::string>{};
  if (*tip != work.tip())
    return fail(ErrorCode::conflict,
                fmt::format("branch {} points at {}, not at {} where emend left it", branch, short_sha(*tip),
                            short_sha(work.tip())),
                remedy);
  TRY_ASSIGN(const std::optional<std::string> use, repository.branch_in_use(branch));
  if (use) return fail(ErrorCode::conflict, "branch " + branch + " is in use: " + *use, remedy);
  return tip;
}

// --- reject
// -----------------------------------------------------------------------------------------------------------------

Status refuse_merged(History& repository, const CommitRecord& commit, const std::string& code) {
  TRY_ASSIGN(const std::optional<std::string> main, repository.default_branch());
  if (!main) return {};
  const auto merged = repository.is_ancestor(commit.sha, *main);
  if (!merged || !*merged) return {};
  return fail(ErrorCode::conflict, fmt::format("the fix of {} is in {} already", code, *main),
              fmt::format("undo it there yourself: git revert {}; then: emend issues reopen {}",
                          short_sha(commit.sha), code));
}

// Codes of the fixes after `commit` that stand, those first that touch the same files; all of them if none
// does.
Result<std::string> later_fixes(Repository& repository, const Withdrawing& work, const CommitRecord& commit,
                                const Patch& undo) {
  std::vector<std::string> same_files, all;
  bool after = false;
  for (const CommitRecord& other : work.commits()) {
    if (after) {
      TRY_ASSIGN(const Patch patch, repository.diff(other.parent, other.sha));
      const bool shares =
          std::any_of(patch.changes.begin(), patch.changes.end(),
                      [&](const FileChange& change) { return undo.find(change.path) != nullptr; });
      for (const std::string& id : other.issue_ids) {
        TRY_ASSIGN(const Issue issue, work.issue(id));
        if (!work.stands(issue)) continue;
        all.push_back(issue.code);
        if (shares) same_files.push_back(issue.code);
      }
    }
    after = after || other.sha == commit.sha;
  }
  return join(same_files.empty() ? all : same_files, ", ");
}

// Undoes exactly the commit's patch on top of `tip`. Empty = the branch holds nothing of it any more.
Result<std::string> undoing_commit(const Ports& ports, const Withdrawing& work, const CommitRecord& commit,
                                   const std::string& tip, const RejectOrder& order) {
  Repository& repository = ports.repository;
  TRY_ASSIGN(Patch undo, repository.diff(commit.sha, commit.parent));
  if (commit.sha != tip) {
    TRY_ASSIGN(const Patch since, repository.diff(commit.sha, tip));
    TRY_ASSIGN(std::optional<Patch> moved, repository.rebase(undo, since));
    if (!moved) {
      TRY_ASSIGN(const std::string later, later_fixes(repository, work, commit, undo));
      return fail(
          ErrorCode::conflict,
          fmt::format("{} cannot be undone alone: later fixes change the same lines ({})", order.code, later),
          fmt::format("reject those first, or everything: emend sessions discard {}", work.session().id));
    }
    undo = *std::move(moved);
  }
  if (undo.empty()) return std::string();
  CommitRequest request;
  request.parent = tip;
  request.patch = std::move(undo);
  request.message = fmt::format("Revert \"{}\"\n\nThis reverts commit {}: a person rejected it.\n\n{}\n\n",
                                commit.subject, commit.sha, trim_middle(work.safe(order.reason), 2'000));
  for (const std::string& id : commit.issue_ids) {
    TRY_ASSIGN(const Issue issue, work.issue(id));
    request.message += "Emend-Rejected: " + issue.code + "\n";
  }
  request.message += "Emend-Session: " + work.session().id + "\n";
  TRY_ASSIGN(const Identity author, repository.identity());
  request.author_name = author.name;
  request.author_email = author.email;
  request.time_s = ports.clock.wall_ms() / 1000;
  return repository.commit(request);
}

Status check_remaining(const Ports& ports, EventLog& log, const std::string& home, const Withdrawing& work,
                       const CommitRecord& commit, const std::string& undone, const RejectOrder& order,
                       std::stop_token stop) {
  std::vector<Issue> remaining;
  for (const std::string& id : work.session().issue_ids) {
    TRY_ASSIGN(Issue issue, work.issue(id));
    if (work.stands(issue) && !holds(commit.issue_ids, id)) remaining.push_back(std::move(issue));
  }
  Session session = work.session();
  TRY(check_sandbox(session.policy, ports.repository.sandbox()));
  settle_sandbox(ports.repository, session.policy);
  TRY_ASSIGN(Redactor redactor, Redactor::with_patterns(session.policy.redact_patterns));
  RunContext context(ports, log, home, session, std::move(redactor));
  TRY_ASSIGN(const std::string problem, problem_of_remaining(context, undone, remaining, stop));
  if (problem.empty()) return {};
  TRY_ASSIGN(const Patch undo, ports.repository.diff(commit.sha, commit.parent));
  TRY_ASSIGN(const std::string later, later_fixes(ports.repository, work, commit, undo));
  return fail(ErrorCode::conflict,
              fmt::format("without the fix of {} the other fixes fail: {}{}", order.code, problem,
                          later.empty() ? "" : "; fixes after it: " + later),
              fmt::format("reject those first, or everything: emend sessions discard {}", session.id));
}

Result<const CommitRecord*> rejected_commit(Repository& repository, const Withdrawing& work,
                                            const Issue& issue) {
  if (issue.status == IssueStatus::merged)
    return fail(ErrorCode::conflict, issue.code + " is MERGED",
                fmt::format("undo it where it was merged: git revert {}; then: emend issues reopen {}",
                            short_sha(issue.commit), issue.code));
  if (issue.session_id != work.session().id)
    return fail(ErrorCode::conflict,
                issue.code + " is not what session " + work.session().id + " worked on last",
                issue.session_id.empty() ? "emend issues show " + issue.code
                                         : "its last session is " + issue.session_id);
  if (issue.status != IssueStatus::resolved)
    return fail(ErrorCode::conflict,
                fmt::format("{} is {}: there is no fix to reject", issue.code, to_string(issue.status)),
                "emend explain " + issue.code);
  const auto& commits = work.commits();
  const auto commit = std::find_if(commits.begin(), commits.end(),
                                   [&](const CommitRecord& one) { return holds(one.issue_ids, issue.id); });
  if (commit == commits.end()) return fail(ErrorCode::internal, issue.code + " is RESOLVED without a commit");
  TRY(refuse_merged(repository, *commit, issue.code));
  return &*commit;
}

} // namespace

Json to_json(const Withdrawn& withdrawn) {
  Json issues = Json::array();
  for (std::size_t i = 0; i < withdrawn.issues.size(); ++i) {
    Json row = to_json(withdrawn.withdrawals[i]);
    row["issue_code"] = withdrawn.issues[i].code;
    row["status"] = to_string(withdrawn.issues[i].status);
    issues.push_back(std::move(row));
  }
  return {{"session_id", withdrawn.session.id},
          {"branch_name", withdrawn.session.branch},
          {"withdrawn", std::move(issues)},
          {"again", withdrawn.again},
          {"advice", withdrawn.advice.empty() ? Json(nullptr) : Json(withdrawn.advice)}};
}

Result<Withdrawn> reject(const Ports& ports, const std::string& home,
                         const std::function<void(const Event&)>& on_event, const RejectOrder& order,
                         std::stop_token stop) {
  if (trim(order.reason).empty())
    return fail(ErrorCode::usage, "a reason is needed: the next fixer sees it", "--reason TEXT");
  TRY_ASSIGN(const RepositoryLock lock, lock_repository(home, ports));
  EventLog log(ports.store, ports.clock, on_event, lock.fence());
  TRY(recover(ports, log));
  TRY_ASSIGN(Session session, ended_session(ports, order.session_id));
  Withdrawing work(ports, std::move(session));
  TRY(work.load());
  TRY_ASSIGN(const Issue issue, work.issue(order.code));
  if (of_issue(work.known(), issue.id) != nullptr) return work.answer({issue.id}, true);
  TRY_ASSIGN(const CommitRecord* commit, rejected_commit(ports.repository, work, issue));
  TRY_ASSIGN(const std::optional<std::string> tip,
             untouched_tip(ports.repository, work, by_hand(work.session(), *commit, issue.code)));
  Withdrawal like;
  like.reason = work.safe(order.reason);
  like.by = ports.actor.shown();
  if (tip) {
    TRY_ASSIGN(like.branch_to, undoing_commit(ports, work, *commit, *tip, order));
  }
  if (!like.branch_to.empty()) {
    TRY(check_remaining(ports, log, home, work, *commit, like.branch_to, order, stop));
    like.branch_from = *tip;
    like.branch = BranchChange::pending;
  }
  Change change;
  TRY(work.note(*commit, like, change));
  const std::vector<Withdrawal> made = change.withdrawals;
  note_audit(change, ports, "fix.rejected", issue.code, work.session().id,
             {{"reason", like.reason}, {"commit", commit->sha}});
  TRY(log.apply(std::move(change)));
  std::string problem;
  if (like.branch == BranchChange::pending) {
    TRY_ASSIGN(problem, carry_out(ports, log, work.session(), made));
  }
  TRY_ASSIGN(Withdrawn answer, work.answer(commit->issue_ids, false));
  if (!problem.empty()) answer.advice = problem + "; " + by_hand(work.session(), *commit, issue.code);
  return answer;
}

Result<Withdrawn> discard(const Ports& ports, const std::string& home,
                          const std::function<void(const Event&)>& on_event, const std::string& session_id,
                          const std::string& reason) {
  TRY_ASSIGN(const RepositoryLock lock, lock_repository(home, ports));
  EventLog log(ports.store, ports.clock, on_event, lock.fence());
  TRY(recover(ports, log));
  TRY_ASSIGN(Session session, ended_session(ports, session_id));
  Withdrawing work(ports, std::move(session));
  TRY(work.load());
  Withdrawal like;
  like.kind = WithdrawalKind::discarded;
  like.reason = work.safe(reason);
  like.by = ports.actor.shown();
  const std::string remedy =
      "when you no longer need it: git branch -D " + shell_quote(work.session().branch);
  const auto tip = work.tip().empty() ? Result<std::optional<std::string>>(std::nullopt)
                                      : untouched_tip(ports.repository, work, remedy);
  if (!tip && tip.error().code != ErrorCode::conflict) return fail(tip.error());
  if (!tip) like.branch = BranchChange::kept;
  if (tip && *tip) {
    like.branch = BranchChange::pending;
    like.branch_from = **tip;
  }
  Change change;
  std::vector<std::string> ids;
  for (const CommitRecord& commit : work.commits()) {
    TRY(work.note(commit, like, change));
    ids.insert(ids.end(), commit.issue_ids.begin(), commit.issue_ids.end());
  }
  const std::vector<Withdrawal> made = change.withdrawals;
  if (made.empty()) return work.answer(ids, true);
  note_audit(change, ports, "session.discarded", work.session().id, work.session().id,
             {{"reason", like.reason}});
  TRY(log.apply(std::move(change)));
  std::string problem = tip ? "" : tip.error().message;
  if (like.branch == BranchChange::pending) {
    TRY_ASSIGN(problem, carry_out(ports, log, work.session(), made));
  }
  TRY_ASSIGN(Withdrawn answer, work.answer(ids, false));
  if (!problem.empty()) answer.advice = problem + ": it stays; " + remedy;
  return answer;
}

} // namespace emend
