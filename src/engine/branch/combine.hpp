// Accepted patches are put together and the combination is checked; what breaks it is found by bisection and
// taken out.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/context/run_context.hpp"
#include "engine/verify/reproduction.hpp"
#include "engine/verify/rescan.hpp"
#include "engine/verify/verify.hpp"

namespace emend {

// A fix that passed everything on its own.
struct AcceptedFix {
  Unit unit;
  Issue issue;
  Attempt attempt;
  int score = 0;
  Standing standing = {Evidence::judged, {}}; // as the gate decided; the commit says so
};

struct Combination {
  std::vector<AcceptedFix> kept;        // in order; their patches fit together and verify together
  std::vector<AcceptedFix> conflicting; // cannot be merged with a kept one: to be fixed again on top
  struct Dropped {
    AcceptedFix fix;
    std::string detail;
    std::string failure; // command and output
    bool alone = false;  // it failed without any other fix
  };
  std::vector<Dropped> dropped;                 // break the combination
  Patch patch;                                  // base -> all kept
  Patch product;                                // the same without the tests the fixes bring along
  std::optional<Verification> product_verified; // the commands' run on that
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

} // namespace emend
