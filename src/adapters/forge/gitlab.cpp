// GitLab's REST API, version 4.
#include "adapters/forge/forges.hpp"
#include "adapters/forge/gitlab_team.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::string_view kDraft = "Draft: "; // how a title says that it is one

TrackerIssue issue_of(const Json& answer) {
  return {int_in(answer, "iid"), string_or(answer, "title"), string_or(answer, "description"),
          string_or(answer, "web_url"), string_or(answer, "state") != "closed"};
}

class GitLab final : public GitLabTeam {
public:
  GitLab(const ForgePlace& place, RestSettings settings, const Clock& clock)
      : GitLabTeam(place, std::move(settings), clock) {}

  std::string pull_ref(int number) const override {
    return "refs/merge-requests/" + std::to_string(number) + "/head";
  }

  Result<PullRequest> pull_request(int number, std::stop_token stop) override {
    TRY_ASSIGN(const Json answer, rest_.get(pull_path(number), std::move(stop)));
    return checked(answer);
  }

  Result<std::optional<PullRequest>> pull_request_of(const std::string& branch,
                                                     std::stop_token stop) override {
    TRY_ASSIGN(
        const auto found,
        rest_.list(at("/merge_requests?state=opened&source_branch=" + url_part(branch)), std::move(stop)));
    for (const Json& answer : found)
      if (PullRequest pull = pull_of(answer); pull.head_branch == branch && !pull.head_project.empty())
        return pull;
    return std::nullopt;
  }

  Result<PullRequest> create(const NewPullRequest& request, std::stop_token stop) override {
    TRY_ASSIGN(const Json answer,
               rest_.send("POST", at("/merge_requests"),
                          {{"source_branch", request.head_branch},
                           {"target_branch", request.base_branch},
                           {"title", (request.draft ? std::string(kDraft) : "") + request.title},
                           {"description", request.body}},
                          std::move(stop)));
    return checked(answer);
  }

  Result<PullRequest> update(int number, const std::string& title, const std::string& body,
                             std::stop_token stop) override {
    TRY_ASSIGN(const PullRequest known, pull_request(number, stop));
    TRY_ASSIGN(const Json answer, rest_.send("PUT", pull_path(number),
                                             {{"title", (known.draft ? std::string(kDraft) : "") + title},
                                              {"description", body}},
                                             std::move(stop)));
    return checked(answer);
  }

  Status ask_for_review(int number, const std::vector<std::string>& names, std::stop_token stop) override {
    Json ids = Json::array();
    for (const std::string& name : names) {
      if (contains(name, "/")) continue; // a group cannot review
      TRY_ASSIGN(const auto found, rest_.list("/users?username=" + url_part(name), stop));
      for (const Json& user : found) ids.push_back(int_in(user, "id"));
    }
    if (!ids.empty())
      TRY(rest_.send("PUT", pull_path(number), {{"reviewer_ids", std::move(ids)}}, std::move(stop)));
    return {};
  }

  Result<std::vector<DiffFile>> diff(int number, std::stop_token stop) override {
    TRY_ASSIGN(const auto found, rest_.list(pull_path(number) + "/diffs", std::move(stop)));
    std::vector<DiffFile> files;
    for (const Json& answer : found)
      files.push_back({string_or(answer, "new_path"), string_or(answer, "old_path"),
                       parse_hunks(string_or(answer, "diff"))});
    return files;
  }

  Result<std::vector<Remark>> remarks(int number, std::stop_token stop) override {
    TRY_ASSIGN(const std::string self, who_we_are(stop));
    TRY_ASSIGN(const auto threads, rest_.list(pull_path(number) + "/discussions", std::move(stop)));
    std::vector<Remark> all;
    for (const Json& thread : threads) {
      const Json* notes = find_member(thread, "notes");
      if (notes == nullptr || !notes->is_array()) continue;
      bool first = true;
      for (const Json& note : *notes) {
        if (flag_in(note, "system")) continue; // "changed the title"
        Remark remark = remark_of(note, number, self);
        remark.thread = id_in(thread, "id");
        remark.reply = !first;
        first = false;
        all.push_back(std::move(remark));
      }
    }
    return all;
  }

  // One request for each comment: GitLab has no review that is made at once. Each carries its own mark, so
  // that what is missing can be told.
  Status post(const PullRequest& pull, const NewReview& review, std::stop_token stop) override {
    for (const InlineComment& comment : review.comments) {
      Json position = {{"position_type", "text"},     {"base_sha", pull.base_sha},
                       {"start_sha", pull.start_sha}, {"head_sha", review.commit},
                       {"new_path", comment.path},    {"old_path", comment.path},
                       {"new_line", comment.line}};
      if (comment.old_line > 0) position["old_line"] = comment.old_line;
      TRY(rest_.send("POST", pull_path(pull.number) + "/discussions",
                     {{"body", comment.body}, {"position", std::move(position)}}, stop));
    }
    if (!review.body.empty())
      TRY(rest_.send("POST", pull_path(pull.number) + "/notes", {{"body", review.body}}, stop));
    return {};
  }

