#include "cli/ci/pr_head.hpp"

#include <fmt/format.h>

#include <map>

#include "base/strings.hpp"
#include "cli/ci/hosted_pages.hpp"
#include "config/forge_config.hpp"
#include "engine/branch/sync.hpp"
#include "engine/forge/claims.hpp"
#include "engine/forge/forge_log.hpp"
#include "engine/forge/threads.hpp"
#include "engine/forge/told_before.hpp"
#include "engine/forge/told_findings.hpp"

namespace emend {

namespace {

bool is_dismissed(const Issue& issue) {
  return issue.status == IssueStatus::ignored || issue.status == IssueStatus::duplicate;
}

// By the fingerprint of the remark that tells them; what was fixed and is found again is not among them.
Result<std::map<std::string, Issue>> issues_of_remarks(CommandContext& context) {
  TRY_ASSIGN(const Ports ports, context.ports());
  IssueFilter filter;
  filter.repository_id = ports.repository.id();
  std::map<std::string, Issue> known;
  TRY(ports.store.for_each_issue(filter, [&](Issue&& issue) -> Status {
    if (issue.status == IssueStatus::open || issue.status == IssueStatus::failed || is_dismissed(issue))
      known.emplace(issue.fingerprint, std::move(issue));
    return {};
  }));
  return known;
}

// Tracked, in the order in which they were found.
Result<std::vector<Issue>> tracked(CommandContext& context, const PrReview& review,
                                   const std::vector<Remark>& remarks) {
  const auto told = told_before(review.findings, remarks);
  std::map<std::string, Issue> known;
  if (!told.empty()) {
    TRY_ASSIGN(known, issues_of_remarks(context));
  }
  const auto issue_told = [&](const Issue& found) {
    const auto same = told.find(found.fingerprint);
    return same == told.end() ? known.end() : known.find(same->second);
  };
  std::vector<Finding> fresh;
  for (const Issue& found : review.findings)
    if (issue_told(found) == known.end()) fresh.push_back(found.finding);
  TRY_ASSIGN(SessionManager * manager, context.manager());
  TRY_ASSIGN(std::vector<Issue> added, manager->add_findings(fresh, review.change.head));
  std::vector<Issue> issues;
  auto next = added.begin();
  for (const Issue& found : review.findings) {
    const auto before = issue_told(found);
    issues.push_back(before == known.end() ? std::move(*next++) : before->second);
    if (const auto same = told.find(found.fingerprint); same != told.end())
      issues.back().fingerprint = same->second; // the comment that is there stands for it
  }
  return issues;
}

} // namespace

// The label counts only from a person who may write now, put on after this head came.
Result<std::string> override_by(CommandContext& context, Forge& forge, const PullRequest& pull,
                                const std::string& wanted) {
  const std::stop_token stop = context.dependencies().stop;
  if (std::find(pull.labels.begin(), pull.labels.end(), wanted) == pull.labels.end()) return std::string();
  TRY_ASSIGN(const auto put, forge.label_put(pull.number, wanted, stop));
  TRY_ASSIGN(const auto since, forge.head_since(pull, stop));
  const std::string label = "label " + one_line(wanted, 60);
  if (!put || put->bot || put->by.empty()) {
    context.hint("note: the " + label + " does not count: no person is known to have put it on");
    return std::string();
  }
  if (!since || put->at_ms <= *since) {
    context.hint("note: the " + label +
                 " does not count: it is not known to be newer than this head; put it on again");
    return std::string();
  }
  TRY_ASSIGN(const Right right, forge.right_of(put->by, stop));
  if (right != Right::write) {
    context.hint("note: the " + label + " does not count: " + one_line(put->by, 60) + " may not write here");
    return std::string();
  }
  TRY_ASSIGN(const Ports ports, context.ports());
  TRY(note_override(ports, forge, pull, put->by));
  return put->by;
}

Result<HeadStatus> verdict_of(CommandContext& context, Forge& forge, const PullRequest& pull,
                              const TeamSettings& settings, const PrReview& review) {
  TRY_ASSIGN(const Ports ports, context.ports());
  GateFacts facts{review, {}, ""};
  TRY_ASSIGN(facts.claims, claims_of(ports, forge.place(), pull));
  TRY_ASSIGN(facts.override_by, override_by(context, forge, pull, settings.override_label));
  return conclude(facts, settings);
}

Status learn_from_threads(CommandContext& context, const std::vector<ReviewThread>& threads,
                          const std::string& head) {
  TRY_ASSIGN(const Ports ports, context.ports());
  TRY_ASSIGN(const auto learned, learn_told(ports, threads, head));
  TRY_ASSIGN(SessionManager * manager, context.manager());
  for (const LearnedFinding& each : learned)
    if (!each.dismissed.empty() && each.issue.status == IssueStatus::open)
      TRY(manager->ignore(each.issue.code, "wont_fix", each.dismissed));
  if (!learned.empty()) context.hint(plural(learned.size(), "finding") + " known again from emend's threads");
  return {};
}

PrReview review_from(const KnownReview& known) {
  PrReview review;
  review.change.head = known.sha;
  review.count.decision = PrDecision::not_approved; // only whether there were enough votes matters here
  for (const Issue& issue : known.ground.findings)
    if (!is_dismissed(issue)) review.findings.push_back(issue);
  return review;
}

Status keep_findings(CommandContext& context, PrReview& review, const std::vector<Remark>& remarks) {
  if (review.findings.empty()) return {};
  TRY_ASSIGN(std::vector<Issue> issues, tracked(context, review, remarks));
  std::vector<Issue> open;
  std::size_t dismissed = 0;
  for (std::size_t i = 0; i < issues.size(); ++i) {
    if (is_dismissed(issues[i])) {
      ++dismissed;
      continue;
    }
    Issue kept = std::move(issues[i]);
    kept.finding = review.findings[i].finding; // as it was found now
    open.push_back(std::move(kept));
  }
  if (dismissed > 0) context.hint(plural(dismissed, "finding") + " left out: dismissed before");
  review.findings = std::move(open);
  return {};
}

Status ReviewedHead::begin() { return told_.begin(pull_.head_sha); }

// Only where a server hears of it, and where a fix may be made.
std::vector<StatusButton> ReviewedHead::buttons(const PrReview& review, const HostedPages& pages) const {
  const bool fork = to_lower(pull_.head_project) != to_lower(forge_.place().project);
  if (!pages.hears_buttons || pull_.number == 0 || fork || review.findings.empty()) return {};
  return {{"Fix with emend", "Fix these findings and propose the fix", kFixButton}};
}

Status ReviewedHead::tell(HeadStatus status, const PrReview& review, const ReviewGround& ground) {
  TRY_ASSIGN(const HostedPages pages, hosted_pages(context_));
  status.url = pages.about(review.findings);
  if (told_.is_check_run() && pull_.number > 0) {
    TRY_ASSIGN(const auto diff, forge_.diff(pull_.number, context_.dependencies().stop));
    status.annotations = annotations_of(review.findings, diff);
    status.buttons = buttons(review, pages);
  }
  return told_.end(std::move(status), ground);
}

Status ReviewedHead::end(const PrReview& review) {
  if (!told_.is_pending()) return {};
  TRY_ASSIGN(const Ports ports, context_.ports());
  TRY_ASSIGN(HeadStatus status, verdict_of(context_, forge_, pull_, settings_, review));
  TRY_ASSIGN(const std::string files, hash_of_files(ports.repository, review.change.head));
  return tell(std::move(status), review, {files, pull_.number, review.findings});
}

Status ReviewedHead::again() {
  if (settings_.status == StatusWay::off) return {};
  TRY_ASSIGN(const Ports ports, context_.ports());
  TRY_ASSIGN(const auto known, review_of_commit(ports, forge_.place().web(), kReviewContext, pull_.head_sha));
  if (!known) return {};
  const PrReview review = review_from(*known);
  TRY_ASSIGN(HeadStatus status, verdict_of(context_, forge_, pull_, settings_, review));
  if (to_string(status.state) == known->state && status.summary == known->summary) return {};
  TRY(told_.show(pull_.head_sha));
  // The ground stays whole: what is dismissed today may be opened again tomorrow.
  return tell(std::move(status), review, known->ground);
}

Status follow_pull(CommandContext& context, const ForgeAccess& access, const PullRequest& pull,
                   const PrReview* review) {
  const std::stop_token stop = context.dependencies().stop;
  TRY_ASSIGN(const Ports ports, context.ports());
  EventLog log(ports.store, ports.clock, {});
  const std::string ref = "refs/heads/" + pull.head_branch;
  TRY(sync_merged(ports, log, SyncTarget{pull.head_branch, ref, pull.head_sha}, stop));
  TRY_ASSIGN(const HostedPages pages, hosted_pages(context));
  FollowOrder order{pull, std::nullopt, [&](const std::string& code) { return pages.issue(code); }};
  if (review != nullptr) {
    order.found.emplace();
    for (const Issue& issue : review->findings) order.found->push_back(issue.fingerprint);
  }
  TRY_ASSIGN(const Config config, context.config());
  TRY_ASSIGN(const Followed done, follow_threads(ports, *access.forge, config.policy(), order, stop));
  for (const std::string& line : done.lines) context.hint(one_line(line, 300));
  return {};
}

} // namespace emend
