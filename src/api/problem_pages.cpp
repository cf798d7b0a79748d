#include "api/problem_pages.hpp"

namespace emend {

const std::vector<ProblemPage>& problem_pages() {
  static const std::vector<ProblemPage> pages = {
      {"bad-request", 400, "The request is not well-formed: its header, its length or its JSON.",
       "Send plain HTTP/1.1 with a Host header, a JSON object, and the body with one Content-Length or with "
       "Transfer-Encoding: chunked."},
      {"auth-required", 401, "The request has no valid credential.",
       "Send the token of EMEND_HOME/server/token as \"Authorization: Bearer TOKEN\", or open a fresh link: "
       "emend open."},
      {"forbidden", 403,
       "The credential is valid but may not do this: some things are only done with the token, not from a "
       "browser. Or a webhook's delivery is not signed.",
       "Do it on the command line, or send the token. A webhook: give the forge and the server the same "
       "secret (docs/operations.md)."},
      {"role-missing", 403, "The account has no role that allows this, for this repository or for all.",
       "Ask one of the people the detail names: emend people role NAME ROLE --repository ID."},
      {"no-account", 403, "The proxy in front of the server names somebody who has no account here.",
       "An administrator can add one: emend people add NAME."},
      {"csrf-failed", 403, "The request comes from a page of another origin, or does not prove its origin.",
       "From a browser: same origin, and the header X-Emend-CSRF: 1 on changes. From a program: use the "
       "token and send no Origin."},
      {"repo-not-trusted", 403,
       "The repository configures commands or agent instructions that nobody has allowed.",
       "Read the files, then run emend trust in the repository, or POST /api/repositories/{id}/trust with "
       "their hashes."},
      {"not-found", 404, "The resource or the path does not exist.",
       "Check the list it should be in; ids and issue codes must match exactly."},
      {"method-not-allowed", 405, "The path exists but does not take this method.", "See the Allow header."},
      {"conflict", 409, "The state does not allow it, or has changed since it was read.",
       "Read it again, then decide again."},
      {"config-invalid", 409, "The repository's configuration has an error.",
       "Fix emend.toml; emend config show prints the error."},
      {"git-refused", 409, "git could not do what was needed in the repository.",
       "The detail has the message of git."},
      {"plan-stale", 409, "Files of the plan's issues have changed in the repository since it was made.",
       "Make a new plan: POST /api/fix/plan."},
      {"questions-pending", 409, "Some of the issues have questions that only a person can answer.",
       "Answer or skip them (GET /api/questions), or plan with \"ignore_questions\": true."},
      {"session-running", 409, "The session is running already.",
       "Follow it: GET /api/fix/sessions/{id}/events."},
      {"idempotency-in-progress", 409, "The first request with this Idempotency-Key is still being answered.",
       "Wait a moment and send it again."},
      {"precondition-failed", 412, "If-Match names a version that is not the current one.",
       "Read it again; its ETag is the new version."},
      {"payload-too-large", 413, "The body, or the requested content, is too large.",
       "Send less, or ask for a part."},
      {"unsupported-media-type", 415, "The body is not of the type this operation takes.",
       "Send application/json."},
      {"range-not-satisfiable", 416, "The requested range starts after the end.",
       "Content-Range has the size; request a part of it."},
      {"host-not-allowed", 421, "The Host header is not one of this server's names.",
       "Use the address the server printed, or start it with --allow-host NAME."},
      {"validation-failed", 422,
       "The request is well-formed but wrong: a member is missing, unknown or out of its bounds.",
       "\"errors\" lists every member with a pointer to it."},
      {"plan-path-not-allowed", 422, "master_todo_path is not a plan this server has written.",
       "Use the plan_id of POST /api/fix/plan."},
      {"idempotency-key-reused", 422, "The Idempotency-Key was used for another request.",
       "Make a new key for every new request."},
      {"too-many-failures", 429, "Too many wrong credentials came within a second.",
       "Wait for Retry-After, with the right credential."},
      {"too-many-requests", 429,
       "One person or program made more requests than server.requests_per_minute allows.",
       "Wait for Retry-After; streams tell of changes without asking again."},
      {"quota-used-up", 429, "What agents may consume in a day or a month is consumed.",
       "Wait for the next day or month (UTC), or raise quota.* in your own configuration."},
      {"too-many-streams", 429, "No more live streams are served now.",
       "Close some, or start the server with a larger --max-streams."},
      {"too-many-connections", 503, "All connections are in use, and none could be closed for this one.",
       "Wait for Retry-After; close what you do not use, or start the server with a larger "
       "--max-connections."},
      {"internal", 500, "Internal error of the server.",
       "The server's log has the details; please report it."},
      {"agent-unavailable", 503, "The agent cannot work: it is missing, not logged in, or limited.",
       "emend doctor and emend agents test say why."},
      {"not-ready", 503, "The server cannot read its database.", "See the detail; the disk may be full."},
      {"stopping", 503, "The server is being stopped.",
       "Send it again when the server is back; accepted work continues automatically."},
  };
  return pages;
}

} // namespace emend