  Status edit(int number, const Remark& remark, const std::string& body, std::stop_token stop) override {
    TRY(rest_.send("PUT", pull_path(number) + "/notes/" + remark.id, {{"body", body}}, std::move(stop)));
    return {};
  }

  Result<std::vector<TrackerIssue>> issues(const std::string& label, std::stop_token stop) override {
    TRY_ASSIGN(const auto found,
               rest_.list(at("/issues?scope=all" + (label.empty() ? "" : "&labels=" + url_part(label))),
                          std::move(stop)));
    std::vector<TrackerIssue> all;
    for (const Json& answer : found) all.push_back(issue_of(answer));
    return all;
  }

  Result<TrackerIssue> issue(int number, std::stop_token stop) override {
    TRY_ASSIGN(const Json answer, rest_.get(issue_path(number), std::move(stop)));
    return issue_of(answer);
  }

  Result<TrackerIssue> open_issue(const NewTrackerIssue& issue, std::stop_token stop) override {
    TRY_ASSIGN(
        const Json answer,
        rest_.send("POST", at("/issues"),
                   {{"title", issue.title}, {"description", issue.body}, {"labels", join(issue.labels, ",")}},
                   std::move(stop)));
    TrackerIssue made = issue_of(answer);
    if (made.number <= 0) return fail(ErrorCode::io, "GitLab did not answer with the opened issue");
    return made;
  }

  Status reopen_issue(int number, std::stop_token stop) override {
    TRY(rest_.send("PUT", issue_path(number), {{"state_event", "reopen"}}, std::move(stop)));
    return {};
  }

  Status comment_issue(int number, const std::string& body, std::stop_token stop) override {
    TRY_ASSIGN(const auto there, rest_.list(issue_path(number) + "/notes", stop));
    if (!says(there, body))
      TRY(rest_.send("POST", issue_path(number) + "/notes", {{"body", body}}, std::move(stop)));
    return {};
  }

  Status make_label(const Label& label, std::stop_token stop) override {
    auto made =
        rest_.send("POST", at("/labels"),
                   {{"name", label.name}, {"color", "#" + label.color}, {"description", label.description}},
                   std::move(stop));
    if (!made && made.error().code != ErrorCode::conflict && made.error().code != ErrorCode::usage)
      return fail(made.error()); // it is there
    return {};
  }

private:
  [[nodiscard]] PullRequest pull_of(const Json& answer) const {
    const Json& refs = object_in(answer, "diff_refs");
    const std::string state = string_or(answer, "state");
    PullRequest pull;
    pull.number = int_in(answer, "iid");
    pull.title = string_or(answer, "title");
    pull.body = string_or(answer, "description");
    pull.url = string_or(answer, "web_url");
    pull.author = string_or(object_in(answer, "author"), "username");
    pull.state = state == "merged"   ? PullState::merged
                 : state == "closed" ? PullState::closed
                                     : PullState::open;
    pull.draft = flag_in(answer, "draft");
    pull.labels = names_in(answer, "labels");
    pull.head_sha = string_or(answer, "sha");
    pull.head_branch = string_or(answer, "source_branch");
    const bool same = int_in(answer, "source_project_id") == int_in(answer, "target_project_id");
    pull.head_project = same ? place_.project : ""; // of another one only the number is known
    pull.base_sha = string_or(refs, "base_sha");
    pull.start_sha = string_or(refs, "start_sha");
    pull.base_branch = string_or(answer, "target_branch");
    pull.merge_commit = string_or(answer, "merge_commit_sha");
    if (pull.merge_commit.empty()) pull.merge_commit = string_or(answer, "squash_commit_sha");
    return pull;
  }

  [[nodiscard]] Result<PullRequest> checked(const Json& answer) const {
    PullRequest pull = pull_of(answer);
    if (pull.number <= 0 || pull.head_sha.empty() || pull.base_branch.empty())
      return fail(ErrorCode::io, "GitLab did not answer with a merge request",
                  "check forge.api_url. A new merge request needs a moment: run the command again");
    return pull;
  }
};

} // namespace

std::unique_ptr<Forge> make_gitlab(ForgePlace place, RestSettings settings, const ForgeToken& token,
                                   const Clock& clock) {
  settings.headers = {"Accept: application/json"};
  const bool of_job = token.variable == "CI_JOB_TOKEN"; // it has a header of its own
  if (!token.value.empty())
    settings.token_header = (of_job ? "JOB-TOKEN: " : "PRIVATE-TOKEN: ") + token.value;
  return std::make_unique<GitLab>(std::move(place), std::move(settings), clock);
}

} // namespace emend
