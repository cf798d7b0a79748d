// The REST API of Gitea and Forgejo, version 1.
#include <algorithm>
#include <map>
#include <mutex>

#include "adapters/forge/answer_fields.hpp"
#include "adapters/forge/forges.hpp"
#include "adapters/forge/rest_forge.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::string_view kDraft = "WIP: "; // how a title says that it is one
constexpr std::size_t kStatusText = 250;

PullRequest pull_of(const Json& answer) {
  const Json &head = object_in(answer, "head"), &base = object_in(answer, "base");
  PullRequest pull;
  pull.number = int_in(answer, "number");
  pull.title = string_or(answer, "title");
  pull.body = string_or(answer, "body");
  pull.url = string_or(answer, "html_url");
  pull.author = string_or(object_in(answer, "user"), "login");
  pull.state = flag_in(answer, "merged")                ? PullState::merged
               : string_or(answer, "state") == "closed" ? PullState::closed
                                                        : PullState::open;
  pull.draft = flag_in(answer, "draft") || pull.title.starts_with(kDraft);
  pull.labels = names_in(answer, "labels");
  pull.head_sha = string_or(head, "sha");
  pull.head_branch = string_or(head, "ref");
  pull.head_project = string_or(object_in(head, "repo"), "full_name");
  pull.base_sha = string_or(base, "sha");
  pull.base_branch = string_or(base, "ref");
  if (pull.state == PullState::merged) pull.merge_commit = string_or(answer, "merge_commit_sha");
  return pull;
}

Result<PullRequest> checked(PullRequest pull) {
  if (pull.number <= 0 || pull.head_sha.empty() || pull.base_branch.empty())
    return fail(ErrorCode::io, "Gitea did not answer with a pull request", "is forge.api_url right?");
  return pull;
}

TrackerIssue issue_of(const Json& answer) {
  return {int_in(answer, "number"), string_or(answer, "title"), string_or(answer, "body"),
          string_or(answer, "html_url"), string_or(answer, "state") != "closed"};
}

// "diff --git" blocks of a whole diff. A name git had to quote is passed over: nothing is said about it.
std::vector<DiffFile> files_of(std::string_view diff) {
  constexpr std::string_view kBlock = "diff --git ", kOld = "--- a/", kNew = "+++ b/";
  std::vector<DiffFile> files;
  std::string hunks;
  const auto close = [&] {
    if (!files.empty()) files.back().hunks = parse_hunks(hunks);
    hunks.clear();
  };
  for (const std::string_view line : lines_of(diff)) {
    if (line.starts_with(kBlock)) {
      close();
      files.emplace_back();
    } else if (!files.empty() && hunks.empty() && line.starts_with(kOld)) {
      files.back().old_path = line.substr(kOld.size());
    } else if (!files.empty() && hunks.empty() && line.starts_with(kNew)) {
      files.back().path = line.substr(kNew.size());
    } else if (!files.empty() && (!hunks.empty() || line.starts_with("@@"))) {
      hunks += std::string(line) + "\n";
    }
  }
  close();
  std::erase_if(files, [](const DiffFile& file) { return file.path.empty(); });
  return files;
}

const char* state_of(HeadState state) {
  switch (state) {
    case HeadState::pending: return "pending";
    case HeadState::failure: return "failure";
    case HeadState::error: return "error";
    default: return "success"; // it has no neutral
  }
}

JobEnd end_of(const std::string& state) {
  if (state == "pending") return JobEnd::running;
  if (state == "failure") return JobEnd::failed;
  return state == "error" ? JobEnd::timed_out : JobEnd::passed; // its machine ended it, not its checks
}

class Gitea final : public RestForge {
public:
  Gitea(const ForgePlace& place, RestSettings settings, const Clock& clock)
      : RestForge(place, std::move(settings), clock, "/repos/" + place.project, "/pulls/") {}

  std::string pull_ref(int number) const override { return "refs/pull/" + std::to_string(number) + "/head"; }

  Result<PullRequest> pull_request(int number, std::stop_token stop) override {
    TRY_ASSIGN(const Json answer, rest_.get(pull_path(number), std::move(stop)));
    return checked(pull_of(answer));
  }

  Result<std::optional<PullRequest>> pull_request_of(const std::string& branch,
                                                     std::stop_token stop) override {
    TRY_ASSIGN(const auto found, rest_.list(at("/pulls?state=open"), std::move(stop)));
    for (const Json& answer : found)
      if (PullRequest pull = pull_of(answer);
          pull.head_branch == branch && to_lower(pull.head_project) == to_lower(place_.project))
        return pull;
    return std::nullopt;
  }

