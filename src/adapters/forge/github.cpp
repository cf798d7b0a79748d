// GitHub's REST API, version 2022-11-28.
#include "adapters/forge/forges.hpp"
#include "adapters/forge/github_team.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

PullRequest pull_of(const Json& answer) {
  const Json &head = object_in(answer, "head"), &base = object_in(answer, "base");
  PullRequest pull;
  pull.number = int_in(answer, "number");
  pull.title = string_or(answer, "title");
  pull.body = string_or(answer, "body");
  pull.url = string_or(answer, "html_url");
  pull.author = string_or(object_in(answer, "user"), "login");
  const bool merged = flag_in(answer, "merged") || !string_or(answer, "merged_at").empty();
  pull.state = merged                                   ? PullState::merged
               : string_or(answer, "state") == "closed" ? PullState::closed
                                                        : PullState::open;
  pull.draft = flag_in(answer, "draft");
  pull.labels = names_in(answer, "labels");
  pull.head_sha = string_or(head, "sha");
  pull.head_branch = string_or(head, "ref");
  pull.head_project = string_or(object_in(head, "repo"), "full_name");
  pull.base_sha = string_or(base, "sha");
  pull.base_branch = string_or(base, "ref");
  if (merged) pull.merge_commit = string_or(answer, "merge_commit_sha");
  return pull;
}

TrackerIssue issue_of(const Json& answer) {
  return {int_in(answer, "number"), string_or(answer, "title"), string_or(answer, "body"),
          string_or(answer, "html_url"), string_or(answer, "state") != "closed"};
}

Result<PullRequest> checked(PullRequest pull) {
  if (pull.number <= 0 || pull.head_sha.empty() || pull.base_branch.empty())
    return fail(ErrorCode::io, "GitHub did not answer with a pull request", "is forge.api_url right?");
  return pull;
}

class GitHub final : public GitHubTeam {
public:
  GitHub(const ForgePlace& place, const RestSettings& settings, const Clock& clock)
      : GitHubTeam(place, settings, clock) {}

  std::string pull_ref(int number) const override { return "refs/pull/" + std::to_string(number) + "/head"; }

  Result<PullRequest> pull_request(int number, std::stop_token stop) override {
    TRY_ASSIGN(const Json answer, rest_.get(pull_path(number), std::move(stop)));
    return checked(pull_of(answer));
  }

  Result<std::optional<PullRequest>> pull_request_of(const std::string& branch,
                                                     std::stop_token stop) override {
    TRY_ASSIGN(const auto found,
               rest_.list(at("/pulls?state=open&head=" + url_part(owner() + ":" + branch)), std::move(stop)));
    for (const Json& answer : found)
      if (PullRequest pull = pull_of(answer);
          pull.head_branch == branch && to_lower(pull.head_project) == to_lower(place_.project))
        return pull;
    return std::nullopt;
  }

  Result<PullRequest> create(const NewPullRequest& request, std::stop_token stop) override {
    TRY_ASSIGN(const Json answer, rest_.send("POST", at("/pulls"),
                                             {{"title", request.title},
                                              {"body", request.body},
                                              {"head", request.head_branch},
                                              {"base", request.base_branch},
                                              {"draft", request.draft}},
                                             std::move(stop)));
    return checked(pull_of(answer));
  }

  Result<PullRequest> update(int number, const std::string& title, const std::string& body,
                             std::stop_token stop) override {
    TRY_ASSIGN(const Json answer,
               rest_.send("PATCH", pull_path(number), {{"title", title}, {"body", body}}, std::move(stop)));
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
    TRY_ASSIGN(const auto found, rest_.list(pull_path(number) + "/files", std::move(stop)));
    std::vector<DiffFile> files;
    for (const Json& answer : found)
      files.push_back({string_or(answer, "filename"), string_or(answer, "previous_filename"),
                       parse_hunks(string_or(answer, "patch"))});
    return files;
  }

  Result<std::vector<Remark>> remarks(int number, std::stop_token stop) override {
    TRY_ASSIGN(const Self self, who_we_are(stop));
    std::vector<Remark> all;
    const std::pair<RemarkKind, std::string> places[] = {
        {RemarkKind::review, pull_path(number) + "/reviews"},
        {RemarkKind::inline_comment, pull_path(number) + "/comments"},
        {RemarkKind::conversation, at("/issues/" + std::to_string(number) + "/comments")}};
    for (const auto& [kind, path] : places) {
      TRY_ASSIGN(const auto found, rest_.list(path, stop));
      for (const Json& answer : found) all.push_back(remark_of(answer, kind, self));
    }
    return all;
  }

