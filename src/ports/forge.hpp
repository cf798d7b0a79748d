// A forge: where people propose changes, talk about them and keep their issues (GitHub, GitLab).
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "model/forge_place.hpp"
#include "ports/forge_team.hpp"

namespace emend {

enum class PullState { open, closed, merged };

struct PullRequest {
  int number = 0;
  std::string title, body, url, author;
  PullState state = PullState::open;
  bool draft = false;
  std::vector<std::string> labels;
  std::string head_sha, head_branch;
  std::string head_project; // "somebody/app"; empty = it is gone
  std::string base_sha, base_branch;
  std::string start_sha;    // where the forge's diff begins; only what GitLab needs to place a comment
  std::string merge_commit; // of a merged one; may be empty
};

// A line of the new file that the forge shows in the diff, so that it can be commented on. old_line: 0 = it
// was added.
struct DiffLine {
  int line = 0, old_line = 0;
};
struct DiffFile {
  std::string path, old_path;
  std::vector<std::vector<DiffLine>> hunks; // the new side of each
};

struct InlineComment {
  std::string path, body;
  int line = 0;
  int start_line = 0; // 0 = one line
  int old_line = 0;   // of `line` in the old file; 0 = it was added
};

// Posted in one request where the forge can do that.
struct NewReview {
  std::string commit; // the head it speaks of
  std::string body;
  std::vector<InlineComment> comments;
};

struct NewPullRequest {
  std::string title, body, head_branch, base_branch;
  bool draft = true;
};

struct TrackerIssue {
  int number = 0;
  std::string title, body, url;
  bool open = true;
};

struct NewTrackerIssue {
  std::string title, body;
  std::vector<std::string> labels;
};

struct Label {
  std::string name, color, description; // color: six hexadecimal digits
};

// Every call blocks for a bounded time and ends soon after `stop` fires (ErrorCode::cancelled). What only
// asks is tried again when the forge stumbles; what makes something is sent once. Errors say what to do: auth
// = no token, or it may not do this; not_found; limit = the forge wants us to wait, and until when; io = it
// cannot be reached or is broken, and whether something was made is unknown; usage = it refuses what was
// sent. No error, and nothing else, ever holds the token.
class Forge : public HeadStatuses, public Members, public Conversations, public Pipelines {
public:
  [[nodiscard]] virtual const ForgePlace& place() const = 0;
  [[nodiscard]] virtual std::string pull_ref(int number) const = 0; // "refs/pull/42/head"

  [[nodiscard]] virtual Result<PullRequest> pull_request(int number, std::stop_token stop) = 0;
  // The open one that proposes this branch of this very project; nullopt = there is none.
  [[nodiscard]] virtual Result<std::optional<PullRequest>> pull_request_of(const std::string& branch,
                                                                           std::stop_token stop) = 0;
  [[nodiscard]] virtual Result<PullRequest> create(const NewPullRequest& request, std::stop_token stop) = 0;
  [[nodiscard]] virtual Result<PullRequest> update(int number, const std::string& title,
                                                   const std::string& body, std::stop_token stop) = 0;
  // Names as CODEOWNERS has them, without "@"; "team/people" is a team.
  [[nodiscard]] virtual Status ask_for_review(int number, const std::vector<std::string>& names,
                                              std::stop_token stop) = 0;

  [[nodiscard]] virtual Result<std::vector<DiffFile>> diff(int number, std::stop_token stop) = 0;
  [[nodiscard]] virtual Result<std::vector<Remark>> remarks(int number, std::stop_token stop) = 0;
  [[nodiscard]] virtual Status post(const PullRequest& pull, const NewReview& review,
                                    std::stop_token stop) = 0;
  [[nodiscard]] virtual Status edit(int number, const Remark& remark, const std::string& body,
                                    std::stop_token stop) = 0;

  // Open and closed ones with that label; "" = all. The newest first, at most some thousands.
  [[nodiscard]] virtual Result<std::vector<TrackerIssue>> issues(const std::string& label,
                                                                 std::stop_token stop) = 0;
  [[nodiscard]] virtual Result<TrackerIssue> issue(int number, std::stop_token stop) = 0;
  [[nodiscard]] virtual Result<TrackerIssue> open_issue(const NewTrackerIssue& issue,
                                                        std::stop_token stop) = 0;
  [[nodiscard]] virtual Status reopen_issue(int number, std::stop_token stop) = 0;
  [[nodiscard]] virtual Status comment_issue(int number, const std::string& body, std::stop_token stop) = 0;
  [[nodiscard]] virtual Status make_label(const Label& label,
                                          std::stop_token stop) = 0; // one that is there is fine
};

} // namespace emend
