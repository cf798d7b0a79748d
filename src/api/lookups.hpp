// What requests name, looked up: issues by code or id, sessions with the repository they are in.
#pragma once

#include <string>
#include <vector>

#include "api/routes.hpp"

namespace emend {

// Codes or ids, each known; each issue once.
[[nodiscard]] Result<std::vector<Issue>> known_issues(const ApiParts& parts, const std::string& repository_id,
                                                      const std::vector<std::string>& ids);

// Those the answer to a list is about: the one that was named, or all that the caller sees.
[[nodiscard]] Result<std::vector<ServedRepository>> listed_repositories(const ApiParts& parts,
                                                                        const Call& call);
// Whether the caller sees it.
[[nodiscard]] bool sees(const Call& call, std::string_view repository_id);

// In the audit log, what the caller did to something that is not part of a change of its own.
[[nodiscard]] Status note_deed(const ApiParts& parts, const Call& call, const std::string& action,
                               const std::string& repository_id, const std::string& subject,
                               Json detail = Json::object());

struct KnownSession {
  Session session;
  Workbench* bench;
};
[[nodiscard]] Result<KnownSession> known_session(const ApiParts& parts, const std::string& id);

// The caller's own name for a session (task_id of startFix): kept for as long as the session is.
[[nodiscard]] Status keep_task(const ApiParts& parts, const Job& job);
[[nodiscard]] Json task_of(const ApiParts& parts,
                           const std::string& session_id); // null = the caller gave none

} // namespace emend