  Result<PullRequest> create(const NewPullRequest& request, std::stop_token stop) override {
    TRY_ASSIGN(const Json answer,
               rest_.send("POST", at("/pulls"),
                          {{"title", (request.draft ? std::string(kDraft) : "") + request.title},
                           {"body", request.body},
                           {"head", request.head_branch},
                           {"base", request.base_branch}},
                          std::move(stop)));
    return checked(pull_of(answer));
  }

  Result<PullRequest> update(int number, const std::string& title, const std::string& body,
                             std::stop_token stop) override {
    TRY_ASSIGN(const PullRequest known, pull_request(number, stop));
    TRY_ASSIGN(const Json answer,
               rest_.send("PATCH", pull_path(number),
                          {{"title", (known.draft ? std::string(kDraft) : "") + title}, {"body", body}},
                          std::move(stop)));
    return checked(pull_of(answer));
  }

  Status ask_for_review(int number, const std::vector<std::string>& names, std::stop_token stop) override {
    Json people = Json::array(), teams = Json::array();
    for (const std::string& name : names) {
      const std::size_t slash = name.find('/');
      if (slash == std::string::npos)
        people.push_back(name);
      else
        teams.push_back(name.substr(slash + 1));
    }
    TRY(rest_.send("POST", pull_path(number) + "/requested_reviewers",
                   {{"reviewers", std::move(people)}, {"team_reviewers", std::move(teams)}},
                   std::move(stop)));
    return {};
  }

  Result<std::vector<DiffFile>> diff(int number, std::stop_token stop) override {
    TRY_ASSIGN(const std::string text, rest_.text(pull_path(number) + ".diff", std::move(stop)));
    return files_of(text);
  }

  Result<std::vector<Remark>> remarks(int number, std::stop_token stop) override {
    TRY_ASSIGN(const std::string self, who_we_are(stop));
    TRY_ASSIGN(const auto reviews, rest_.list(pull_path(number) + "/reviews", stop));
    std::vector<Remark> all;
    for (const Json& review : reviews) {
      all.push_back(remark_of(review, RemarkKind::review, self));
      TRY_ASSIGN(const auto comments, comments_of(number, review, stop));
      for (const Json& comment : comments)
        all.push_back(remark_of(comment, RemarkKind::inline_comment, self));
    }
    TRY_ASSIGN(const auto talk, whole_list(issue_path(number) + "/comments", std::move(stop)));
    for (const Json& comment : talk) all.push_back(remark_of(comment, RemarkKind::conversation, self));
    return all;
  }

  Status post(const PullRequest& pull, const NewReview& review, std::stop_token stop) override {
    Json comments = Json::array();
    for (const InlineComment& comment : review.comments)
      comments.push_back({{"path", comment.path}, {"body", comment.body}, {"new_position", comment.line}});
    TRY(rest_.send("POST", pull_path(pull.number) + "/reviews",
                   {{"commit_id", review.commit},
                    {"body", review.body},
                    {"event", "COMMENT"},
                    {"comments", std::move(comments)}},
                   std::move(stop)));
    return {};
  }

  // The text of a review is a comment of its own, which only the timeline names.
  Status edit(int number, const Remark& remark, const std::string& body, std::stop_token stop) override {
    std::string id = remark.id;
    if (remark.kind == RemarkKind::review) {
      TRY_ASSIGN(const auto timeline, rest_.list(issue_path(number) + "/timeline", stop));
      id.clear();
      for (const Json& entry : timeline)
        if (string_or(entry, "type") == "review" && id_in(entry, "review_id") == remark.id)
          id = id_in(entry, "id");
      if (id.empty()) return fail(ErrorCode::not_found, "the review " + remark.id + " is gone");
    }
    TRY(rest_.send("PATCH", at("/issues/comments/" + url_part(id)), {{"body", body}}, std::move(stop)));
    return {};
  }

  Result<std::vector<TrackerIssue>> issues(const std::string& label, std::stop_token stop) override {
    TRY_ASSIGN(const auto found, rest_.list(at("/issues?type=issues&state=all" +
                                               (label.empty() ? "" : "&labels=" + url_part(label))),
                                            std::move(stop)));
    std::vector<TrackerIssue> all;
    for (const Json& answer : found) all.push_back(issue_of(answer));
    return all;
  }

