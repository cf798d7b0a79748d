#include "api/lookups.hpp"

#include <algorithm>

#include "base/log.hpp"

namespace emend {

namespace {

constexpr const char* kTask = "task";
constexpr std::int64_t kForEver = 253'402'300'799'000; // the end of the year 9999

} // namespace

Result<std::vector<Issue>> known_issues(const ApiParts& parts, const std::string& repository_id,
                                        const std::vector<std::string>& ids) {
  std::vector<Issue> issues;
  for (const std::string& id : ids) {
    TRY_ASSIGN(Issue issue, parts.store.issue(repository_id, id));
    const bool twice =
        std::any_of(issues.begin(), issues.end(), [&](const Issue& known) { return known.id == issue.id; });
    if (!twice) issues.push_back(std::move(issue));
  }
  return issues;
}

Result<std::vector<ServedRepository>> listed_repositories(const ApiParts& parts, const Call& call) {
  TRY_ASSIGN(const std::string only, call.repository);
  TRY_ASSIGN(auto all, parts.repositories.list());
  std::erase_if(all, [&](const ServedRepository& one) {
    return (!only.empty() && one.id != only) || !sees(call, one.id);
  });
  return all;
}

bool sees(const Call& call, std::string_view repository_id) {
  return call.caller.rights.may(Role::read, repository_id);
}

Status note_deed(const ApiParts& parts, const Call& call, const std::string& action,
                 const std::string& repository_id, const std::string& subject, Json detail) {
  AuditEntry entry;
  entry.actor = call.caller.actor;
  entry.action = action;
  entry.repository_id = repository_id;
  entry.subject = subject;
  entry.detail = std::move(detail);
  Change change;
  change.audit.push_back(std::move(entry));
  TRY(parts.store.apply(change, parts.now_ms()));
  return {};
}

Result<KnownSession> known_session(const ApiParts& parts, const std::string& id) {
  TRY_ASSIGN(Session session, parts.store.session(id));
  TRY_ASSIGN(Workbench * bench, parts.repositories.bench(session.repository_id));
  return KnownSession{std::move(session), bench};
}

Status keep_task(const ApiParts& parts, const Job& job) {
  const std::string task = string_or(job.order, "task_id");
  return task.empty() ? Status{} : parts.ledger.remember({kTask, job.id, {{"task_id", task}}, kForEver});
}

// One that waits in the queue has it in its order.
Json task_of(const ApiParts& parts, const std::string& session_id) {
  std::string task;
  if (const auto job = parts.queue.find(session_id)) task = string_or(job->job.order, "task_id");
  if (task.empty()) {
    const auto kept = parts.ledger.remembered(kTask, session_id, parts.dependencies.clock->wall_ms());
    if (!kept)
      log(LogLevel::warn, "the task of session " + session_id + " cannot be read: " + kept.error().message);
    if (kept && *kept) task = string_or((*kept)->value, "task_id");
  }
  return task.empty() ? Json(nullptr) : Json(task);
}

} // namespace emend
