// One run of a fixer on one issue: what it said, what the engine saw, how the engine judged it. Append-only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/patch.hpp"

namespace emend {

// What the fixer claims. Recorded, never believed. contested: it keeps the change of the round before and
// answers what the judge said of it.
enum class Claim { fixed, blocked, deferred, false_positive, contested, not_reported };
[[nodiscard]] std::string_view to_string(Claim claim);
[[nodiscard]] std::optional<Claim> parse_claim(std::string_view text);

// How the attempt ended, as the engine sees it.
enum class AttemptResult {
  accepted,  // passed checks, verification and challenge: goes on to commit
  no_change, // the tree is as it was
  refused,   // a static clause (P1-P3) failed: cosmetic, out of scope, cheat
  verification_failed,
  below_threshold,
  unevaluated,  // no valid verdict
  agent_failed, // not started, non-zero exit, timeout, no answer, and nothing usable in the tree
  deferred,
  blocked,
  not_chosen,  // another candidate of the same round was better, or made the same change
  interrupted, // cancelled or crashed: does not count
};
[[nodiscard]] std::string_view to_string(AttemptResult result);
[[nodiscard]] std::optional<AttemptResult> parse_attempt_result(std::string_view text);

struct Attempt {
  std::string id; // UUID
  std::string session_id;
  std::string unit_id;
  std::string issue_id;
  int cycle = 0; // 1-based, per unit
  std::string agent;
  std::string model;
  std::string family;
  std::string ending; // process ending, as text
  int exit_code = -1;
  Claim claim = Claim::not_reported;
  std::string explanation; // the fixer's words: for logs and people, never for the challenger
  AttemptResult result = AttemptResult::interrupted;
  std::string detail; // one sentence: why this result
  std::string base;   // commit the patch is relative to
  Patch patch;
  std::vector<std::string> notes; // left-out files, ignored .git, ...
  std::int64_t started_ms = 0;
  std::int64_t duration_ms = 0;
};

[[nodiscard]] Json to_json(const Attempt& attempt, bool with_patch);
[[nodiscard]] Attempt attempt_from_json(const Json& json); // without the patch

} // namespace emend
