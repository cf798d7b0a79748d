// Commands that people write to emend in a comment: what is one, what is refused and why, what is not for us.
// Pure. docs/decisions/0042-commands-in-pull-requests.md has the rules and what they are there for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ports/forge.hpp"

namespace emend {

enum class PrVerb { review, check, fix, explain, dismiss, stop, help };
[[nodiscard]] std::string_view to_string(PrVerb verb);

struct PrCommand {
  PrVerb verb = PrVerb::help;
  std::vector<std::string> codes;
  std::string commit;   // named by the person; empty = the head
  std::string because;  // of a dismissal
  bool stacked = false; // the fix is to be a pull request of its own, whatever is configured
};

// "fix BE-001", as it is shown in receipts.
[[nodiscard]] std::string to_string(const PrCommand& command);

// What a comment is to us. Nothing set = it is not for us.
struct ReadComment {
  std::optional<PrCommand> command;
  std::string refusal; // why what begins like a command is refused, in one line
};

// Of the comment's text only the first line counts, from its first character on.
[[nodiscard]] ReadComment read_comment(std::string_view body);

// What emend itself is called and who else may write to it.
struct CommandSettings {
  std::vector<std::string> allow_bots; // logins
};

// What a command must be able to do in the project.
[[nodiscard]] Right right_for(PrVerb verb);
// Whether it is about one commit, so that the head the person saw matters.
[[nodiscard]] bool is_about_head(PrVerb verb);
// Whether code of the change may be run for it.
[[nodiscard]] bool runs_code(PrVerb verb);
// Whether codes of findings may be named.
[[nodiscard]] bool is_about_findings(PrVerb verb);

// Why a remark is passed over in silence: ours, a bot's, edited; empty = it is read.
[[nodiscard]] std::string reason_to_ignore(const Remark& remark, const CommandSettings& settings);

// Why a command may not be carried out, in one line; empty = it may. `right`: what its author may do now.
// head_since: when the head came, by the forge's clock.
[[nodiscard]] std::string reason_to_refuse(const PrCommand& command, const Remark& remark,
                                           const PullRequest& pull, bool fork, Right right,
                                           std::optional<std::int64_t> head_since);

[[nodiscard]] std::string help_text();

} // namespace emend
