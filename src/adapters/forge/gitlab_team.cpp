#include "adapters/forge/gitlab_team.hpp"

#include "base/strings.hpp"

namespace emend {

namespace {

bool is_bot(const std::string& author) {
  return author.ends_with("-bot") || author.ends_with("_bot") || author.starts_with("project_") ||
         author.starts_with("group_");
}

const char* state_of(HeadState state) {
  switch (state) {
    case HeadState::pending: return "running";
    case HeadState::failure: return "failed";
    case HeadState::error: return "canceled"; // we could not say
    default: return "success";
  }
}

JobEnd end_of(const Json& job) {
  const std::string word = string_or(job, "status"), why = string_or(job, "failure_reason");
  if (word == "success" || word == "skipped" || word == "manual" || flag_in(job, "allow_failure"))
    return JobEnd::passed;
  if (word == "canceled") return JobEnd::cancelled;
  if (word != "failed") return JobEnd::running;
  if (contains(why, "timeout")) return JobEnd::timed_out;
  return why.empty() || why == "script_failure" ? JobEnd::failed : JobEnd::cancelled; // a runner's failure
}

} // namespace

Result<std::string> GitLabTeam::put_check(const HeadStatus&, const std::string&, std::stop_token) {
  return fail(ErrorCode::usage, "GitLab has no check runs", "forge.status = \"status\" uses commit statuses");
}

Result<std::optional<std::string>> GitLabTeam::find_check(const HeadStatus&, std::stop_token) {
  return std::nullopt;
}

Status GitLabTeam::put_status(const HeadStatus& status, std::stop_token stop) {
  Json json = {{"state", state_of(status.state)},
               {"name", status.context},
               {"description", short_text(status.summary, 250)}};
  if (!status.url.empty()) json["target_url"] = status.url;
  auto answer = rest_.send("POST", at("/statuses/" + status.sha), json, std::move(stop));
  // A status that says this already refuses to be set to it again.
  if (!answer && !(answer.error().code == ErrorCode::usage && contains(answer.error().message, "transition")))
    return fail(answer.error());
  return {};
}

Result<Right> GitLabTeam::right_of(const std::string& login, std::stop_token stop) {
  constexpr int kGuest = 10, kDeveloper = 30;
  TRY_ASSIGN(const auto found, rest_.list("/users?username=" + url_part(login), stop));
  for (const Json& user : found) {
    if (to_lower(string_or(user, "username")) != to_lower(login)) continue;
    auto member = rest_.get(at("/members/all/" + id_in(user, "id")), std::move(stop));
    if (!member && member.error().code == ErrorCode::not_found) return Right::none;
    if (!member) return fail(member.error());
    const int level = int_in(*member, "access_level");
    if (string_or(*member, "state", "active") != "active") return Right::none;
    return level >= kDeveloper ? Right::write : level >= kGuest ? Right::read : Right::none;
  }
  return Right::none;
}

Result<std::optional<LabelPut>> GitLabTeam::label_put(int number, const std::string& label,
                                                      std::stop_token stop) {
  TRY_ASSIGN(const auto events, rest_.list(pull_path(number) + "/resource_label_events", std::move(stop)));
  std::optional<LabelPut> last;
  for (const Json& event : events) {
    if (string_or(event, "action") != "add" || string_or(object_in(event, "label"), "name") != label)
      continue;
    const std::string by = string_or(object_in(event, "user"), "username");
    last = LabelPut{by, is_bot(by), time_in(event, "created_at")};
  }
  return last;
}

Result<std::optional<std::int64_t>> GitLabTeam::head_since(const PullRequest& pull, std::stop_token stop) {
  TRY_ASSIGN(const auto versions, rest_.list(pull_path(pull.number) + "/versions", std::move(stop)));
  if (versions.empty() || string_or(versions.front(), "head_commit_sha") != pull.head_sha)
    return std::nullopt;
  const std::int64_t when = time_in(versions.front(), "created_at");
  return when == 0 ? std::nullopt : std::optional(when);
}

Result<bool> GitLabTeam::is_guarded(const std::string& branch, std::stop_token stop) {
  TRY_ASSIGN(const Json found, rest_.get(at("/repository/branches/" + url_part(branch)), std::move(stop)));
  return flag_in(found, "protected") || flag_in(found, "default");
}

Result<std::vector<ReviewThread>> GitLabTeam::threads(int number, std::stop_token stop) {
  TRY_ASSIGN(const std::string self, who_we_are(stop));
  TRY_ASSIGN(const auto found, rest_.list(pull_path(number) + "/discussions", std::move(stop)));
  std::vector<ReviewThread> all;
  for (const Json& discussion : found) {
    ReviewThread thread;
    thread.id = id_in(discussion, "id");
    bool resolvable = false;
    for (const Json& note : list_in(discussion, "notes")) {
      if (flag_in(note, "system")) continue;
      if (thread.remarks.empty()) resolvable = flag_in(note, "resolvable");
      thread.resolved = thread.resolved || flag_in(note, "resolved");
      if (flag_in(note, "resolved"))
        thread.resolved_by = string_or(object_in(note, "resolved_by"), "username");
      Remark remark = remark_of(note, number, self);
      remark.thread = thread.id;
      remark.reply = !thread.remarks.empty();
      thread.remarks.push_back(std::move(remark));
    }
    if (thread.remarks.empty() || !resolvable) continue;
    thread.path = thread.remarks.front().path;
    thread.line = thread.line_then = thread.remarks.front().line;
    all.push_back(std::move(thread));
  }
  return all;
}

Status GitLabTeam::reply(int number, const ReviewThread& thread, const std::string& body,
                         std::stop_token stop) {
  TRY(rest_.send("POST", pull_path(number) + "/discussions/" + url_part(thread.id) + "/notes",
                 {{"body", body}}, std::move(stop)));
  return {};
}

Status GitLabTeam::resolve(int number, const ReviewThread& thread, std::stop_token stop) {
  TRY(rest_.send("PUT", pull_path(number) + "/discussions/" + url_part(thread.id), {{"resolved", true}},
                 std::move(stop)));
  return {};
}

Result<Remark> GitLabTeam::say(int number, const std::string& body, std::stop_token stop) {
  TRY_ASSIGN(const std::string self, who_we_are(stop));
  TRY_ASSIGN(const Json answer,
             rest_.send("POST", pull_path(number) + "/notes", {{"body", body}}, std::move(stop)));
  return remark_of(answer, number, self);
}

Result<Remark> GitLabTeam::remark(int number, RemarkKind, const std::string& id, std::stop_token stop) {
  TRY_ASSIGN(const std::string self, who_we_are(stop));
  TRY_ASSIGN(const Json answer, rest_.get(pull_path(number) + "/notes/" + url_part(id), std::move(stop)));
  return remark_of(answer, number, self);
}

Status GitLabTeam::react(int number, const Remark& remark, Reaction reaction, std::stop_token stop) {
  const char* name = reaction == Reaction::seen ? "eyes" : reaction == Reaction::done ? "rocket" : "confused";
  TRY(rest_.send("POST", pull_path(number) + "/notes/" + remark.id + "/award_emoji", {{"name", name}},
                 std::move(stop)));
  return {};
}

Result<std::vector<int>> GitLabTeam::changed_since(std::int64_t since_ms, std::stop_token stop) {
  TRY_ASSIGN(const auto found,
             rest_.list(at("/merge_requests?state=opened&updated_after=" + url_part(rfc3339_utc(since_ms))),
                        std::move(stop)));
  std::vector<int> numbers;
  for (const Json& answer : found) numbers.push_back(int_in(answer, "iid"));
  return numbers;
}

Result<std::vector<PipelineJob>> GitLabTeam::jobs(const std::string& sha, std::stop_token stop) {
  TRY_ASSIGN(const auto pipelines, rest_.list(at("/pipelines?sha=" + url_part(sha)), stop));
  std::vector<PipelineJob> all;
  if (pipelines.empty()) return all; // the newest first
  TRY_ASSIGN(const auto jobs,
             rest_.list(at("/pipelines/" + id_in(pipelines.front(), "id") + "/jobs"), std::move(stop)));
  for (const Json& job : jobs) {
    const std::string id = id_in(job, "id");
    all.push_back({id, id, string_or(job, "name"), string_or(job, "web_url"), end_of(job)});
  }
  return all;
}

Result<std::string> GitLabTeam::job_log(const PipelineJob& job, std::stop_token stop) {
  return rest_.text(at("/jobs/" + url_part(job.id) + "/trace"), std::move(stop));
}

Result<PipelineRun> GitLabTeam::pipeline_run(const std::string& id, std::stop_token stop) {
  TRY_ASSIGN(const Json answer, rest_.get(at("/pipelines/" + url_part(id)), std::move(stop)));
  return PipelineRun{id_in(answer, "id"), string_or(answer, "sha"), string_or(answer, "ref"),
                     place_.project}; // one of a fork is the fork's
}

Status GitLabTeam::restart(const PipelineJob& job, std::stop_token stop) {
  TRY(rest_.send("POST", at("/jobs/" + url_part(job.run) + "/retry"), Json::object(), std::move(stop)));
  return {};
}

Result<std::string> GitLabTeam::who_we_are(std::stop_token stop) {
  const std::lock_guard guard(mutex_);
  if (self_ || !rest_.logged_in()) return self_.value_or("");
  auto answer = rest_.get("/user", std::move(stop));
  if (!answer && answer.error().code != ErrorCode::auth && answer.error().code != ErrorCode::not_found)
    return fail(answer.error());
  self_ = answer ? string_or(*answer, "username")
                 : std::string(); // a job's token may not ask, and may not comment either
  return *self_;
}

Remark GitLabTeam::remark_of(const Json& note, int number, const std::string& self) const {
  constexpr std::int64_t kMade = 1'000; // ms: writing one down takes GitLab a moment
  const Json& position = object_in(note, "position");
  Remark remark;
  remark.kind = position.empty() ? RemarkKind::conversation : RemarkKind::inline_comment;
  remark.id = id_in(note, "id");
  remark.author = string_or(object_in(note, "author"), "username");
  remark.body = string_or(note, "body");
  remark.url = place_.web() + "/-/merge_requests/" + std::to_string(number) + "#note_" + remark.id;
  remark.created_ms = time_in(note, "created_at");
  remark.edited = time_in(note, "updated_at") - remark.created_ms > kMade;
  remark.bot = is_bot(remark.author);
  remark.own = !self.empty() && remark.author == self;
  remark.path = string_or(position, "new_path");
  remark.line = int_in(position, "new_line");
  remark.commit = string_or(position, "head_sha");
  return remark;
}

} // namespace emend
