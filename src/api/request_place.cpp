#include "api/request_place.hpp"

#include "engine/agents/run_log.hpp"

namespace emend {

namespace {

constexpr std::size_t kMostKnown = 20'000;

Result<std::string> of_session(const ApiParts& parts, const std::string& id) {
  const auto session = parts.store.session(id);
  if (session) return session->repository_id;
  if (const auto job = parts.queue.find(id)) return job->job.repository_id;
  return fail(session.error());
}

Result<std::string> of_job(const ApiParts& parts, const std::string& id) {
  const auto job = parts.queue.find(id);
  if (!job) return fail(ErrorCode::not_found, "there is no job " + id);
  return job->job.repository_id;
}

Result<std::string> of_run(const ApiParts& parts, const std::string& id) {
  TRY_ASSIGN(const SeenRun run, seen_run(parts.store, id));
  return run.start.repository_id;
}

} // namespace

Result<std::string> repository_of(const ApiParts& parts, Reach scope, const Call& call) {
  const auto in_query = [&](std::string_view name) {
    return std::string(call.request.query_value(name).value_or(""));
  };
  const auto named = [&](const std::string& id) -> Result<std::string> {
    if (id == kEverywhere) return id; // for roles
    return parts.repositories.id_or_only(id, call.caller.rights.repositories());
  };
  switch (scope) {
    case Reach::open:
    case Reach::caller:
    case Reach::server: return std::string();
    case Reach::listed: {
      const std::string id = in_query("repository_id");
      return id.empty() ? Result<std::string>(id) : named(id);
    }
    case Reach::query: return named(in_query("repository_id"));
    case Reach::body: return named(string_or(call.body, "repository_id"));
    case Reach::path: return named(call.parameter("id"));
    case Reach::session: return of_session(parts, call.parameter("id"));
    case Reach::of_session: return of_session(parts, in_query("session"));
    case Reach::job: return of_job(parts, call.parameter("id"));
    case Reach::run: return of_run(parts, call.parameter("id"));
  }
  return fail(ErrorCode::internal, "a request without a place");
}

std::string SessionRepositories::find(const std::string& session_id) {
  if (session_id.empty()) return {};
  const std::lock_guard guard(mutex_);
  if (const auto known = known_.find(session_id); known != known_.end()) return known->second;
  const auto found = of_session(parts_, session_id);
  if (!found) return {};
  if (known_.size() >= kMostKnown) known_.clear();
  return known_[session_id] = *found;
}

} // namespace emend
