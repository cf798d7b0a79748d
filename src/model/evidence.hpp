// How sure RESOLVED is, and the proof that is stored before an issue may be called so.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"

namespace emend {

// Ordered: later is stronger, and needs what the ones before need. docs/evidence.md says what each means.
enum class Evidence { none, judged, unbroken, repaired, proven };
[[nodiscard]] std::string_view to_string(Evidence level);
// Also reads `verified` and `rescanned`, which older programs wrote where we write unbroken.
[[nodiscard]] std::optional<Evidence> parse_evidence(std::string_view text);

// What else was seen, beside the level.
struct Marks {
  bool shown = false;       // the patch's own tests fail without it and pass with it
  bool rescanned = false;   // the analyzer that found the issue does not report it any more
  bool independent = false; // a hidden check whose values were compared outside the tree passed
  bool executed = false;    // a coverage tool saw the checks execute every changed line

  bool operator==(const Marks&) const = default;
};
[[nodiscard]] std::string to_string(const Marks& marks);               // "shown, rescanned"; empty = none
[[nodiscard]] Marks parse_marks(std::string_view text);                // words that are no marks are skipped
[[nodiscard]] std::vector<std::string> mark_words(const Marks& marks); // sorted
[[nodiscard]] Json to_json(const Marks& marks);                        // the same as a list
[[nodiscard]] Marks marks_from_json(const Json& json);
// What holds for both.
[[nodiscard]] Marks common(const Marks& one, const Marks& other);

// A level with its marks, as commit messages and screens have it: "repaired (shown, rescanned)".
struct Standing {
  Evidence level = Evidence::none;
  Marks marks;

  bool operator==(const Standing&) const = default;
};
[[nodiscard]] std::string to_string(const Standing& standing);
[[nodiscard]] std::optional<Standing> parse_standing(std::string_view text);
// The same for a level that is kept as a word; empty stays empty.
[[nodiscard]] std::string evidence_text(std::string_view level, const Marks& marks);
// A word of a proof made before there were `unbroken` and `repaired`: what was called proven then is
// repaired.
[[nodiscard]] std::optional<Standing> parse_old_standing(std::string_view text);

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
  Marks marks;
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

// In today's words, whichever program made the proof. A word it does not know is none.
[[nodiscard]] Standing standing_of(const Proof& proof);

[[nodiscard]] Json to_json(const GateDecision& decision);
[[nodiscard]] GateDecision gate_decision_from_json(const Json& json);

} // namespace emend
