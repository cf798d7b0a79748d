// The ledger of fixes: what became of each one after its session, found out from the person's decisions and
// from the bytes of the branch people share.
#pragma once

#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/branch/sync.hpp"
#include "engine/context/ports.hpp"
#include "model/fix_outcome.hpp"

namespace emend {

// Lines of a fix that change again within so many days after its merge were not good as they were.
inline constexpr int kSoonDays = 30;

// Looks at every fix of the repository that may have changed its fate and stores what it found. Nothing is
// fetched. Returns the whole ledger.
[[nodiscard]] Result<std::vector<FixOutcome>> update_ledger(const Ports& ports, const SyncTarget& target,
                                                            std::stop_token stop);

// What the ledger calls a rule: the analyzer's, or the category of a finding that has none.
[[nodiscard]] std::string rule_of(const Finding& finding);

// Did somebody take the change over with changes of their own? At least half of the lines it adds (of those
// it removes, where it adds none) are in what one commit adds (removes), and not all. Pure.
[[nodiscard]] bool is_edited_version(const Patch& fix, const Patch& commit);

// How many of the lines that the fix added are not in `now` any more: path -> content. Short lines (a brace)
// say nothing. Pure.
[[nodiscard]] int lost_lines(const Patch& fix, const std::map<std::string, std::string>& now);

} // namespace emend
