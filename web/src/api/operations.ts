// Made by make_operations.mjs from api/openapi.json; do not edit. One function for each operation, with the types of the document:
// first where (of the path and the query), then what is sent, then what any call may say.
import { address, call, callTagged, callText, type Answer, type At, type Body, type More } from "./call";

// One round of questions
export const clarify = (body: Body<"clarify">, more: More = {}) => call<Answer<"clarify">>("POST", "/api/fix/clarify", {}, body, more);

// Put issues into steps
export const plan = (body: Body<"plan">, more: More = {}) => call<Answer<"plan">>("POST", "/api/fix/plan", {}, body, more);

// Fix issues
export const startFix = (body: Body<"startFix">, more: More = {}) => call<Answer<"startFix">>("POST", "/api/fix/start", {}, body, more);

// Sessions, newest first
export const listSessions = (at: At<"listSessions"> = {}, more: More = {}) => call<Answer<"listSessions">>("GET", "/api/fix/sessions", at, undefined, more);

// A session with its issues and commits
export const getSession = (at: At<"getSession">, more: More = {}) => call<Answer<"getSession">>("GET", "/api/fix/sessions/{id}", at, undefined, more);

// The live events of a session
export const followSessionAddress = (at: At<"followSession">) => address("/api/fix/sessions/{id}/events", at);

// The plan a session works by
export const getSessionPlan = (at: At<"getSessionPlan">, more: More = {}) => call<Answer<"getSessionPlan">>("GET", "/api/fix/sessions/{id}/plan", at, undefined, more);
export const getSessionPlanTagged = (at: At<"getSessionPlan">, more: More = {}) => callTagged<Answer<"getSessionPlan">>("GET", "/api/fix/sessions/{id}/plan", at, undefined, more);

// Change the plan of a session that waits for approval
export const changeSessionPlan = (at: At<"changeSessionPlan">, body: Body<"changeSessionPlan">, more: More = {}) => call<Answer<"changeSessionPlan">>("PUT", "/api/fix/sessions/{id}/plan", at, body, more);

// What a session changed
export const getSessionDiff = (at: At<"getSessionDiff">, more: More = {}) => call<Answer<"getSessionDiff">>("GET", "/api/fix/sessions/{id}/diff", at, undefined, more);
export const getSessionDiffAddress = (at: At<"getSessionDiff">) => address("/api/fix/sessions/{id}/diff", at);

// Everything a session did: attempts, verdicts, checks
export const getSessionReport = (at: At<"getSessionReport">, more: More = {}) => call<Answer<"getSessionReport">>("GET", "/api/fix/sessions/{id}/report", at, undefined, more);

// Stop a session
export const cancelSession = (at: At<"cancelSession">, more: More = {}) => call<Answer<"cancelSession">>("POST", "/api/fix/sessions/{id}/cancel", at, undefined, more);

// Continue a session
export const resumeSession = (at: At<"resumeSession">, more: More = {}) => call<Answer<"resumeSession">>("POST", "/api/fix/sessions/{id}/resume", at, undefined, more);

// Approve the plan of a session and start it
export const approveSession = (at: At<"approveSession">, more: More = {}) => call<Answer<"approveSession">>("POST", "/api/fix/sessions/{id}/approve", at, undefined, more);

// Accept the fix of one issue
export const acceptFix = (at: At<"acceptFix">, body: Body<"acceptFix">, more: More = {}) => call<Answer<"acceptFix">>("POST", "/api/fix/sessions/{id}/accept", at, body, more);

// Reject the fix of one issue
export const rejectFix = (at: At<"rejectFix">, body: Body<"rejectFix">, more: More = {}) => call<Answer<"rejectFix">>("POST", "/api/fix/sessions/{id}/reject", at, body, more);

// Fix rejected issues again
export const refixIssues = (at: At<"refixIssues">, body: Body<"refixIssues">, more: More = {}) => call<Answer<"refixIssues">>("POST", "/api/fix/sessions/{id}/refix", at, body, more);

// Make a branch with the same files and fewer commits
export const groupCommits = (at: At<"groupCommits">, body: Body<"groupCommits">, more: More = {}) => call<Answer<"groupCommits">>("POST", "/api/fix/sessions/{id}/group", at, body, more);

