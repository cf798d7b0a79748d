#include "engine/gate/proof_rerun.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.hpp"
#include "engine/context/event_log.hpp"
#include "engine/patch/apart.hpp"
#include "engine/verify/comparison.hpp"
#include "engine/verify/probe_reading.hpp"
#include "engine/verify/probe_replay.hpp"
#include "engine/verify/reproduce.hpp"
#include "engine/verify/verify.hpp"
#include "engine/verify/without_fix.hpp"

namespace emend {
namespace {

constexpr std::size_t kNamed = 3; // tests of one command in a sentence

std::string outcome(const CommandRun& run) {
  return run.passed() ? "passes" : "fails (" + std::string(to_string(run.result)) + ")";
}

std::string outcomes(const Verification& runs) {
  std::vector<std::string> words;
  for (const CommandRun& run : runs.commands) words.push_back("`" + run.name + "` " + outcome(run));
  return join(words, ", ");
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
    const ApartPatch parts = apart(in_.issue.finding.file, patch, in_.called_scripts, in_.opened);
    const Patch rest = other_files(parts.product, in_.issue.finding.file);
    std::vector<Experiment> without = {
        of("again without the patch", VerificationKind::without_patch, nothing)};
    if (!rest.empty())
      without.push_back(
          of("again without its change of the issue's file", VerificationKind::without_patch, rest));
    if (!parts.own_tests.empty())
      without.push_back(
          of("with its tests, without the fix", VerificationKind::own_tests_base, parts.own_tests));
    for (const Experiment& again : without)
      if (again.stored != nullptr) TRY(repeat(again, checks));
    const Comparison comparison = compare(commands_, base, patched, left_by_fix(in_.issue, *in_.attempt));
    std::vector<std::string> why = comparison.failures;
    why.insert(why.end(), comparison.lost_tests.begin(), comparison.lost_tests.end());
    if (!why.empty()) checks.push_back({false, "the two compared: " + join(why, "; ")});
    return {};
  }

  // Each run with probes once more: on the fix alone, and on the final tree.
  Status repeat_probes(Repository& repository, std::vector<Repeated>& checks) {
    const Attempt& attempt = *in_.attempt;
    std::vector<Place> trees = {
        {attempt.base, attempt.patch},
        {attempt.base, apart(in_.issue.finding.file, attempt.patch, in_.called_scripts, in_.opened).product}};
    if (const auto whole = repository.published_diff(in_.final_base, in_.last_commit))
      trees.push_back({in_.final_base, product_side(*whole, in_.issue_files, in_.session_opened)});
    for (const Verification* stored : probe_runs()) {
      const auto tree = std::find_if(trees.begin(), trees.end(), [&](const Place& one) {
        return one.base == stored->base && one.product.sha256() == stored->patch_sha256;
      });
      if (tree != trees.end()) TRY(repeat_probe(repository, *stored, tree->product, checks));
    }
    return {};
  }

  [[nodiscard]] bool has_commands() const { return !commands_.empty(); }

private:
  struct Place {
    std::string base;
    Patch product;
  };

  // The newest run of each set of probes.
  std::vector<const Verification*> probe_runs() const {
    std::vector<const Verification*> runs;
    for (const Verification& run : in_.verifications) {
      if (!probes_issue(run, in_.issue.id) || run.patch_sha256.empty()) continue;
      std::erase_if(runs, [&](const Verification* other) {
        return other->probes == run.probes && other->patch_sha256 == run.patch_sha256;
      });
      runs.push_back(&run);
    }
    return runs;
  }

  Status repeat_probe(Repository& repository, const Verification& stored, const Patch& product,
                      std::vector<Repeated>& checks) {
    std::vector<std::string> changes;
    for (const Probe& probe : stored.probes) {
      const bool ours = probe.issue_id == in_.issue.id || probe.issue_id.empty();
      const std::string change = change_of(probe);
      if (ours && std::find(changes.begin(), changes.end(), change) == changes.end())
        changes.push_back(change);
    }
    const std::string where = "probe: " + join(changes, ", and ");
    TRY_ASSIGN(const std::optional<Patch> twist,
               twist_again(repository, stored.base, product, stored.probes));
    std::vector<VerifyCommand> commands;
    for (const VerifyCommand& command : in_.policy.commands)
      if (stored.find(command.name) != nullptr) commands.push_back(command);
    if (!twist || commands.empty()) {
      checks.push_back({false, where + "; this cannot be made again from what is stored of it"});
      return {};
    }
    TRY_ASSIGN(const Verification now, verifier_.execute(VerificationKind::probe, stored.base, product,
                                                         commands, stop_, {}, 1, {*twist, Look::second}));
    if (stop_.stop_requested()) return fail(ErrorCode::cancelled, "stopped while the commands were running");
    add_result(where, stored, now, checks);
    return {};
  }

  static void add_result(const std::string& where, const Verification& stored, const Verification& now,
                         std::vector<Repeated>& checks) {
    if (const auto other = differences(stored, now); !other.empty()) {
      checks.push_back({false, where + ": " + join(other, "; ")});
      return;
    }
    checks.push_back({true, where + ": " + outcomes(now) + ", as it is stored"});
  }

  Experiment of(const char* where, VerificationKind kind, const Patch& patch) const {
    return {where, kind, patch, stored_run(in_, kind, patch)};
  }

  Result<Verification> repeat(const Experiment& experiment, std::vector<Repeated>& checks) {
    TRY_ASSIGN(const Verification now,
               verifier_.execute(experiment.kind, in_.attempt->base, experiment.patch, commands_, stop_));
    if (stop_.stop_requested()) return fail(ErrorCode::cancelled, "stopped while the commands were running");
    if (experiment.stored == nullptr)
      checks.push_back({true, std::string(experiment.where) + ": " + outcomes(now) +
                                  "; no run of this tree alone is stored to compare with"});
    else
      add_result(experiment.where, *experiment.stored, now, checks);
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
  if (repeater.has_commands()) {
    TRY(repeater.repeat_commands(checks));
    TRY(repeater.repeat_probes(ports.repository, checks));
  }
  if (in.reproducer && in.reproducer->is_evidence() && level >= Evidence::repaired) {
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
