#include "api/problem_pages.hpp"

namespace emend {

const std::vector<ProblemPage>& problem_pages() {
  static const std::vector<ProblemPage> pages = {
      {"bad-request", 400,
       "The request cannot be read in exactly one way: its head, its length or its JSON is not well-formed.",
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
      {"csrf-failed", 403,
       "The request comes from a page that is not the server's own, or does not prove that it is.",
       "From a browser: same origin, and the header X-Emend-CSRF: 1 on changes. From a program: use the "
       "token and send no Origin."},
      {"repo-not-trusted", 403,
       "The repository wants to run commands or instruct agents, and nobody has allowed that.",
       "Look at the files, then run emend trust in the repository, or POST /api/repositories/{id}/trust with "
       "their hashes."},
      {"not-found", 404, "There is no such thing, or the path is not served.",
       "Look at the list it should be in; ids and issue codes are exact."},
      {"method-not-allowed", 405, "The path exists but does not take this method.", "See the Allow header."},
      {"conflict", 409, "The state does not allow it, or changed since it was looked at.",
       "Read it again, then decide again."},
      {"config-invalid", 409, "The repository's configuration has an error.",
       "Mend emend.toml; emend config show says what is wrong."},
      {"git-refused", 409, "git could not do what was needed in the repository.",
       "The detail has git's own words."},
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
      {"payload-too-large", 413, "The body, or what was asked for, is larger than what is handled here.",
       "Send less, or ask for a part."},
      {"unsupported-media-type", 415, "The body is not of the type this operation takes.",
       "Send application/json."},
      {"range-not-satisfiable", 416, "The part that was asked for begins behind the end.",
       "Content-Range says how much there is; ask for a part of that."},
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
      {"too-many-streams", 429, "No more live streams are served now.",
       "Close some, or start the server with a larger --max-streams."},
      {"too-many-connections", 503, "So many connections are at work that none could be closed for this one.",
       "Wait for Retry-After; close what you do not use, or start the server with a larger "
       "--max-connections."},
      {"internal", 500, "Something broke in the server.",
       "The server's log has the details; please report it."},
      {"method-not-known", 501, "The method is not served anywhere.",
       "GET, HEAD, POST, PUT, PATCH and DELETE are."},
      {"agent-unavailable", 503, "The agent cannot work: it is missing, not logged in, or limited.",
       "emend doctor and emend agents test say why."},
      {"not-ready", 503, "The server cannot read its database.", "See the detail; the disk may be full."},
      {"stopping", 503, "The server is being stopped.",
       "Send it again when it is back; what was accepted goes on by itself."},
  };
  return pages;
}

} // namespace emend
