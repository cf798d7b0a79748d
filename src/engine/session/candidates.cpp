#include "engine/session/candidates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/strings.hpp"
#include "engine/branch/merge_finder.hpp"
#include "engine/patch/apart.hpp"
#include "engine/patch/test_units.hpp"
#include "engine/session/near_difference.hpp"
#include "engine/verify/failing_part.hpp"
#include "engine/verify/test_lines.hpp"

namespace emend {
namespace {

// How far a change came.
int standing(AttemptResult result) {
  switch (result) {
    case AttemptResult::accepted: return 4;
    case AttemptResult::below_threshold: return 3;
    case AttemptResult::unevaluated: return 2;
    case AttemptResult::verification_failed: return 1;
    default: return 0;
  }
}

auto rank(const Candidate& one) {
  const DiffStat stat = diff_stat(one.attempt.patch);
  return std::make_tuple(standing(one.end.result), one.level, one.end.score,
                         -(stat.insertions + stat.deletions));
}

// Tests of one candidate that fail with the change of the other.
struct Crossing {
  const Candidate* tests_of;
  const Candidate* product_of;
  Patch tests;
  VerifyCommand command;
  std::vector<std::string> ids; // empty = the command names none, and fails as a whole
  std::string output;
};

bool all_pass(const Verification& run) {
  return std::all_of(run.commands.begin(), run.commands.end(), [](const auto& one) { return one.passed(); });
}

std::vector<std::string> failing_only(const TestReport& now, const TestReport& own) {
  std::vector<std::string> ids;
  for (const auto& [id, state] : now.by_id) {
    const auto before = own.by_id.find(id);
    const bool passed = before == own.by_id.end() ? own.passes_unnamed : before->second == kTestPassed;
    if (state == kTestFailed && passed) ids.push_back(id);
  }
  return ids;
}

// The first command that tells them apart: it fails with the other's product and not with its own.
Result<std::optional<Crossing>> crossing(RunContext& context, Verifier& verifier, const Issue& issue,
                                         const Candidate& tests_of, const Candidate& product_of,
                                         std::stop_token stop) {
  const ApartPatch product = apart(issue.finding.file, product_of.attempt.patch),
                   own = apart(issue.finding.file, tests_of.attempt.patch);
  if (own.own_tests.empty() || product.product.empty() || product_of.commands.empty())
    return std::optional<Crossing>();
  TRY_ASSIGN(const std::optional<Patch> crossed,
             context.ports.repository.merge(product.product, own.own_tests));
  if (!crossed) return std::optional<Crossing>();
  const auto run = [&](const Candidate& whose, const Patch& patch) {
    return verifier.execute(VerificationKind::alone, whose.attempt.base, patch, product_of.commands, stop,
                            issue.code);
  };
  TRY_ASSIGN(const Verification with_other, run(product_of, *crossed));
  if (was_cancelled(with_other) || all_pass(with_other)) return std::optional<Crossing>();
  TRY_ASSIGN(const Verification with_own, run(tests_of, compose(own.product, own.own_tests)));
  if (was_cancelled(with_own)) return std::optional<Crossing>();
  for (const VerifyCommand& command : product_of.commands) {
    const CommandRun *now = with_other.find(command.name), *before = with_own.find(command.name);
    if (now == nullptr || before == nullptr || now->passed()) continue;
    Crossing found{&tests_of, &product_of, own.own_tests, command, failing_only(now->tests, before->tests),
                   {}};
    if (found.ids.empty() && !before->passed()) continue; // as on the base
    found.output = trim_middle(clean_text(failure_text(*now, before)), 800);
    return std::optional<Crossing>(std::move(found));
  }
  return std::optional<Crossing>();
}

// What stands in the test, without the line that names it; empty = it cannot be read.
std::string example_of(const Patch& tests, const std::string& id) {
  for (const FileChange& file : tests.changes) {
    const std::vector<std::string_view> lines = lines_of(file.new_content);
    for (const TestUnit& unit : test_units(file.path, file.new_content)) {
      const std::string name = unit.name.substr(unit.name.find_last_of(":.") + 1);
      if (name.empty() || !contains(id, name)) continue;
      std::vector<std::string> said;
      for (std::size_t i = unit.begin + 1; i < std::min(unit.end, lines.size()); ++i)
        if (const auto line = trim(lines[i]); line.size() > 2) said.emplace_back(line);
      if (!said.empty()) return first_line(clean_text(join(said, " ")), 200);
    }
  }
  return {};
}

std::string test_of(const Crossing& one) {
  return clean_text(one.ids.empty() ? one.tests.changes.front().path : one.ids.front());
}

std::string sentence_of(const Crossing& one) {
  const std::string example = one.ids.empty() ? "" : example_of(one.tests, one.ids.front());
  return fmt::format("the test {} that {} adds passes with its own change and fails with that of {}{}",
                     test_of(one), one.tests_of->attempt.agent, one.product_of->attempt.agent,
                     example.empty() ? "" : ": " + example);
}

Reproducer check_of(const Crossing& one) {
  Reproducer check;
  check.files = one.tests;
  check.command = one.command.run;
  return check;
}

// The tests must pass, as with the change of the one who wrote them.
Reproducer as_its_author(const Crossing& one) {
  Reproducer check = check_of(one);
  check.agent = one.tests_of->attempt.agent;
  check.must_pass = one.ids;
  const std::string example = one.ids.empty() ? "" : example_of(one.tests, one.ids.front());
  check.explanation = fmt::format("as the change of {}: {} passes{}", check.agent, test_of(one),
                                  example.empty() ? "" : ": " + example);
  return check;
}

// They must fail, as with the change of the other.
Reproducer as_the_other(const Crossing& one) {
  Reproducer check = check_of(one);
  check.agent = one.product_of->attempt.agent;
  check.must_fail = one.ids;
  if (one.ids.empty()) check.command = "! ( " + check.command + " )";
  check.explanation = fmt::format("as the change of {}: {} of {} is wrong and must fail", check.agent,
                                  test_of(one), one.tests_of->attempt.agent);
  return check;
}

} // namespace

std::size_t candidates_wanted(int setting, bool after_failure, std::size_t others,
                              std::optional<double> mean_cost, double left) {
  const std::size_t asked = setting > 0 ? static_cast<std::size_t>(setting) : after_failure ? 2 : 1;
  std::size_t wanted = std::min(asked, 1 + others);
  if (mean_cost && *mean_cost > 0 && left > 0) // each of them is made and judged
    wanted = std::min(wanted, static_cast<std::size_t>(left / (2 * *mean_cost)));
  return std::max<std::size_t>(wanted, 1);
}

std::size_t first_same(const std::vector<Candidate>& candidates, std::size_t index) {
  if (candidates[index].attempt.patch.empty()) return index;
  const std::string id = patch_id(candidates[index].attempt.patch);
  for (std::size_t i = 0; i < index; ++i)
    if (!candidates[i].attempt.patch.empty() && patch_id(candidates[i].attempt.patch) == id) return i;
  return index;
}

std::size_t best_candidate(const std::vector<Candidate>& candidates) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < candidates.size(); ++i)
    if (rank(candidates[i]) > rank(candidates[best])) best = i;
  return best;
}

Result<Disagreement> disagreement(RunContext& context, Verifier& verifier, const Issue& issue,
                                  const Candidate& one, const Candidate& other, std::stop_token stop) {
  TRY_ASSIGN(std::optional<Crossing> first, crossing(context, verifier, issue, one, other, stop));
  TRY_ASSIGN(std::optional<Crossing> second, crossing(context, verifier, issue, other, one, stop));
  if (!first && !second) return near_difference(context, issue, one.attempt, other.attempt, stop);
  const Crossing& known = first ? *first : *second;
  Disagreement found{sentence_of(known), known.output, {as_its_author(known)}};
  found.answers.push_back(first && second ? as_its_author(*second) : as_the_other(known));
  return found;
}

} // namespace emend
