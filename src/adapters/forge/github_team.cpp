#include "adapters/forge/github_team.hpp"

#include <algorithm>

#include "base/strings.hpp"

namespace emend {

namespace {

constexpr int kMostPages = 40;
constexpr std::size_t kAnnotationsAtOnce = 50, kStatusText = 140, kAnnotationText = 600;

// GraphQL stands beside REST: at /graphql on hosts of GitHub's own, else at /api/graphql beside /api/v3.
RestSettings graph_settings(RestSettings settings) {
  constexpr std::string_view kRest = "/v3";
  if (settings.api_url.ends_with(kRest)) settings.api_url.resize(settings.api_url.size() - kRest.size());
  return settings;
}

constexpr const char* kThreads =
    "query($owner:String!,$name:String!,$number:Int!,$after:String){repository(owner:$owner,name:$name){"
    "pullRequest(number:$number){reviewThreads(first:50,after:$after){pageInfo{hasNextPage endCursor}"
    "nodes{id isResolved path line originalLine resolvedBy{login}comments(first:100){"
    "pageInfo{hasNextPage endCursor}nodes{databaseId body url createdAt "
    "lastEditedAt viewerDidAuthor author{login __typename}originalCommit{oid}}}}}}}}";
// The rest of a long thread.
constexpr const char* kMoreOfThread =
    "query($id:ID!,$after:String){node(id:$id){__typename ...on "
    "PullRequestReviewThread{comments(first:100,after:$after){"
    "pageInfo{hasNextPage endCursor}nodes{databaseId body url createdAt "
    "lastEditedAt viewerDidAuthor author{login __typename}originalCommit{oid}}}}}}";
constexpr const char* kResolve =
    "mutation($id:ID!){resolveReviewThread(input:{threadId:$id}){thread{id isResolved}}}";

// What may hold for a required check to pass is said by GitHub: success, neutral, skipped.
const char* conclusion_of(HeadState state) {
  switch (state) {
    case HeadState::success: return "success";
    case HeadState::neutral: return "neutral";
    case HeadState::failure: return "failure";
    default: return "cancelled"; // we could not say
  }
}

Json annotation_json(const Annotation& annotation) {
  Json json = {{"path", annotation.path},
               {"start_line", annotation.line},
               {"end_line", std::max(annotation.line, annotation.line_end)},
               {"annotation_level", annotation.serious ? "warning" : "notice"},
               {"title", short_text(annotation.title, 250)},
               {"message", short_text(annotation.message, kAnnotationText)}};
  if (!annotation.details.empty()) json["raw_details"] = short_text(annotation.details, 6'000);
  return json;
}

Json annotations_json(const HeadStatus& status, std::size_t from) {
  Json list = Json::array();
  for (std::size_t i = from; i < status.annotations.size() && i < from + kAnnotationsAtOnce; ++i)
    list.push_back(annotation_json(status.annotations[i]));
  return list;
}

Json buttons_json(const std::vector<StatusButton>& buttons) {
  Json list = Json::array();
  for (const StatusButton& button : buttons)
    list.push_back(
        {{"label", button.label}, {"description", button.description}, {"identifier", button.identifier}});
  return list;
}

Json check_json(const HeadStatus& status) {
  const bool over = status.state != HeadState::pending;
  Json json = {{"name", status.context}, {"status", over ? "completed" : "in_progress"}};
  if (over) json["conclusion"] = conclusion_of(status.state);
  if (!status.url.empty()) json["details_url"] = status.url;
  if (!status.reference.empty()) json["external_id"] = status.reference;
  if (!status.buttons.empty()) json["actions"] = buttons_json(status.buttons);
  json["output"] = {{"title", short_text(status.summary, 250)},
                    {"summary", short_text(status.text.empty() ? status.summary : status.text, 60'000)},
                    {"annotations", annotations_json(status, 0)}};
  return json;
}

bool is_ours(const std::string& context) { return context.starts_with("emend/"); }

bool may_not_read(const Error& error) {
  return error.code == ErrorCode::auth || error.code == ErrorCode::not_found;
}

JobEnd end_of(const Json& job) {
  if (string_or(job, "status") != "completed") return JobEnd::running;
  const std::string word = string_or(job, "conclusion");
  if (word == "failure") return JobEnd::failed;
  if (word == "timed_out") return JobEnd::timed_out;
  return word == "cancelled" || word == "startup_failure" ? JobEnd::cancelled : JobEnd::passed;
}

} // namespace

GitHubTeam::GitHubTeam(const ForgePlace& place, const RestSettings& settings, const Clock& clock)
    : RestForge(place, settings, clock, "/repos/" + place.project, "/pulls/"),
      graph_(graph_settings(settings), clock) {}

Result<std::string> GitHubTeam::put_check(const HeadStatus& status, const std::string& id,
                                          std::stop_token stop) {
  Json json = check_json(status);
  if (id.empty()) json["head_sha"] = status.sha;
  TRY_ASSIGN(const Json answer, rest_.send(id.empty() ? "POST" : "PATCH",
                                           at("/check-runs") + (id.empty() ? "" : "/" + id), json, stop));
  const std::string made = id_in(answer, "id");
  if (made.empty()) return fail(ErrorCode::io, "GitHub did not answer with a check run");
  for (std::size_t from = kAnnotationsAtOnce; from < status.annotations.size(); from += kAnnotationsAtOnce) {
    json["output"]["annotations"] = annotations_json(status, from);
    json.erase("head_sha");
    TRY(rest_.send("PATCH", at("/check-runs/" + made), json, stop));
  }
  return made;
}

Result<std::optional<std::string>> GitHubTeam::find_check(const HeadStatus& status, std::stop_token stop) {
  TRY_ASSIGN(const Json answer,
             rest_.get(at("/commits/" + status.sha +
                          "/check-runs?filter=all&per_page=100&check_name=" + url_part(status.context)),
                       std::move(stop)));
  for (const Json& run : list_in(answer, "check_runs"))
    if (string_or(run, "external_id") == status.reference && string_or(run, "status") != "completed")
      return id_in(run, "id");
  return std::nullopt;
}

Status GitHubTeam::put_status(const HeadStatus& status, std::stop_token stop) {
  const HeadState state = status.state == HeadState::neutral ? HeadState::success : status.state;
  Json json = {{"state", to_string(state)},
               {"context", status.context},
               {"description", short_text(status.summary, kStatusText)}};
  if (!status.url.empty()) json["target_url"] = status.url;
  TRY(rest_.send("POST", at("/statuses/" + status.sha), json, std::move(stop)));
  return {};
}

Result<Right> GitHubTeam::right_of(const std::string& login, std::stop_token stop) {
  auto answer = rest_.get(at("/collaborators/" + url_part(login) + "/permission"), std::move(stop));
  if (!answer && answer.error().code == ErrorCode::not_found) return Right::none;
  if (!answer) return fail(answer.error());
  const std::string word = string_or(*answer, "permission");
  if (word == "admin" || word == "write") return Right::write;
  return word == "read" ? Right::read : Right::none;
}

Result<std::optional<LabelPut>> GitHubTeam::label_put(int number, const std::string& label,
                                                      std::stop_token stop) {
  TRY_ASSIGN(const auto events, rest_.list(issue_path(number) + "/events", std::move(stop)));
  std::optional<LabelPut> last;
  for (const Json& event : events) {
    if (string_or(event, "event") != "labeled" || string_or(object_in(event, "label"), "name") != label)
      continue;
    const Json& actor = object_in(event, "actor");
    last =
        LabelPut{string_or(actor, "login"), string_or(actor, "type") != "User", time_in(event, "created_at")};
  }
  return last;
}

Result<std::optional<std::int64_t>> GitHubTeam::head_since(const PullRequest& pull, std::stop_token stop) {
  if (to_lower(pull.head_project) != to_lower(place_.project)) return std::nullopt;
  auto answer = rest_.get(at("/activity?per_page=1&ref=" + url_part("refs/heads/" + pull.head_branch)),
                          std::move(stop));
  if (!answer && (answer.error().code == ErrorCode::auth || answer.error().code == ErrorCode::not_found))
    return std::nullopt;
  if (!answer) return fail(answer.error());
  if (!answer->is_array() || answer->empty()) return std::nullopt;
  const Json& newest = answer->front();
  const std::int64_t when = time_in(newest, "timestamp");
  if (string_or(newest, "after") != pull.head_sha || when == 0) return std::nullopt;
  return when;
}

Result<bool> GitHubTeam::is_guarded(const std::string& branch, std::stop_token stop) {
  TRY_ASSIGN(const Json project, rest_.get(at(""), stop));
  if (string_or(project, "default_branch") == branch) return true;
  TRY_ASSIGN(const Json found, rest_.get(at("/branches/" + url_part(branch)), std::move(stop)));
  return flag_in(found, "protected");
}

Result<Json> GitHubTeam::ask_graph(const std::string& text, Json variables, bool changes,
                                   std::stop_token stop) {
  const Json body = {{"query", text}, {"variables", std::move(variables)}};
  TRY_ASSIGN(const Json answer, changes ? graph_.send("POST", "/graphql", body, std::move(stop))
                                        : graph_.query("/graphql", body, std::move(stop)));
  const Json& errors = list_in(answer, "errors");
  if (errors.empty()) return object_in(answer, "data");
  const std::string type = string_or(errors.front(), "type");
  const ErrorCode code = type == "NOT_FOUND"   ? ErrorCode::not_found
                         : type == "FORBIDDEN" ? ErrorCode::auth
                                               : ErrorCode::usage;
  return fail(code, "GitHub refuses: " + first_line(clean_text(string_or(errors.front(), "message")), 300),
              "may the token write pull requests?");
}

ReviewThread GitHubTeam::thread_of(const Json& node) {
  ReviewThread thread;
  thread.id = string_or(node, "id");
  thread.resolved = flag_in(node, "isResolved");
  thread.resolved_by = string_or(object_in(node, "resolvedBy"), "login");
  thread.path = string_or(node, "path");
  thread.line = int_in(node, "line");
  thread.line_then = int_in(node, "originalLine");
  add_said(thread, object_in(node, "comments"));
  return thread;
}

void GitHubTeam::add_said(ReviewThread& thread, const Json& comments) {
  for (const Json& said : list_in(comments, "nodes")) {
    const Json& author = object_in(said, "author");
    Remark remark;
    remark.kind = RemarkKind::inline_comment;
    remark.id = id_in(said, "databaseId");
    remark.thread = thread.id;
    remark.author = string_or(author, "login");
    remark.body = string_or(said, "body");
    remark.url = string_or(said, "url");
    remark.created_ms = time_in(said, "createdAt");
    remark.edited = !string_or(said, "lastEditedAt").empty();
    remark.bot = string_or(author, "__typename") != "User";
    remark.own = flag_in(said, "viewerDidAuthor");
    remark.reply = !thread.remarks.empty();
    remark.path = thread.path;
    remark.line = thread.line;
    remark.commit = string_or(object_in(said, "originalCommit"), "oid");
    thread.remarks.push_back(std::move(remark));
  }
}

Status GitHubTeam::read_rest(ReviewThread& thread, const Json& first, std::stop_token stop) {
  Json info = object_in(first, "pageInfo");
  for (int page = 0; page < kMostPages && flag_in(info, "hasNextPage"); ++page) {
    Json variables = {{"id", thread.id}, {"after", string_or(info, "endCursor")}};
    TRY_ASSIGN(const Json data, ask_graph(kMoreOfThread, std::move(variables), false, stop));
    const Json& comments = object_in(object_in(data, "node"), "comments");
    add_said(thread, comments);
    info = object_in(comments, "pageInfo");
  }
  return {};
}

Result<std::vector<ReviewThread>> GitHubTeam::threads(int number, std::stop_token stop) {
  std::vector<ReviewThread> all;
  Json after;
  for (int page = 0; page < kMostPages; ++page) {
    Json variables = {{"owner", owner()},
                      {"name", place_.project.substr(place_.project.find('/') + 1)},
                      {"number", number},
                      {"after", after}};
    TRY_ASSIGN(const Json data, ask_graph(kThreads, std::move(variables), false, stop));
    const Json& found = object_in(object_in(object_in(data, "repository"), "pullRequest"), "reviewThreads");
    for (const Json& node : list_in(found, "nodes")) {
      all.push_back(thread_of(node));
      TRY(read_rest(all.back(), object_in(node, "comments"), stop));
    }
    const Json& info = object_in(found, "pageInfo");
    if (!flag_in(info, "hasNextPage")) break;
    after = string_or(info, "endCursor");
  }
  return all;
}

Status GitHubTeam::reply(int number, const ReviewThread& thread, const std::string& body,
                         std::stop_token stop) {
  if (thread.remarks.empty()) return fail(ErrorCode::not_found, "the thread has no comment");
  TRY(rest_.send("POST", pull_path(number) + "/comments/" + thread.remarks.front().id + "/replies",
                 {{"body", body}}, std::move(stop)));
  return {};
}

Status GitHubTeam::resolve(int, const ReviewThread& thread, std::stop_token stop) {
  TRY(ask_graph(kResolve, {{"id", thread.id}}, true, std::move(stop)));
  return {};
}

Result<Remark> GitHubTeam::say(int number, const std::string& body, std::stop_token stop) {
  TRY_ASSIGN(const Self self, who_we_are(stop));
  TRY_ASSIGN(const Json answer,
             rest_.send("POST", issue_path(number) + "/comments", {{"body", body}}, std::move(stop)));
  return remark_of(answer, RemarkKind::conversation, self);
}

Result<Remark> GitHubTeam::remark(int number, RemarkKind kind, const std::string& id, std::stop_token stop) {
  TRY_ASSIGN(const Self self, who_we_are(stop));
  const bool inline_one = kind == RemarkKind::inline_comment;
  TRY_ASSIGN(const Json answer,
             rest_.get(at((inline_one ? "/pulls" : "/issues") + std::string("/comments/") + url_part(id)),
                       std::move(stop)));
  // Comments of other places do not belong to this pull request.
  const std::string where = string_or(answer, inline_one ? "pull_request_url" : "issue_url");
  if (!where.ends_with("/" + std::to_string(number)))
    return fail(ErrorCode::not_found,
                "comment " + id + " is not about pull request " + std::to_string(number));
  return remark_of(answer, kind, self);
}

Status GitHubTeam::react(int, const Remark& remark, Reaction reaction, std::stop_token stop) {
  const bool inline_one = remark.kind == RemarkKind::inline_comment;
  const char* content = reaction == Reaction::seen   ? "eyes"
                        : reaction == Reaction::done ? "rocket"
                                                     : "confused";
  TRY(rest_.send(
      "POST", at((inline_one ? "/pulls" : "/issues") + std::string("/comments/") + remark.id + "/reactions"),
      {{"content", content}}, std::move(stop)));
  return {};
}

Result<std::vector<int>> GitHubTeam::changed_since(std::int64_t since_ms, std::stop_token stop) {
  TRY_ASSIGN(const auto found,
             rest_.list(at("/issues?state=open&since=" + url_part(rfc3339_utc(since_ms).substr(0, 19) + "Z")),
                        std::move(stop)));
  std::vector<int> numbers;
  for (const Json& answer : found)
    if (find_member(answer, "pull_request") != nullptr) numbers.push_back(int_in(answer, "number"));
  return numbers;
}

Result<std::vector<PipelineJob>> GitHubTeam::jobs(const std::string& sha, std::stop_token stop) {
  TRY_ASSIGN(const auto runs,
             rest_.list_in(at("/actions/runs?head_sha=" + url_part(sha)), "workflow_runs", stop));
  std::vector<PipelineJob> all;
  for (const Json& run : runs) {
    const std::string id = id_in(run, "id");
    TRY_ASSIGN(const auto jobs,
               rest_.list_in(at("/actions/runs/" + id + "/jobs?filter=latest"), "jobs", stop));
    for (const Json& job : jobs)
      all.push_back({id_in(job, "id"), id, string_or(job, "name"), string_or(job, "html_url"), end_of(job)});
  }
  TRY(add_check_runs(sha, all, stop));
  TRY(add_statuses(sha, all, std::move(stop)));
  return all;
}

// What other programs than Actions say of the commit: only what failed, without a log and a way to start it
// again. Who may not read it is told of nothing.
Status GitHubTeam::add_check_runs(const std::string& sha, std::vector<PipelineJob>& jobs,
                                  std::stop_token stop) {
  const auto runs =
      rest_.list_in(at("/commits/" + url_part(sha) + "/check-runs?filter=latest"), "check_runs", stop);
  if (!runs) return may_not_read(runs.error()) ? Status() : Status(fail(runs.error()));
  for (const Json& run : *runs) {
    const JobEnd end = end_of(run);
    const std::string name = string_or(run, "name");
    const bool actions = string_or(object_in(run, "app"), "slug") == "github-actions";
    if (actions || is_ours(name) || end == JobEnd::passed || end == JobEnd::running) continue;
    jobs.push_back({id_in(run, "id"), "", name, string_or(run, "html_url"), end});
  }
  return {};
}

Status GitHubTeam::add_statuses(const std::string& sha, std::vector<PipelineJob>& jobs,
                                std::stop_token stop) {
  const auto found = rest_.list_in(at("/commits/" + url_part(sha) + "/status"), "statuses", std::move(stop));
  if (!found) return may_not_read(found.error()) ? Status() : Status(fail(found.error()));
  for (const Json& status : *found) {
    const std::string state = string_or(status, "state"), name = string_or(status, "context");
    if (is_ours(name) || (state != "failure" && state != "error")) continue;
    jobs.push_back({id_in(status, "id"), "", name, string_or(status, "target_url"), JobEnd::failed});
  }
  return {};
}

Result<std::string> GitHubTeam::job_log(const PipelineJob& job, std::stop_token stop) {
  if (job.run.empty()) return std::string(); // kept by another program
  return rest_.text(at("/actions/jobs/" + url_part(job.id) + "/logs"), std::move(stop));
}

Result<PipelineRun> GitHubTeam::pipeline_run(const std::string& id, std::stop_token stop) {
  TRY_ASSIGN(const Json answer, rest_.get(at("/actions/runs/" + url_part(id)), std::move(stop)));
  return PipelineRun{id_in(answer, "id"), string_or(answer, "head_sha"), string_or(answer, "head_branch"),
                     string_or(object_in(answer, "head_repository"), "full_name")};
}

Status GitHubTeam::restart(const PipelineJob& job, std::stop_token stop) {
  TRY(rest_.send("POST", at("/actions/runs/" + url_part(job.run) + "/rerun-failed-jobs"), Json::object(),
                 std::move(stop)));
  return {};
}

Result<GitHubTeam::Self> GitHubTeam::who_we_are(std::stop_token stop) {
  const std::lock_guard guard(mutex_);
  if (self_) return *self_;
  if (!rest_.logged_in()) return Self{"", false};
  auto answer = rest_.get("/user", std::move(stop));
  if (!answer && answer.error().code != ErrorCode::auth && answer.error().code != ErrorCode::not_found)
    return fail(answer.error());
  self_ = answer ? Self{string_or(*answer, "login"), false} : Self{"", true};
  return *self_;
}

Remark GitHubTeam::remark_of(const Json& answer, RemarkKind kind, const Self& self) {
  const Json& user = object_in(answer, "user");
  Remark remark;
  remark.kind = kind;
  remark.id = id_in(answer, "id");
  remark.author = string_or(user, "login");
  remark.body = string_or(answer, "body");
  remark.url = string_or(answer, "html_url");
  remark.created_ms = time_in(answer, "created_at");
  remark.edited = time_in(answer, "updated_at") != remark.created_ms;
  remark.bot = string_or(user, "type") == "Bot" || remark.author.ends_with("[bot]");
  remark.own = self.unknown ? remark.bot : !self.login.empty() && remark.author == self.login;
  remark.reply = int_in(answer, "in_reply_to_id") > 0 || !id_in(answer, "in_reply_to_id").empty();
  remark.path = string_or(answer, "path");
  remark.line = int_in(answer, "line");
  remark.commit = string_or(answer, kind == RemarkKind::inline_comment ? "original_commit_id" : "commit_id");
  if (kind == RemarkKind::inline_comment && remark.line > 0) remark.commit = string_or(answer, "commit_id");
  if (kind == RemarkKind::inline_comment && remark.line == 0) remark.line = int_in(answer, "original_line");
  return remark;
}

} // namespace emend