// Propose a session's branch as a pull request
export const proposeSession = (at: At<"proposeSession">, body: Body<"proposeSession">, more: More = {}) => call<Answer<"proposeSession">>("POST", "/api/fix/sessions/{id}/pull-request", at, body, more);

// Reject every fix of a session
export const discardSession = (at: At<"discardSession">, body: Body<"discardSession">, more: More = {}) => call<Answer<"discardSession">>("POST", "/api/fix/sessions/{id}/discard", at, body, more);

// What people said about a session's changes
export const listSessionComments = (at: At<"listSessionComments">, more: More = {}) => call<Answer<"listSessionComments">>("GET", "/api/fix/sessions/{id}/comments", at, undefined, more);

// Comment on a change, for the next fixer
export const commentOnSession = (at: At<"commentOnSession">, body: Body<"commentOnSession">, more: More = {}) => call<Answer<"commentOnSession">>("POST", "/api/fix/sessions/{id}/comments", at, body, more);

// What people said about an issue and its fixes
export const listIssueComments = (at: At<"listIssueComments">, more: More = {}) => call<Answer<"listIssueComments">>("GET", "/api/issues/{code}/comments", at, undefined, more);

// Comment on an issue, for the next fixer
export const commentOnIssue = (at: At<"commentOnIssue">, body: Body<"commentOnIssue">, more: More = {}) => call<Answer<"commentOnIssue">>("POST", "/api/issues/{code}/comments", at, body, more);

// Existing tests that the fix of an issue may change, and those its fixer asked for
export const getIssueTests = (at: At<"getIssueTests">, more: More = {}) => call<Answer<"getIssueTests">>("GET", "/api/issues/{code}/tests", at, undefined, more);

// Let the fix of an issue change one existing test, or take that back
export const openTest = (at: At<"openTest">, body: Body<"openTest">, more: More = {}) => call<Answer<"openTest">>("POST", "/api/issues/{code}/tests", at, body, more);

// The agent runs of a session
export const listRuns = (at: At<"listRuns">, more: More = {}) => call<Answer<"listRuns">>("GET", "/api/runs", at, undefined, more);

// One run of an agent
export const getRun = (at: At<"getRun">, more: More = {}) => call<Answer<"getRun">>("GET", "/api/runs/{id}", at, undefined, more);

// What an agent said
export const getRunLog = (at: At<"getRunLog">, more: More = {}) => callText("GET", "/api/runs/{id}/log", at, undefined, more);
export const getRunLogAddress = (at: At<"getRunLog">) => address("/api/runs/{id}/log", at);

// The prompt of an agent run, without secrets
export const getRunPrompt = (at: At<"getRunPrompt">, more: More = {}) => callText("GET", "/api/runs/{id}/prompt", at, undefined, more);
export const getRunPromptAddress = (at: At<"getRunPrompt">) => address("/api/runs/{id}/prompt", at);

// Issues in the order they were found, or in another one. A page by offset or order has no cursor.
export const listIssues = (at: At<"listIssues"> = {}, more: More = {}) => call<Answer<"listIssues">>("GET", "/api/issues", at, undefined, more);

// Add an issue by hand
export const createIssue = (body: Body<"createIssue">, more: More = {}) => call<Answer<"createIssue">>("POST", "/api/issues", {}, body, more);

// How many issues there are of each kind
export const getIssueFacets = (at: At<"getIssueFacets"> = {}, more: More = {}) => call<Answer<"getIssueFacets">>("GET", "/api/issues/facets", at, undefined, more);

// One decision about many issues
export const changeIssues = (body: Body<"changeIssues">, more: More = {}) => call<Answer<"changeIssues">>("POST", "/api/issues/bulk", {}, body, more);

// Check whether fixes have been merged
export const syncIssues = (body: Body<"syncIssues">, more: More = {}) => call<Answer<"syncIssues">>("POST", "/api/issues/sync", {}, body, more);

// An issue
export const getIssue = (at: At<"getIssue">, more: More = {}) => call<Answer<"getIssue">>("GET", "/api/issues/{code}", at, undefined, more);
export const getIssueTagged = (at: At<"getIssue">, more: More = {}) => callTagged<Answer<"getIssue">>("GET", "/api/issues/{code}", at, undefined, more);

