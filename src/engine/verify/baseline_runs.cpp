// The runs of the checks on the untouched base: cached, made, and shared by all units of a session.
#include <fmt/format.h>

#include <algorithm>

#include "base/hash.hpp"
#include "base/strings.hpp"
#include "engine/context/offline.hpp"
#include "engine/verify/verify.hpp"
#include "model/events.hpp"

namespace emend {
namespace {

// The program a command begins with, if that is plain to see.
std::string program_of(const std::string& run) {
  const std::string_view text = trim(run);
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, end);
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '/' || c == '+' || c == '-';
  };
  return std::all_of(word.begin(), word.end(), plain) && !word.starts_with('-') ? std::string(word)
                                                                                : std::string();
}

} // namespace

// Commands share a workspace in order, so what ran before is part of what a result means; and so is what they
// were let do.
std::vector<std::string> baseline_keys(const std::string& commit, const Policy& policy) {
  std::vector<std::string> keys;
  std::string chain = commit + "\nv4\n" + std::to_string(policy.repeat) + "\n" +
                      join(policy.verify_env, "\n") + "\n" + dump_json(to_json(policy.sandbox));
  for (const VerifyCommand& command : policy.commands) {
    chain = sha256_hex(chain + "\n" + command.key());
    keys.push_back(chain);
  }
  return keys;
}

Result<Verification> Verifier::cached_baseline(const std::string& commit,
                                               const std::vector<std::string>& keys, bool& complete) {
  Verification verification;
  verification.id = new_uuid();
  verification.session_id = context_.session.id;
  verification.kind = VerificationKind::baseline;
  verification.base = commit;
  verification.started_ms = context_.ports.clock.wall_ms();
  complete = true;
  for (std::size_t i = 0; i < keys.size() && complete; ++i) {
    TRY_ASSIGN(std::optional<CommandRun> run, context_.ports.store.cached_run(keys[i]));
    complete = run.has_value();
    if (!complete) break;
    run->name = context_.policy().commands[i].name; // the same command may have been renamed since
    run->scoped = !context_.policy().commands[i].paths.empty();
    if (was_helped(*run)) will_help(run->run);
    verification.commands.push_back(*std::move(run));
  }
  return verification;
}

Status Verifier::adopt_baseline(const std::string& commit, const Verification& run) {
  for (const VerifyCommand& command : context_.policy().commands)
    if (run.find(command.name) == nullptr) return {};
  Verification adopted = run;
  adopted.id = new_uuid();
  adopted.kind = VerificationKind::baseline;
  adopted.issue_id.clear();
  adopted.base = commit;
  adopted.patch_sha256.clear();
  Change change;
  change.verifications.push_back(adopted);
  TRY(context_.log.apply(std::move(change)));
  const std::lock_guard lock(baseline_mutex_);
  baselines_[commit] = std::make_shared<const Verification>(std::move(adopted));
  return {};
}

// What is known of it without a run, null = not all.
Result<std::shared_ptr<const Verification>> Verifier::baseline_at_hand(const std::string& commit) {
  {
    const std::lock_guard lock(baseline_mutex_);
    if (const auto known = baselines_.find(commit); known != baselines_.end()) return known->second;
  }
  TRY_ASSIGN(auto wavering, wavering_baseline(commit));
  if (wavering) return keep_baseline(*wavering);
  bool complete = false;
  TRY_ASSIGN(Verification verification,
             cached_baseline(commit, baseline_keys(commit, context_.policy()), complete));
  if (!complete) return std::shared_ptr<const Verification>();
  Change change;
  change.verifications.push_back(verification);
  change.events.push_back(context_.event("", verification_told(verification, nullptr)));
  TRY(context_.log.apply(std::move(change)));
  return keep_baseline(std::move(verification));
}

std::shared_ptr<const Verification> Verifier::keep_baseline(Verification verification) {
  auto shared = std::make_shared<const Verification>(std::move(verification));
  const std::lock_guard lock(baseline_mutex_);
  return baselines_[shared->base] = shared;
}

