#include "engine/branch/commit.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "base/crash_point.hpp"
#include "base/hash.hpp"
#include "base/strings.hpp"
#include "engine/branch/git_proposals.hpp"
#include "engine/gate/proof_bundle.hpp"
#include "engine/gate/proof_parts.hpp"
#include "engine/patch/new_files.hpp"
#include "engine/verify/reproduce.hpp"
#include "model/events.hpp"

namespace emend {
namespace {

using Together = std::vector<const AcceptedFix*>;

// Fixes with the very same patch cannot be separated: two reviewers reported one bug. They share a commit. In
// the order of the first of each.
std::vector<Together> by_patch(const std::vector<AcceptedFix>& fixes) {
  std::vector<Together> groups;
  std::map<std::pair<std::string, std::string>, std::size_t> known; // base and patch
  for (const AcceptedFix& fix : fixes) {
    const auto [group, fresh] =
        known.try_emplace({fix.attempt.base, fix.attempt.patch.sha256()}, groups.size());
    if (fresh) groups.emplace_back();
    groups[group->second].push_back(&fix);
  }
  return groups;
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

// Redacted before it is cut: half a secret is not recognised as one.
std::string subject_of(const RunContext& context, const MessageStyle& style, const Issue& issue) {
  const std::string title = issue.finding.title.empty() ? issue.finding.description : issue.finding.title;
  return subject_in(style, context.safe(title), clean_text(issue.finding.file), issue.code);
}

// Lines that git would read as trailers are left out.
std::string paragraph_of(const RunContext& context, const std::string& said) {
  constexpr std::size_t kMost = 1'500;
  const std::string safe = context.safe(said);
  std::string text;
  for (const std::string_view line : lines_of(trim(safe)))
    if (!looks_like_trailer(line)) text += std::string(line) + "\n";
  const std::string shown(trim(trim_middle(text, kMost)));
  return shown.empty() ? "" : wrapped(shown) + "\n\n";
}

// Of the verdict that counts: what a judge wrote who saw the diff and not the fixer's words.
std::string account_of(const std::vector<Verdict>& verdicts, const Attempt& attempt) {
  const std::string sha = attempt.patch.sha256();
  std::string account;
  for (const Verdict& one : verdicts)
    if (one.valid && one.canary.empty() && one.attempt_id == attempt.id && one.patch_sha256 == sha)
      account = one.account;
  return account;
}

// What was changed and why: in the judge's words, else in the fixer's, which nobody held against the diff.
std::string explanation_of(const RunContext& context, const std::vector<Verdict>& verdicts,
                           const Attempt& attempt) {
  if (std::string seen = paragraph_of(context, account_of(verdicts, attempt)); !seen.empty()) return seen;
  const std::string said(trim(attempt.explanation));
  return said.empty() ? "" : paragraph_of(context, "The fixer says: " + said);
}

// How it was proven, a sentence for each thing that was seen.
std::string proven_by(const Standing& standing, int score) {
  std::string text;
  if (standing.level >= Evidence::repaired)
    text = "A check fails without this change and passes with it. ";
  else if (standing.level >= Evidence::unbroken)
    text = "The checks that passed before pass with this change. ";
  if (standing.level >= Evidence::proven) text += "With its expectation turned around, that check fails. ";
  if (standing.marks.shown) text += "The tests it adds fail without it. ";
  if (standing.marks.rescanned) text += "The analyzer no longer reports the finding. ";
  if (score >= 0) text += fmt::format("It was scored {} of 100.", score);
  return text.empty() ? "" : wrapped(trim(text)) + "\n\n";
}

// Existing tests that it changes because somebody else allowed it.
std::string opened_tests_text(const RunContext& context, const AcceptedFix& fix) {
  const auto decisions = context.ports.store.opened_tests(fix.issue.id);
  if (!decisions) return {};
  const std::vector<OpenedTest> open = open_for(*decisions, fix.attempt.patch.sha256());
  std::string text;
  for (const bool judge : {false, true}) {
    std::vector<OpenedTest> theirs;
    std::copy_if(open.begin(), open.end(), std::back_inserter(theirs),
                 [&](const OpenedTest& one) { return one.by_judge() == judge; });
    std::vector<std::string> names;
    for (const TouchedTest& one : opened_and_changed(fix.issue.finding, fix.attempt.patch, theirs))
      names.push_back(first_line(clean_text(one.name()), 200));
    if (names.empty()) continue;
    text += judge ? "Changes existing tests that the judge says assert the bug: "
                  : "Changes existing tests that a person opened for it: ";
    text += join(names, ", ") + "\n\n";
  }
  return text;
}

} // namespace

std::string commit_message(const RunContext& context, const MessageStyle& style,
                           const std::vector<Verdict>& verdicts, const Together& fixes) {
  const auto proposed = context.policy().git_agents ? kept_message(context, *fixes.front()) : std::nullopt;
  std::string text =
      (proposed ? proposed->subject : subject_of(context, style, fixes.front()->issue)) + "\n\n";
  if (proposed && !proposed->body.empty()) text += proposed->body + "\n\n";
  for (const AcceptedFix* fix : fixes) {
    const Finding& finding = fix->issue.finding;
    const std::string where = finding.file.empty() ? ""
                              : finding.line > 0   ? fmt::format("{}:{}: ", finding.file, finding.line)
                                                   : finding.file + ": ";
    text +=
        wrapped(first_line(clean_text(where), 500) + trim_middle(context.safe(finding.description), 2'000)) +
        "\n\n";
    text += explanation_of(context, verdicts, fix->attempt);
    if (const Patch judges = apart(fix->issue.finding.file, fix->attempt.patch).judges; !judges.empty())
      text += fmt::format("It is about a {} and changes it: {}\n\n",
                          judging_kind(judges.changes.front().path), path_list(judges));
    text += opened_tests_text(context, *fix);
  }
  const AcceptedFix& first = *fixes.front();
  int score = first.score;
  Standing standing = first.standing; // of several issues in one commit: what holds for each of them
  for (const AcceptedFix* fix : fixes) {
    score = std::min(score, fix->score);
    standing = {std::min(standing.level, fix->standing.level), common(standing.marks, fix->standing.marks)};
  }
  text += proven_by(standing, score);
  for (const AcceptedFix* fix : fixes) text += "Emend-Issue: " + fix->issue.code + "\n";
  text += fmt::format("Emend-Session: {}\nEmend-Score: {}\nEmend-Evidence: {}\n", context.session.id, score,
                      to_string(standing));
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

  [[nodiscard]] const std::vector<Verdict>& verdicts() const { return verdicts_; } // of the session

  Result<std::string> trailers(const Together& fixes) const {
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
  std::vector<CommitRequest> requests;
  TRY_ASSIGN(const Sealer sealer, Sealer::begin(context));
  TRY_ASSIGN(const Identity author, context.ports.repository.identity());
  const MessageStyle style = style_of(earlier_subjects(context.ports.repository, context.session.base));
  Patch earlier; // what the commits made here changed so far, relative to the session's base
  const std::vector<Together> groups = by_patch(fixes);
  for (const Together& together : groups) {
    const AcceptedFix& fix = *together.front();
    CommitRequest request;
    if (requests.empty()) request.parent = parent;
    request.patch = fix.attempt.patch;
    if (!requests.empty() || fix.attempt.base != parent) {
      TRY_ASSIGN(std::optional<Patch> moved, context.ports.repository.rebase(fix.attempt.patch, earlier));
      if (!moved)
        return fail(ErrorCode::internal, fix.issue.code + " does not apply on top of the fixes before it");
      request.patch = *std::move(moved);
    }
    TRY_ASSIGN(std::optional<Patch> next, context.ports.repository.merge(earlier, fix.attempt.patch));
    if (!next) return fail(ErrorCode::internal, fix.issue.code + " does not merge with the fixes before it");
    earlier = *std::move(next);
    TRY_ASSIGN(const std::string seals, sealer.trailers(together));
    request.message = commit_message(context, style, sealer.verdicts(), together) + seals;
    request.author_name = author.name;
    request.author_email = author.email;
    request.time_s = context.session.started_ms / 1000;
    requests.push_back(std::move(request));
  }
  std::vector<PlannedCommit> planned;
  if (requests.empty()) return planned;
  TRY_ASSIGN(const std::vector<std::string> shas, context.ports.repository.commit_chain(requests));
  for (std::size_t i = 0; i < shas.size(); ++i) {
    std::vector<std::string> ids;
    for (const AcceptedFix* each : groups[i]) ids.push_back(each->issue.id);
    CommitRecord record{
        shas[i],        i == 0 ? parent : shas[i - 1], context.session.id,
        std::move(ids), requests[i].patch.sha256(),    std::string(lines_of(requests[i].message).front())};
    planned.push_back({std::move(record), std::move(requests[i].message)});
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
  TRY(context.ports.repository.publish(session.branch, tip, session.base));
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
    FixCommitCreated created{commit.sha, commit.subject, {}};
    for (const Issue& issue : issues)
      if (std::find(commit.issue_ids.begin(), commit.issue_ids.end(), issue.id) != commit.issue_ids.end())
        created.issue_codes.push_back(issue.code);
    change.events.push_back(context.event("", created));
  }
  TRY(context.log.apply(std::move(change)));
  return context.ports.store.finish_intent(intent.id);
}

} // namespace emend
