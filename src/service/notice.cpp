#include "service/notice.hpp"

#include "base/strings.hpp"
#include "model/events.hpp"

namespace emend {

namespace {

std::string counted(std::size_t number, const std::string& what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

// Each fills in what its event says; a topic says that there is something to tell.
struct Teller {
  Notice& notice;

  void is(const char* topic, const char* type, std::string text) const {
    notice.topic = topic;
    notice.type = type;
    notice.text = std::move(text);
  }
  [[nodiscard]] std::string session() const { return "Session " + notice.session_id; }

  void operator()(const FixSessionCompleted& event) const {
    const SessionSummary& count = event.summary;
    is("sessions", "session.completed",
       session() + " has ended: " + std::to_string(count.resolved) + " resolved, " +
           std::to_string(count.failed) + " failed, " + std::to_string(count.open) + " open.");
    notice.figures = {{"status", event.status},
                      {"resolved", count.resolved},
                      {"failed", count.failed},
                      {"open", count.open}};
  }
  // One that is only interrupted goes on by itself.
  void operator()(const FixSessionError& event) const {
    if (event.status != "error") return;
    is("sessions", "session.failed", session() + " has failed; what it had finished is kept.");
  }
  void operator()(const FixSessionCancelled& event) const {
    if (!event.status) return;
    is("sessions", "session.cancelled", session() + " was cancelled.");
  }
  void operator()(const PullRequestProposed& event) const {
    is("sessions", "pull_request.opened",
       "Pull request " + std::to_string(event.number) + " was opened for session " + event.session_id + ".");
    notice.figures = {{"number", event.number}, {"url", event.url}};
  }
  void operator()(const FixSessionPlanned& event) const {
    is("questions", "session.planned",
       "The plan of session " + notice.session_id + " waits for approval: " + counted(event.issues, "issue") +
           ".");
    notice.figures = {{"issues", event.issues}};
  }
  void operator()(const ClarifyQuestions& event) const {
    is("questions", "issue.questions",
       "An agent asks " + counted(event.questions.size(), "question") + " about " + notice.issue_code + ".");
    notice.figures = {{"questions", event.questions.size()}};
  }
  void operator()(const ReviewCompleted& event) const {
    if (event.new_ == 0) return;
    is("reviews", "review.completed",
       "A review has found " + counted(event.new_, "new issue") + ", " + std::to_string(event.issues) +
           " in all.");
    notice.figures = {{"issues", event.issues}, {"new", event.new_}};
  }
  void operator()(const ReviewError&) const { is("reviews", "review.failed", "A review has failed."); }
  void operator()(const ContainmentViolation& event) const {
    is("safety", "containment.violated",
       "Something outside the workspaces was " + event.change + " while a program of session " +
           notice.session_id + " ran.");
    notice.figures = {{"change", event.change}};
  }
  void operator()(const GateOverridden& event) const {
    is("safety", "gate.overridden",
       clean_text(first_line(event.by, 100)) + " let pull request " + std::to_string(event.number) +
           " pass although the gate refused it.");
    notice.figures = {{"number", event.number}};
  }
};

std::string page_of(const Notice& notice) {
  if (notice.type == "issue.questions") return "/issues/" + notice.issue_code;
  if (notice.type == "review.completed" || notice.type == "review.failed") return "/issues";
  if (notice.type == "gate.overridden") return "/pulls";
  return notice.session_id.empty() ? "/" : "/sessions/" + notice.session_id;
}

} // namespace

const std::vector<std::string>& notice_topics() {
  static const std::vector<std::string> topics = {"sessions", "questions", "reviews", "safety"};
  return topics;
}

std::optional<Notice> notice_of(const Event& event) {
  Notice notice;
  notice.seq = event.seq;
  notice.time_ms = event.time_ms;
  notice.session_id = event.session_id;
  notice.issue_code = event.issue_code;
  visit_event(event, Teller{notice});
  if (notice.topic.empty()) return std::nullopt;
  if (const auto proposed = event_as<PullRequestProposed>(event)) notice.session_id = proposed->session_id;
  notice.page = page_of(notice);
  return notice;
}

Json to_json(const Notice& notice) {
  return {{"seq", notice.seq},
          {"time_ms", notice.time_ms},
          {"topic", notice.topic},
          {"type", notice.type},
          {"session_id", notice.session_id},
          {"issue_code", notice.issue_code},
          {"repository_id", notice.repository_id},
          {"repository", notice.repository},
          {"text", notice.text},
          {"page", notice.page},
          {"figures", notice.figures}};
}

Notice notice_from_json(const Json& json) {
  const auto number = [&](const char* name) {
    const Json* found = find_member(json, name);
    return found != nullptr && found->is_number_integer() ? found->get<std::int64_t>() : 0;
  };
  Notice notice;
  notice.seq = number("seq");
  notice.time_ms = number("time_ms");
  notice.topic = string_or(json, "topic");
  notice.type = string_or(json, "type");
  notice.session_id = string_or(json, "session_id");
  notice.issue_code = string_or(json, "issue_code");
  notice.repository_id = string_or(json, "repository_id");
  notice.repository = string_or(json, "repository");
  notice.text = string_or(json, "text");
  notice.page = string_or(json, "page");
  if (const Json* figures = find_member(json, "figures"); figures != nullptr && figures->is_object())
    notice.figures = *figures;
  return notice;
}

} // namespace emend
