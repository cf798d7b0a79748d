#include "engine/branch/ledger.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "base/strings.hpp"
#include "model/line_diff.hpp"

namespace emend {
namespace {

constexpr std::int64_t kDayMs = 24 * 3'600'000LL;
constexpr std::size_t kTelling = 4; // characters: a shorter line is in every file

using Lines = std::multiset<std::string, std::less<>>;

bool telling(std::string_view line) { return trim(line).size() >= kTelling; }

// Lines of `one` that `other` has not, each as often as it is there.
void add_missing(std::string_view one, std::string_view other, const std::string& path, Lines& found) {
  Lines there;
  for (const std::string_view line : lines_of(other)) there.emplace(trim(line));
  for (const std::string_view line : lines_of(one)) {
    const std::string text(trim(line));
    if (const auto same = there.find(text); same != there.end())
      there.erase(same);
    else if (telling(text))
      found.insert(path + '\0' + text);
  }
}

Lines added_by(const Patch& patch) {
  Lines lines;
  for (const FileChange& change : patch.changes)
    if (!change.binary()) add_missing(change.new_content, change.old_content, change.path, lines);
  return lines;
}

Lines removed_by(const Patch& patch) {
  Lines lines;
  for (const FileChange& change : patch.changes)
    if (!change.binary()) add_missing(change.old_content, change.new_content, change.path, lines);
  return lines;
}

class Ledger {
public:
  Ledger(const Ports& ports, const SyncTarget& target) : ports_(ports), target_(target) {}

  Result<std::vector<FixOutcome>> update(const std::stop_token& stop) {
    const std::string& repository = ports_.repository.id();
    TRY_ASSIGN(const std::vector<FixOutcome> before, ports_.store.fix_outcomes(repository));
    for (const FixOutcome& one : before) known_[{one.issue_id, one.session_id}] = one;
    TRY_ASSIGN(std::vector<Session> sessions, ports_.store.sessions(repository, 0));
    std::reverse(sessions.begin(), sessions.end()); // oldest first
    for (const Session& session : sessions) {
      if (stop.stop_requested())
        return fail(ErrorCode::cancelled, "stopped; what was found so far is stored");
      TRY_ASSIGN(const std::vector<CommitRecord> commits, ports_.store.commits(session.id));
      for (const CommitRecord& commit : commits)
        for (const std::string& id : commit.issue_ids) TRY(look_at(session, commit, id));
    }
    return ports_.store.fix_outcomes(repository);
  }

private:
  Status look_at(const Session& session, const CommitRecord& commit, const std::string& issue_id) {
    TRY_ASSIGN(const std::optional<Proof> proof, ports_.store.proof(issue_id, session.id));
    if (!proof) return {}; // the gate did not take it
    FixOutcome now;
    if (const auto known = known_.find({issue_id, session.id}); known != known_.end()) {
      now = known->second;
    } else {
      TRY_ASSIGN(now, begin(session, *proof));
    }
    const FixOutcome old = now;
    TRY(find_fate(session, commit, now));
    const bool fresh = now.updated_ms == 0;
    if (!fresh && to_json(old) == to_json(now)) return {};
    now.updated_ms = ports_.clock.wall_ms();
    Change change;
    change.fix_outcomes.push_back(now);
    TRY(ports_.store.apply(change, now.updated_ms));
    return {};
  }

  Result<FixOutcome> begin(const Session& session, const Proof& proof) {
    TRY_ASSIGN(const Issue issue, ports_.store.issue(session.repository_id, proof.issue_id));
    TRY_ASSIGN(const Attempt attempt, ports_.store.attempt(proof.attempt_id));
    FixOutcome outcome;
    outcome.issue_id = issue.id;
    outcome.session_id = session.id;
    outcome.repository_id = session.repository_id;
    outcome.code = issue.code;
    outcome.agent = attempt.agent;
    outcome.model = attempt.model;
    outcome.rule = rule_of(issue.finding);
    outcome.language = language_name(issue.finding.file);
    outcome.evidence = proof.evidence;
    return outcome;
  }

  Status find_fate(const Session& session, const CommitRecord& commit, FixOutcome& outcome) {
    TRY_ASSIGN(const std::vector<Withdrawal> withdrawals,
               ports_.store.withdrawals(outcome.issue_id, session.id));
    if (!withdrawals.empty()) {
      const bool rejected = withdrawals.back().kind == WithdrawalKind::rejected;
      outcome.fate = rejected ? FixFate::rejected : FixFate::discarded;
      outcome.reason = first_line(withdrawals.back().reason, 500);
      return {};
    }
    if (outcome.fate == FixFate::reverted) return {};
    TRY_ASSIGN(const Issue issue, ports_.store.issue(session.repository_id, outcome.issue_id));
    outcome.back = outcome.back || (issue.trend == IssueTrend::regressed && issue.session_id == session.id);
    if (session.branch == target_.branch) return {};
    const std::string known_tip =
        !session.tip.empty() && ports_.repository.resolve(session.tip) ? session.tip : "";
    const auto look =
        look_for_merge(ports_.repository, {commit.sha, commit.parent, session.base, known_tip}, target_.tip);
    if (!look) return {}; // its objects are gone: what was known stays
    const bool was_there = outcome.fate == FixFate::merged ||
                           (issue.status == IssueStatus::merged && issue.session_id == session.id);
    if (look->merge) return note_merge(commit, *look->merge, outcome);
    if (was_there) {
      outcome.fate = FixFate::reverted;
      return {};
    }
    return look_for_edited(commit, outcome);
  }

