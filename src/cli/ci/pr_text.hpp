// What people read about a reviewed pull request: the votes, their average, the decision, and what was found.
#pragma once

#include <string>

#include "cli/findings_output.hpp"
#include "cli/text_table.hpp"
#include "engine/review/pr_review.hpp"

namespace emend {

// "votes 85 and 78, average 81.5, needed 80: APPROVED"
[[nodiscard]] std::string decision_line(const PrReview& review);
// What must be known to read the decision: who voted otherwise, one vendor only, votes that are none, what
// nobody was shown.
[[nodiscard]] std::vector<std::string> decision_notes(const PrReview& review);
[[nodiscard]] std::string pr_review_text(const PrReview& review, const SourceReader& source,
                                         const Palette& palette);
// The votes as a table and the decision, for the head of a Markdown report.
[[nodiscard]] std::string pr_review_markdown(const PrReview& review);

} // namespace emend
