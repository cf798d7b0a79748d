// What people say about fixes: a fix that was taken back, and what became of the branch it is on; comments.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/json.hpp"

namespace emend {

enum class WithdrawalKind {
  rejected,  // the fix is not wanted: its patch is undone on the branch, and the same patch is never accepted
             // for the issue again
  discarded, // the whole session is not wanted: the branch goes
};
[[nodiscard]] std::string_view to_string(WithdrawalKind kind);
[[nodiscard]] std::optional<WithdrawalKind> parse_withdrawal_kind(std::string_view text);

// The branch is a thing of the outside world: announced before, looked for after a crash, confirmed when it
// is done.
enum class BranchChange {
  none,    // there is nothing to change: no branch, or it holds nothing of the fix any more
  pending, // from branch_from to branch_to, not known to be done
  done,
  kept, // somebody else has moved it meanwhile or stands on it: it stays as it is
};
[[nodiscard]] std::string_view to_string(BranchChange change);
[[nodiscard]] std::optional<BranchChange> parse_branch_change(std::string_view text);

struct Withdrawal {
  std::string id; // UUID
  std::string session_id;
  std::string issue_id;
  WithdrawalKind kind = WithdrawalKind::rejected;
  std::string reason;       // the person's words; may be empty when discarded
  std::string commit;       // that holds the fix
  std::string patch_sha256; // of the attempt that was accepted
  std::string branch_from;  // where the branch was; empty = there was none
  std::string branch_to;    // the commit that undoes it; empty = the branch is removed, or stays
  BranchChange branch = BranchChange::none;
  std::int64_t created_ms = 0;
  std::string by = {}; // who decided, as they are shown
};

[[nodiscard]] Json to_json(const Withdrawal& withdrawal);

// What a person said about an issue or about a line of its fix. Given to whoever fixes the issue next;
// never evidence.

struct Comment {
  std::string id; // UUID
  std::string issue_id;
  std::string session_id; // whose change it is about; empty = the issue itself
  std::string text;
  std::string file; // may be empty
  int line = 0;     // 0 = none
  std::string side; // of the change: "old" or "new"; empty = not about a line of it
  std::int64_t created_ms = 0;
  std::string by = {}; // who said it, as they are shown
};

[[nodiscard]] Json to_json(const Comment& comment);

} // namespace emend
