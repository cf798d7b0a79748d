// An issue: a finding we track, with an identity, a code and a status that only moves along a table;
// and the questions that people answer about it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "model/evidence.hpp"
#include "model/finding.hpp"

namespace emend {

// A question about an issue that only a person can settle, and what the person said. Kept with the issue,
// given to the fixer.

enum class ClarificationState {
  asked, // waits for the person
  answered,
  skipped, // the person leaves it to the fixer
};
[[nodiscard]] std::string_view to_string(ClarificationState state);
[[nodiscard]] std::optional<ClarificationState> parse_clarification_state(std::string_view text);

struct Clarification {
  std::string issue_id;    // UUID
  std::string question_id; // "BE-001-q1", numbered through all rounds of an issue
  int round = 1;
  std::string question;
  std::string context;                  // why it is asked
  std::vector<std::string> suggestions; // answers to choose from; others are welcome
  ClarificationState state = ClarificationState::asked;
  std::string answer;
  std::int64_t asked_ms = 0;
  std::int64_t answered_ms = 0;
  std::string answered_by = {}; // the person, as they are shown
};

[[nodiscard]] Json to_json(const Clarification& clarification);

enum class IssueStatus { open, in_progress, resolved, failed, merged, ignored, duplicate };

[[nodiscard]] std::string_view to_string(IssueStatus status); // "OPEN", "IN_PROGRESS", ...
[[nodiscard]] std::optional<IssueStatus> parse_issue_status(std::string_view text); // case does not matter

// How it stands against what was known before, beside its status.
enum class IssueTrend { fresh, ongoing, regressed };
[[nodiscard]] std::string_view to_string(IssueTrend trend); // "new", "ongoing", "regressed"
[[nodiscard]] std::optional<IssueTrend> parse_issue_trend(std::string_view text);

enum class Side { backend, frontend };
[[nodiscard]] Side side_of(std::string_view file);     // by extension; unknown -> backend
[[nodiscard]] std::string_view code_prefix(Side side); // "BE", "FE"

struct Issue {
  std::string id; // UUID
  std::string repository_id;
  std::string code;                // "BE-001", unique per repository for ever
  std::string fingerprint;         // rule, what stands around the place, file: unique in the repository
  std::string content_fingerprint; // the same without the file: survives a rename
  std::string line_key;            // rule and the text of the line: survives an edit near it
  Finding finding;
  IssueStatus status = IssueStatus::open;
  std::string reason;       // why it is FAILED, IGNORED, ...: one word from reasons (or a gate clause)
  std::string detail;       // one sentence for people
  std::string evidence;     // level when RESOLVED
  Marks marks;              // beside it
  std::string duplicate_of; // code
  std::string session_id;   // last session that worked on it
  std::string commit;       // commit that holds the fix
  int last_score = -1;      // -1 = never judged
  int attempts = 0;
  IssueTrend trend = IssueTrend::fresh;
  std::string seen_commit; // the last commit it was found in; empty = unknown
  std::string
      absent_commit; // the first commit looked at since in which it was not found; empty = it is still there
  std::int64_t created_ms = 0;
  std::int64_t updated_ms = 0;
  std::vector<Clarification>
      clarifications; // filled in when it is read from the store; written through Change::clarifications
};

[[nodiscard]] Json to_json(const Issue& issue);

// The issue state machine as one table. docs/issue-states.md draws it; a test compares the drawing with
// the table.

// Who may cause a move. RESOLVED has exactly one actor: the gate.
enum class Mover { engine, gate, person, sync };
[[nodiscard]] std::string_view to_string(Mover mover);

struct Transition {
  IssueStatus from;
  IssueStatus to;
  Mover mover;
  std::string_view why; // in the product's words, for docs and `emend explain`
};

[[nodiscard]] const std::vector<Transition>& issue_transitions();
[[nodiscard]] bool may_move(IssueStatus from, IssueStatus to, Mover mover);

} // namespace emend
