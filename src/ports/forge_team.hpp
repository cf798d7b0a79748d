// What a forge lets a reviewer do beside talking: say of a commit how it stands, know who may do what, keep
// threads, look at pipelines. Parts of Forge; who needs one asks for that part.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "model/head_status.hpp"
#include "ports/forge_remark.hpp"

namespace emend {

struct PullRequest;

class HeadStatuses {
public:
  virtual ~HeadStatuses() = default;
  // A run with text and annotations; the same call with its id changes it. The id. ErrorCode::auth = a token
  // like this may not, usage = this forge has none of that kind.
  [[nodiscard]] virtual Result<std::string> put_check(const HeadStatus& status, const std::string& id,
                                                      std::stop_token stop) = 0;
  // The run of this commit that has this reference and is not over; nullopt = there is none.
  [[nodiscard]] virtual Result<std::optional<std::string>> find_check(const HeadStatus& status,
                                                                      std::stop_token stop) = 0;
  // One line beside the commit; one of the same context is replaced.
  [[nodiscard]] virtual Status put_status(const HeadStatus& status, std::stop_token stop) = 0;
};

enum class Right { none, read, write };
[[nodiscard]] std::string_view to_string(Right right);

struct LabelPut {
  std::string by;
  bool bot = false;
  std::int64_t at_ms = 0;
};

class Members {
public:
  virtual ~Members() = default;
  // What this person may do in the project now, as its list of members says.
  [[nodiscard]] virtual Result<Right> right_of(const std::string& login, std::stop_token stop) = 0;
  // Who put the label on last; nullopt = the forge does not say.
  [[nodiscard]] virtual Result<std::optional<LabelPut>> label_put(int number, const std::string& label,
                                                                  std::stop_token stop) = 0;
  // When the head of today became the head, by the forge's own clock; nullopt = it cannot say. Dates of
  // commits are their author's choice and count for nothing.
  [[nodiscard]] virtual Result<std::optional<std::int64_t>> head_since(const PullRequest& pull,
                                                                       std::stop_token stop) = 0;
  // A branch nobody pushes to without further ado: a protected one, or the project's default branch.
  [[nodiscard]] virtual Result<bool> is_guarded(const std::string& branch, std::stop_token stop) = 0;
};

struct ReviewThread {
  std::string id;
  bool resolved = false;
  std::string resolved_by; // empty = nobody, or unknown
  std::string path;
  int line = 0;                // 0 = its place is gone from the diff
  int line_then = 0;           // where it was when it began, in the commit of its first remark
  std::vector<Remark> remarks; // the first one began it
};

enum class Reaction { seen, done, refused };

class Conversations {
public:
  virtual ~Conversations() = default;
  [[nodiscard]] virtual Result<std::vector<ReviewThread>> threads(int number, std::stop_token stop) = 0;
  [[nodiscard]] virtual Status reply(int number, const ReviewThread& thread, const std::string& body,
                                     std::stop_token stop) = 0;
  // ErrorCode::usage = this forge lets nobody do that from outside.
  [[nodiscard]] virtual Status resolve(int number, const ReviewThread& thread, std::stop_token stop) = 0;
  // A comment in the conversation; as it is there now.
  [[nodiscard]] virtual Result<Remark> say(int number, const std::string& body, std::stop_token stop) = 0;
  // One remark as it is at this moment. ErrorCode::not_found when it is gone.
  [[nodiscard]] virtual Result<Remark> remark(int number, RemarkKind kind, const std::string& id,
                                              std::stop_token stop) = 0;
  [[nodiscard]] virtual Status react(int number, const Remark& remark, Reaction reaction,
                                     std::stop_token stop) = 0;
  // Open pull requests of which something changed since then.
  [[nodiscard]] virtual Result<std::vector<int>> changed_since(std::int64_t since_ms,
                                                               std::stop_token stop) = 0;
};

enum class JobEnd { passed, failed, timed_out, cancelled, running };

struct PipelineJob {
  std::string id, run; // `run`: what can be started again; may be the job itself
  std::string name, url;
  JobEnd end = JobEnd::running;
};

struct PipelineRun {
  std::string id, sha, branch;
  std::string project; // whose branch; a fork's is another than ours
};

class Pipelines {
public:
  virtual ~Pipelines() = default;
  // The last try of every job of this commit.
  [[nodiscard]] virtual Result<std::vector<PipelineJob>> jobs(const std::string& sha,
                                                              std::stop_token stop) = 0;
  // As it was printed; untrusted. Never sends the token to another server.
  [[nodiscard]] virtual Result<std::string> job_log(const PipelineJob& job, std::stop_token stop) = 0;
  [[nodiscard]] virtual Result<PipelineRun> pipeline_run(const std::string& id, std::stop_token stop) = 0;
  // Once more, without a change. ErrorCode::usage = this forge does not let us.
  [[nodiscard]] virtual Status restart(const PipelineJob& job, std::stop_token stop) = 0;
};

} // namespace emend
