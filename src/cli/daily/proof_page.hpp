// The proof of a fix as one page for a browser: no script, nothing loaded from anywhere, light or dark as the
// reader's system says. Made to be linked from a pull request.
#pragma once

#include <string>

#include "engine/gate/prove.hpp"
#include "engine/session/report.hpp"

namespace emend {

// Pure. Everything in it is escaped: titles, output and diffs come from strangers.
[[nodiscard]] std::string proof_page(const Explanation& explanation, const ProofReport& report);

} // namespace emend
