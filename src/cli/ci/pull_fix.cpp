#include "cli/ci/pull_fix.hpp"

#include <fmt/format.h>

#include "base/files.hpp"
#include "base/strings.hpp"
#include "cli/agents/agent_files.hpp"
#include "cli/ci/hosted_pages.hpp"
#include "cli/trust_check.hpp"
#include "engine/branch/withdrawals.hpp"
#include "engine/forge/forge_log.hpp"

namespace emend {

namespace {

Status fetch_both(CommandContext& context, PullPlace& place, const std::string& head_ref) {
  const std::stop_token stop = context.dependencies().stop;
  const std::string& url = place.at.forge->place().git_url;
  TRY_ASSIGN(const std::string head, place.at.remotes->fetch(url, head_ref, stop));
  if (place.pull.head_sha.empty()) place.pull.head_sha = head;
  if (head != place.pull.head_sha)
    return fail(ErrorCode::conflict, "it got new commits while it was fetched", "run the command again");
  TRY_ASSIGN(place.base, place.at.remotes->fetch(url, "refs/heads/" + place.pull.base_branch, stop));
  return {};
}

std::string why_nothing(const FixReport& report) {
  for (const IssueOutcome& outcome : report.issues)
    if (!outcome.issue.reason.empty())
      return outcome.issue.code + ": " + outcome.issue.reason +
             (outcome.issue.detail.empty() ? "" : ", " + outcome.issue.detail);
  return report.session.detail.empty() ? "no issue was resolved" : report.session.detail;
}

} // namespace

Result<PullPlace> fetch_pull(CommandContext& context, const std::string& what, const std::string& remote,
                             const std::string& expected) {
  const auto name = parse_pull_name(what);
  if (!name)
    return fail(ErrorCode::usage, "not a pull request: " + one_line(what, 200), "give its number or its URL");
  PullPlace place;
  TRY_ASSIGN(place.at, access_forge(context, {remote, name->at}));
  TRY_ASSIGN(place.pull, place.at.forge->pull_request(name->number, context.dependencies().stop));
  if (place.pull.state != PullState::open)
    return fail(ErrorCode::usage, fmt::format("pull request {} is not open", name->number));
  if (!expected.empty() && place.pull.head_sha != expected)
    return fail(ErrorCode::conflict,
                fmt::format("the head of pull request {} is {}, not {}", name->number,
                            place.pull.head_sha.substr(0, 12), one_line(expected, 12)),
                "look at the new commits, then ask again");
  TRY(fetch_both(context, place, place.at.forge->pull_ref(name->number)));
  return place;
}

Result<PullPlace> fetch_branch(CommandContext& context, const std::string& branch,
                               const std::string& remote) {
  PullPlace place;
  TRY_ASSIGN(place.at, access_forge(context, {remote, std::nullopt}));
  TRY_ASSIGN(Repository * repository, context.repository());
  TRY_ASSIGN(const auto base, repository->default_branch());
  if (!base) return fail(ErrorCode::usage, "this repository has no default branch to compare with");
  place.pull.head_branch = branch;
  place.pull.head_project = place.at.forge->place().project;
  place.pull.base_branch = base->starts_with("origin/") ? base->substr(7) : *base;
  TRY(fetch_both(context, place, "refs/heads/" + branch));
  return place;
}

Result<FixReport> fix_on_head(CommandContext& context, const PullPlace& place, const Config& config,
                              const std::vector<Issue>& issues) {
  FixRequest request;
  request.base_ref = place.pull.head_sha;
  request.policy = config.policy();
  TRY(config.require_agents());
  TRY_ASSIGN(request.policy, policy_with_agent_files(context, config, place.base));
  for (const Issue& issue : issues) request.issue_ids.push_back(issue.id);
  TRY_ASSIGN(SessionManager * manager, context.manager());
  return manager->fix(request, context.dependencies().stop);
}

namespace {

Result<LandOrder> order_for(CommandContext& context, const PullPlace& place, const FixReport& report,
                            const LandingWish& wish) {
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(const std::string tip, own_tip(*store, report.session));
  if (tip.empty())
    return fail(ErrorCode::not_found, why_nothing(report), "emend report --session " + report.session.id);
  TRY_ASSIGN(const ProposalEvidence evidence, proposal_evidence(context, report));
  return LandOrder{place.pull,
                   place.pull.head_sha,
                   report.session.branch,
                   tip,
                   proposal_text(report, evidence, &place.at.forge->place()),
                   wish.to_branch,
                   wish.asked_by};
}

} // namespace

Result<ProposalEvidence> proposal_evidence(CommandContext& context, const FixReport& report) {
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(SessionManager * manager, context.manager());
  TRY_ASSIGN(const HostedPages pages, hosted_pages(context));
  ProposalEvidence evidence;
  for (const IssueOutcome& outcome : report.issues) {
    TRY_ASSIGN(auto proof, store->proof(outcome.issue.id, report.session.id));
    if (!proof) continue;
    evidence.proofs.push_back(*std::move(proof));
    if (const std::string page = pages.about({outcome.issue}); !page.empty())
      evidence.pages[outcome.issue.code] = page;
    if (outcome.issue.session_id != report.session.id) continue; // another session speaks for it by now
    TRY_ASSIGN(Explanation explanation, manager->explain(outcome.issue.code));
    evidence.runs[outcome.issue.code] = std::move(explanation.experiments);
  }
  return evidence;
}

Status prepare_landing(CommandContext& context, const PullPlace& place, const FixReport& report,
                       const std::string& directory) {
  TRY_ASSIGN(const LandOrder order, order_for(context, place, report, {}));
  TRY(make_directories(directory, 0755));
  return write_file(fs::path(directory) / "landing.json",
                    dump_json({{"number", order.pull.number},
                               {"head", order.fixed_head},
                               {"branch", order.branch},
                               {"tip", order.tip},
                               {"title", order.text.title},
                               {"body", order.text.body}},
                              2) +
                        "\n",
                    0644);
}

Status check_landing(CommandContext& context, const PullPlace& place, const LandingWish& wish) {
  if (!wish.to_branch) return {};
  LandOrder order;
  order.pull = place.pull;
  order.to_branch = true;
  order.asked_by = wish.asked_by;
  return may_land(*place.at.forge, order, context.dependencies().stop);
}

Result<Landed> land_fix(CommandContext& context, const PullPlace& place, const FixReport& report,
                        const LandingWish& wish) {
  TRY_ASSIGN(const LandOrder order, order_for(context, place, report, wish));
  TRY_ASSIGN(const Landed landed,
             land(*place.at.forge, *place.at.remotes, order, context.dependencies().stop));
  TRY_ASSIGN(const Ports ports, context.ports());
  if (landed.number > 0)
    TRY(note_forge_event(
        ports, PullRequestProposed{report.session.id, place.at.forge->place().web(), landed.number,
                                   landed.url, report.session.branch, place.pull.head_branch, order.tip}));
  for (const std::string& note : landed.notes) context.hint("note: " + one_line(note, 400));
  return landed;
}

Status check_may_push(const ForgeAccess& access) {
  if (access.settings.allow_push) return {};
  return fail(ErrorCode::needs_input, "emend may not push here: forge.allow_push is false",
              "allow it in your own configuration:\n\n[forge]\nallow_push = true\n");
}

} // namespace emend
