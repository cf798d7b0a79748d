// Saying what was found where the pull request is: planned as values from what stands there already, then
// posted, once.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "engine/review/pr_review.hpp"
#include "model/posting.hpp"
#include "ports/forge.hpp"

namespace emend {

// A file of the head, nullopt = it has none of that name.
using HeadFile = std::function<std::optional<std::string>(const std::string& path)>;

struct PostPlan {
  NewReview review;                                  // what is new; no body = nothing is
  std::vector<std::pair<Remark, std::string>> edits; // comments of ours that say something else now
  int inline_new = 0, unchanged = 0,
      in_text = 0; // findings: new comments, known ones, told in the review's text
  int suggestions = 0;

  [[nodiscard]] bool empty() const { return review.body.empty() && edits.empty(); }
};

// Pure. A finding we have commented on before is not commented on again; what others said is never touched.
// kind: how a suggestion of several lines is written. claims: what is said of the fixes that the pull request
// claims, in the text of the review.
[[nodiscard]] PostPlan plan_post(const ForgeKind& kind, const PrReview& review,
                                 const std::vector<DiffFile>& diff, const std::vector<Remark>& remarks,
                                 const PostingSettings& settings, const HeadFile& head_file,
                                 const std::string& claims = "");

// Why a pull request is not to be reviewed; empty = it is.
[[nodiscard]] std::string reason_to_skip(const PullRequest& pull, const PostingSettings& settings);

struct Posted {
  PostPlan plan;
  std::vector<std::string> notes; // said to the person
};

// Reads what is there, makes the plan, looks that the head is still the one that was reviewed
// (ErrorCode::conflict, and nothing is posted, when it is not) and posts. An answer that got lost is looked
// for before anything is sent again.
[[nodiscard]] Result<Posted> post_review(Forge& forge, int number, const PrReview& review,
                                         const PostingSettings& settings, const HeadFile& head_file,
                                         const std::string& claims, std::stop_token stop);

[[nodiscard]] Json to_json(const Posted& posted);

} // namespace emend
