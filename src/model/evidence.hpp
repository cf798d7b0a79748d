// How sure RESOLVED is, and the proof that is stored before an issue may be called so.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"

namespace emend {

enum class Evidence { none, judged, verified, rescanned, proven }; // ordered: later is stronger
[[nodiscard]] std::string_view to_string(Evidence level);
[[nodiscard]] std::optional<Evidence> parse_evidence(std::string_view text);

enum class ClauseState { passed, failed, unknown, not_required };
[[nodiscard]] std::string_view to_string(ClauseState state);

// One clause of the gate as it was decided, for `emend explain`.
struct Clause {
  std::string id;   // "P1"
  std::string name; // "real_change"
  ClauseState state = ClauseState::unknown;
  std::string detail; // one sentence
};

struct GateDecision {
  bool resolved = false;
  Evidence evidence = Evidence::none;
  std::vector<Clause> clauses;
  std::string reason; // name of the first clause that did not pass; empty when resolved
  std::string detail;
};

// Durable before the status flips; the database refuses RESOLVED without it.
struct Proof {
  std::string issue_id;
  std::string session_id;
  std::string attempt_id;
  std::string verdict_id;
  std::string base;
  std::string commit;
  std::string branch;
  std::string patch_sha256;
  std::string evidence;
  int score = 0;
  Json detail; // clauses, command results, tool versions, timings
  std::int64_t created_ms = 0;
};

[[nodiscard]] Json to_json(const GateDecision& decision);
[[nodiscard]] GateDecision gate_decision_from_json(const Json& json);

} // namespace emend
