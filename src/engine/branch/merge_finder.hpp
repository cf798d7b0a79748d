// Whether a fix has reached a branch, however it was merged: decided from the bytes the branch holds, never
// from a message or a date.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/patch.hpp"
#include "ports/repository.hpp"

namespace emend {

enum class MergeProof {
  ancestor,  // the branch was made from the fix's own commit
  patch_id,  // a commit of the branch makes the same change (rebase, cherry-pick)
  contained, // a commit of the branch makes the change among others (squash)
};
[[nodiscard]] std::string_view to_string(MergeProof proof); // "ancestor", "patch-id", "contained"

struct Merge {
  MergeProof proof = MergeProof::ancestor;
  std::string commit; // the first of the branch that has it
};

// Where a fix comes from. All are commit ids.
struct FixPlace {
  std::string commit, parent;
  std::string base, tip; // of the branch it was made on; empty = unknown
};

struct MergeLook {
  std::optional<Merge> merge;
  std::string why_not; // one sentence, when there is none
};

// The rule, and why it knows no false yes: docs/decisions/0022-merged-by-bytes.md.
[[nodiscard]] Result<MergeLook> look_for_merge(Repository& repository, const FixPlace& fix,
                                               const std::string& branch_tip);

// The same for the same change anywhere in a file and in any history: git's patch id, with white space
// counted.
[[nodiscard]] std::string patch_id(const Patch& patch);

} // namespace emend