// A person's decision about an issue
export const changeIssue = (at: At<"changeIssue">, body: Body<"changeIssue">, more: More = {}) => call<Answer<"changeIssue">>("PATCH", "/api/issues/{code}", at, body, more);

// The events about an issue
export const getIssueHistory = (at: At<"getIssueHistory">, more: More = {}) => call<Answer<"getIssueHistory">>("GET", "/api/issues/{code}/history", at, undefined, more);

// What was tried, and why it was or was not accepted
export const getIssueAttempts = (at: At<"getIssueAttempts">, more: More = {}) => call<Answer<"getIssueAttempts">>("GET", "/api/issues/{code}/attempts", at, undefined, more);

// Questions about issues
export const listQuestions = (at: At<"listQuestions"> = {}, more: More = {}) => call<Answer<"listQuestions">>("GET", "/api/questions", at, undefined, more);

// Answer a question, or leave it to the fixer
export const answerQuestion = (at: At<"answerQuestion">, body: Body<"answerQuestion">, more: More = {}) => call<Answer<"answerQuestion">>("POST", "/api/questions/{id}/answer", at, body, more);

// What waits for a person
export const getNeeds = (at: At<"getNeeds"> = {}, more: More = {}) => call<Answer<"getNeeds">>("GET", "/api/needs", at, undefined, more);

// Issues, fixes, decisions and costs by week
export const getTrends = (at: At<"getTrends"> = {}, more: More = {}) => call<Answer<"getTrends">>("GET", "/api/trends", at, undefined, more);

// Reviews, newest first
export const listReviews = (more: More = {}) => call<Answer<"listReviews">>("GET", "/api/reviews", {}, undefined, more);

// Review a commit with analyzers
export const startReview = (body: Body<"startReview">, more: More = {}) => call<Answer<"startReview">>("POST", "/api/reviews", {}, body, more);

// A review
export const getReview = (at: At<"getReview">, more: More = {}) => call<Answer<"getReview">>("GET", "/api/reviews/{id}", at, undefined, more);

// Stop a review
export const cancelReview = (at: At<"cancelReview">, more: More = {}) => call<Answer<"cancelReview">>("POST", "/api/reviews/{id}/cancel", at, undefined, more);

// Run the project's checks
export const startVerification = (body: Body<"startVerification">, more: More = {}) => call<Answer<"startVerification">>("POST", "/api/verify", {}, body, more);

// A verification
export const getVerification = (at: At<"getVerification">, more: More = {}) => call<Answer<"getVerification">>("GET", "/api/verify/{id}", at, undefined, more);

// Check a change that somebody made
export const startCheck = (body: Body<"startCheck">, more: More = {}) => call<Answer<"startCheck">>("POST", "/api/check", {}, body, more);

// A check and its verdict
export const getCheck = (at: At<"getCheck">, more: More = {}) => call<Answer<"getCheck">>("GET", "/api/check/{id}", at, undefined, more);

// The proof of a change that is PROVEN
export const getCheckProofAddress = (at: At<"getCheckProof">) => address("/api/check/{id}/proof", at);

// Stop a check
export const cancelCheck = (at: At<"cancelCheck">, more: More = {}) => call<Answer<"cancelCheck">>("POST", "/api/check/{id}/cancel", at, undefined, more);

// Let an independent agent score a change
export const startChallenge = (body: Body<"startChallenge">, more: More = {}) => call<Answer<"startChallenge">>("POST", "/api/challenge", {}, body, more);

// A judgement and its scores
export const getChallenge = (at: At<"getChallenge">, more: More = {}) => call<Answer<"getChallenge">>("GET", "/api/challenge/{id}", at, undefined, more);

// Let two agents vote on a change
export const startPrReview = (body: Body<"startPrReview">, more: More = {}) => call<Answer<"startPrReview">>("POST", "/api/pr/review", {}, body, more);

// A pull request review and its votes
export const getPrReview = (at: At<"getPrReview">, more: More = {}) => call<Answer<"getPrReview">>("GET", "/api/pr/reviews/{id}", at, undefined, more);

// Import the report of another tool
export const importReport = (at: At<"importReport"> = {}, body: string, more: More = {}) => call<Answer<"importReport">>("POST", "/api/import", at, body, more);

