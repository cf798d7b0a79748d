#include "api/operation.hpp"

namespace emend {

std::string_view to_string(Admission admission) {
  switch (admission) {
    case Admission::anybody: return "anybody";
    case Admission::member: return "member";
    case Admission::owner: return "owner";
    case Admission::signed_body: return "signed_body";
  }
  return "member";
}

std::string_view to_string(BodyKind kind) {
  switch (kind) {
    case BodyKind::none: return "none";
    case BodyKind::json: return "json";
    case BodyKind::bytes: return "bytes";
  }
  return "none";
}

namespace {

HttpResponse come_back_later(std::string_view code, std::string_view detail) {
  HttpResponse response = problem_response(503, code, detail);
  response.headers.push_back({"Retry-After", "30"});
  return response;
}

} // namespace

HttpResponse problem_of(const Error& error) {
  const std::string detail = error.message + (error.remedy.empty() ? "" : " (" + error.remedy + ")");
  switch (error.code) {
    case ErrorCode::usage: return problem_response(422, "validation-failed", detail);
    case ErrorCode::config: return problem_response(409, "config-invalid", detail);
    case ErrorCode::not_found: return problem_response(404, "not-found", detail);
    case ErrorCode::conflict: return problem_response(409, "conflict", detail);
    case ErrorCode::needs_input: return problem_response(403, "repo-not-trusted", detail);
    case ErrorCode::auth:
    case ErrorCode::agent: return come_back_later("agent-unavailable", detail);
    case ErrorCode::limit: return problem_response(413, "payload-too-large", detail);
    case ErrorCode::cancelled: return come_back_later("stopping", "the server is stopping");
    case ErrorCode::git: return problem_response(409, "git-refused", detail);
    case ErrorCode::io:
    case ErrorCode::database:
    case ErrorCode::internal: break;
  }
  return problem_response(500, "internal", detail);
}

} // namespace emend
