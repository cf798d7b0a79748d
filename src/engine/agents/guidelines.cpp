#include "engine/agents/guidelines.hpp"

#include <algorithm>

#include "base/strings.hpp"
#include "engine/agents/agent_file.hpp"
#include "model/issue.hpp"

namespace emend {

Result<std::string> guidelines_for_reviewing(const Policy& policy) {
  TRY_ASSIGN(const AgentFile file, agent_file(policy, "engineering_principles"));
  return std::string(trim(file.body)) + "\n";
}

Result<std::string> guidelines_for_fixing(const Policy& policy, const std::vector<std::string>& files) {
  TRY_ASSIGN(std::string text, guidelines_for_reviewing(policy));
  const auto on = [&files](Side side) {
    return std::any_of(files.begin(), files.end(),
                       [&](const std::string& file) { return side_of(file) == side; });
  };
  const bool frontend = on(Side::frontend);
  if (on(Side::backend) || !frontend) {
    TRY_ASSIGN(const AgentFile file, agent_file(policy, "dev_be"));
    text += "\n" + std::string(trim(file.body)) + "\n";
  }
  if (frontend) {
    TRY_ASSIGN(const AgentFile file, agent_file(policy, "dev_fe"));
    text += "\n" + std::string(trim(file.body)) + "\n";
  }
  return text;
}

} // namespace emend
