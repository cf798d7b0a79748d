// Policy: every number and switch that steers a session, in one place. A session keeps the copy it started
// with.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "model/evidence.hpp"
#include "model/sandbox.hpp"
#include "model/verification.hpp"

namespace emend {

// How issues are cut into units of work, and how much one unit may hold.

enum class Strategy {
  per_issue, // one agent process an issue
  batched,   // several small issues an agent process, one batch after the other
  one_call,  // one agent process for everything, step by step with agents of its own
  automatic, // the one of these that cost least here; settled when a session begins
};
[[nodiscard]] std::string_view to_string(Strategy strategy);
[[nodiscard]] std::optional<Strategy> parse_strategy(std::string_view text);

struct BatchLimits {
  int max_points = 15;
  int max_issues = 5;
};

enum class VerifyMode { each, batch, automatic };
enum class Coverage { automatic, off };
enum class FixScope { need, file, directory, repository };
enum class Reproduce { never, automatic, always }; // automatic: where repaired or more is asked for
enum class ChangedTests { person, judge };         // who may let a fix change an existing test
enum class Grouping {
  issue,
  rule,
  file,
  one
};                                   // what a commit of the second branch holds; issue = there is
                                     // no second branch
enum class Autonomy { ask, earned }; // earned: agents with a good record need no approval of a plan
[[nodiscard]] std::string_view to_string(Reproduce when);
[[nodiscard]] std::string_view to_string(VerifyMode mode);
[[nodiscard]] std::string_view to_string(Coverage coverage);
[[nodiscard]] std::string_view to_string(FixScope scope);
[[nodiscard]] std::string_view to_string(ChangedTests who);
[[nodiscard]] std::string_view to_string(Autonomy autonomy);
[[nodiscard]] std::string_view to_string(Grouping grouping);
[[nodiscard]] std::optional<Reproduce> parse_reproduce(std::string_view text);
[[nodiscard]] std::optional<VerifyMode> parse_verify_mode(std::string_view text);
[[nodiscard]] std::optional<Coverage> parse_coverage(std::string_view text);
[[nodiscard]] std::optional<FixScope> parse_fix_scope(std::string_view text);
[[nodiscard]] std::optional<ChangedTests> parse_changed_tests(std::string_view text);
[[nodiscard]] std::optional<Autonomy> parse_autonomy(std::string_view text);
[[nodiscard]] std::optional<Grouping> parse_grouping(std::string_view text);

struct AgentBinding {
  std::string name;   // key in [agents.NAME]
  std::string engine; // "exec" | "scripted" | "builtin": no process, the engine plays the role itself
  std::vector<std::string> command; // exec: argv with placeholders
  std::string script;               // scripted: path of the script file
  std::string model;
  std::string family;                     // vendor or model family; empty = unknown
  std::int64_t timeout_ms = 0;            // 0 = role default
  std::int64_t idle_timeout_ms = 0;       // 0 = none
  std::vector<std::string> pass_env;      // names passed through from the user's environment
  std::vector<std::string> env;           // NAME=VALUE
  int thinking_budget = 0;                // tokens; 0 = the agent's own choice
  int max_turns = 0;                      // 0 = no limit
  std::string permissions;                // "read" | "edit" | "full"; empty = what the workspace makes safe
  std::vector<std::string> allowed_tools; // by the agent's own names; empty = all that the permissions allow
  NetworkAccess network = NetworkAccess::all; // agents ask their model over it
  ResourceLimits limits;

  [[nodiscard]] bool builtin() const { return engine == "builtin"; }
};

// One program with one model behind two names? The engine's own agents are not meant.
[[nodiscard]] bool same_agent(const AgentBinding& one, const AgentBinding& other);

// Limits on what agents may consume; 0 = none. Counted as the agents report it.
struct Budget {
  double cost_usd = 0;
  std::int64_t tokens = 0; // in and out
  std::int64_t time_ms = 0;
};

struct Policy {
  // [fix]
  AgentBinding fixer;
  std::vector<AgentBinding> fixer_fallbacks; // asked in this order when the one before cannot work now
  Strategy strategy = Strategy::per_issue;
  BatchLimits batch;
  bool git_agents = false; // agents propose the branch's name and the commits' messages
  bool keep_conversation =
      true; // a re-fix goes on with the conversation of the fix, a fix with that of clarify and plan
  std::int64_t max_wait_ms = 600'000; // longest wait for an agent that says it cannot work now
  std::int64_t retry_wait_ms = 5'000; // first wait when it does not say how long; grows
  int deferred_retries = 2;
  int candidates = 1; // changes by different agents for one issue, of which the best goes on; 0 = one, and
                      // two after a round that failed
  Autonomy autonomy = Autonomy::ask;
  int parallel = 2;
  std::int64_t fix_timeout_ms = 900'000;
  std::string branch = "fix/{session}";
  Grouping grouping = Grouping::issue;
  FixScope scope = FixScope::need;
  ChangedTests changed_tests = ChangedTests::person;
  std::vector<std::string> protected_paths; // on top of the built-in list
  std::vector<std::string> new_files;       // globs a fix may always create; others must be tests or used
  std::int64_t prompt_max_bytes = 200'000;
  int context_lines = 40;
  int max_changed_lines = 2000;
  bool unsafe_fixes = false;             // fix-its their tool does not call safe may be applied too
  std::vector<std::string> conventions;  // text from configuration
  std::vector<std::string> instructions; // files in the repository: CLAUDE.md, AGENTS.md, ...

