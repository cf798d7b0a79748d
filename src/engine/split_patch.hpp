// Splits what one agent process changed for several issues into one patch an issue, by file and by hunk. Pure.
#pragma once

#include <string>
#include <vector>

#include "model/issue.hpp"
#include "model/patch.hpp"

namespace emend {

struct SplitPatch {
  std::vector<Patch> patches;      // one an issue, in the order given
  std::vector<std::string> orphans; // changes that belong to none of them, one line each
};

// A changed file that only one issue is about is that issue's. In a file of several, a hunk belongs to every issue whose lines it touches
// or comes near to, else to the issue with the nearest lines: a cure shared by two findings is in both patches. A file nobody named
// belongs to the only issue that lists it as related, else to the only issue in its directory, else to nobody. What the agent says about
// who needed a change decides nothing: a part that ends up with the wrong issue fails its own verification and is made again.
[[nodiscard]] SplitPatch split_patch(const Patch& whole, const std::vector<Issue>& issues);

} // namespace emend
