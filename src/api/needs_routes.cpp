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

// Of all served repositories together; each row names its own.
struct Gathered {
  Json repositories = Json::array(), questions = Json::array(), plans = Json::array(),
       stopped = Json::array(), ready = Json::array(), taken = Json::array(), failed = Json::array();
  std::int64_t total = 0, failed_total = 0;

  void add(const std::string& id, const Needs& needs) {
    repositories.push_back({{"id", id}, {"total", needs.total()}});
    total += needs.total();
    failed_total += needs.failed_total;
    for (const Issue& issue : needs.asked)
      for (const Clarification& question : issue.clarifications)
        if (question.state == ClarificationState::asked) questions.push_back(api_question(issue, question));
    for (const Session& session : needs.plans) plans.push_back(api_session(session));
    for (const Session& session : needs.stopped) stopped.push_back(api_session(session));
    for (const Needs::Branch& branch : needs.ready) ready.push_back(branch_json(branch));
    for (const Needs::Branch& branch : needs.taken) taken.push_back(branch_json(branch));
    for (const Issue& issue : needs.failed) failed.push_back(api_issue(issue));
  }
};

Result<HttpReply> needs(const ApiParts& parts, const Call& call) {
  TRY_ASSIGN(const auto repositories, listed_repositories(parts, call));
  Gathered all;
  for (const ServedRepository& repository : repositories) {
    TRY_ASSIGN(const Needs found, needs_of(parts.store, parts.ledger, repository.id));
    all.add(repository.id, found);
  }
  return tagged_response(call.request, {{"total", all.total},
                                        {"repositories", std::move(all.repositories)},
                                        {"questions", std::move(all.questions)},
                                        {"plans", std::move(all.plans)},
                                        {"stopped", std::move(all.stopped)},
                                        {"ready", std::move(all.ready)},
                                        {"taken", std::move(all.taken)},
                                        {"failed", std::move(all.failed)},
                                        {"failed_total", all.failed_total}});
}

} // namespace

std::vector<Operation> needs_operations(const ApiParts& parts) {
  return {{"GET", "/api/needs", "getNeeds", [&parts](const Call& call) { return needs(parts, call); }}};
}

} // namespace emend
