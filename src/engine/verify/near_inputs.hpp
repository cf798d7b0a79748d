// Inputs near those of a hidden check: does a fix answer them as the code with the bug does? Answers that are
// written for exactly the reported inputs look so. A note for the judge and the person, never a refusal.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "engine/context/run_context.hpp"
#include "engine/verify/hidden_words.hpp"
#include "model/attempt.hpp"
#include "model/reproducer.hpp"

namespace emend {

// The check with one plain value of its input changed, in its command or in its files: a number, or a short
// word in quotes or on a line of its own. At most `most`, no two the same. Which they are follows from
// `seed`.
[[nodiscard]] std::vector<Reproducer> near_checks(const Reproducer& check, std::size_t most,
                                                  std::string_view seed);

struct NearAnswers {
  struct Other {
    std::string run;   // of the near check, "near 3"
    std::string input; // how it differs from the reported one
    std::string before, after;
  };
  int compared = 0;               // inputs that base and fix both answered, and on which an answer moved
  int same = 0;                   // of these, answered by the fix as by the base
  std::vector<Other> others = {}; // a few of those it answers otherwise

  [[nodiscard]] std::string sentence() const; // names no input; empty = nothing to note
  // For whoever can tell what is right and does not fix, as it names them; may be empty.
  [[nodiscard]] std::string other_answers() const;
};

// From stored runs of a check that speaks: those of the check itself, with the near inputs its author named,
// and those of near_checks().
[[nodiscard]] NearAnswers near_answers(const Reproducer& check, const std::vector<Verification>& runs,
                                       const std::string& base, const std::string& patch_sha256);

// What other_answers() shows of near_checks() made with this seed. known: see HiddenWords.
[[nodiscard]] HiddenWords hidden_in(const NearAnswers& answers, const Reproducer& check,
                                    std::string_view seed, std::string_view known);

// Which near checks a session draws.
[[nodiscard]] std::string near_seed(const std::string& session_id, const Reproducer& check);

// Runs near checks on the base and with the patch, a few in one tree, until enough of them tell something,
// and stores the runs. The check has spoken on both before. False: cancelled.
[[nodiscard]] Result<bool> run_near_checks(RunContext& context, const Reproducer& check,
                                           const Attempt& attempt, std::stop_token stop);

} // namespace emend
