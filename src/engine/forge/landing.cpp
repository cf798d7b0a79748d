#include "engine/forge/landing.hpp"

#include <fmt/format.h>

#include "base/strings.hpp"

namespace emend {

namespace {

Status still_the_head(Forge& forge, Remotes& remotes, const LandOrder& order, std::stop_token stop) {
  TRY_ASSIGN(const auto tip,
             remotes.tip(forge.place().git_url, "refs/heads/" + order.pull.head_branch, stop));
  std::string head = tip.value_or("");
  if (order.pull.number > 0) {
    TRY_ASSIGN(const PullRequest now, forge.pull_request(order.pull.number, stop));
    if (now.state != PullState::open)
      return fail(ErrorCode::conflict, "the pull request is not open any more: nothing was pushed");
    if (now.head_sha != order.fixed_head) head = now.head_sha;
  }
  if (head == order.fixed_head) return {};
  return fail(
      ErrorCode::conflict,
      fmt::format("somebody pushed to {} while it was fixed: nothing was pushed", order.pull.head_branch),
      "the fix is on branch " + order.branch + "; ask again for the new head");
}

tl::unexpected<Error> not_onto(const std::string& why) {
  return fail(ErrorCode::usage, why + ": nothing was pushed",
              "--to stacked, or forge.fix_to = \"stacked\", proposes the fix as a pull request instead");
}

Status may_push_onto(Forge& forge, const LandOrder& order, std::stop_token stop) {
  const std::string& branch = order.pull.head_branch;
  if (order.pull.number == 0 || branch == order.pull.base_branch)
    return not_onto("emend pushes only to the branch of a pull request");
  if (to_lower(order.pull.head_project) != to_lower(forge.place().project))
    return not_onto("the branch " + branch + " belongs to a fork");
  TRY_ASSIGN(const bool guarded, forge.is_guarded(branch, stop));
  if (guarded) return not_onto("the branch " + branch + " is protected or the default branch");
  if (order.asked_by.empty()) return {};
  TRY_ASSIGN(const Right right, forge.right_of(order.asked_by, std::move(stop)));
  if (right == Right::write) return {};
  return not_onto(order.asked_by + ", who asked for this, may not write here any more");
}

Result<Landed> onto_branch(Forge& forge, Remotes& remotes, const LandOrder& order, std::stop_token stop) {
  TRY(may_push_onto(forge, order, stop));
  TRY(remotes.push({forge.place().git_url, order.pull.head_branch, order.tip, order.fixed_head},
                   std::move(stop)));
  return Landed{fmt::format("pushed {} to {}", order.tip.substr(0, 12), order.pull.head_branch), 0, "", {}};
}

} // namespace

Status may_land(Forge& forge, const LandOrder& order, std::stop_token stop) {
  return order.to_branch ? may_push_onto(forge, order, std::move(stop)) : Status();
}

Result<Landed> land(Forge& forge, Remotes& remotes, const LandOrder& order, std::stop_token stop) {
  TRY(still_the_head(forge, remotes, order, stop));
  if (order.to_branch) return onto_branch(forge, remotes, order, std::move(stop));
  const Proposal proposal{
      {order.text.title, order.text.body, order.branch, order.pull.head_branch, false}, order.tip, {}};
  TRY_ASSIGN(const Proposed done, propose(forge, remotes, proposal, std::move(stop)));
  return Landed{
      fmt::format("pull request #{} into {}: {}", done.pull.number, order.pull.head_branch, done.pull.url),
      done.pull.number, done.pull.url, done.notes};
}

} // namespace emend
