#include "cli/ci/checked_head.hpp"

#include "base/strings.hpp"
#include "cli/ci/hosted_pages.hpp"
#include "cli/ci/own_program.hpp"
#include "cli/ci/pr_head.hpp"

namespace emend {

namespace {

std::vector<std::string> token_names(const ForgeAccess& at) {
  const ForgeKind& kind = *at.forge->place().kind;
  std::vector<std::string> names = kind.token_variables;
  names.insert(names.end(), kind.token_variables_elsewhere.begin(), kind.token_variables_elsewhere.end());
  names.insert(names.end(), at.settings.token_env.begin(), at.settings.token_env.end());
  return names;
}

// A run that left nothing here told the finding in emend's threads.
Status know_issue(CommandContext& context, const PullPlace& place, const std::string& code) {
  TRY_ASSIGN(const Ports ports, context.ports());
  if (code.empty() || ports.store.issue(ports.repository.id(), code)) return {};
  TRY_ASSIGN(const auto threads, place.at.forge->threads(place.pull.number, context.dependencies().stop));
  return learn_from_threads(context, threads, place.pull.head_sha);
}

} // namespace

Result<HeadVerdict> check_pull(CommandContext& context, const PullPlace& place, const std::string& code) {
  TRY(know_issue(context, place, code));
  std::vector<std::string> words = {"check", "--range", place.base + ".." + place.pull.head_sha};
  if (!code.empty()) words.insert(words.end(), {"--issue", code});
  TRY_ASSIGN(const OwnRun run, run_own_program(context, words, token_names(place.at)));
  const std::string word = string_or(run.data, "verdict");
  if (word.empty()) return emend::fail(ErrorCode::io, run.problem.empty() ? "the check failed" : run.problem);
  return head_verdict(word, string_or(run.data, "reason"), code);
}

HeadVerdict verdict_from(const KnownReview& known) {
  HeadVerdict verdict = read_verdict(known.summary);
  if (!known.ground.findings.empty()) verdict.code = known.ground.findings.front().code;
  return verdict;
}

Result<HeadStatus> judge_check(CommandContext& context, Forge& forge, const PullRequest& pull,
                               const TeamSettings& settings, const HeadVerdict& verdict) {
  HeadStatus status = conclude_check(verdict, settings.gate, "");
  if (status.state != HeadState::failure || pull.number == 0) return status;
  TRY_ASSIGN(const std::string by, override_by(context, forge, pull, settings.override_label));
  return conclude_check(verdict, settings.gate, by);
}

Status CheckedHead::tell(const HeadVerdict& verdict, const ReviewGround& ground) {
  TRY_ASSIGN(const HostedPages pages, hosted_pages(context_));
  TRY_ASSIGN(HeadStatus status, judge_check(context_, forge_, pull_, settings_, verdict));
  status.url = ground.findings.empty() ? pages.run : pages.about(ground.findings);
  return told_.end(std::move(status), ground);
}

Status CheckedHead::end(const HeadVerdict& verdict) {
  if (!told_.is_pending()) return {};
  TRY_ASSIGN(const Ports ports, context_.ports());
  ReviewGround ground;
  TRY_ASSIGN(ground.files, hash_of_files(ports.repository, pull_.head_sha));
  ground.number = pull_.number;
  if (const auto issue = ports.store.issue(ports.repository.id(), verdict.code)) ground.findings = {*issue};
  return tell(verdict, ground);
}

Status CheckedHead::again() {
  if (settings_.status == StatusWay::off) return {};
  TRY_ASSIGN(const Ports ports, context_.ports());
  TRY_ASSIGN(const auto known, review_of_commit(ports, forge_.place().web(), kCheckContext, pull_.head_sha));
  if (!known) return {};
  const HeadVerdict verdict = verdict_from(*known);
  TRY_ASSIGN(const HeadStatus status, judge_check(context_, forge_, pull_, settings_, verdict));
  if (to_string(status.state) == known->state && status.summary == known->summary) return {};
  TRY(told_.show(pull_.head_sha));
  return tell(verdict, known->ground);
}

} // namespace emend
