#include "model/issue.hpp"

#include <algorithm>

#include "base/strings.hpp"
#include "model/enum_names.hpp"
#include "model/json_fields.hpp"

namespace emend {
namespace {

constexpr EnumName<IssueStatus> kStatuses[] = {
    {IssueStatus::open, "OPEN"},          {IssueStatus::in_progress, "IN_PROGRESS"},
    {IssueStatus::resolved, "RESOLVED"},  {IssueStatus::failed, "FAILED"},
    {IssueStatus::merged, "MERGED"},      {IssueStatus::ignored, "IGNORED"},
    {IssueStatus::duplicate, "DUPLICATE"}};

constexpr EnumName<IssueTrend> kTrends[] = {
    {IssueTrend::fresh, "new"}, {IssueTrend::ongoing, "ongoing"}, {IssueTrend::regressed, "regressed"}};

constexpr std::string_view kFrontendExtensions[] = {".tsx",  ".ts",  ".jsx",    ".js",  ".css",
                                                    ".scss", ".vue", ".svelte", ".html"};

} // namespace

std::string_view to_string(IssueStatus status) { return name_of(kStatuses, status); }

std::optional<IssueStatus> parse_issue_status(std::string_view text) {
  return value_of(kStatuses, std::string_view(replace_all(to_upper(trim(text)), "-", "_")));
}

std::string_view to_string(IssueTrend trend) { return name_of(kTrends, trend); }

std::optional<IssueTrend> parse_issue_trend(std::string_view text) { return value_of(kTrends, text); }

// Pages and styles of a documentation are no frontend, whatever they are written in.
Side side_of(std::string_view file) {
  const std::string lower = to_lower(file);
  for (const std::string_view directory : {"docs/", "doc/", "documentation/"})
    if (lower.starts_with(directory) || contains(lower, "/" + std::string(directory))) return Side::backend;
  const bool frontend = std::any_of(std::begin(kFrontendExtensions), std::end(kFrontendExtensions),
                                    [&](std::string_view extension) { return lower.ends_with(extension); });
  return frontend ? Side::frontend : Side::backend;
}

std::string_view code_prefix(Side side) { return side == Side::frontend ? "FE" : "BE"; }

Json to_json(const Issue& issue) {
  const Finding& finding = issue.finding;
  Json clarifications = Json::array();
  for (const Clarification& clarification : issue.clarifications)
    clarifications.push_back(to_json(clarification));
  return {{"id", issue.id},
          {"code", issue.code},
          {"status", to_string(issue.status)},
          {"reason", null_if_empty(issue.reason)},
          {"detail", issue.detail},
          {"severity", to_string(finding.severity)},
          {"category", finding.category},
          {"rule", finding.rule},
          {"title", finding.title},
          {"description", finding.description},
          {"suggestion", finding.suggestion},
          {"file", finding.file},
          {"line", finding.line},
          {"line_end", finding.line_end},
          {"found_by", finding.agent},
          {"finding_id", null_if_empty(finding.id)},
          {"annotations", finding.annotations},
          {"fingerprint", issue.fingerprint},
          {"substatus", to_string(issue.trend)},
          {"last_seen_commit", null_if_empty(issue.seen_commit)},
          {"absent_since_commit", null_if_empty(issue.absent_commit)},
          {"effort", finding.effort},
          {"files_count", finding.files_count},
          {"evidence", null_if_empty(issue.evidence)},
          {"marks", to_json(issue.marks)},
          {"score", issue.last_score < 0 ? Json(nullptr) : Json(issue.last_score)},
          {"attempts", issue.attempts},
          {"session_id", null_if_empty(issue.session_id)},
          {"commit", null_if_empty(issue.commit)},
          {"duplicate_of", null_if_empty(issue.duplicate_of)},
          {"clarifications", std::move(clarifications)},
          {"created_at", rfc3339_utc(issue.created_ms)},
          {"updated_at", rfc3339_utc(issue.updated_ms)}};
}

namespace {

constexpr EnumName<Mover> kMovers[] = {
    {Mover::engine, "engine"}, {Mover::gate, "gate"}, {Mover::person, "person"}, {Mover::sync, "sync"}};

} // namespace

std::string_view to_string(Mover mover) { return name_of(kMovers, mover); }

const std::vector<Transition>& issue_transitions() {
  using enum IssueStatus;
  static const std::vector<Transition> table = {
      {open, in_progress, Mover::engine, "a session took it"},
      {open, failed, Mover::engine, "its file is gone"},
      {open, ignored, Mover::person, "not worth fixing"},
      {open, duplicate, Mover::person, "the same as another issue"},
      {open, duplicate, Mover::engine, "triage found that it is the same as another issue"},
      {in_progress, open, Mover::engine, "interrupted, cancelled or deferred"},
      {in_progress, failed, Mover::engine, "no attempt passed"},
      {in_progress, resolved, Mover::gate, "every clause passed and the proof is stored"},
      {resolved, merged, Mover::sync, "its commit is in the target branch"},
      {resolved, open, Mover::engine, "it came back"},
      {resolved, open, Mover::person, "reopened, rejected or discarded"},
      {failed, open, Mover::engine, "a later session takes it again"},
      {failed, open, Mover::person, "reopened"},
      {failed, ignored, Mover::person, "not worth fixing"},
      {failed, duplicate, Mover::person, "the same as another issue"},
      {merged, open, Mover::engine, "it came back"},
      {merged, open, Mover::person, "reopened"},
      {ignored, open, Mover::person, "reopened"},
      {duplicate, open, Mover::person, "reopened"},
  };
  return table;
}

bool may_move(IssueStatus from, IssueStatus to, Mover mover) {
  const auto& table = issue_transitions();
  return std::any_of(table.begin(), table.end(), [&](const Transition& row) {
    return row.from == from && row.to == to && row.mover == mover;
  });
}

namespace {

constexpr EnumName<ClarificationState> kStates[] = {{ClarificationState::asked, "asked"},
                                                    {ClarificationState::answered, "answered"},
                                                    {ClarificationState::skipped, "skipped"}};

} // namespace

std::string_view to_string(ClarificationState state) { return name_of(kStates, state); }

std::optional<ClarificationState> parse_clarification_state(std::string_view text) {
  return value_of(kStates, text);
}

Json to_json(const Clarification& clarification) {
  const bool answered = clarification.state == ClarificationState::answered;
  return {{"question_id", clarification.question_id},
          {"question", clarification.question},
          {"context", clarification.context},
          {"suggestions", clarification.suggestions},
          {"state", to_string(clarification.state)},
          {"answer", answered ? Json(clarification.answer) : Json(nullptr)},
          {"answered_by", clarification.answered_by},
          {"round", clarification.round},
          {"asked_at", rfc3339_utc(clarification.asked_ms)},
          {"answered_at",
           clarification.answered_ms == 0 ? Json(nullptr) : Json(rfc3339_utc(clarification.answered_ms))}};
}

} // namespace emend
