#include "engine/session/near_difference.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.hpp"
#include "engine/verify/near_inputs.hpp"
#include "engine/verify/reproduce.hpp"
#include "engine/verify/verify.hpp"

namespace emend {
namespace {

constexpr std::size_t kTries = 8;            // inputs beside the check's own
constexpr std::int64_t kSlowCheckMs = 5'000; // one that takes longer is not run that often

using Told = std::pair<std::string, CommandRun>; // whose change, and what the check made of it

const std::string* clear_value(const CommandRun& run, const std::string& name) {
  const auto& unclear = run.values.unclear;
  const auto found = run.values.by_name.find(name);
  if (found == run.values.by_name.end()) return nullptr;
  return std::find(unclear.begin(), unclear.end(), name) == unclear.end() ? &found->second : nullptr;
}

std::string first_new_line(std::string_view usual, std::string_view now) {
  const auto before = lines_of(usual), after = lines_of(now);
  for (std::size_t i = 0; i < after.size(); ++i)
    if (i >= before.size() || before[i] != after[i])
      return first_line(clean_text(std::string(trim(after[i]))), 200);
  return {};
}

// The line in which it differs from the check; empty = it is the check itself.
std::string input_of(const Reproducer& check, const Reproducer& near) {
  if (near.command != check.command) return first_new_line(check.command, near.command);
  for (std::size_t i = 0; i < near.files.changes.size() && i < check.files.changes.size(); ++i)
    if (near.files.changes[i].new_content != check.files.changes[i].new_content)
      return first_new_line(check.files.changes[i].new_content, near.files.changes[i].new_content);
  return {};
}

std::string shown(const std::string& value) { return "`" + first_line(clean_text(value), 60) + "`"; }

Reproducer answer_of(const Reproducer& near, const std::string& agent, std::string explanation) {
  Reproducer answer;
  answer.files = near.files;
  answer.command = near.command;
  answer.agent = agent;
  answer.explanation = std::move(explanation);
  return answer;
}

// The check says a value otherwise.
Disagreement values_differ(const Reproducer& near, const std::string& input, const Told& one,
                           const Told& other) {
  for (const auto& [name, said] : one.second.values.by_name) {
    const std::string *mine = clear_value(one.second, name), *theirs = clear_value(other.second, name);
    if (mine == nullptr || theirs == nullptr || *mine == *theirs) continue;
    const std::string where = input.empty() ? clean_text(name) : clean_text(name) + " in `" + input + "`";
    Disagreement found;
    found.what = fmt::format("for {} the change of {} answers {} and that of {} answers {}", where, one.first,
                             shown(*mine), other.first, shown(*theirs));
    for (const auto& [agent, value] : {std::pair(one.first, *mine), std::pair(other.first, *theirs)}) {
      found.answers.push_back(
          answer_of(near, agent, fmt::format("as the change of {}: {} is {}", agent, where, shown(value))));
      found.answers.back().expected = {{name, value, false, false}};
    }
    return found;
  }
  return {};
}

// It passes with one and fails with the other.
Disagreement end_differs(const Reproducer& near, const std::string& input, const Told& passing,
                         const Told& failing) {
  Disagreement found;
  const std::string where = input.empty() ? "the hidden check" : "the hidden check with `" + input + "`";
  found.what = fmt::format("{} passes with the change of {} and fails with that of {}", where, passing.first,
                           failing.first);
  found.output = trim_middle(clean_text(failing.second.output), 800);
  found.answers.push_back(
      answer_of(near, passing.first, fmt::format("as the change of {}: {} passes", passing.first, where)));
  found.answers.back().marker = near.marker;
  found.answers.push_back(
      answer_of(near, failing.first, fmt::format("as the change of {}: {} must fail", failing.first, where)));
  found.answers.back().command = "! (\n" + near.command + "\n)";
  return found;
}

// The check itself first: its author may have named inputs nobody knows the right value of.
std::vector<Reproducer> checks_to_run(RunContext& context, const Reproducer& check) {
  std::vector<Reproducer> all = near_checks(check, kTries, near_seed(context.session.id, check));
  if (check.independent()) all.insert(all.begin(), check);
  return all;
}

Result<bool> is_slow(RunContext& context, const Reproducer& check) {
  TRY_ASSIGN(const std::vector<Verification> runs, context.ports.store.verifications(context.session.id));
  const std::string sha = check.sha256();
  return std::any_of(runs.begin(), runs.end(), [&](const Verification& run) {
    return run.kind == VerificationKind::reproducer_base && run.reproducer_sha256 == sha &&
           !run.commands.empty() && run.commands.front().duration_ms > kSlowCheckMs;
  });
}

} // namespace

Disagreement answers_differ(const Reproducer& check, const Reproducer& near, const Told& one,
                            const Told& other) {
  const std::string input = input_of(check, near);
  if (near.independent()) return values_differ(near, input, one, other);
  if (near.by_name()) return {}; // its tests are held against both as those of the candidates
  if (near.green(one.second) && near.red(other.second)) return end_differs(near, input, one, other);
  if (near.green(other.second) && near.red(one.second)) return end_differs(near, input, other, one);
  return {};
}

Result<Disagreement> near_difference(RunContext& context, const Issue& issue, const Attempt& one,
                                     const Attempt& other, std::stop_token stop) {
  TRY_ASSIGN(const std::optional<Reproducer> check,
             reproducer_of(context.ports.store, issue.id, context.session.id));
  if (!check) return Disagreement{};
  TRY_ASSIGN(const bool slow, is_slow(context, *check));
  if (slow) return Disagreement{};
  for (const Reproducer& near : checks_to_run(context, *check)) {
    std::vector<Told> told;
    for (const Attempt* whose : {&one, &other}) {
      TRY_ASSIGN(const Verification run, execute_reproducer(context, near, VerificationKind::near_patched,
                                                            whose->base, whose->patch, stop));
      if (was_cancelled(run)) return Disagreement{};
      told.emplace_back(whose->agent, run.commands.front());
    }
    if (Disagreement found = answers_differ(*check, near, told[0], told[1]); found.any()) return found;
  }
  return Disagreement{};
}

} // namespace emend