  Result<TrackerIssue> issue(int number, std::stop_token stop) override {
    TRY_ASSIGN(const Json answer, rest_.get(issue_path(number), std::move(stop)));
    return issue_of(answer);
  }

  // Labels go by number here.
  Result<TrackerIssue> open_issue(const NewTrackerIssue& issue, std::stop_token stop) override {
    TRY_ASSIGN(const auto labels, label_ids(stop));
    Json ids = Json::array();
    for (const std::string& name : issue.labels)
      if (const auto found = labels.find(name); found != labels.end()) ids.push_back(found->second);
    TRY_ASSIGN(const Json answer,
               rest_.send("POST", at("/issues"),
                          {{"title", issue.title}, {"body", issue.body}, {"labels", std::move(ids)}},
                          std::move(stop)));
    TrackerIssue made = issue_of(answer);
    if (made.number <= 0) return fail(ErrorCode::io, "Gitea did not answer with the opened issue");
    return made;
  }

  Status reopen_issue(int number, std::stop_token stop) override {
    TRY(rest_.send("PATCH", issue_path(number), {{"state", "open"}}, std::move(stop)));
    return {};
  }

  Status comment_issue(int number, const std::string& body, std::stop_token stop) override {
    TRY_ASSIGN(const auto there, whole_list(issue_path(number) + "/comments", stop));
    if (!says(there, body))
      TRY(rest_.send("POST", issue_path(number) + "/comments", {{"body", body}}, std::move(stop)));
    return {};
  }

  // A second one of the same name would be made without a word.
  Status make_label(const Label& label, std::stop_token stop) override {
    TRY_ASSIGN(const auto labels, label_ids(stop));
    if (!labels.contains(label.name))
      TRY(rest_.send("POST", at("/labels"),
                     {{"name", label.name}, {"color", "#" + label.color}, {"description", label.description}},
                     std::move(stop)));
    return {};
  }

  Result<std::string> put_check(const HeadStatus&, const std::string&, std::stop_token) override {
    return fail(ErrorCode::usage, "Gitea has no check runs",
                "forge.status = \"status\" uses commit statuses");
  }

  Result<std::optional<std::string>> find_check(const HeadStatus&, std::stop_token) override {
    return std::nullopt;
  }

  Status put_status(const HeadStatus& status, std::stop_token stop) override {
    Json json = {{"state", state_of(status.state)},
                 {"context", status.context},
                 {"description", short_text(status.summary, kStatusText)}};
    if (!status.url.empty()) json["target_url"] = status.url;
    TRY(rest_.send("POST", at("/statuses/" + status.sha), json, std::move(stop)));
    return {};
  }

  Result<Right> right_of(const std::string& login, std::stop_token stop) override {
    auto answer = rest_.get(at("/collaborators/" + url_part(login) + "/permission"), std::move(stop));
    if (!answer && answer.error().code == ErrorCode::not_found) return Right::none;
    if (!answer) return fail(answer.error());
    const std::string word = string_or(*answer, "permission");
    if (word == "owner" || word == "admin" || word == "write") return Right::write;
    return word == "read" ? Right::read : Right::none;
  }

  // The timeline writes "1" into the text of an entry that put a label on.
  Result<std::optional<LabelPut>> label_put(int number, const std::string& label,
                                            std::stop_token stop) override {
    TRY_ASSIGN(const auto timeline, rest_.list(issue_path(number) + "/timeline", std::move(stop)));
    std::optional<LabelPut> last;
    for (const Json& entry : timeline) {
      if (string_or(entry, "type") != "label" || string_or(entry, "body") != "1" ||
          string_or(object_in(entry, "label"), "name") != label)
        continue;
      const std::string by = string_or(object_in(entry, "user"), "login");
      last = LabelPut{by, is_bot(by), time_in(entry, "created_at")};
    }
    return last;
  }

  // Pushes stand in the timeline with their commits; without one the head came with the pull request.
  Result<std::optional<std::int64_t>> head_since(const PullRequest& pull, std::stop_token stop) override {
    TRY_ASSIGN(const auto timeline, rest_.list(issue_path(pull.number) + "/timeline", stop));
    const Json* push = nullptr;
    for (const Json& entry : timeline)
      if (string_or(entry, "type") == "pull_push") push = &entry;
    if (push == nullptr) {
      TRY_ASSIGN(const Json answer, rest_.get(pull_path(pull.number), std::move(stop)));
      const std::int64_t made = time_in(answer, "created_at");
      return made == 0 ? std::nullopt : std::optional(made);
    }
    const auto said = parse_json(string_or(*push, "body"));
    if (!said || !said->is_object()) return std::nullopt;
    const Json& commits = list_in(*said, "commit_ids");
    const std::int64_t when = time_in(*push, "created_at");
    if (commits.empty() || commits.back() != Json(pull.head_sha) || when == 0) return std::nullopt;
    return when;
  }

