// Several changes for one issue in one round: which are the same, which is best, and where they disagree.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/session/disagreement.hpp"
#include "engine/session/unit_turn.hpp"
#include "model/attempt.hpp"
#include "model/evidence.hpp"

namespace emend {

// How the question begins that a person is asked where two candidates disagree.
inline constexpr std::string_view kTwoFixesDiffer = "Two fixes pass every check and behave differently: ";

struct Candidate {
  Attempt attempt;
  bool ran = true; // false: its agent could not work
  TurnEnd end = {};
  Evidence level = Evidence::none;          // what speaks for it
  std::vector<VerifyCommand> commands = {}; // that checked it alone
};

// How many changes are asked for now, at most 1 + `others`. A round that the budget would not last for has
// fewer. mean_cost: of a run; left: of the budget, 0 = no limit.
[[nodiscard]] std::size_t candidates_wanted(int setting, bool after_failure, std::size_t others,
                                            std::optional<double> mean_cost, double left);

// The first of the attempts that makes the same change, whatever its white space at line ends; index itself
// if it is new. Pure.
[[nodiscard]] std::size_t first_same(const std::vector<Candidate>& candidates, std::size_t index);

// An accepted one before one that was not, then by evidence, score, and the smaller diff; of equals the
// first. Pure; at least one.
[[nodiscard]] std::size_t best_candidate(const std::vector<Candidate>& candidates);

// Nothing: they do not disagree, or neither a test nor a hidden check could tell.
[[nodiscard]] Result<Disagreement> disagreement(RunContext& context, Verifier& verifier, const Issue& issue,
                                                const Candidate& one, const Candidate& other,
                                                std::stop_token stop);

} // namespace emend
