#include "api/issue_json.hpp"

#include "base/strings.hpp"
#include "engine/branch/recovery.hpp"
#include "engine/plan/planner.hpp"

namespace emend {

namespace {

Json or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json range_of(const Finding& finding) {
  if (finding.line <= 0) return nullptr;
  return {{"start_line", finding.line},
          {"start_column", finding.column > 0 ? Json(finding.column) : Json(nullptr)},
          {"end_line", finding.line_end > 0 ? Json(finding.line_end) : Json(finding.line)}};
}

Json found_by(const Finding& finding) {
  Json list = Json::array();
  if (finding.found_by.empty()) list.push_back({{"agent", finding.agent}});
  for (const std::string& agent : finding.found_by) list.push_back({{"agent", agent}});
  return list;
}

Json links_of(const Issue& issue) {
  const std::string self = "/api/issues/" + issue.code, of = "?repository_id=" + issue.repository_id;
  const std::string session = issue.session_id.empty() ? "" : "/api/fix/sessions/" + issue.session_id;
  return {{"self", self + of},
          {"history", self + "/history" + of},
          {"attempts", self + "/attempts" + of},
          {"session", or_null(session)},
          {"diff", issue.commit.empty() || session.empty() ? Json(nullptr)
                                                           : Json(session + "/diff?issue=" + issue.code)}};
}

} // namespace

Json api_issue(const Issue& issue) {
  const Finding& finding = issue.finding;
  Json clarifications = Json::array();
  for (const Clarification& question : issue.clarifications) clarifications.push_back(to_json(question));
  return {{"id", issue.id},
          {"code", issue.code},
          {"repository_id", issue.repository_id},
          {"title", finding.title},
          {"status", to_string(issue.status)},
          {"reason", or_null(issue.reason)},
          {"detail", or_null(issue.detail)},
          {"substatus", to_string(issue.trend)},
          {"severity", to_string(finding.severity)},
          {"category", or_null(finding.category)},
          {"rule_id", or_null(finding.rule)},
          {"file", or_null(finding.file)},
          {"range", range_of(finding)},
          {"fingerprint", issue.fingerprint},
          {"description_md", finding.description},
          {"fix_hint", or_null(finding.suggestion)},
          {"found_by", found_by(finding)},
          {"estimate", {{"points", workload_points(finding)}}},
          {"clarifications", std::move(clarifications)},
          {"attempts", issue.attempts},
          {"last_score", issue.last_score < 0 ? Json(nullptr) : Json(issue.last_score)},
          {"evidence", or_null(issue.evidence)},
          {"marks", to_json(issue.marks)},
          {"duplicate_of", or_null(issue.duplicate_of)},
          {"session_id", or_null(issue.session_id)},
          {"commit", or_null(issue.commit)},
          {"created_at", rfc3339_utc(issue.created_ms)},
          {"updated_at", rfc3339_utc(issue.updated_ms)},
          {"links", links_of(issue)}};
}

Json api_session(const Session& session) {
  return {{"id", session.id},
          {"repository_id", session.repository_id},
          {"status", to_string(present_status(session))},
          {"detail", or_null(session.detail)},
          {"base", session.base},
          {"base_ref", session.base_ref},
          {"branch_name", session.branch},
          {"tip", or_null(session.tip)},
          {"issue_ids", session.issue_ids},
          {"strategy", to_string(session.policy.strategy)},
          {"fixer", session.policy.fixer.name},
          {"challenger",
           session.policy.challenger_enabled ? Json(session.policy.challenger.name) : Json(nullptr)},
          {"started_at", rfc3339_utc(session.started_ms)},
          {"updated_at", rfc3339_utc(session.updated_ms)},
          {"duration_ms", session.duration_ms},
          {"links",
           {{"self", "/api/fix/sessions/" + session.id},
            {"events", "/api/fix/sessions/" + session.id + "/events"}}}};
}

Json api_question(const Issue& issue, const Clarification& question) {
  Json json = to_json(question);
  json["id"] = question.question_id;
  json["issue_code"] = issue.code;
  json["repository_id"] = issue.repository_id;
  return json;
}

Json api_event(const Event& event) {
  Json json = to_json(event);
  json["ts"] = rfc3339_utc(event.time_ms);
  return json;
}

} // namespace emend
