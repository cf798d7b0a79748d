// A session's branch proposed to people: what the pull request says, pushing it, and making or updating it,
// once.
#pragma once

#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/gate/telling_runs.hpp"
#include "model/evidence.hpp"
#include "model/report.hpp"
#include "ports/forge.hpp"
#include "ports/remotes.hpp"

namespace emend {

struct ProposalText {
  std::string title, body; // the body begins and ends with a mark, so that it can be found and replaced
};

// What shows that the fixes hold.
struct ProposalEvidence {
  std::vector<Proof> proofs;                           // of the resolved issues
  std::map<std::string, std::vector<TellingRun>> runs; // by the code
  std::map<std::string, std::string> pages;            // where a proof can be looked at, by the code
};

// Pure. place: for links; null = there is no forge to link to.
[[nodiscard]] ProposalText proposal_text(const FixReport& report, const ProposalEvidence& evidence,
                                         const ForgePlace* place);

// `body` with our part of it replaced; what people wrote around it stays. nullopt = there is no part of ours
// in it.
[[nodiscard]] std::optional<std::string> with_our_part(const std::string& body, const std::string& ours);

struct Proposal {
  NewPullRequest pull;
  std::string tip;                    // what the branch is to be
  std::vector<std::string> reviewers; // to be asked
};

struct Proposed {
  PullRequest pull;
  bool pushed = false, created = false, updated = false;
  std::vector<std::string> notes; // said to the person
};

// Pushes forward only (ErrorCode::conflict when the branch there holds commits that are not ours), then makes
// the pull request, or brings the one there is up to date.
[[nodiscard]] Result<Proposed> propose(Forge& forge, Remotes& remotes, const Proposal& proposal,
                                       std::stop_token stop);

} // namespace emend
