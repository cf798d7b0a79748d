#include "engine/verify/requirement.hpp"

#include "engine/verify/comparison.hpp"

namespace emend {
namespace {

std::optional<Evidence> asked(const Policy& policy, const Issue& issue, const Patch& patch) {
  std::vector<std::string> changed;
  for (const FileChange& change : patch.changes) changed.push_back(change.path);
  return policy.asked_evidence(issue.finding, changed);
}

} // namespace

Evidence required_evidence(const Policy& policy, const Issue& issue, const Patch& patch) {
  return asked(policy, issue, patch).value_or(Evidence::judged);
}

bool judge_may_decide(const Policy& policy, const Issue& issue, const Patch& patch) {
  const auto level = asked(policy, issue, patch);
  return level ? *level <= Evidence::judged : commands_for(policy, issue).empty();
}

} // namespace emend
