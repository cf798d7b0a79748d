#include "engine/gate/evidence.hpp"

#include <algorithm>

#include "engine/patch/apart.hpp"
#include "engine/patch/called_scripts.hpp"
#include "engine/verify/probe_reading.hpp"
#include "engine/verify/reproduce.hpp"

namespace emend {
namespace {

Result<Patch> commits_diff(Repository& repository, bool planned, const std::string& from,
                           const std::string& to) {
  return planned ? repository.diff(from, to) : repository.published_diff(from, to);
}

// The final patch, and its parts.
void keep_final(const Patch& patch, const std::string& base, SessionEvidence& evidence) {
  evidence.final_base = base;
  evidence.final_patch_sha256 = patch.sha256();
  evidence.final_product_sha256 = product_side(patch, evidence.issue_files, evidence.opened).sha256();
  evidence.final_tests_sha256 = tests_side(patch, evidence.issue_files).sha256();
}

// What the branch ends in, relative to the base of the session or, when the last fix was made on top of
// others, to its parent.
Status locate_final(Repository& repository, SessionEvidence& evidence) {
  const CommitRecord& last = evidence.commits.back();
  const auto verified = [&](const std::string& base, const std::string& sha) {
    return std::any_of(evidence.verifications.begin(), evidence.verifications.end(),
                       [&](const Verification& v) {
                         return v.kind != VerificationKind::rescan && v.base == base && v.patch_sha256 == sha;
                       });
  };
  TRY_ASSIGN(const Patch whole, commits_diff(repository, evidence.planned, evidence.session.base, last.sha));
  evidence.whole_patch_sha256 = whole.sha256();
  keep_final(whole, evidence.session.base, evidence);
  if (last.parent == evidence.session.base || verified(evidence.final_base, evidence.final_patch_sha256))
    return {};
  for (std::size_t i = evidence.commits.size();
       i-- > 0;) { // the last commits, made together on top of the others
    const std::string& parent = evidence.commits[i].parent;
    const bool worked_on =
        std::any_of(evidence.verifications.begin(), evidence.verifications.end(),
                    [&](const Verification& v) { return v.base == parent && !v.patch_sha256.empty(); });
    if (!worked_on && i + 1 != evidence.commits.size()) continue;
    TRY_ASSIGN(const Patch top, commits_diff(repository, evidence.planned, parent, last.sha));
    keep_final(top, parent, evidence);
    if (verified(parent, evidence.final_patch_sha256)) return {};
  }
  return {};
}

// The last commit is looked for from the branch; the others hang on it by their real parents.
Status find_published(Repository& repository, SessionEvidence& evidence) {
  TRY_ASSIGN(const bool there, repository.reachable(evidence.commits.back().sha, evidence.session.branch));
  if (!there) return {};
  std::vector<std::string> ids;
  for (const CommitRecord& commit : evidence.commits) ids.push_back(commit.sha);
  TRY_ASSIGN(std::vector<CommitFacts> facts, repository.published_commits(ids));
  for (std::size_t i = ids.size(); i-- > 0;) {
    const bool linked = facts[i].parents == std::vector<std::string>{evidence.commits[i].parent};
    const std::string parent = evidence.commits[i].parent;
    evidence.published[ids[i]] = std::move(facts[i]);
    if (!linked || i == 0 || parent != ids[i - 1]) break;
  }
  return {};
}

// A discarded session says nothing about a patch; a rejected fix says all about it.
void note_withdrawals(const std::vector<Withdrawal>& withdrawals, GateInput& in) {
  for (const Withdrawal& one : withdrawals) {
    if (one.session_id == in.session.id) in.taken_back = to_string(one.kind);
    if (one.kind == WithdrawalKind::rejected && !one.patch_sha256.empty())
      in.rejected_patches.insert(one.patch_sha256);
  }
}

// Did nothing before this commit touch its files? Then the commit must hold the very patch that was verified
// and judged.
bool same_origin(const Patch& ours, const Patch& published) {
  return std::equal(ours.changes.begin(), ours.changes.end(), published.changes.begin(),
                    published.changes.end(), [](const FileChange& a, const FileChange& b) {
                      return a.path == b.path && a.old_id == b.old_id && a.old_mode == b.old_mode;
                    });
}

} // namespace

bool concerns(const Verification& v, const std::string& issue_id, const GateInput& in) {
  return v.issue_id == issue_id || v.kind == VerificationKind::baseline ||
         v.patch_sha256 == in.final_patch_sha256 || v.patch_sha256 == in.final_product_sha256 ||
         v.patch_sha256 == in.final_tests_sha256 || v.patch_sha256 == in.whole_patch_sha256 ||
         probes_issue(v, issue_id) || in.probed_trees.contains(v.patch_sha256);
}

namespace {

// What the commit should hold. in.published is there.
Status expect_patch(Repository& repository, GateInput& in, bool planned) {
  const CommitRecord& commit = *in.commit;
  if (commit.parent == in.attempt->base || same_origin(in.attempt->patch, in.published)) {
    in.expected = in.attempt->patch;
    return {};
  }
  TRY_ASSIGN(const Patch earlier, commits_diff(repository, planned, in.attempt->base, commit.parent));
  TRY_ASSIGN(std::optional<Patch> moved, repository.rebase(in.attempt->patch, earlier));
  if (moved) in.expected = *std::move(moved);
  return {};
}

// What every commit that is there changes, read at once.
Status read_changes(Repository& repository, SessionEvidence& evidence) {
  std::vector<CommitPair> pairs;
  for (const CommitRecord& commit : evidence.commits)
    if (evidence.published.contains(commit.sha)) pairs.push_back({commit.parent, commit.sha});
  TRY_ASSIGN(std::vector<Patch> patches,
             evidence.planned ? repository.diffs(pairs) : repository.published_diffs(pairs));
  for (std::size_t i = 0; i < pairs.size(); ++i) evidence.changes[pairs[i].to] = std::move(patches[i]);
  return {};
}

// The attempt that is in the commit, or the last one that came to its end; null = there is none.
const Attempt* attempt_of(const SessionEvidence& evidence, const std::string& issue_id) {
  const Attempt* found = nullptr;
  for (const Unit& unit : evidence.units) {
    if (std::find(unit.issue_ids.begin(), unit.issue_ids.end(), issue_id) == unit.issue_ids.end()) continue;
    for (const Attempt& attempt : evidence.attempts) {
      const bool chosen = unit.accepted_attempt.empty() ? attempt.result != AttemptResult::interrupted
                                                        : attempt.id == unit.accepted_attempt;
      if (attempt.issue_id == issue_id && chosen) found = &attempt;
    }
  }
  return found;
}

// Everything but the commits.
Result<SessionEvidence> load_records(Store& store, const std::string& session_id) {
  SessionEvidence evidence;
  TRY_ASSIGN(evidence.session, store.session(session_id));
  TRY_ASSIGN(evidence.units, store.units(session_id));
  TRY_ASSIGN(evidence.attempts, store.attempts_of_session(session_id));
  TRY_ASSIGN(evidence.verifications, store.verifications(session_id));
  TRY_ASSIGN(evidence.verdicts, store.verdicts(session_id));
  for (const std::string& id : evidence.session.issue_ids) {
    TRY_ASSIGN(std::optional<Reproducer> check, reproducer_of(store, id, evidence.session.id));
    if (check) evidence.reproducers[id] = *std::move(check);
    TRY_ASSIGN(std::vector<Withdrawal> withdrawn, store.withdrawals(id, ""));
    if (!withdrawn.empty()) evidence.withdrawals[id] = std::move(withdrawn);
    TRY_ASSIGN(const std::vector<OpenedTest> decisions, store.opened_tests(id));
    const Attempt* attempt = attempt_of(evidence, id);
    for (OpenedTest& one : open_for(decisions, attempt == nullptr ? "" : attempt->patch.sha256()))
      evidence.opened.push_back(std::move(one));
  }
  return evidence;
}

Status find_issue_files(IssueStore& store, SessionEvidence& evidence) {
  for (const CommitRecord& commit : evidence.commits)
    for (const std::string& id : commit.issue_ids) {
      TRY_ASSIGN(const Issue issue, store.issue(evidence.session.repository_id, id));
      evidence.issue_files.insert(issue.finding.file);
    }
  return {};
}

} // namespace

Result<SessionEvidence> load_evidence(Store& store, Repository& repository, const std::string& session_id) {
  TRY_ASSIGN(SessionEvidence evidence, load_records(store, session_id));
  TRY_ASSIGN(evidence.commits, store.commits(session_id));
  if (evidence.commits.empty()) return evidence;
  TRY(find_issue_files(store, evidence));
  TRY(find_published(repository, evidence));
  if (!evidence.published.empty()) TRY(locate_final(repository, evidence));
  TRY(read_changes(repository, evidence));
  return evidence;
}

Result<SessionEvidence> load_evidence(Store& store, Repository& repository, const std::string& session_id,
                                      const std::vector<PlannedCommit>& planned) {
  TRY_ASSIGN(SessionEvidence evidence, load_records(store, session_id));
  evidence.planned = true;
  for (const PlannedCommit& commit : planned) {
    evidence.commits.push_back(commit.record);
    evidence.published[commit.record.sha] = {{commit.record.parent}, commit.message};
  }
  TRY(find_issue_files(store, evidence));
  if (!planned.empty()) TRY(locate_final(repository, evidence));
  TRY(read_changes(repository, evidence));
  return evidence;
}

Result<GateInput> gather(const SessionEvidence& evidence, Repository& repository, const Issue& issue) {
  GateInput in;
  in.policy = evidence.session.policy;
  in.issue = issue;
  in.session = evidence.session;
  in.verdicts = evidence.verdicts;
  std::erase_if(in.verdicts, [&](const Verdict& verdict) {
    return verdict.issue_id != issue.id && verdict.canary.empty();
  });
  in.final_base = evidence.final_base;
  in.final_patch_sha256 = evidence.final_patch_sha256;
  in.final_product_sha256 = evidence.final_product_sha256;
  in.final_tests_sha256 = evidence.final_tests_sha256;
  in.issue_files = evidence.issue_files;
  in.session_opened = evidence.opened;
  for (const OpenedTest& one : evidence.opened)
    if (one.issue_id == issue.id) in.opened.push_back(one);
  in.whole_patch_sha256 = evidence.whole_patch_sha256;
  if (!evidence.commits.empty()) in.last_commit = evidence.commits.back().sha;
  if (const auto check = evidence.reproducers.find(issue.id); check != evidence.reproducers.end())
    in.reproducer = check->second;
  if (const auto withdrawn = evidence.withdrawals.find(issue.id); withdrawn != evidence.withdrawals.end())
    note_withdrawals(withdrawn->second, in);
  for (const Verification& v : evidence.verifications)
    if (probes_issue(v, issue.id) && !v.patch_sha256.empty()) in.probed_trees.insert(v.patch_sha256);
  for (const Verification& v : evidence.verifications)
    if (concerns(v, issue.id, in)) in.verifications.push_back(v);
  if (const Attempt* attempt = attempt_of(evidence, issue.id)) in.attempt = *attempt;
  for (const Unit& unit : evidence.units) {
    if (std::find(unit.issue_ids.begin(), unit.issue_ids.end(), issue.id) == unit.issue_ids.end()) continue;
    for (const Attempt& attempt : evidence.attempts)
      if (attempt.issue_id == issue.id && attempt.result != AttemptResult::interrupted) ++in.attempts;
  }
  for (const CommitRecord& commit : evidence.commits)
    if (std::find(commit.issue_ids.begin(), commit.issue_ids.end(), issue.id) != commit.issue_ids.end())
      in.commit = commit;
  if (!in.attempt) return in;
  TRY_ASSIGN(in.base_tree, repository.tree(in.attempt->base));
  TRY_ASSIGN(in.called_scripts, called_scripts(repository, in.policy, in.attempt->base));
  // Nothing of ours in the user's repository: nothing may be read from it.
  const auto published = in.commit ? evidence.published.find(in.commit->sha) : evidence.published.end();
  if (published != evidence.published.end()) {
    in.reachable = true;
    in.message = published->second.message;
    in.published = evidence.changes.at(in.commit->sha);
    TRY(expect_patch(repository, in, evidence.planned));
  }
  return in;
}

Status gather_commit(Repository& repository, GateInput& in) {
  TRY_ASSIGN(in.published, repository.published_diff(in.commit->parent, in.commit->sha));
  return expect_patch(repository, in, false);
}

} // namespace emend
