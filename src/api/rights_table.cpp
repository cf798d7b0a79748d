#include "api/rights_table.hpp"

#include <algorithm>

#include "model/enum_names.hpp"

namespace emend {

namespace {

constexpr EnumName<Reach> kScopes[] = {
    {Reach::open, "open"},     {Reach::caller, "caller"},        {Reach::server, "server"},
    {Reach::listed, "listed"}, {Reach::query, "query"},          {Reach::body, "body"},
    {Reach::path, "path"},     {Reach::session, "session"},      {Reach::job, "job"},
    {Reach::run, "run"},       {Reach::of_session, "of_session"}};

} // namespace

std::string_view to_string(Reach scope) { return name_of(kScopes, scope); }

const std::vector<NeededRight>& needs() {
  constexpr Role read = Role::read, decide = Role::decide, start = Role::run, administer = Role::administer;
  using enum Reach;
  static const std::vector<NeededRight> table = {
      {"logIn", read, open},
      {"logOut", read, caller},
      {"createLaunchCode", administer, server},
      {"changeServerToken", administer, server},
      {"beginSignIn", read, open},
      {"finishSignIn", read, open},
      {"getSignIn", read, open},
      {"listLogins", read, caller},
      {"endLogin", read, caller},
      {"getMe", read, caller},
      {"getNotifications", read, caller},
      {"changeNotifications", read, caller},
      {"listNotifications", administer, server},
      {"tryNotifications", administer, server},
      {"createLoginLink", administer, server},
      {"listPeople", administer, server},
      {"addPerson", administer, server},
      {"removePerson", administer, server},
      {"setRole", administer, body},
      {"listTokens", read, caller},
      {"createToken", read, caller},
      {"revokeToken", read, caller},
      {"listAudit", read, listed},
      {"getHealth", read, open},
      {"getReadiness", read, caller},
      {"getMetrics", read, server},
      {"getStatus", read, listed},
      {"getConfig", read, query},
      {"checkConfig", read, body},
      {"changeConfig", administer, body},
      {"followEvents", read, listed},
      {"pauseQueue", administer, server},
      {"resumeQueue", administer, server},
      {"listJobs", read, listed},
      {"listRepositories", read, listed},
      {"addRepository", administer, server},
      {"listBudgets", read, listed},
      {"setBudget", administer, server},
      {"getRepository", read, path},
      {"renameRepository", administer, path},
      {"forgetRepository", administer, server},
      {"trustRepository", administer, path},
      {"getSetup", read, path},
      {"setUpRepository", administer, path},
      {"listFiles", read, path},
      {"getBlob", read, path},
      {"getImage", read, path},
      {"listIssues", read, listed},
      {"createIssue", decide, body},
      {"getIssueFacets", read, listed},
      {"changeIssues", decide, body},
      {"getIssue", read, query},
      {"changeIssue", decide, query},
      {"getIssueHistory", read, query},
      {"getIssueAttempts", read, query},
      {"listQuestions", read, listed},
      {"answerQuestion", decide, body},
      {"clarify", start, body},
      {"plan", start, body},
      {"startFix", start, body},
      {"listSessions", read, listed},
      {"getSession", read, session},
      {"followSession", read, session},
      {"getSessionPlan", read, session},
      {"getSessionDiff", read, session},
      {"getSessionReport", read, session},
      {"cancelSession", start, session},
      {"resumeSession", start, session},
      {"changeSessionPlan", decide, session},
      {"approveSession", decide, session},
      {"acceptFix", decide, session},
      {"rejectFix", decide, session},
      {"refixIssues", start, session},
      {"discardSession", decide, session},
      {"groupCommits", decide, session},
      {"proposeSession", start, session},
      {"listSessionComments", read, session},
      {"commentOnSession", decide, session},
      {"listIssueComments", read, query},
      {"commentOnIssue", decide, query},
      {"getIssueTests", read, query},
      {"openTest", decide, query},
      {"listRuns", read, of_session},
      {"getRun", read, run},
      {"getRunLog", read, run},
      {"getRunPrompt", read, run},
      {"startReview", start, body},
      {"listReviews", read, listed},
      {"getReview", read, job},
      {"cancelReview", start, job},
      {"importReport", start, query},
      {"startVerification", start, body},
      {"getVerification", read, job},
      {"startChallenge", start, body},
      {"getChallenge", read, job},
      {"startPrReview", start, body},
      {"getPrReview", read, job},
      {"cancelJob", start, job},
      {"startCheck", start, body},
      {"getCheck", read, job},
      {"getCheckProof", read, job},
      {"cancelCheck", start, job},
      {"callMcp", administer, query},
      {"listAgents", read, caller},
      {"testAgent", start, query},
      {"getUsage", read, listed},
      {"getInsights", read, listed},
      {"syncIssues", start, body},
      {"receiveGithub", read, open},
      {"receiveGitlab", read, open},
      {"getNeeds", read, listed},
      {"getTrends", read, listed},
      {"getOpenApiJson", read, caller},
      {"getOpenApiYaml", read, caller},
      {"getProblem", read, open},
      {"getDashboard", read, open},
      {"getIssuesPage", read, open},
      {"getIssuePage", read, open},
      {"getSessionsPage", read, open},
      {"getSessionPage", read, open},
      {"getChangesPage", read, open},
      {"getPullsPage", read, open},
      {"getPullPage", read, open},
      {"getInsightsPage", read, open},
      {"getSettingsPage", read, open},
      {"getAsset", read, open},
  };
  return table;
}

const NeededRight* need_of(std::string_view operation) {
  const auto& table = needs();
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const NeededRight& need) { return need.operation == operation; });
  return found == table.end() ? nullptr : &*found;
}

} // namespace emend
