#include "engine/gate/proof_rerun.hpp"

#include <fmt/format.h>

#include "base/strings.hpp"
#include "engine/context/event_log.hpp"
#include "engine/verify/comparison.hpp"
#include "engine/verify/reproduce.hpp"
#include "engine/verify/verify.hpp"

namespace emend {
namespace {

constexpr std::size_t kNamed = 3; // tests of one command in a sentence

std::string outcome(const CommandRun& run) {
  return run.passed() ? "passes" : "fails (" + std::string(to_string(run.result)) + ")";
}

// Tests that came out otherwise, by name.
std::vector<std::string> changed_tests(const TestReport& stored, const TestReport& now) {
  std::vector<std::string> names;
  for (const auto& [id, result] : stored.by_id) {
    const auto found = now.by_id.find(id);
    if (found != now.by_id.end() && found->second != result) names.push_back(id);
  }
  return names;
}

std::string shown(std::vector<std::string> names) {
  const std::size_t all = names.size();
  names.resize(std::min(all, kNamed));
  return join(names, ", ") + (all > kNamed ? fmt::format(" and {} more", all - kNamed) : "");
}

// One tree of the proof: which it is, and what was seen on it then.
struct Experiment {
  const char* where;
  VerificationKind kind;
  const Patch& patch;
  const Verification* stored;
};

// The newest run of a kind on exactly this tree.
const Verification* stored_run(const GateInput& in, VerificationKind kind, const Patch& patch) {
  const std::string sha = patch.empty() ? "" : patch.sha256();
  const Verification* found = nullptr;
  for (const Verification& v : in.verifications)
    if (v.kind == kind && v.base == in.attempt->base && v.patch_sha256 == sha &&
        (v.issue_id.empty() || v.issue_id == in.issue.id))
      found = &v;
  return found;
}

class Repeater {
public:
  Repeater(RunContext& context, const GateInput& in, std::stop_token stop)
      : verifier_(context), in_(in), commands_(commands_for(in.policy, in.issue)), stop_(std::move(stop)) {}

  Status repeat_commands(std::vector<Repeated>& checks) {
    const Patch nothing;
    const Patch& patch = in_.attempt->patch;
    TRY_ASSIGN(const Verification base,
               repeat(of("on the base", VerificationKind::baseline, nothing), checks));
    TRY_ASSIGN(const Verification patched,
               repeat(of("with the patch", VerificationKind::alone, patch), checks));
    const Experiment again = of("again without the patch", VerificationKind::without_patch, nothing);
    if (again.stored != nullptr) TRY(repeat(again, checks));
    const Comparison comparison = compare(commands_, base, patched);
    std::vector<std::string> why = comparison.failures;
    why.insert(why.end(), comparison.lost_tests.begin(), comparison.lost_tests.end());
    if (!why.empty()) checks.push_back({false, "the two compared: " + join(why, "; ")});
    return {};
  }

  [[nodiscard]] bool has_commands() const { return !commands_.empty(); }

private:
  Experiment of(const char* where, VerificationKind kind, const Patch& patch) const {
    return {where, kind, patch, stored_run(in_, kind, patch)};
  }

  Result<Verification> repeat(const Experiment& experiment, std::vector<Repeated>& checks) {
    TRY_ASSIGN(const Verification now,
               verifier_.execute(experiment.kind, in_.attempt->base, experiment.patch, commands_, stop_));
    if (stop_.stop_requested()) return fail(ErrorCode::cancelled, "stopped while the commands were running");
    std::vector<std::string> words;
    for (const CommandRun& run : now.commands) words.push_back("`" + run.name + "` " + outcome(run));
    const std::string seen = std::string(experiment.where) + ": " + join(words, ", ");
    if (experiment.stored == nullptr) {
      checks.push_back({true, seen + "; no run of this tree alone is stored to compare with"});
    } else if (const auto other = differences(*experiment.stored, now); !other.empty()) {
      checks.push_back({false, std::string(experiment.where) + ": " + join(other, "; ")});
    } else {
      checks.push_back({true, seen + ", as it is stored"});
    }
    return now;
  }

  Verifier verifier_;
  const GateInput& in_;
  std::vector<VerifyCommand> commands_;
  std::stop_token stop_;
};

} // namespace

std::vector<std::string> differences(const Verification& stored, const Verification& now) {
  std::vector<std::string> all;
  for (const CommandRun& run : now.commands) {
    const CommandRun* before = stored.find(run.name);
    if (before == nullptr) continue; // it did not count then
    if (before->passed() != run.passed())
      all.push_back(
          fmt::format("`{}` {} now, but the proof says it {}", run.name, outcome(run), outcome(*before)));
    else if (const auto names = changed_tests(before->tests, run.tests); !names.empty())
      all.push_back(fmt::format("`{}`: {} came out otherwise than the proof says", run.name, shown(names)));
  }
  return all;
}

Result<std::vector<Repeated>> rerun_experiments(const Ports& ports, const std::string& home,
                                                const GateInput& in, Evidence level,
                                                const std::optional<Policy>& environment,
                                                std::stop_token stop) {
  Session session = in.session;
  if (environment) {
    session.policy.pass_env = environment->pass_env;
    session.policy.verify_env = environment->verify_env;
  }
  EventLog log(ports.store, ports.clock, {});
  TRY_ASSIGN(Redactor redactor, Redactor::with_patterns(in.policy.redact_patterns));
  RunContext context(ports, log, home, session, std::move(redactor));
  std::vector<Repeated> checks;
  Repeater repeater(context, in, stop);
  if (repeater.has_commands()) TRY(repeater.repeat_commands(checks));
  if (in.reproducer && level >= Evidence::repaired) {
    TRY_ASSIGN(const ReproducerRuns runs,
               run_reproducer(context, *in.reproducer, in.attempt->base, in.attempt->patch, stop));
    checks.push_back(
        {runs.problem.empty(), runs.problem.empty()
                                   ? "the reproducer: fails on the base, passes with the patch, fails "
                                     "again without it, as it is stored"
                                   : "the reproducer " + runs.problem});
  }
  if (checks.empty()) checks.push_back({true, "there is no command to run again"});
  return checks;
}

} // namespace emend