// All checks, in this order; stored in the order of the configuration.
Result<std::shared_ptr<const Verification>> Verifier::run_baseline(const std::string& commit,
                                                                   const std::vector<VerifyCommand>& commands,
                                                                   const BaseRun::Seen& seen,
                                                                   std::stop_token stop) {
  const std::vector<VerifyCommand>& configured = context_.policy().commands;
  FixVerificationStarted started{to_string(VerificationKind::baseline), {}};
  for (const VerifyCommand& command : configured) started.commands.push_back(command.name);
  TRY(context_.publish("", started));
  Experiment experiment;
  experiment.seen = seen;
  TRY_ASSIGN(Verification verification,
             execute(VerificationKind::baseline, commit, Patch{}, commands, stop, {}, 1, experiment));
  if (!was_cancelled(verification) && failed_out_of_order(configured, verification)) {
    TRY_ASSIGN(verification, execute(VerificationKind::baseline, commit, Patch{}, configured, stop));
  }
  if (was_cancelled(verification))
    return fail(ErrorCode::cancelled, "cancelled while the baseline was running");
  std::vector<CommandRun> ordered;
  for (const VerifyCommand& command : configured)
    if (const CommandRun* run = verification.find(command.name)) ordered.push_back(*run);
  verification.commands = std::move(ordered);
  Change change;
  change.verifications.push_back(verification);
  change.events.push_back(context_.event("", verification_told(verification, nullptr)));
  TRY(context_.log.apply(std::move(change)));
  const auto keys = baseline_keys(commit, context_.policy());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const CommandResult result = verification.commands[i].result;
    const bool ended = result == CommandResult::failed || result == CommandResult::contradictory;
    const bool lasting = result == CommandResult::passed ||
                         (ended && !failed_offline(context_.policy(), verification.commands[i]));
    if (lasting) // what was missing may be in a cache the next time
      TRY(context_.ports.store.cache_run(keys[i], verification.commands[i]));
  }
  return keep_baseline(std::move(verification));
}

Result<std::shared_ptr<const Verification>> Verifier::baseline(const std::string& commit,
                                                               std::stop_token stop) {
  if (base_run_ && base_run_->commit() == commit) {
    TRY(base_run_->whole());
  }
  const std::lock_guard running(
      baseline_running_); // two units must not run the same slow suite on the same base
  TRY_ASSIGN(auto known, baseline_at_hand(commit));
  if (known) return known;
  return run_baseline(commit, context_.policy().commands, {}, std::move(stop));
}

Result<std::shared_ptr<const Verification>> Verifier::baseline_for(const std::string& commit,
                                                                   const std::vector<VerifyCommand>& commands,
                                                                   std::stop_token stop) {
  {
    const std::lock_guard lock(baseline_mutex_);
    if (const auto known = baselines_.find(commit); known != baselines_.end()) return known->second;
  }
  if (base_run_ && base_run_->commit() == commit) return base_run_->wait_for(commands);
  return baseline(commit, std::move(stop));
}

Result<std::shared_ptr<const Verification>> Verifier::begin_baseline(const std::string& commit,
                                                                     const std::vector<std::string>& files,
                                                                     std::stop_token stop) {
  TRY_ASSIGN(auto known, baseline_at_hand(commit));
  if (known) return known;
  const Policy& policy = context_.policy();
  BaseOrder order = base_order(policy.commands, files);
  // Who else writes outside of the tree meanwhile must not be taken for the project's own checks.
  if (policy.sandbox.kind != SandboxKind::full || policy.repeat > 1 || order.rest.empty())
    return baseline(commit, std::move(stop));
  TRY(move_doubtful(commit, order, stop));
  std::vector<VerifyCommand> commands = order.first;
  commands.insert(commands.end(), order.rest.begin(), order.rest.end());
  Verification begun;
  begun.kind = VerificationKind::baseline;
  begun.base = commit;
  base_run_ = std::make_unique<BaseRun>(
      std::move(begun),
      [this, commit, commands](const BaseRun::Seen& seen, std::stop_token token) {
        return run_baseline(commit, commands, seen, std::move(token));
      },
      std::move(stop));
  return base_run_->wait_for(order.first);
}

// A check whose program is not there ends the session, so it is not left to run beside agents.
Status Verifier::move_doubtful(const std::string& commit, BaseOrder& order, std::stop_token stop) {
  std::string script;
  for (std::size_t i = 0; i < order.rest.size(); ++i)
    if (const std::string program = program_of(order.rest[i].run); !program.empty())
      script += fmt::format("command -v {} >/dev/null 2>&1 || echo missing {}\n", program, i);
  if (script.empty()) return {};
  TRY_ASSIGN(const Verification looked, execute(VerificationKind::baseline, commit, Patch{},
                                                {{"programs", script, {}, 0}}, std::move(stop)));
  const auto said = lines_of(looked.commands.front().output);
  std::vector<VerifyCommand> rest;
  for (std::size_t i = 0; i < order.rest.size(); ++i) {
    const bool missing = std::find(said.begin(), said.end(), fmt::format("missing {}", i)) != said.end();
    (missing ? order.first : rest).push_back(order.rest[i]);
  }
  order.rest = std::move(rest);
  return {};
}

} // namespace emend