  // [fix_challenger]
  bool challenger_enabled = true;
  bool allow_self_judging = false; // a person said that an agent may judge its own fixes
  AgentBinding challenger;
  std::vector<AgentBinding> challenger_fallbacks;
  int panel = 1;             // judges that must vote; with 2 the average of their scores counts
  AgentBinding second_judge; // of another vendor than the challenger; used where panel is 2
  int canaries = 1; // worthless diffs for the judge to reject; one that it approves voids it for the session
  int max_iterations = 2;
  int satisfaction_threshold = 95;
  std::int64_t challenge_timeout_ms = 120'000;
  int challenge_retries = 1; // further calls when a verdict is invalid

  // [reproducer]
  Reproduce reproduce =
      Reproduce::automatic; // when an agent is asked for a check; one a person gave is always used
  AgentBinding reproducer;  // empty name = the challenger's
  std::int64_t reproduce_timeout_ms = 600'000;

  // [verify]
  std::vector<VerifyCommand> commands;
  int max_fix_cycles = 3;
  VerifyMode verify_mode = VerifyMode::automatic;
  int repeat = 1; // k of k
  std::int64_t verify_timeout_ms = 900'000;
  std::vector<std::string> pass_env;
  std::vector<std::string> verify_env; // NAME=VALUE
  std::int64_t max_output_bytes = 16'000'000;
  Coverage coverage = Coverage::automatic; // are the changed lines executed?

  // [sandbox]
  SandboxPolicy sandbox;

  // [resolve]
  std::string minimum_evidence; // a level; empty = nothing is asked for, see engine/verify/requirement.hpp
  std::map<std::string, std::string> minimum_by_severity; // "critical" -> level
  std::map<std::string, std::string> minimum_by_path;     // glob -> level

  // [budget]
  Budget session_budget;
  Budget issue_budget;

  // [pr]
  int approve_threshold = 80; // of the average of the votes
  std::int64_t vote_timeout_ms = 600'000;

  // [worker]
  std::string
      worker_label;      // workers on other machines need it to get units of the session; empty = any worker
  bool work_here = true; // units are worked on by the session's own process, too

  // [redact]
  std::vector<std::string> redact_patterns;

  // .emend/agents/NAME.md of the repository's base, allowed by a person: NAME -> text, in place of what is
  // built in
  std::map<std::string, std::string> agent_files;

  // No settings, and the same for every session, so a session does not keep them.
  int asks = 2;                        // calls of an agent until it says something usable
  int reproducer_runs = 2;             // of a check, for one answer: all must agree
  int spare_starts = 5;                // of a unit beyond the turns that count, before it is given up
  int wait_tries = 4;                  // of an agent that does not say when it can work again
  std::int64_t short_wait_ms = 30'000; // shorter than what another agent needs to get into the matter
  std::int64_t each_limit_ms = 60'000; // verify.mode = auto: past it, fixes are not checked one by one

  // The level that is written down for a finding whose fix changes these files: the strongest of what its
  // severity, its file and those files ask for, else minimum_evidence. nullopt = nothing is written down.
  [[nodiscard]] std::optional<Evidence> asked_evidence(const Finding& finding,
                                                       const std::vector<std::string>& changed = {}) const;
  // Does an agent write a reproducer for it?
  [[nodiscard]] bool asks_for_reproducer(const Finding& finding) const;
  [[nodiscard]] bool asks_for_reproducers() const; // for any finding
};

[[nodiscard]] Json to_json(const Policy& policy);
[[nodiscard]] Policy policy_from_json(const Json& json);

} // namespace emend
