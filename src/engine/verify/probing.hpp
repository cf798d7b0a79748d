// Experiments on the checks themselves: a test is turned around for one run, and the check must notice.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/context/run_context.hpp"
#include "engine/patch/protected_paths.hpp"
#include "engine/verify/comparison.hpp"
#include "engine/verify/coverage.hpp"
#include "engine/verify/probe_reading.hpp"
#include "engine/verify/turning.hpp"
#include "engine/verify/verify.hpp"

namespace emend {

// A fix in the tree, and how its checks compare with the base.
struct ProbedFix {
  std::reference_wrapper<const Issue> issue;
  Comparison comparison;
};

// The tree the probes are laid over: a commit and the product side of one fix or of several.
struct ProbedTree {
  const std::string& base;
  const Patch& product; // without the tests that come with it
  const Verification& baseline;
  const Verification& run;         // on base + product
  Measurement* measured = nullptr; // carried along by the first run with probes, if there is one
};

class Prober {
public:
  Prober(RunContext& context, Verifier& verifier) : context_(context), verifier_(verifier) {}

  // For each fix, turns around what failed on the base and passes with it, and adds a test that must fail to
  // those files where tests have names: in one run, and by halves where that run says nothing. Where there is
  // nothing of that kind, another expectation near the change is turned around; where a command tells by its
  // exit status alone and has none, the files of the fix are made unreadable. The command must notice.
  // Everything is stored, see probed_by(). False = cancelled.
  [[nodiscard]] Result<bool> probe(const ProbedTree& tree, const std::vector<ProbedFix>& fixes,
                                   std::stop_token stop);

  // Once more, with expectations that neither the base nor a right program meets, see Turn::other: in one run
  // for all of them. False = cancelled.
  [[nodiscard]] Result<bool> probe_otherwise(const ProbedTree& tree, const std::vector<ProbedFix>& fixes,
                                             std::stop_token stop);

  // What tests that pass are compared with is changed, where it stands in files of data: a change that looks
  // its answers up there goes on passing, and is doubted. False = cancelled.
  [[nodiscard]] Result<bool> probe_data(const ProbedTree& tree, const std::vector<ProbedFix>& fixes,
                                        std::stop_token stop);

  // probe() and probe_data() for one; nullopt = cancelled.
  [[nodiscard]] Result<std::optional<Probed>> probe(const ProbedTree& tree, const ProbedFix& fix,
                                                    std::stop_token stop);

private:
  // Tests to be changed for one run, and where they stand.
  struct Plan {
    std::vector<Probe> probes;
    Patch twist; // relative to the base; never a file of the fix
    std::vector<VerifyCommand> commands;
  };
  // How much is asked in one run; less where more says nothing.
  struct Manner {
    Turn turn;
    bool sentinels;
  };
  [[nodiscard]] Result<Plan> plan(const ProbedTree& tree, const std::vector<ProbedFix>& fixes,
                                  const Manner& manner);
  // What is asked of one fix.
  struct Ask {
    Turn turn;
    bool others = false; // also of tests that may be another issue's
  };
  [[nodiscard]] Status add_others(const ProbedTree& tree, const std::vector<ProbedFix>& fixes, const Ask& ask,
                                  TwistedFiles& files, std::vector<Probe>& probes);
  [[nodiscard]] Result<std::optional<Probe>> turn_one(const ProbedTree& tree, const ProbedFix& fix,
                                                      const Ask& ask, TwistedFiles& files);
  [[nodiscard]] Result<Plan> plan_guards(const ProbedTree& tree, const std::vector<ProbedFix>& fixes);
  // most: of tests whose data is changed.
  [[nodiscard]] Result<Plan> plan_data(const ProbedTree& tree, const std::vector<ProbedFix>& fixes,
                                       std::size_t most);
  // A run with exactly these probes on this tree named tests of their command.
  [[nodiscard]] Result<bool> named_tests(const ProbedTree& tree, const Plan& plan) const;
  // For commands that tell by their exit status alone and are not known to be alive.
  [[nodiscard]] Result<Plan> plan_breakage(const ProbedTree& tree, const std::vector<ProbedFix>& fixes,
                                           const std::set<std::string>& alive);
  [[nodiscard]] std::vector<VerifyCommand> commands_of(const std::vector<Probe>& probes,
                                                       const ProbedTree& tree) const;
  [[nodiscard]] Result<bool> probe_repairs(const ProbedTree& tree, const std::vector<ProbedFix>& fixes,
                                           std::stop_token stop);
  [[nodiscard]] Result<bool> run(const ProbedTree& tree, const Patch& patch, const Plan& plan,
                                 const Issue* issue, std::stop_token stop);
  // What a run that counts against a fix must not depend on: in its repetition no tool is carried along.
  [[nodiscard]] Experiment experiment(const ProbedTree& tree, const Plan& plan);
  // Repeats and controls until each fix has an answer as far as these probes can give one.
  [[nodiscard]] Result<bool> settle(const ProbedTree& tree, const std::vector<ProbedFix>& fixes,
                                    const Plan& plan, std::stop_token stop);
  [[nodiscard]] Result<std::vector<ProbedFix>> unanswered(const ProbedTree& tree,
                                                          const std::vector<ProbedFix>& fixes);
  // The stored runs that probed_by() reads for this tree: on it, and on the base.
  [[nodiscard]] Result<std::vector<Verification>> runs_about(const ProbedTree& tree) const;
  [[nodiscard]] Result<Probed> known(const ProbedTree& tree, const Issue& issue) const;

  RunContext& context_;
  Verifier& verifier_;
  bool carried_ = false; // a coverage tool, once
};

} // namespace emend
