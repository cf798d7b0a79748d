#include "api/issue_json.hpp"
#include "api/lookups.hpp"
#include "api/routes.hpp"
#include "service/needs.hpp"

namespace emend {

namespace {

Json branch_json(const Needs::Branch& branch) {
  Json fixes = Json::array();
  for (const Issue& issue : branch.fixes) fixes.push_back(api_issue(issue));
  return {{"session", api_session(branch.session)}, {"fixes", std::move(fixes)}};
}

Json branches_json(const std::vector<Needs::Branch>& branches) {
  Json rows = Json::array();
  for (const Needs::Branch& branch : branches) rows.push_back(branch_json(branch));
  return rows;
}

Json sessions_json(const std::vector<Session>& sessions) {
  Json rows = Json::array();
  for (const Session& session : sessions) rows.push_back(api_session(session));
  return rows;
}

Json questions_json(const std::vector<Issue>& asked) {
  Json rows = Json::array();
  for (const Issue& issue : asked)
    for (const Clarification& question : issue.clarifications)
      if (question.state == ClarificationState::asked) rows.push_back(api_question(issue, question));
  return rows;
}

// Of all served repositories together; each row names its own.
Result<HttpReply> needs(const ApiParts& parts, const Call& call) {
  TRY_ASSIGN(const auto served, listed_repositories(parts, call));
  Needs all;
  Json repositories = Json::array();
  for (const ServedRepository& repository : served) {
    TRY_ASSIGN(Needs found, needs_of(parts.store, parts.ledger, repository.id));
    repositories.push_back(
        {{"id", repository.id}, {"total", found.total()}, {"failed_total", found.failed_total}});
    add_needs(all, std::move(found));
  }
  Json failed = Json::array();
  for (const Issue& issue : all.failed) failed.push_back(api_issue(issue));
  Json dismissals = Json::array();
  for (const auto& [issue, by, number] : all.dismissals)
    dismissals.push_back({{"issue", api_issue(issue)}, {"by", by}, {"pull_request", number}});
  return tagged_response(call.request, {{"total", all.total()},
                                        {"dismissals", std::move(dismissals)},
                                        {"repositories", std::move(repositories)},
                                        {"questions", questions_json(all.asked)},
                                        {"plans", sessions_json(all.plans)},
                                        {"stopped", sessions_json(all.stopped)},
                                        {"ready", branches_json(all.ready)},
                                        {"taken", branches_json(all.taken)},
                                        {"failed", std::move(failed)},
                                        {"failed_total", all.failed_total},
                                        {"older_branches", all.older_branches}});
}

} // namespace

std::vector<Operation> needs_operations(const ApiParts& parts) {
  return {{"GET", "/api/needs", "getNeeds", [&parts](const Call& call) { return needs(parts, call); }}};
}

} // namespace emend
