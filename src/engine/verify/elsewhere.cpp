#include "engine/verify/elsewhere.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "base/strings.hpp"
#include "engine/verify/coverage.hpp"
#include "engine/verify/test_lines.hpp"
#include "engine/verify/test_side.hpp"

namespace emend {
namespace {

constexpr const char* kElsewhere =
    " here, but fails where the checks run as on a build server (CI=1, another path, home and user), or "
    "where both sides of what the tests compare are changed alike";

// The tests that pass here and fail there.
std::vector<std::string> turned_red(const CommandRun& here, const CommandRun& there) {
  std::vector<std::string> ids;
  for (const auto& [id, state] : there.tests.by_id) {
    const auto before = here.tests.by_id.find(id);
    if (state == kTestFailed && before != here.tests.by_id.end() && before->second == kTestPassed)
      ids.push_back(id);
  }
  return ids;
}

bool holds(const CommandRun& here, const CommandRun& there) {
  return (!here.passed() || there.passed()) && turned_red(here, there).empty();
}

bool holds(const Verification& here, const CommandRun& there) {
  const CommandRun* seen = here.find(there.name);
  return seen == nullptr || holds(*seen, there);
}

bool all_hold(const Verification& here, const Verification& there) {
  return std::all_of(there.commands.begin(), there.commands.end(),
                     [&](const CommandRun& run) { return holds(here, run); });
}

// Words of compilers and of languages that know types when they run.
bool says_type_error(const std::string& output) {
  static constexpr std::array<std::string_view, 8> kWords = {
      "TypeError",        "unsupported operand", "NoMethodError",     "no match for",
      "invalid operands", "mismatched types",    "bad operand types", "OverflowError"};
  return std::any_of(kWords.begin(), kWords.end(),
                     [&](std::string_view word) { return contains(output, word); });
}

class Elsewhere {
public:
  Elsewhere(RunContext& context, Verifier& verifier, const SeenTree& tree,
            const std::vector<VerifyCommand>& commands, std::stop_token stop, DrawValues draw)
      : context_(context),
        verifier_(verifier),
        tree_(tree),
        commands_(commands),
        stop_(stop),
        draw_(draw ? std::move(draw) : [this] { return scaled_tests(); }) {}

  // Known, or run now.
  Result<Verification> run() {
    TRY_ASSIGN(std::optional<Verification> run, known(tree_.patch.sha256()));
    if (run) return *std::move(run);
    TRY_ASSIGN(Verification fresh, with_other_values());
    if (was_cancelled(fresh)) return fresh;
    if (!all_hold(tree_.here, fresh)) {
      TRY_ASSIGN(const bool looked,
                 twist_.empty() ? leave_out_what_base_does_not_bear(fresh) : Result<bool>(true));
      if (looked && !all_hold(tree_.here, fresh)) TRY(look_again(fresh));
      if (stop_.stop_requested()) fresh.commands = {cancelled()};
    }
    return was_cancelled(fresh) ? fresh : keep(std::move(fresh));
  }

private:
  // What fails with two draws does not fail by their luck. Each is tried on the base as well: what these very
  // values break there is not held against the fix, which is then run with the tests as they are.
  Result<Verification> with_other_values() {
    constexpr int kDraws = 2;
    Verification fresh;
    for (int draw = 0; draw < kDraws; ++draw) {
      TRY_ASSIGN(twist_, draw_());
      TRY_ASSIGN(fresh, once(tree_.patch));
      if (was_cancelled(fresh) || twist_.empty() || all_hold(tree_.here, fresh)) return fresh;
      TRY_ASSIGN(const bool borne, bears_scale(fresh));
      if (borne) continue;
      twist_ = {};
      return once(tree_.patch);
    }
    return fresh;
  }

  // The tests that the fix leaves alone, with other values on both sides of what they compare.
  Result<Patch> scaled_tests() {
    TRY_ASSIGN(Patch scaled,
               reworded_tests(context_.ports.repository, context_.policy(), tree_.base, Wording::scaled));
    std::erase_if(scaled.changes,
                  [&](const FileChange& change) { return tree_.patch.find(change.path) != nullptr; });
    return scaled;
  }

  // What failed with other values: is it the fix, or can these values not be changed so? The base tells it of
  // all that passes there; of what failed there, too, the runner does, when it complains of types, and of
  // everything, where no test was run because of them.
  Result<bool> bears_scale(const Verification& fresh) {
    TRY_ASSIGN(const auto baseline, verifier_.baseline(tree_.base, stop_));
    if (complains_of_types(*baseline, fresh)) return false;
    TRY_ASSIGN(const Verification control, once(Patch{}));
    return was_cancelled(control) ||
           (all_hold(*baseline, control) && all_ran(*baseline, control) && no_more_fail(*baseline, control));
  }

  // A runner may name only the tests that fail.
  static bool no_more_fail(const Verification& here, const Verification& there) {
    return std::all_of(there.commands.begin(), there.commands.end(), [&](const CommandRun& run) {
      const CommandRun* seen = here.find(run.name);
      return seen == nullptr ||
             std::all_of(run.tests.by_id.begin(), run.tests.by_id.end(), [&](const auto& test) {
               return test.second != kTestFailed || seen->tests.by_id.contains(test.first);
             });
    });
  }

