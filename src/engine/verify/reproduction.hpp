// Proving by a check: finds the one that counts for an issue (a person's, or an agent's that does not fix),
// and holds patches against it.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/agents/role_agents.hpp"
#include "engine/context/run_context.hpp"
#include "engine/verify/hidden_words.hpp"
#include "model/reproducer.hpp"
#include "model/verification.hpp"

namespace emend {

// What a check says about a patch.
struct Reproduced {
  enum class End {
    no_check,  // there is none: nothing is shown, nothing is refuted
    repaired,  // fails on the base, passes with the patch, fails again without it
    refuted,   // still red with the patch
    cancelled, // the stop token fired, or no agent can work now
  };
  End end = End::no_check;
  std::string detail;
  bool independent = false;            // values were compared outside of the process that made them
  std::vector<std::string> notes = {}; // for the judge and the person; they name no hidden input
  bool of_answer = false;              // refuted by what a person answered
  std::string for_judge = {};          // and for nobody else, because it names hidden inputs
  HiddenWords hidden = {};             // those it names
};

// Shared by the threads of a session.
class Reproduction {
public:
  // agents: who writes checks where nobody gave one; null = nobody.
  Reproduction(RunContext& context, RoleAgents* agents) : context_(context), agents_(agents) {}

  // Could a check show the fix? Says yes where a check exists or may be asked for.
  [[nodiscard]] Result<bool> possible(const Issue& issue);
  // Everything that was asked, run and decided is in the store before it returns; what is known is not asked
  // or run again.
  [[nodiscard]] Result<Reproduced> judge(const Issue& issue, const Attempt& attempt, std::stop_token stop);
  // The check on a tree of several patches: true = green, or there is no check. nullopt = cancelled.
  [[nodiscard]] Result<std::optional<bool>> stays_green(const Issue& issue, const std::string& base,
                                                        const Patch& patch, std::stop_token stop);

private:
  struct Found {
    bool cancelled = false;
    std::optional<Reproducer> check; // red on the session's base, or required
  };
  struct Asked {
    bool cancelled = false;
    Reproducer check;
    std::string problem; // why nothing usable came
  };
  [[nodiscard]] Result<Found> find(const Issue& issue, std::stop_token stop);
  [[nodiscard]] Result<std::optional<Reproducer>> given(const std::string& issue_id);
  [[nodiscard]] Result<bool> tried_before(const std::string& issue_id);
  [[nodiscard]] Result<Asked> ask(const Issue& issue, int number, const std::string& problem,
                                  std::stop_token stop);
  [[nodiscard]] Result<Found> try_on_base(const Issue& issue, Reproducer check, std::stop_token stop);
  [[nodiscard]] Result<Found> ask_and_try(const Issue& issue, std::stop_token stop);
  [[nodiscard]] Status keep(const Issue& issue, const Reproducer& check,
                            const std::optional<Verification>& run);
  // Known, or run now and stored; nullopt = cancelled.
  [[nodiscard]] Result<std::optional<CommandRun>> run(const Issue& issue, const Reproducer& check,
                                                      VerificationKind kind, const std::string& base,
                                                      const Patch& patch, std::stop_token stop);

  RunContext& context_;
  RoleAgents* agents_;
};

} // namespace emend
