// What requests name, looked up: issues by code or id, sessions with the repository they are in.
#pragma once

#include <string>
#include <vector>

#include "api/routes.hpp"

namespace emend {

// Codes or ids, each known; each issue once.
[[nodiscard]] Result<std::vector<Issue>> known_issues(const ApiParts& parts, const std::string& repository_id, const std::vector<std::string>& ids);

struct KnownSession {
  Session session;
  Workbench* bench;
};
[[nodiscard]] Result<KnownSession> known_session(const ApiParts& parts, const std::string& id);

} // namespace emend
