// Who votes on a pull request when nobody was named, and whether those who were can.
#include <algorithm>

#include "base/strings.hpp"
#include "config/config.hpp"

namespace emend {

namespace {

constexpr std::size_t kMostVoters = 8;

constexpr const char* kHow =
    "name two: --voters claude,gemini, or in emend.toml:\n\n[pr]\nvoters = [\"claude\", \"gemini\"]\n";

// Somebody else than `first`: of another vendor, else of an unknown one, else of the same.
const AgentBinding* other_than(const AgentBinding& first, const std::vector<AgentBinding>& candidates) {
  const auto fits = [&](const AgentBinding& other, int need) {
    if (other.name == first.name) return false;
    if (need == 0) return !other.family.empty() && !first.family.empty() && other.family != first.family;
    return need == 2 || other.family.empty() || first.family.empty();
  };
  for (const int need : {0, 1, 2})
    for (const AgentBinding& other : candidates)
      if (fits(other, need)) return &other;
  return nullptr;
}

} // namespace

Result<std::vector<AgentBinding>> Config::voters() const {
  std::vector<AgentBinding> voters;
  const std::vector<std::string> named = list("pr.voters");
  for (const std::string& word : named) {
    TRY_ASSIGN(AgentBinding voter, agent(std::string(trim(word))));
    if (voter.builtin())
      return fail(ErrorCode::config, "pr.voters: \"builtin\" cannot review a change", kHow);
    voters.push_back(std::move(voter));
  }
  if (named.size() == 1)
    return fail(ErrorCode::config, "pr.voters: one voter is not enough, approval needs two votes", kHow);
  if (voters.size() > kMostVoters)
    return fail(ErrorCode::config, "pr.voters: more than " + std::to_string(kMostVoters) + " voters");
  if (!voters.empty()) return voters;

  std::vector<std::string> names{fixer_name(), challenger_name()};
  names.insert(names.end(), installed_.begin(), installed_.end());
  for (const std::string& name : agent_names()) names.push_back(name);
  std::vector<AgentBinding> candidates;
  for (const std::string& name : names)
    if (auto candidate = agent(name); candidate && !candidate->builtin())
      candidates.push_back(*std::move(candidate));
  if (candidates.empty())
    return fail(ErrorCode::config, "no agent for reviews is configured or on PATH", kHow);
  const AgentBinding* second = other_than(candidates.front(), candidates);
  if (second == nullptr) {
    const std::string& only = candidates.front().name;
    return fail(ErrorCode::config, "approval needs two votes, and " + only + " is the only agent here",
                "install another one, or let it vote twice: --voters " + only + "," + only);
  }
  return std::vector<AgentBinding>{candidates.front(), *second};
}

namespace {

// Two judges of one vendor are one opinion; unknown vendors are taken at their names.
bool other_vendor(const AgentBinding& one, const AgentBinding& other) {
  return one.family.empty() || other.family.empty() ? !same_agent(one, other) : one.family != other.family;
}

} // namespace

Result<AgentBinding> Config::second_judge() const {
  const AgentBinding first = challenger(), fixer = agent(fixer_name()).value_or(AgentBinding{});
  const std::string how =
      "install another coding agent, or name it in emend.toml:\n\n[fix_challenger]\nsecond_agent = "
      "\"NAME\"\n";
  if (first.builtin())
    return fail(ErrorCode::config, "fix_challenger.panel = 2 needs two agents, and the judge is \"builtin\"",
                "set fix_challenger.agent, or fix_challenger.panel = 1");
  const bool self = value("fix_challenger.allow_self").get<bool>();
  if (const std::string named = text("fix_challenger.second_agent"); !named.empty()) {
    TRY_ASSIGN(AgentBinding second, agent(named));
    if (!other_vendor(first, second) || second.name == first.name || second.builtin())
      return fail(
          ErrorCode::config,
          "fix_challenger.second_agent: " + named + " is not of another vendor than the judge " + first.name,
          how);
    if (same_agent(second, fixer) && !self)
      return fail(
          ErrorCode::config,
          "fix_challenger.second_agent: " + named + " is the fixer, which does not judge its own fixes", how);
    return second;
  }
  std::vector<std::string> names = installed_;
  for (const std::string& name : agent_names()) names.push_back(name);
  for (const bool known : {true, false}) // of a known vendor first
    for (const std::string& name : names) {
      auto candidate = agent(name);
      if (!candidate || candidate->builtin() || name == first.name || candidate->family.empty() == known)
        continue;
      if (other_vendor(first, *candidate) && (self || !same_agent(*candidate, fixer))) return candidate;
    }
  return fail(ErrorCode::config,
              "fix_challenger.panel = 2 needs a second judge of another vendor than " + first.name +
                  (fixer.name.empty() ? "" : ", beside the fixer " + fixer.name) + ": there is none",
              how);
}

} // namespace emend
