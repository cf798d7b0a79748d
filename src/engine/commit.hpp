// The commit stage: accepted patches are combined, the combination is verified, a culprit is bisected out, each fix becomes a commit.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/run_context.hpp"
#include "engine/verify.hpp"

namespace emend {

// A fix that passed everything on its own.
struct AcceptedFix {
  Unit unit;
  Issue issue;
  Attempt attempt;
  int score = 0;
  Evidence evidence = Evidence::judged; // as far as the unit's own checks go
};

struct Combination {
  std::vector<AcceptedFix> kept;       // in order; their patches fit together and verify together
  std::vector<AcceptedFix> conflicting; // cannot be merged with a kept one: to be fixed again on top
  struct Dropped {
    AcceptedFix fix;
    std::string detail;
    std::string failure; // command and output
  };
  std::vector<Dropped> dropped; // break the combination
  Patch patch;                  // base -> all kept
  bool cancelled = false;
};

// Merges in the given order, verifies once, bisects when that fails. Every tree that was verified is in the store.
[[nodiscard]] Result<Combination> combine(RunContext& context, Verifier& verifier, const std::vector<AcceptedFix>& fixes, std::stop_token stop);

// One commit per fix on top of `parent` (the session's base, or the tip for a fix made on top of others), in the engine's own store;
// deterministic, so doing it again gives the same ids. Returns the records in order; the last one's sha is the new tip.
[[nodiscard]] Result<std::vector<CommitRecord>> make_commits(RunContext& context, const std::string& parent, const std::vector<AcceptedFix>& fixes);

// At least one fix; several share a commit when their patches are the same.
[[nodiscard]] std::string commit_message(const RunContext& context, const std::vector<const AcceptedFix*>& fixes);

// Intent, effect, done: the branch appears in the user's repository exactly once, whatever crashes in between.
[[nodiscard]] Status publish_branch(RunContext& context, const std::vector<CommitRecord>& commits);

} // namespace emend