  Status post(const PullRequest& pull, const NewReview& review, std::stop_token stop) override {
    Json comments = Json::array();
    for (const InlineComment& comment : review.comments) {
      Json one = {{"path", comment.path}, {"line", comment.line}, {"side", "RIGHT"}, {"body", comment.body}};
      if (comment.start_line > 0) one.update({{"start_line", comment.start_line}, {"start_side", "RIGHT"}});
      comments.push_back(std::move(one));
    }
    TRY(rest_.send("POST", pull_path(pull.number) + "/reviews",
                   {{"commit_id", review.commit},
                    {"body", review.body},
                    {"event", "COMMENT"},
                    {"comments", std::move(comments)}},
                   std::move(stop)));
    return {};
  }

  Status edit(int number, const Remark& remark, const std::string& body, std::stop_token stop) override {
    const Json change = {{"body", body}};
    if (remark.kind == RemarkKind::review)
      TRY(rest_.send("PUT", pull_path(number) + "/reviews/" + remark.id, change, stop));
    if (remark.kind == RemarkKind::inline_comment)
      TRY(rest_.send("PATCH", at("/pulls/comments/" + remark.id), change, stop));
    if (remark.kind == RemarkKind::conversation)
      TRY(rest_.send("PATCH", at("/issues/comments/" + remark.id), change, stop));
    return {};
  }

  Result<std::vector<TrackerIssue>> issues(const std::string& label, std::stop_token stop) override {
    TRY_ASSIGN(const auto found,
               rest_.list(at("/issues?state=all" + (label.empty() ? "" : "&labels=" + url_part(label))),
                          std::move(stop)));
    std::vector<TrackerIssue> all;
    for (const Json& answer : found)
      if (find_member(answer, "pull_request") == nullptr)
        all.push_back(issue_of(answer)); // to GitHub a pull request is an issue, too
    return all;
  }

  Result<TrackerIssue> issue(int number, std::stop_token stop) override {
    TRY_ASSIGN(const Json answer, rest_.get(issue_path(number), std::move(stop)));
    return issue_of(answer);
  }

  Result<TrackerIssue> open_issue(const NewTrackerIssue& issue, std::stop_token stop) override {
    TRY_ASSIGN(const Json answer,
               rest_.send("POST", at("/issues"),
                          {{"title", issue.title}, {"body", issue.body}, {"labels", issue.labels}},
                          std::move(stop)));
    TrackerIssue made = issue_of(answer);
    if (made.number <= 0) return fail(ErrorCode::io, "GitHub did not answer with the opened issue");
    return made;
  }

  Status reopen_issue(int number, std::stop_token stop) override {
    TRY(rest_.send("PATCH", issue_path(number), {{"state", "open"}}, std::move(stop)));
    return {};
  }

  Status comment_issue(int number, const std::string& body, std::stop_token stop) override {
    TRY_ASSIGN(const auto there, rest_.list(issue_path(number) + "/comments", stop));
    if (!says(there, body))
      TRY(rest_.send("POST", issue_path(number) + "/comments", {{"body", body}}, std::move(stop)));
    return {};
  }

  Status make_label(const Label& label, std::stop_token stop) override {
    auto made = rest_.send("POST", at("/labels"),
                           {{"name", label.name}, {"color", label.color}, {"description", label.description}},
                           std::move(stop));
    if (!made && made.error().code != ErrorCode::usage) return fail(made.error()); // 422: it is there
    return {};
  }
};

} // namespace

std::unique_ptr<Forge> make_github(ForgePlace place, RestSettings settings, const ForgeToken& token,
                                   const Clock& clock) {
  settings.headers = {"Accept: application/vnd.github+json", "X-GitHub-Api-Version: 2022-11-28"};
  if (!token.value.empty()) settings.token_header = "Authorization: Bearer " + token.value;
  return std::make_unique<GitHub>(std::move(place), settings, clock);
}

} // namespace emend