  Status note_merge(const CommitRecord& commit, const Merge& merge, FixOutcome& outcome) {
    outcome.fate = FixFate::merged;
    outcome.commit = merge.commit;
    TRY_ASSIGN(const auto facts, ports_.repository.published_commits({merge.commit}));
    outcome.merged_ms = facts.front().time_s * 1'000;
    if (outcome.changed_again) return {};
    TRY_ASSIGN(const Patch fix, ports_.repository.diff(commit.parent, commit.sha));
    TRY_ASSIGN(const std::string last, last_soon_after(merge.commit, outcome.merged_ms, fix));
    if (last.empty()) return {};
    outcome.changed_again =
        lost_lines(fix, files_at(last, fix)) > lost_lines(fix, files_at(merge.commit, fix));
    return {};
  }

  // The newest commit that touched the fix's files within kSoonDays after it was merged; empty = none did.
  Result<std::string> last_soon_after(const std::string& merged, std::int64_t merged_ms, const Patch& fix) {
    std::vector<std::string> paths;
    for (const FileChange& change : fix.changes) paths.push_back(change.path);
    TRY_ASSIGN(const std::vector<std::string> line, ports_.repository.line({target_.tip, merged, paths}));
    if (line.empty()) return std::string();
    TRY_ASSIGN(const auto facts, ports_.repository.published_commits(line));
    for (std::size_t i = 0; i < line.size(); ++i)
      if (facts[i].time_s * 1'000 <= merged_ms + kSoonDays * kDayMs) return line[i];
    return std::string();
  }

  std::map<std::string, std::string> files_at(const std::string& commit, const Patch& fix) {
    std::map<std::string, std::string> files;
    for (const FileChange& change : fix.changes)
      if (auto content = ports_.repository.read(commit, change.path))
        files[change.path] = *std::move(content);
    return files;
  }

  // By bytes, never by a message: one commit of the branch that has most of it.
  Status look_for_edited(const CommitRecord& commit, FixOutcome& outcome) {
    constexpr std::size_t kMost = 200; // commits that touch the same files
    TRY_ASSIGN(const Patch fix, ports_.repository.diff(commit.parent, commit.sha));
    std::vector<std::string> paths;
    for (const FileChange& change : fix.changes) paths.push_back(change.path);
    if (paths.empty()) return {};
    TRY_ASSIGN(const auto common, ports_.repository.merge_base(commit.sha, target_.tip));
    if (!common) return {};
    TRY_ASSIGN(const std::vector<std::string> line,
               ports_.repository.line({target_.tip, *common, paths, kMost}));
    for (const std::string& one : line) {
      const auto before = ports_.repository.resolve(one + "^1");
      if (!before) continue;
      TRY_ASSIGN(const Patch made, ports_.repository.diff(*before, one, paths));
      if (!is_edited_version(fix, made)) continue;
      outcome.fate = FixFate::edited;
      outcome.commit = one;
      TRY_ASSIGN(const auto facts, ports_.repository.published_commits({one}));
      outcome.merged_ms = facts.front().time_s * 1'000;
      return {};
    }
    return {};
  }

  const Ports& ports_;
  const SyncTarget& target_;
  std::map<std::pair<std::string, std::string>, FixOutcome> known_;
};

} // namespace

std::string rule_of(const Finding& finding) { return finding.rule.empty() ? finding.category : finding.rule; }

bool is_edited_version(const Patch& fix, const Patch& commit) {
  Lines wanted = added_by(fix), there = added_by(commit);
  if (wanted.empty()) {
    wanted = removed_by(fix);
    there = removed_by(commit);
  }
  if (wanted.empty()) return false;
  std::size_t held = 0;
  for (const std::string& line : wanted)
    if (const auto same = there.find(line); same != there.end()) {
      there.erase(same);
      ++held;
    }
  return held * 2 >= wanted.size() && held > 0;
}

int lost_lines(const Patch& fix, const std::map<std::string, std::string>& now) {
  int lost = 0;
  for (const FileChange& change : fix.changes) {
    if (change.binary()) continue;
    Lines added;
    add_missing(change.new_content, change.old_content, "", added);
    Lines there;
    if (const auto file = now.find(change.path); file != now.end())
      for (const std::string_view line : lines_of(file->second)) there.insert('\0' + std::string(trim(line)));
    for (const std::string& line : added) {
      const auto same = there.find(line);
      if (same == there.end())
        ++lost;
      else
        there.erase(same);
    }
  }
  return lost;
}

Result<std::vector<FixOutcome>> update_ledger(const Ports& ports, const SyncTarget& target,
                                              std::stop_token stop) {
  return Ledger(ports, target).update(stop);
}

} // namespace emend