  // No test that passed is missing.
  static bool all_ran(const Verification& here, const Verification& there) {
    return std::all_of(there.commands.begin(), there.commands.end(), [&](const CommandRun& run) {
      const CommandRun* seen = here.find(run.name);
      return seen == nullptr ||
             std::all_of(seen->tests.by_id.begin(), seen->tests.by_id.end(), [&](const auto& test) {
               return test.second != kTestPassed || run.tests.by_id.contains(test.first);
             });
    });
  }

  bool complains_of_types(const Verification& baseline, const Verification& fresh) const {
    return std::any_of(fresh.commands.begin(), fresh.commands.end(), [&](const CommandRun& there) {
      const CommandRun *here = tree_.here.find(there.name), *before = baseline.find(there.name);
      if (here == nullptr || before == nullptr || holds(*here, there)) return false;
      const bool says_so = says_type_error(there.output) && !says_type_error(here->output);
      if (there.tests.by_id.empty() && !here->tests.by_id.empty()) return says_so;
      if (before->passed()) return false;
      const std::vector<std::string> red = turned_red(*here, there);
      const bool passed_before = std::any_of(red.begin(), red.end(), [&](const std::string& id) {
        const auto found = before->tests.by_id.find(id);
        return found != before->tests.by_id.end() && found->second == kTestPassed;
      });
      return !passed_before && says_so;
    });
  }

  // With all that a program could know a run with probes by, a coverage tool included.
  Result<Verification> once(const Patch& patch) {
    Experiment as{.twist = twist_, .look = Look::second};
    Measurement measurement(tree_.patch);
    if (measurement.possible() && context_.policy().coverage != Coverage::off) {
      as = measurement.carried_by(std::move(as));
      as.after.clear(); // what it saw is of no use here
      as.read = nullptr;
    }
    TRY_ASSIGN(Verification run, verifier_.execute(VerificationKind::elsewhere, tree_.base, patch, commands_,
                                                   stop_, {}, 1, as));
    for (const CommandRun& one : run.commands) runs_[one.name] += one.runs;
    return run;
  }

  Result<std::optional<Verification>> known(const std::string& sha256) {
    TRY_ASSIGN(const std::vector<Verification> runs,
               context_.ports.store.verifications(context_.session.id, sha256));
    for (const Verification& run : runs) {
      const bool complete =
          std::all_of(commands_.begin(), commands_.end(), [&](const VerifyCommand& command) {
            return run.find(command.name) != nullptr || !run.patch_sha256.empty();
          });
      if (run.kind == VerificationKind::elsewhere && run.base == tree_.base && complete)
        return std::optional<Verification>(run);
    }
    return std::optional<Verification>{};
  }

  // False: cancelled.
  Result<bool> leave_out_what_base_does_not_bear(Verification& run) {
    TRY_ASSIGN(std::optional<Verification> control, known(""));
    if (!control) {
      TRY_ASSIGN(control, once(Patch{}));
      if (was_cancelled(*control)) return false;
      TRY_ASSIGN(control, keep(*std::move(control)));
    }
    TRY_ASSIGN(const auto baseline, verifier_.baseline(tree_.base, stop_));
    std::erase_if(run.commands, [&](const CommandRun& one) {
      const CommandRun* there = control->find(one.name);
      return there == nullptr || !holds(*baseline, *there);
    });
    return true;
  }

  Status look_again(Verification& run) {
    TRY_ASSIGN(const Verification again, once(tree_.patch));
    if (was_cancelled(again)) return {};
    for (CommandRun& one : run.commands)
      if (const CommandRun* second = again.find(one.name); !holds(tree_.here, one) && second != nullptr)
        one = *second;
    return {};
  }

  // With what was spent since the last one was kept.
  Result<Verification> keep(Verification run) {
    for (CommandRun& one : run.commands) one.spent = std::exchange(runs_[one.name], 0) - one.runs;
    Change change;
    change.verifications.push_back(run);
    TRY(context_.log.apply(std::move(change)));
    return run;
  }

  static CommandRun cancelled() {
    CommandRun run;
    run.result = CommandResult::cancelled;
    return run;
  }

  RunContext& context_;
  Verifier& verifier_;
  const SeenTree& tree_;
  const std::vector<VerifyCommand>& commands_;
  std::stop_token stop_;
  DrawValues draw_;
  Patch twist_;                     // laid over the tests
  std::map<std::string, int> runs_; // of each command, that no kept verification counts yet
};

} // namespace

std::vector<std::string> fails_elsewhere(const Verification& here, const Verification& there) {
  std::vector<std::string> sentences;
  for (const CommandRun& run : there.commands) {
    const CommandRun* seen = here.find(run.name);
    if (seen == nullptr || holds(*seen, run)) continue;
    std::vector<std::string> ids = turned_red(*seen, run);
    ids.resize(std::min<std::size_t>(ids.size(), 3));
    sentences.push_back(run.name + (ids.empty() ? " passes" : ": " + join(ids, ", ") + " passes") +
                        kElsewhere);
  }
  return sentences;
}

Result<Verification> run_elsewhere(RunContext& context, Verifier& verifier, const SeenTree& tree,
                                   const std::vector<VerifyCommand>& commands, std::stop_token stop,
                                   DrawValues draw) {
  return Elsewhere(context, verifier, tree, commands, stop, std::move(draw)).run();
}

} // namespace emend
