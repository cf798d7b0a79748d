// Splits what one agent process changed for several issues into one patch an issue, by file and by hunk.
// Pure.
#pragma once

#include <string>
#include <vector>

#include "model/issue.hpp"
#include "model/patch.hpp"

namespace emend {

// A changed file that only one issue is about is that issue's. In a file of several, a hunk belongs to every
// issue whose lines it touches or comes near to, else to the issue with the nearest lines: a change two
// findings share is in both patches. A file nobody named belongs to the only issue that lists it as related,
// else to the only issue in its directory; else, if it is new, to the issues whose changes use it or, a test,
// that it names; else to every issue for which something was changed. Nothing is dropped: what does not
// belong to an issue is refused with it, and made again. What the agent says about who needed a change
// decides nothing. Returns one patch an issue, in the order given.
[[nodiscard]] std::vector<Patch> split_patch(const Patch& whole, const std::vector<Issue>& issues);

} // namespace emend
