// The commit stage: accepted patches are combined, the combination is verified, a culprit is bisected out,
// each fix becomes a commit.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/gate.hpp"
#include "engine/reproduction.hpp"
#include "engine/rescan.hpp"
#include "engine/run_context.hpp"
#include "engine/verify.hpp"

namespace emend {

// A fix that passed everything on its own.
struct AcceptedFix {
  Unit unit;
  Issue issue;
  Attempt attempt;
  int score = 0;
  Evidence evidence = Evidence::judged; // as the gate decided; the commit says so
};

struct Combination {
  std::vector<AcceptedFix> kept;        // in order; their patches fit together and verify together
  std::vector<AcceptedFix> conflicting; // cannot be merged with a kept one: to be fixed again on top
  struct Dropped {
    AcceptedFix fix;
    std::string detail;
    std::string failure; // command and output
  };
  std::vector<Dropped> dropped; // break the combination
  Patch patch;                  // base -> all kept
  std::optional<Verification>
      verified;                       // the commands' run on exactly that tree; nullopt = no command applies
  std::optional<Verification> rescan; // the analyzers' run on it, counted from the session's base
  bool cancelled = false;
};

struct CombineOrder {
  std::string base;           // commit the fixes' patches are relative to
  Patch before;               // what the session's earlier commits changed: session base -> base
  std::vector<Issue> settled; // issues those commits fix; they must stay fixed
  std::vector<AcceptedFix> fixes;
};

// Merges in the given order; looks at the result with the analyzers, verifies it once and runs every issue's
// reproducer; what does not pass is taken out, by bisection where only the whole is known to fail. Every tree
// that was verified is in the store.
[[nodiscard]] Result<Combination> combine(RunContext& context, Verifier& verifier, Rescanner& rescanner,
                                          Reproduction& reproduction, const CombineOrder& order,
                                          std::stop_token stop);

// One commit per fix on top of `parent` (the session's base, or the tip for a fix made on top of others), in
// the engine's own store; deterministic, so doing it again gives the same ids. In order; the last one's sha
// is the new tip.
[[nodiscard]] Result<std::vector<PlannedCommit>> make_commits(RunContext& context, const std::string& parent,
                                                              const std::vector<AcceptedFix>& fixes);

// At least one fix; several share a commit when their patches are the same.
[[nodiscard]] std::string commit_message(const RunContext& context,
                                         const std::vector<const AcceptedFix*>& fixes);

// What an engine that died had published for this session; empty = nothing. That is what the session comes
// to: made anew, the same fixes need not give the same commits, since some of them may be settled by now.
[[nodiscard]] Result<std::vector<CommitRecord>> published_before(RunContext& context);

// Intent, effect, done: the branch appears in the user's repository exactly once, whatever crashes in
// between.
[[nodiscard]] Status publish_branch(RunContext& context, const std::vector<CommitRecord>& commits);

} // namespace emend
