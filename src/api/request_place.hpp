// The repository a request is about.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "api/routes.hpp"

namespace emend {

// "" = it names none and its scope does not need one. An error: there is none, or it could be several.
[[nodiscard]] Result<std::string> repository_of(const ApiParts& parts, Reach scope, const Call& call);

// The repositories of sessions and jobs, remembered: events name only their session. Safe to use from many
// threads.
class SessionRepositories {
public:
  explicit SessionRepositories(const ApiParts& parts) : parts_(parts) {}
  [[nodiscard]] std::string find(const std::string& session_id); // "" = not known

private:
  const ApiParts& parts_;
  std::mutex mutex_;
  std::map<std::string, std::string> known_;
};

} // namespace emend