  Result<bool> is_guarded(const std::string& branch, std::stop_token stop) override {
    TRY_ASSIGN(const Json project, rest_.get(at(""), stop));
    if (string_or(project, "default_branch") == branch) return true;
    TRY_ASSIGN(const Json found, rest_.get(at("/branches/" + url_part(branch)), std::move(stop)));
    return flag_in(found, "protected");
  }

  // What stands at one line is one thread; its first comment began it.
  Result<std::vector<ReviewThread>> threads(int number, std::stop_token stop) override {
    TRY_ASSIGN(const std::string self, who_we_are(stop));
    TRY_ASSIGN(const auto reviews, rest_.list(pull_path(number) + "/reviews", stop));
    std::map<std::string, ReviewThread> found;
    for (const Json& review : reviews) {
      TRY_ASSIGN(const auto comments, comments_of(number, review, stop));
      for (const Json& comment : comments) {
        Remark remark = remark_of(comment, RemarkKind::inline_comment, self);
        ReviewThread& thread = found[remark.path + ":" + std::to_string(remark.line)];
        remark.reply = !thread.remarks.empty();
        if (!remark.reply) {
          thread.id = remark.id;
          thread.path = remark.path;
          thread.line = int_in(comment, "position");
          thread.line_then = remark.line;
        }
        if (const std::string by = string_or(object_in(comment, "resolver"), "login"); !by.empty()) {
          thread.resolved = true;
          thread.resolved_by = by;
        }
        thread.remarks.push_back(std::move(remark));
      }
    }
    std::vector<ReviewThread> all;
    for (auto& [place, thread] : found) all.push_back(std::move(thread));
    return all;
  }

  // An answer is a comment at the same line.
  Status reply(int number, const ReviewThread& thread, const std::string& body,
               std::stop_token stop) override {
    if (thread.remarks.empty()) return fail(ErrorCode::not_found, "the thread has no comment");
    TRY(rest_.send(
        "POST", pull_path(number) + "/reviews",
        {{"commit_id", thread.remarks.front().commit},
         {"event", "COMMENT"},
         {"comments",
          Json::array({{{"path", thread.path}, {"body", body}, {"new_position", thread.line_then}}})}},
        std::move(stop)));
    return {};
  }

  Status resolve(int, const ReviewThread&, std::stop_token) override {
    return fail(ErrorCode::usage, "Gitea lets only people resolve threads, in the browser");
  }

  Result<Remark> say(int number, const std::string& body, std::stop_token stop) override {
    TRY_ASSIGN(const std::string self, who_we_are(stop));
    TRY_ASSIGN(const Json answer,
               rest_.send("POST", issue_path(number) + "/comments", {{"body", body}}, std::move(stop)));
    return remark_of(answer, RemarkKind::conversation, self);
  }

  // Comments of other places do not belong to this pull request.
  Result<Remark> remark(int number, RemarkKind kind, const std::string& id, std::stop_token stop) override {
    TRY_ASSIGN(const std::string self, who_we_are(stop));
    TRY_ASSIGN(const Json answer, rest_.get(at("/issues/comments/" + url_part(id)), std::move(stop)));
    if (!string_or(answer, "pull_request_url").ends_with("/" + std::to_string(number)))
      return fail(ErrorCode::not_found,
                  "comment " + id + " is not about pull request " + std::to_string(number));
    return remark_of(answer, kind, self);
  }

  Status react(int, const Remark& remark, Reaction reaction, std::stop_token stop) override {
    const char* word = reaction == Reaction::seen   ? "eyes"
                       : reaction == Reaction::done ? "rocket"
                                                    : "confused";
    TRY(rest_.send("POST", at("/issues/comments/" + remark.id + "/reactions"), {{"content", word}},
                   std::move(stop)));
    return {};
  }

  Result<std::vector<int>> changed_since(std::int64_t since_ms, std::stop_token stop) override {
    TRY_ASSIGN(const auto found, rest_.list(at("/issues?type=pulls&state=open&since=" +
                                               url_part(rfc3339_utc(since_ms).substr(0, 19) + "Z")),
                                            std::move(stop)));
    std::vector<int> numbers;
    for (const Json& answer : found) numbers.push_back(int_in(answer, "number"));
    return numbers;
  }