// The repositories that are served
export const listRepositories = (more: More = {}) => call<Answer<"listRepositories">>("GET", "/api/repositories", {}, undefined, more);

// Serve another repository
export const addRepository = (body: Body<"addRepository">, more: More = {}) => call<Answer<"addRepository">>("POST", "/api/repositories", {}, body, more);

// Budgets, and what is left of them
export const listBudgets = (more: More = {}) => call<Answer<"listBudgets">>("GET", "/api/budgets", {}, undefined, more);

// Set the budget of everybody, of a team or of a repository
export const setBudget = (body: Body<"setBudget">, more: More = {}) => call<Answer<"setBudget">>("PUT", "/api/budgets", {}, body, more);

// A repository and its files that need trust
export const getRepository = (at: At<"getRepository">, more: More = {}) => call<Answer<"getRepository">>("GET", "/api/repositories/{id}", at, undefined, more);

// Rename a repository, say where its folder is now, or which team it belongs to
export const renameRepository = (at: At<"renameRepository">, body: Body<"renameRepository">, more: More = {}) => call<Answer<"renameRepository">>("PATCH", "/api/repositories/{id}", at, body, more);

// Stop serving a repository
export const forgetRepository = (at: At<"forgetRepository">, more: More = {}) => call<void>("DELETE", "/api/repositories/{id}", at, undefined, more);

// Allow the commands of configuration files, by the hashes shown
export const trustRepository = (at: At<"trustRepository">, body: Body<"trustRepository">, more: More = {}) => call<Answer<"trustRepository">>("POST", "/api/repositories/{id}/trust", at, body, more);

// The checks recognised in a repository and the emend.toml they would make
export const getSetup = (at: At<"getSetup">, more: More = {}) => call<Answer<"getSetup">>("GET", "/api/repositories/{id}/setup", at, undefined, more);

// Write the first emend.toml
export const setUpRepository = (at: At<"setUpRepository">, body: Body<"setUpRepository">, more: More = {}) => call<Answer<"setUpRepository">>("POST", "/api/repositories/{id}/setup", at, body, more);

// The files of a commit
export const listFiles = (at: At<"listFiles">, more: More = {}) => call<Answer<"listFiles">>("GET", "/api/repositories/{id}/files", at, undefined, more);

// Lines of a file of a commit
export const getBlob = (at: At<"getBlob">, more: More = {}) => call<Answer<"getBlob">>("GET", "/api/repositories/{id}/blob", at, undefined, more);

// An image of a commit
export const getImageAddress = (at: At<"getImage">) => address("/api/repositories/{id}/image", at);

// Exchange a launch code for a login
export const logIn = (body: Body<"logIn">, more: More = {}) => call<void>("POST", "/api/auth/session", {}, body, more);

// End a login and its streams
export const logOut = (more: More = {}) => call<void>("DELETE", "/api/auth/session", {}, undefined, more);

// A code that logs a browser in once
export const createLaunchCode = (more: More = {}) => call<Answer<"createLaunchCode">>("POST", "/api/auth/launch-codes", {}, undefined, more);

// Replace the server's token
export const changeServerToken = (more: More = {}) => call<Answer<"changeServerToken">>("POST", "/api/auth/token", {}, undefined, more);

// Where people sign in
export const getSignIn = (more: More = {}) => call<Answer<"getSignIn">>("GET", "/api/auth/sign-in", {}, undefined, more);

// Browsers in which the caller is logged in; for administrators all
export const listLogins = (more: More = {}) => call<Answer<"listLogins">>("GET", "/api/logins", {}, undefined, more);

// Log a browser out at once
export const endLogin = (at: At<"endLogin">, more: More = {}) => call<void>("DELETE", "/api/logins/{id}", at, undefined, more);

// Who is asking, with which roles
export const getMe = (more: More = {}) => call<Answer<"getMe">>("GET", "/api/me", {}, undefined, more);

// What the caller is sent by mail
export const getNotifications = (more: More = {}) => call<Answer<"getNotifications">>("GET", "/api/me/notifications", {}, undefined, more);

// Choose what the caller is sent by mail
export const changeNotifications = (body: Body<"changeNotifications">, more: More = {}) => call<Answer<"changeNotifications">>("PUT", "/api/me/notifications", {}, body, more);

