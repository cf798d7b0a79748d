#include "api/fields.hpp"
#include "api/issue_json.hpp"
#include "api/routes.hpp"
#include "engine/plan/clarify.hpp"

namespace emend {

namespace {

Result<HttpReply> list(const ApiParts& parts, const Call& call) {
  const std::string state(call.request.query_value("state").value_or("open"));
  if (state != "open" && state != "all")
    return problem_response(422, "validation-failed", "state is open or all");
  IssueSearch search;
  TRY_ASSIGN(search.repository_id, call.repository);
  search.among = call.caller.rights.repositories();
  search.questions = state == "all" ? QuestionFilter::any : QuestionFilter::open;
  search.limit = 500;
  Json data = Json::array();
  std::int64_t after = 0;
  do {
    TRY_ASSIGN(const IssuePage page, parts.ledger.issue_page(search, after));
    for (const Issue& issue : page.issues)
      for (const Clarification& question : issue.clarifications)
        if (state == "all" || question.state == ClarificationState::asked)
          data.push_back(api_question(issue, question));
    after = page.next;
  } while (after != 0);
  return page_response(call.request, std::move(data), "");
}

Result<HttpReply> answer(const ApiParts& parts, const Call& call) {
  Fields fields(call.body);
  GivenAnswer given;
  given.question_id = call.parameter("id");
  given.answer = fields.text_or("answer", "", 20'000);
  given.skip = fields.flag("skip", false);
  if (given.answer.empty() && !given.skip)
    fields.refuse("answer", "is missing; \"skip\": true leaves it to the fixer");
  const std::string repository = fields.text_or("repository_id", "", 200);
  if (auto problem = fields.problems()) return *problem;
  TRY_ASSIGN(const std::string id, call.repository);
  TRY_ASSIGN(Workbench * bench, parts.repositories.bench(id));
  const std::string code = issue_of_question(given.question_id);
  if (code.empty()) return problem_response(404, "not-found", "there is no such question");
  TRY_ASSIGN(const Config config, bench->config());
  TRY(record_answers(bench->ports(call.caller.actor), config.policy(), parts.on_event, {given}));
  TRY_ASSIGN(const Issue issue, parts.store.issue(id, code));
  for (const Clarification& question : issue.clarifications)
    if (question.question_id == given.question_id) return json_response(200, api_question(issue, question));
  return problem_response(404, "not-found", "there is no such question");
}

} // namespace

std::vector<Operation> question_operations(const ApiParts& parts) {
  return {
      {"GET", "/api/questions", "listQuestions", [&parts](const Call& call) { return list(parts, call); }},
      {"POST", "/api/questions/{id}/answer", "answerQuestion",
       [&parts](const Call& call) { return answer(parts, call); }, Admission::member, BodyKind::json},
  };
}

} // namespace emend
