#include "api/lookups.hpp"

#include <algorithm>

namespace emend {

Result<std::vector<Issue>> known_issues(const ApiParts& parts, const std::string& repository_id, const std::vector<std::string>& ids) {
  std::vector<Issue> issues;
  for (const std::string& id : ids) {
    TRY_ASSIGN(Issue issue, parts.store.issue(repository_id, id));
    const bool twice = std::any_of(issues.begin(), issues.end(), [&](const Issue& known) { return known.id == issue.id; });
    if (!twice) issues.push_back(std::move(issue));
  }
  return issues;
}

Result<KnownSession> known_session(const ApiParts& parts, const std::string& id) {
  TRY_ASSIGN(Session session, parts.store.session(id));
  TRY_ASSIGN(Workbench * bench, parts.repositories.bench(session.repository_id));
  return KnownSession{std::move(session), bench};
}

} // namespace emend
