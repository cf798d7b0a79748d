// Issues a pull request says it fixes, and whether that is shown.
#pragma once

#include <string_view>
#include <vector>

#include "engine/context/ports.hpp"
#include "engine/forge/gate_verdict.hpp"

namespace emend {

// The name of the status in which a check says how a head stands.
inline constexpr const char* kCheckContext = "emend/check";

// A taken command, as it is noted: "check BE-001", and "check BE-001 @0123456789ab" where the person named
// the commit.
[[nodiscard]] bool is_check_of(std::string_view command, std::string_view code);

// What `/emend check CODE` said of this head, or `emend pr check` in its status, if either was asked; empty =
// none was, or it has not ended.
[[nodiscard]] Result<std::string> checked_line(const Ports& ports, const ForgePlace& place,
                                               const PullRequest& pull, const std::string& code);
[[nodiscard]] bool says_proven(std::string_view checked);

// Of the title and the text. Proven: emend's own fix with a reproducer is in this head, or a check asked for
// here said so of this head.
[[nodiscard]] Result<std::vector<FixClaim>> claims_of(const Ports& ports, const ForgePlace& place,
                                                      const PullRequest& pull);

} // namespace emend
