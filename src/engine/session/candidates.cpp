#include "engine/session/candidates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/strings.hpp"
#include "engine/branch/merge_finder.hpp"
#include "engine/patch/apart.hpp"
#include "engine/verify/failing_part.hpp"

namespace emend {
namespace {

// How far a change came.
int standing(AttemptResult result) {
  switch (result) {
    case AttemptResult::accepted: return 4;
    case AttemptResult::below_threshold: return 3;
    case AttemptResult::unevaluated: return 2;
    case AttemptResult::verification_failed: return 1;
    default: return 0;
  }
}

auto rank(const Candidate& one) {
  const DiffStat stat = diff_stat(one.attempt.patch);
  return std::make_tuple(standing(one.end.result), one.level, one.end.score,
                         -(stat.insertions + stat.deletions));
}

// What fails when `product` is run with `tests`; empty = nothing does.
Result<std::string> failing(Verifier& verifier, const Issue& issue, const Candidate& product_of,
                            const Patch& whole, std::stop_token stop) {
  TRY_ASSIGN(const Verification run, verifier.execute(VerificationKind::alone, product_of.attempt.base, whole,
                                                      product_of.commands, stop, issue.code));
  if (was_cancelled(run)) return std::string();
  for (const CommandRun& command : run.commands)
    if (!command.passed()) return trim_middle(clean_text(failure_text(command, nullptr)), 800);
  return std::string();
}

} // namespace

std::size_t candidates_wanted(int setting, bool after_failure, std::size_t others,
                              std::optional<double> mean_cost, double left) {
  const std::size_t asked = setting > 0 ? static_cast<std::size_t>(setting) : after_failure ? 2 : 1;
  std::size_t wanted = std::min(asked, 1 + others);
  if (mean_cost && *mean_cost > 0 && left > 0) // each of them is made and judged
    wanted = std::min(wanted, static_cast<std::size_t>(left / (2 * *mean_cost)));
  return std::max<std::size_t>(wanted, 1);
}

std::size_t first_same(const std::vector<Candidate>& candidates, std::size_t index) {
  if (candidates[index].attempt.patch.empty()) return index;
  const std::string id = patch_id(candidates[index].attempt.patch);
  for (std::size_t i = 0; i < index; ++i)
    if (!candidates[i].attempt.patch.empty() && patch_id(candidates[i].attempt.patch) == id) return i;
  return index;
}

std::size_t best_candidate(const std::vector<Candidate>& candidates) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < candidates.size(); ++i)
    if (rank(candidates[i]) > rank(candidates[best])) best = i;
  return best;
}

Result<std::string> disagreement(RunContext& context, Verifier& verifier, const Issue& issue,
                                 const Candidate& one, const Candidate& other, std::stop_token stop) {
  for (const auto& [product_of, tests_of] : {std::pair{&one, &other}, std::pair{&other, &one}}) {
    const ApartPatch product = apart(issue.finding.file, product_of->attempt.patch),
                     tests = apart(issue.finding.file, tests_of->attempt.patch);
    if (tests.own_tests.empty() || product.product.empty() || product_of->commands.empty()) continue;
    TRY_ASSIGN(const std::optional<Patch> crossed,
               context.ports.repository.merge(product.product, tests.own_tests));
    if (!crossed) continue;
    TRY_ASSIGN(const std::string what, failing(verifier, issue, *product_of, *crossed, stop));
    if (!what.empty())
      return fmt::format(
          "the test that {} adds in {} passes with its own change and fails with that of {}: {}",
          tests_of->attempt.agent, clean_text(tests.own_tests.changes.front().path),
          product_of->attempt.agent, what);
  }
  return std::string();
}

} // namespace emend