  // Whatever runs the pipeline, its word is a status of the commit; the newest of each name counts.
  Result<std::vector<PipelineJob>> jobs(const std::string& sha, std::stop_token stop) override {
    TRY_ASSIGN(const auto found,
               rest_.list(at("/commits/" + url_part(sha) + "/statuses?sort=recentupdate"), std::move(stop)));
    std::vector<PipelineJob> all;
    for (const Json& status : found) {
      const std::string name = string_or(status, "context"), id = id_in(status, "id");
      const bool known =
          std::any_of(all.begin(), all.end(), [&](const PipelineJob& job) { return job.name == name; });
      if (known || name.starts_with("emend/")) continue;
      all.push_back({id, id, name, string_or(status, "target_url"), end_of(string_or(status, "status"))});
    }
    return all;
  }

  Result<std::string> job_log(const PipelineJob&, std::stop_token) override {
    return fail(ErrorCode::usage, "Gitea does not say where the log of a status is");
  }

  Result<PipelineRun> pipeline_run(const std::string&, std::stop_token) override {
    return fail(ErrorCode::usage, "pipelines of Gitea cannot be named", "name the pull request or --branch");
  }

  Status restart(const PipelineJob&, std::stop_token) override {
    return fail(ErrorCode::usage, "Gitea's API starts no job again");
  }

private:
  static bool is_bot(const std::string& login) {
    return login.ends_with("[bot]") || login.ends_with("-bot") || login.ends_with("_bot");
  }

  [[nodiscard]] Result<std::vector<Json>> comments_of(int number, const Json& review, std::stop_token stop) {
    if (int_in(review, "comments_count") == 0) return std::vector<Json>();
    return whole_list(pull_path(number) + "/reviews/" + id_in(review, "id") + "/comments", std::move(stop));
  }

  // One without pages.
  [[nodiscard]] Result<std::vector<Json>> whole_list(const std::string& path, std::stop_token stop) {
    TRY_ASSIGN(const Json found, rest_.get(path, std::move(stop)));
    std::vector<Json> all;
    if (found.is_array()) all.assign(found.begin(), found.end());
    return all;
  }

  [[nodiscard]] Result<std::map<std::string, int>> label_ids(std::stop_token stop) {
    TRY_ASSIGN(const auto found, rest_.list(at("/labels"), std::move(stop)));
    std::map<std::string, int> ids;
    for (const Json& label : found) ids[string_or(label, "name")] = int_in(label, "id");
    return ids;
  }

  [[nodiscard]] Result<std::string> who_we_are(std::stop_token stop) {
    const std::lock_guard guard(mutex_);
    if (self_ || !rest_.logged_in()) return self_.value_or("");
    TRY_ASSIGN(const Json answer, rest_.get("/user", std::move(stop)));
    self_ = string_or(answer, "login");
    return *self_;
  }

  static Remark remark_of(const Json& answer, RemarkKind kind, const std::string& self) {
    Remark remark;
    remark.kind = kind;
    remark.id = id_in(answer, "id");
    remark.author = string_or(object_in(answer, "user"), "login");
    remark.body = string_or(answer, "body");
    remark.url = string_or(answer, "html_url");
    const bool review = kind == RemarkKind::review;
    remark.created_ms = time_in(answer, review ? "submitted_at" : "created_at");
    remark.edited = time_in(answer, "updated_at") != remark.created_ms;
    remark.bot = is_bot(remark.author);
    remark.own = !self.empty() && remark.author == self;
    remark.path = string_or(answer, "path");
    remark.line = int_in(answer, "position");
    if (remark.line == 0) remark.line = int_in(answer, "original_position");
    remark.commit = string_or(answer, review ? "commit_id" : "original_commit_id");
    return remark;
  }

  std::mutex mutex_;
  std::optional<std::string> self_;
};

} // namespace

std::unique_ptr<Forge> make_gitea(ForgePlace place, RestSettings settings, const ForgeToken& token,
                                  const Clock& clock) {
  settings.headers = {"Accept: application/json"};
  settings.page_size = "limit=50";
  if (!token.value.empty()) settings.token_header = "Authorization: token " + token.value;
  return std::make_unique<Gitea>(std::move(place), std::move(settings), clock);
}

} // namespace emend
