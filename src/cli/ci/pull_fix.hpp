// A fix of what is in a pull request: a session on its head, landed beside its branch or on it.
#pragma once

#include <string>
#include <vector>

#include "cli/ci/forge_access.hpp"
#include "cli/context.hpp"
#include "config/config.hpp"
#include "engine/forge/landing.hpp"
#include "engine/forge/pull_request.hpp"

namespace emend {

// A pull request, or a branch, fetched into the engine's own store, with the configuration of its base.
struct PullPlace {
  ForgeAccess at;
  PullRequest pull;
  std::string base; // tip of the branch it goes into
};

// what: a number or an address. expected: the head must be this commit; empty = whatever it is.
// ErrorCode::conflict when it is not.
[[nodiscard]] Result<PullPlace> fetch_pull(CommandContext& context, const std::string& what,
                                           const std::string& remote, const std::string& expected);
[[nodiscard]] Result<PullPlace> fetch_branch(CommandContext& context, const std::string& branch,
                                             const std::string& remote);
// Fixes these issues on the head. What is not resolved is in the report.
[[nodiscard]] Result<FixReport> fix_on_head(CommandContext& context, const PullPlace& place,
                                            const Config& config, const std::vector<Issue>& issues);
struct LandingWish {
  bool to_branch = false;
  std::string asked_by; // see LandOrder
};
// ErrorCode::usage, before any work is done, when the fix could not go where it is wanted.
[[nodiscard]] Status check_landing(CommandContext& context, const PullPlace& place, const LandingWish& wish);
// Of every issue of the session that has a proof.
[[nodiscard]] Result<ProposalEvidence> proposal_evidence(CommandContext& context, const FixReport& report);
// Nothing is landed without a commit: ErrorCode::not_found says why there is no commit.
[[nodiscard]] Result<Landed> land_fix(CommandContext& context, const PullPlace& place,
                                      const FixReport& report, const LandingWish& wish);
// The same as a file for `emend pr land`, in another place; nothing is sent.
[[nodiscard]] Status prepare_landing(CommandContext& context, const PullPlace& place, const FixReport& report,
                                     const std::string& directory);
// ErrorCode::needs_input unless forge.allow_push.
[[nodiscard]] Status check_may_push(const ForgeAccess& access);

} // namespace emend
