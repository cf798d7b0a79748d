// The challenge stage: an independent agent scores one patch from the issue, the diff and the verification
// result alone.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/agents/role_agents.hpp"
#include "engine/context/run_context.hpp"
#include "engine/verify/hidden_words.hpp"
#include "model/attempt.hpp"
#include "model/verdict.hpp"

namespace emend {

// Durable, with the event that tells of it. A canary has none: it says nothing about the issue.
[[nodiscard]] Status store_verdict(RunContext& context, const Issue& issue, const Verdict& verdict);

// Only told.
[[nodiscard]] Status publish_verdict(RunContext& context, const Issue& issue, const Verdict& verdict);

// What is known of a change beside its diff.
struct SeenOfChange {
  const Verification* verification = nullptr;
  bool checks_later = false; // nothing ran yet: the checks run on all fixes together, after the verdict
  std::vector<std::string> notes = {};         // one sentence each
  std::vector<std::string> changed_tests = {}; // existing ones; a yes must say that each asserts the bug
  std::string hidden_note = {};                // names inputs that nobody else may learn
  HiddenWords hidden = {}; // of these; a verdict is kept without the words that quote them
};

// Judges the fixes of a session. Shared by its threads. With a second judge both vote, each without knowing
// of the other, and their average counts.
class Challenger {
public:
  // keep: what becomes of each verdict.
  using Keep = std::function<Status(RunContext&, const Issue&, const Verdict&)>;
  Challenger(RunContext& context, RoleAgents& first, RoleAgents* second = nullptr, Keep keep = store_verdict)
      : context_(context), judges_{&first}, keep_(std::move(keep)) {
    if (second != nullptr) judges_.push_back(second);
  }

  // Calls each judge in its own copy until it gives a valid verdict or policy.challenge_retries is used up;
  // each verdict is stored. A judge that changes a file, crashes, hangs or answers nonsense gives an invalid
  // verdict, never an approval. Canaries are mixed in as the policy says: an agent that approves one is void.
  // Returns the joint verdict of a panel (see model/panel.hpp), or the invalid one that spoils it. nullopt:
  // cancelled, or no agent can work now.
  [[nodiscard]] Result<std::optional<Verdict>> judge(const Issue& issue, const Attempt& attempt,
                                                     const SeenOfChange& seen, std::stop_token stop);

private:
  struct Case; // what is shown to the agent
  [[nodiscard]] Result<std::optional<Verdict>> ask_once(RoleAgents& judge, const Case& shown, int ask,
                                                        const std::string& problem, std::stop_token stop);
  [[nodiscard]] Result<std::optional<Verdict>> ask(RoleAgents& judge, const Case& shown,
                                                   std::stop_token stop);
  [[nodiscard]] Result<std::string> void_reason(const AgentRun& run, Workspace& workspace, const Patch& shown,
                                                const std::string& base);
  [[nodiscard]] Result<bool> send_canary(RoleAgents& judge, const Issue& issue, const Attempt& attempt,
                                         const SeenOfChange& seen, std::stop_token stop);
  [[nodiscard]] Status remember_void_agents();

  RunContext& context_;
  std::vector<RoleAgents*> judges_;
  Keep keep_;
  std::mutex mutex_;
  bool remembered_ = false;                  // the store was looked at
  std::map<RoleAgents*, int> canaries_sent_; // by judge
  std::set<std::string> void_agents_;
};

// Is it the agent that made the fix who judges it? The engine's own rubric never is.
[[nodiscard]] bool judges_itself(const Verdict& verdict, const Attempt& attempt);

// The agents that approved a canary; none of their verdicts counts.
[[nodiscard]] std::set<std::string> void_challengers(const std::vector<Verdict>& verdicts, int threshold);

} // namespace emend
