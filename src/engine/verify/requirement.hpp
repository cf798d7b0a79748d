// How sure a fix must be. Pure.
#pragma once

#include "model/evidence.hpp"
#include "model/issue.hpp"
#include "model/patch.hpp"
#include "model/policy.hpp"

namespace emend {

// The level that resolve.minimum_evidence asks of a fix of this issue; `judged` where it says nothing. A path
// counts when it is the issue's file or one the patch changes.
[[nodiscard]] Evidence required_evidence(const Policy& policy, const Issue& issue, const Patch& patch = {});

// May a fix count that no check confirms? Yes where resolve.minimum_evidence says `judged`, and where it says
// nothing and no check applies. A check that applies must confirm the fix unless a person wrote otherwise.
[[nodiscard]] bool judge_may_decide(const Policy& policy, const Issue& issue, const Patch& patch = {});

} // namespace emend
