#include "engine/verify/verify.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/measures.hpp"
#include "base/strings.hpp"
#include "engine/context/check_environment.hpp"
#include "engine/context/offline.hpp"
#include "engine/context/sandbox_mode.hpp"
#include "engine/context/storage_check.hpp"
#include "engine/verify/test_report.hpp"
#include "model/events.hpp"

namespace emend {
namespace {

constexpr std::size_t kKeptOutput =
    64'000; // of one command, in the store; test ids are read from the whole before

// A first run on the base that reached for a network and is silent since is not waited for any longer.
// Package managers try again for minutes; with its help the next run fails at once, or does without.
constexpr std::int64_t kOfflinePatienceMs = 5'000;

// Said in the output of a run, for whoever wonders, and for the next run of the same command.
constexpr const char* kHelpNote = "[it waits for a network or a person: run with CI=1 and the like]\n";

CommandResult classify(const ProcessResult& process) {
  switch (process.ending) {
    case Ending::exited:
      if (process.exit_code == 0) return CommandResult::passed;
      // What sh says when it cannot run the command at all.
      return process.exit_code == 126 || process.exit_code == 127 ? CommandResult::not_started
                                                                  : CommandResult::failed;
    case Ending::signalled: return CommandResult::crashed;
    case Ending::wall_limit:
    case Ending::idle_limit: return CommandResult::timed_out;
    case Ending::resource_limit:
    case Ending::output_limit: return CommandResult::failed;
    case Ending::settled: // only for children that are listened to, which commands are not
    case Ending::cancelled: return CommandResult::cancelled;
    case Ending::not_started: return CommandResult::not_started;
  }
  return CommandResult::not_started;
}

std::string output_of(const ProcessResult& process) {
  std::string text = process.out;
  if (!process.err.empty()) {
    if (!text.empty() && text.back() != '\n') text += '\n';
    text += process.err;
  }
  if (process.ending == Ending::output_limit) text += "\n[ended: more output than verify.max_output_bytes]\n";
  if (!process.problem.empty()) text += "\n" + process.problem + "\n";
  return text;
}

// k of k: one bad run makes the command bad; the first bad one is shown.
void fold(CommandRun& total, CommandRun&& run) {
  const int runs = total.runs + 1;
  const int passes = total.passes + (run.passed() ? 1 : 0);
  const std::int64_t duration = total.duration_ms + run.duration_ms;
  const bool wavers = passes > 0 && passes < runs;
  SpokenValues values = total.runs == 0 ? run.values : total.values;
  values.join(run.values);
  if (total.runs == 0 || (total.passed() && !run.passed())) total = std::move(run);
  total.runs = runs;
  total.passes = passes;
  total.wavers = wavers;
  total.duration_ms = duration;
  total.values = std::move(values);
}

// Where files that commands wrote or changed are found; in a copy, beside all others.
fs::path written_files(const Workspace& workspace) {
  const OverlayMount mount = workspace.overlay();
  return mount.lower.empty() ? workspace.path() : mount.upper;
}

// Where nothing keeps an agent away from what workspaces are made from, the tree is looked at before its
// checks may speak for it.
Status check_tree(Workspace& workspace, const Patch& patch) {
  TRY_ASSIGN(const Snapshot snapshot, workspace.snapshot());
  if (snapshot.violations.empty() && snapshot.patch.sha256() == patch.sha256()) return {};
  return fail(
      ErrorCode::io,
      "a tree made for verification is not the base with the patch: something changed the state directory",
      "remove the directory \"bases\" of this repository in the state directory, then try again");
}

} // namespace

FixVerificationResult verification_told(const Verification& verification, const Verification* baseline) {
  FixVerificationResult told{to_string(verification.kind), true, {}};
  for (const CommandRun& run : verification.commands) {
    const CommandRun* before = baseline == nullptr ? nullptr : baseline->find(run.name);
    told.commands.push_back({run.name, to_string(run.result), run.exit_code, run.duration_ms,
                             before != nullptr && !before->passed()});
    told.passed = told.passed && run.passed();
  }
  return told;
}

bool was_helped(const CommandRun& run) { return run.output.starts_with(kHelpNote); }

bool was_cancelled(const Verification& verification) {
  return std::any_of(verification.commands.begin(), verification.commands.end(),
                     [](const CommandRun& run) { return run.result == CommandResult::cancelled; });
}

// A path of the person's home that is there, that the command speaks of, and that it was not shown.
void Verifier::explain_hidden(const CommandRun& run, const OverlayMount& mount) {
  if (run.passed()) return;
  if (context_.policy().sandbox.kind == SandboxKind::landlock &&
      (contains(run.output, "/dev/shm") || contains(run.output, "SemLock")))
    context_.notice(
        fmt::format("{} failed and needs /dev/shm, which this sandbox blocks: sandbox.writable = "
                    "[\"/dev/shm\"] opens it",
                    run.name));
  if (mount.home.empty()) return;
  const auto lies_in = [](const std::string& path, const std::string& directory) {
    return path == directory || path.starts_with(directory + "/");
  };
  const auto is_shown = [&](const std::string& path) {
    const auto holds = [&](const std::string& shown) { return lies_in(path, shown); };
    return holds(mount.own) || holds(mount.masked) || holds(mount.target) ||
           std::any_of(mount.shown.begin(), mount.shown.end(), holds) ||
           std::any_of(mount.writable.begin(), mount.writable.end(), holds) ||
           std::any_of(mount.layers.begin(), mount.layers.end(), [&](const PrivateLayer& layer) {
             return layer.path != mount.home && holds(layer.path);
           });
  };
  const std::string start = mount.home + "/";
  for (std::size_t at = run.output.find(start); at != std::string::npos;
       at = run.output.find(start, at + 1)) {
    std::string path = run.output.substr(at, run.output.find_first_of(" \t\n'\"`:;,()[]<>", at) - at);
    while (path.size() > start.size() && (path.back() == '.' || path.back() == '/')) path.pop_back();
    std::error_code problem;
    if (path.size() <= start.size() || is_shown(path) || !fs::exists(path, problem)) continue;
    return context_.notice(
        fmt::format("{} failed and mentions {}, which the sandbox hides with the rest of your home: "
                    "sandbox.readable = [\"{}\"] shows it",
                    run.name, context_.safe(path), context_.safe(path)));
  }
}

Result<CommandRun> Verifier::run_on_base(const VerifyCommand& command, const CheckPlace& place,
                                         const Experiment& experiment, std::stop_token stop) {
  const auto waits = [&](const CommandRun& run) {
    return run.result == CommandResult::timed_out || failed_offline(context_.policy(), run);
  };
  TRY_ASSIGN(CommandRun run, run_command(command, place, experiment, stop, kOfflinePatienceMs));
  if (was_helped(run) || experiment.look == Look::second || !waits(run) || stop.stop_requested()) return run;
  will_help(command.run);
  const bool wanted_network = failed_offline(context_.policy(), run);
  TRY_ASSIGN(CommandRun helped, run_command(command, place, experiment, stop));
  // What was asked not to try fails all the same, and may say even less.
  if (wanted_network && !helped.passed() && !failed_offline(context_.policy(), helped))
    helped.output += kTriedToLeave;
  return helped;
}

// A session that is resumed, and a verifier that was made later, know by the stored runs what was helped.
Result<bool> Verifier::needs_help(const std::string& command) {
  const std::lock_guard lock(helped_mutex_);
  if (!helped_) {
    helped_.emplace();
    TRY_ASSIGN(const std::vector<Verification> runs, context_.ports.store.verifications(context_.session.id));
    for (const Verification& verification : runs)
      for (const CommandRun& run : verification.commands)
        if (verification.patch_sha256.empty() && was_helped(run)) helped_->insert(run.run);
  }
  return helped_->contains(command);
}

void Verifier::will_help(const std::string& command) {
  const std::lock_guard lock(helped_mutex_);
  if (!helped_) helped_.emplace();
  helped_->insert(command);
}

Result<CommandRun> Verifier::run_command(const VerifyCommand& command, const CheckPlace& place,
                                         const Experiment& experiment, std::stop_token stop,
                                         std::int64_t offline_patience_ms) {
  const Policy& policy = context_.policy();
  ProcessSpec spec;
  spec.argv = {"/bin/sh", "-c",
               experiment.before + command.run}; // the one shell: people write these commands for it
  const std::string nonce = command.speaks ? random_hex(16) : "";
  if (command.speaks) spec.argv.insert(spec.argv.end(), {"sh", nonce});
  spec.cwd = place.path;
  TRY_ASSIGN(const bool help, needs_help(command.run));
  spec.env = check_environment(policy, place, experiment.look, help);
  spec.wall_limit_ms = command.timeout_ms > 0 ? command.timeout_ms : policy.verify_timeout_ms;
  if (!help) spec.offline_idle_limit_ms = offline_patience_ms;
  spec.max_output_bytes = static_cast<std::uint64_t>(policy.max_output_bytes);
  spec.overlay = place.mount;
  spec.network = policy.sandbox.command_network;
  spec.limits = policy.sandbox.command_limits;
  ChildRecord child;
  spec.on_start = context_.child_recorder(child);
  TRY_ASSIGN(const ProcessResult process, context_.ports.processes.run(spec, stop));
  context_.forget_child(child);

  CommandRun run;
  run.name = command.name;
  run.run = command.run;
  run.scoped = !command.paths.empty();
  run.result = classify(process);
  run.exit_code = process.exit_code;
  run.duration_ms = process.duration_ms;
  const std::string output = context_.safe(output_of(process));
  run.tests = parse_test_report(output);
  run.values = spoken_values(output, nonce);
  run.output = (help ? kHelpNote : "") + trim_middle(output, kKeptOutput);
  const bool ran_tests = run.tests.recognised || !run.tests.by_id.empty();
  if (process.tried_to_leave && !run.passed() && !ran_tests) run.output += kTriedToLeave;
  return run;
}

// Test reports this very command has written into its fresh tree. What the tree began with, or an earlier
// command left, is not its own.
void Verifier::read_reports(const Workspace& workspace, const Tree& base, Reports& known,
                            CommandRun& run) const {
  TestReport junit;
  for (auto& [path, bytes] : written_reports(written_files(workspace), base)) {
    std::string& before = known[path];
    if (before == bytes) continue;
    merge_report(junit, read_junit_results(context_.safe(bytes)));
    before = std::move(bytes);
  }
  if (!run.tests.recognised)
    junit.own_failures =
        junit.failed; // else the console had the last word: a test may well write a sample report
  const int own = std::max(run.tests.own_failures, junit.own_failures);
  merge_report(run.tests, junit);
  run.tests.own_failures = own;
}

Result<Verification> Verifier::execute(VerificationKind kind, const std::string& base, const Patch& patch,
                                       const std::vector<VerifyCommand>& commands, std::stop_token stop,
                                       const std::string& issue_code, int rounds,
                                       const Experiment& experiment) {
  TRY(check_sandbox(context_.policy(), context_.policy().sandbox.kind));
  Verification verification;
  verification.id = new_uuid();
  verification.session_id = context_.session.id;
  verification.kind = kind;
  verification.base = base;
  verification.patch_sha256 = patch.empty() ? "" : patch.sha256();
  verification.started_ms = context_.ports.clock.wall_ms();
  const std::int64_t start = context_.ports.clock.steady_ms();
  verification.commands.resize(commands.size());
  TRY_ASSIGN(const Tree* tree, context_.ports.repository.tree(base));
  const Patch laid = experiment.twist.empty() ? patch : compose(patch, experiment.twist);
  rounds = std::max(rounds, context_.policy().repeat);
  for (int round = 0; round < rounds; ++round) {
    TRY_ASSIGN(const std::unique_ptr<Workspace> workspace,
               context_.ports.repository.make_workspace(base, laid));
    if (context_.policy().sandbox.kind == SandboxKind::none) TRY(check_tree(*workspace, laid));
    TRY_ASSIGN(const CheckPlace place, check_place_for(context_, *workspace, experiment.look));
    Reports known;
    for (const FileChange& change : patch.changes)
      if (change.path.ends_with(".xml")) known[change.path] = change.new_content;
    for (std::size_t i = 0; i < commands.size(); ++i) {
      ContainmentWatch watch(context_, "command " + commands[i].name);
      if (i > 0) TRY(forget_beside(place, *workspace));
      TRY_ASSIGN(CommandRun run, patch.empty() ? run_on_base(commands[i], place, experiment, stop)
                                               : run_command(commands[i], place, experiment, stop));
      read_reports(*workspace, *tree, known, run);
      run.settle();
      if (patch.empty()) {
        TRY(watch.finish_base(habits_));
        if (failed_offline(context_.policy(), run))
          context_.notice(fmt::format(
              "{} failed without a network. To allow it: sandbox.network.commands = \"all\"", run.name));
        explain_hidden(run, place.mount);
      } else {
        TRY_ASSIGN(const std::string outside,
                   watch.finish(issue_code.empty() ? std::vector<std::string>{} : std::vector{issue_code},
                                &habits_));
        if (!outside.empty()) {
          run.output += "\n[containment: " + outside + "]\n";
          if (run.passed()) run.result = CommandResult::failed;
          run.values = {};
        }
      }
      fold(verification.commands[i], std::move(run));
      if (stop.stop_requested()) {
        verification.commands[i].result = CommandResult::cancelled;
        return verification;
      }
      if (experiment.seen && round + 1 == rounds) experiment.seen(verification.commands[i]);
    }
    if (!experiment.after.empty())
      TRY(run_command({"after", experiment.after, {}, 0}, place, {.look = experiment.look}, stop));
    if (experiment.read) experiment.read(written_files(*workspace));
  }
  verification.duration_ms = context_.ports.clock.steady_ms() - start;
  // The trees are gone: a disk that is still full was not filled by these commands, and says nothing about
  // the patch.
  const bool passed = std::all_of(verification.commands.begin(), verification.commands.end(),
                                  [](const CommandRun& run) { return run.passed(); });
  observe(Measure::verify_run_seconds,
          {{"kind", std::string(to_string(verification.kind))}, {"result", passed ? "passed" : "failed"}},
          static_cast<double>(verification.duration_ms) / 1'000);
  if (!passed) TRY(check_disk(context_.home));
  return verification;
}

// Who asks at the same time waits for the one run.
Result<bool> Verifier::passes_on_base(const std::string& commit, const VerifyCommand& question,
                                      std::stop_token stop) {
  const std::lock_guard lock(answers_mutex_);
  const std::pair key{commit, question.run};
  if (const auto known = answers_.find(key); known != answers_.end()) return known->second;
  TRY_ASSIGN(const Verification asked,
             execute(VerificationKind::coverage, commit, Patch{}, {question}, std::move(stop)));
  if (was_cancelled(asked)) return false;
  return answers_[key] = asked.commands.front().passed();
}

Result<Verification> Verifier::run(VerificationKind kind, const std::string& base, const Patch& patch,
                                   const std::vector<VerifyCommand>& commands, const Issue* issue,
                                   std::stop_token stop) {
  const std::string code = issue == nullptr ? "" : issue->code;
  FixVerificationStarted started{to_string(kind), {}};
  for (const VerifyCommand& command : commands) started.commands.push_back(command.name);
  TRY(context_.publish(code, started));
  Patch twist;
  Verification verification;
  std::vector<int> spent(commands.size(), 0);
  for (bool borne = false; !borne;) {
    TRY_ASSIGN(twist, rewording(kind, base, patch));
    TRY_ASSIGN(verification, execute(kind, base, patch, commands, stop, code, 1, {twist}));
    if (was_cancelled(verification)) return verification;
    TRY_ASSIGN(borne, base_bears(verification, commands, twist, stop));
    for (std::size_t i = 0; i < spent.size(); ++i)
      spent[i] += verification.commands[i].spent + (borne ? 0 : verification.commands[i].runs);
  }
  for (std::size_t i = 0; i < spent.size(); ++i) verification.commands[i].spent = spent[i];
  TRY_ASSIGN(const bool finished, run_worse_again(verification, patch, commands, stop, code, twist));
  if (!finished) {
    verification.commands.front().result = CommandResult::cancelled;
    return verification;
  }
  verification.issue_id = issue == nullptr ? "" : issue->id;
  const std::shared_ptr<const Verification> known = known_baseline(base);
  Change change;
  change.verifications.push_back(verification);
  change.events.push_back(context_.event(code, verification_told(verification, known.get())));
  TRY(context_.log.apply(std::move(change)));
  return verification;
}

Result<Verification> Verifier::run_probes(const std::string& base, const Patch& patch, Experiment experiment,
                                          std::vector<Probe> probes,
                                          const std::vector<VerifyCommand>& commands, const Issue* issue,
                                          std::stop_token stop) {
  const std::string code = issue == nullptr ? "" : issue->code;
  FixVerificationStarted started{to_string(VerificationKind::probe), {}};
  for (const VerifyCommand& command : commands) started.commands.push_back(command.name);
  TRY(context_.publish(code, started));
  experiment.look = Look::second;
  TRY_ASSIGN(Verification verification,
             execute(VerificationKind::probe, base, patch, commands, stop, code, 1, experiment));
  if (was_cancelled(verification)) return verification;
  verification.issue_id = issue == nullptr ? "" : issue->id;
  verification.probes = std::move(probes);
  Change change;
  change.verifications.push_back(verification);
  TRY(context_.log.apply(std::move(change)));
  return verification;
}

} // namespace emend