// Messages that wait to be sent, or were given up
export const listNotifications = (more: More = {}) => call<Answer<"listNotifications">>("GET", "/api/notifications", {}, undefined, more);

// Send a message to every channel and to the caller
export const tryNotifications = (more: More = {}) => call<void>("POST", "/api/notifications/trial", {}, undefined, more);

// People and programs with their roles
export const listPeople = (more: More = {}) => call<Answer<"listPeople">>("GET", "/api/people", {}, undefined, more);

// Add a person or a program
export const addPerson = (body: Body<"addPerson">, more: More = {}) => call<Answer<"addPerson">>("POST", "/api/people", {}, body, more);

// Take away an account with its roles, tokens and logins
export const removePerson = (at: At<"removePerson">, more: More = {}) => call<void>("DELETE", "/api/people/{name}", at, undefined, more);

// Give a role for one repository or for all
export const setRole = (at: At<"setRole">, body: Body<"setRole">, more: More = {}) => call<Answer<"setRole">>("PUT", "/api/people/{name}/role", at, body, more);

// A code that logs this person in once
export const createLoginLink = (at: At<"createLoginLink">, more: More = {}) => call<Answer<"createLoginLink">>("POST", "/api/people/{name}/login-links", at, undefined, more);

// The caller's tokens; for administrators all
export const listTokens = (more: More = {}) => call<Answer<"listTokens">>("GET", "/api/tokens", {}, undefined, more);

// Make a token: for oneself, or for a program
export const createToken = (body: Body<"createToken">, more: More = {}) => call<Answer<"createToken">>("POST", "/api/tokens", {}, body, more);

// End a token at once
export const revokeToken = (at: At<"revokeToken">, more: More = {}) => call<void>("DELETE", "/api/tokens/{id}", at, undefined, more);

// Who changed what, newest first
export const listAudit = (at: At<"listAudit"> = {}, more: More = {}) => call<Answer<"listAudit">>("GET", "/api/audit", at, undefined, more);

// What the server is doing
export const getStatus = (more: More = {}) => call<Answer<"getStatus">>("GET", "/api/status", {}, undefined, more);

// Every setting and where it comes from
export const getConfig = (at: At<"getConfig"> = {}, more: More = {}) => call<Answer<"getConfig">>("GET", "/api/config", at, undefined, more);

// Write one setting into a configuration file
export const changeConfig = (body: Body<"changeConfig">, more: More = {}) => call<Answer<"changeConfig">>("PUT", "/api/config", {}, body, more);

// Would a setting take this value?
export const checkConfig = (body: Body<"checkConfig">, more: More = {}) => call<Answer<"checkConfig">>("POST", "/api/config/check", {}, body, more);

// The coding agents of this machine
export const listAgents = (more: More = {}) => call<Answer<"listAgents">>("GET", "/api/agents", {}, undefined, more);

// Ask an agent one short question
export const testAgent = (at: At<"testAgent">, more: More = {}) => call<Answer<"testAgent">>("POST", "/api/agents/{name}/test", at, undefined, more);

// What agents consumed
export const getUsage = (at: At<"getUsage"> = {}, more: More = {}) => call<Answer<"getUsage">>("GET", "/api/usage", at, undefined, more);

// What became of the fixes
export const getInsights = (at: At<"getInsights"> = {}, more: More = {}) => call<Answer<"getInsights">>("GET", "/api/insights", at, undefined, more);

// The live events of everything
export const followEventsAddress = (at: At<"followEvents"> = {}) => address("/api/events", at);

// Begin nothing new
export const pauseQueue = (more: More = {}) => call<Answer<"pauseQueue">>("POST", "/api/queue/pause", {}, undefined, more);

// Begin what waits
export const resumeQueue = (more: More = {}) => call<Answer<"resumeQueue">>("POST", "/api/queue/resume", {}, undefined, more);

// Waiting, running and recently ended jobs, newest first
export const listJobs = (at: At<"listJobs"> = {}, more: More = {}) => call<Answer<"listJobs">>("GET", "/api/jobs", at, undefined, more);

// Stop a review, verification, challenge or vote
export const cancelJob = (at: At<"cancelJob">, more: More = {}) => call<Answer<"cancelJob">>("POST", "/api/jobs/{id}/cancel", at, undefined, more);
