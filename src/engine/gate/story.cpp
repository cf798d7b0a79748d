#include "engine/gate/story.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/strings.hpp"
#include "engine/patch/notes.hpp"
#include "engine/verify/comparison.hpp"
#include "engine/verify/coverage.hpp"
#include "engine/verify/near_inputs.hpp"
#include "engine/verify/probe_reading.hpp"
#include "engine/verify/probe_replay.hpp"
#include "engine/verify/without_fix.hpp"

namespace emend {
namespace {

constexpr std::size_t kNamed = 5; // tests in one sentence

using Story = std::vector<StoryLine>;

std::string shown(std::vector<std::string> names) {
  const std::size_t all = names.size();
  names.resize(std::min(all, kNamed));
  return join(names, ", ") + (all > kNamed ? fmt::format(" and {} more", all - kNamed) : "");
}

// "a", "a and b", "a, b and c"
std::string listed(const std::vector<std::string>& parts) {
  if (parts.size() < 2) return join(parts, "");
  return join({parts.begin(), parts.end() - 1}, ", ") + " and " + parts.back();
}

std::vector<std::string> failed_tests(const TestReport& tests) {
  std::vector<std::string> names;
  for (const auto& [id, result] : tests.by_id)
    if (result == "failed") names.push_back(id);
  return names;
}

// "`unit` fails (2 of 12 tests: a, b)"
std::string outcome(const CommandRun& run) {
  const TestReport& tests = run.tests;
  const int ran = tests.passed + tests.failed;
  std::string text = "`" + run.name + "` " + (run.passed() ? "passes" : "fails");
  if (run.passed()) return text + (ran > 0 ? fmt::format(" ({} {})", ran, ran == 1 ? "test" : "tests") : "");
  if (const auto names = failed_tests(tests); !names.empty())
    return text + fmt::format(" ({} of {} tests: {})", names.size(), ran, shown(names));
  if (tests.failed > 0) return text + fmt::format(" ({} of {} tests)", tests.failed, ran);
  return text + (run.result == CommandResult::failed ? fmt::format(" (exit {})", run.exit_code)
                                                     : fmt::format(" ({})", to_string(run.result)));
}

std::string outcomes(const Verification& run) {
  std::vector<std::string> parts;
  for (const CommandRun& command : run.commands) parts.push_back(outcome(command));
  return listed(parts);
}

void tell_run(Story& story, const char* experiment, const std::string& where, const Verification* run) {
  if (run != nullptr) story.push_back({experiment, where + ", " + outcomes(*run) + "."});
}

// What the checks said on each tree, and again without the patch.
void tell_checks(const GateInput& in, Story& story) {
  const Attempt& attempt = *in.attempt;
  const std::string sha = attempt.patch.sha256();
  const ApartPatch parts = apart(in.issue.finding.file, attempt.patch, in.called_scripts, in.opened);
  const Patch& product = parts.product;
  tell_run(story, "base", "On the base commit " + attempt.base.substr(0, 12),
           find_run(in, VerificationKind::baseline, attempt.base, ""));
  tell_run(story, "patched", "With the fix", find_run(in, VerificationKind::alone, attempt.base, sha));
  if (!product.empty() && product.sha256() != sha)
    tell_run(story, "base_tests", "With the fix and the base's own tests",
             find_run(in, VerificationKind::alone, attempt.base, product.sha256()));
  if (!parts.own_tests.empty())
    tell_run(story, "own_tests", "With the tests it adds, without the fix",
             find_run(in, VerificationKind::own_tests_base, attempt.base, parts.own_tests.sha256()));
  const Verification* without =
      run_without(in.verifications, {in.issue.id, in.issue.finding.file, attempt.base, parts});
  if (without == nullptr || without->kind != VerificationKind::without_patch) return; // told above
  tell_run(
      story, "without",
      without->patch_sha256.empty()
          ? "Without the fix again"
          : "Again without the change of " + clean_text(in.issue.finding.file) + ", with the rest of the fix",
      without);
}

// Tests that failed on the base and pass with the fix; commands where tests have no names.
std::vector<std::string> turned(const GateInput& in) {
  const Attempt& attempt = *in.attempt;
  const Verification* before = find_run(in, VerificationKind::baseline, attempt.base, "");
  const Verification* after = find_run(in, VerificationKind::alone, attempt.base, attempt.patch.sha256());
  std::vector<std::string> names;
  if (before == nullptr || after == nullptr) return names;
  for (const CommandRun& run : after->commands) {
    const CommandRun* base = before->find(run.name);
    if (base == nullptr) continue;
    const std::size_t so_far = names.size();
    for (const std::string& id : failed_tests(base->tests))
      if (const auto now = run.tests.by_id.find(id); now != run.tests.by_id.end() && now->second == "passed")
        names.push_back(id);
    if (names.size() == so_far && !base->passed() && run.passed()) names.push_back("`" + run.name + "`");
  }
  return names;
}

void tell_turned(const GateInput& in, Story& story) {
  if (const auto names = turned(in); !names.empty())
    story.push_back({"turned", "Failed on the base and passes with the fix: " + shown(names) + "."});
}

std::string owner_of(const Reproducer& check) {
  return check.by_person() ? "a person's hidden check" : "the hidden check of " + check.agent;
}

// A check of the issue that the fixer never saw.
void tell_reproducer(const GateInput& in, Story& story) {
  if (!in.reproducer) return;
  const Attempt& attempt = *in.attempt;
  std::vector<std::string> seen;
  const auto tell = [&](const char* where, VerificationKind kind, const std::string& base,
                        const std::string& sha) {
    const Verification* run = find_run(in, kind, base, sha);
    if (run == nullptr) return;
    const CommandRun& command = run->commands.front();
    const char* said = in.reproducer->red(command)     ? "fails"
                       : in.reproducer->green(command) ? "passes"
                                                       : "says nothing";
    seen.push_back(fmt::format("{} {}", said, where));
  };
  tell("on the base", VerificationKind::reproducer_base, in.session.base, "");
  tell("with the fix", VerificationKind::reproducer_patched, attempt.base, attempt.patch.sha256());
  tell("again without it", VerificationKind::reproducer_without, attempt.base, "");
  std::string who = owner_of(*in.reproducer);
  who.front() = who.front() == 't' ? 'T' : 'A';
  if (!seen.empty()) story.push_back({"reproducer", who + " " + listed(seen) + "."});
}

// Inputs near those of the hidden check.
void tell_near(const GateInput& in, Story& story) {
  if (!in.reproducer) return;
  const NearAnswers near =
      near_answers(*in.reproducer, in.verifications, in.attempt->base, in.attempt->patch.sha256());
  if (near.compared > 0)
    story.push_back({"near", fmt::format("On {} of {} inputs near the reported one, the fix answers what the "
                                         "base answers.",
                                         near.same, near.compared)});
}

// Are the changed lines executed at all?
void tell_executed(const GateInput& in, Story& story) {
  const ExecutedLines* lines = executed_by(in.verifications, in.attempt->base, in.attempt->patch.sha256());
  std::string text = lines == nullptr ? "" : lines->sentence();
  if (text.empty()) return;
  text.front() = 'T';
  story.push_back({"executed", text + "."});
}

// Can the check still fail? Each probe once, with what the newest run on the tree of the fix, or on the final
// tree, made of it.
void tell_probes(const GateInput& in, Story& story) {
  std::map<std::string, std::map<std::string, std::string>>
      told; // what was changed -> check -> what happened
  for (const Verification& run : in.verifications) {
    if (run.kind != VerificationKind::probe || run.patch_sha256.empty()) continue;
    for (const Probe& probe : run.probes) {
      const CommandRun* command = run.find(probe.command);
      if (probe.issue_id == in.issue.id && command != nullptr)
        told[change_of(probe)][probe.command] = outcome(*command);
    }
  }
  for (const auto& [change, results] : told) {
    std::vector<std::string> seen;
    for (const auto& [command, result] : results) seen.push_back(result);
    story.push_back({"probe", "For one run, " + change + "; with the fix, " + listed(seen) + "."});
  }
}

// The branch as it ends, with all fixes of the session.
void tell_final(const GateInput& in, Story& story) {
  const Verification* found = nullptr;
  for (const Verification& v : in.verifications)
    if (v.kind == VerificationKind::combined && v.base == in.final_base &&
        v.patch_sha256 == in.final_patch_sha256 && !v.commands.empty())
      found = &v;
  tell_run(story, "final", "In the branch's final tree", in.commit ? found : nullptr);
  tell_run(
      story, "elsewhere", "There, run as on a build server",
      in.commit ? find_run(in, VerificationKind::elsewhere, in.final_base, in.final_patch_sha256) : nullptr);
}

// What the judge was shown beside the diff, and what it would like as well.
void tell_notes(const GateInput& in, Story& story) {
  for (const std::string& note : in.attempt->notes)
    if (note.starts_with(kSeenNote))
      story.push_back({"note", "Note: " + note.substr(kSeenNote.size()) + "."});
}

// A line of the story that a clause of the gate says best.
void tell_clause(const GateDecision& decision, const char* id, const char* experiment, const char* name,
                 Story& story) {
  for (const Clause& clause : decision.clauses)
    if (clause.id == id && (clause.state == ClauseState::passed || clause.state == ClauseState::failed))
      story.push_back({experiment, std::string(name) + ": " + clause.detail + "."});
}

std::string clause_detail(const GateDecision& decision, const char* id) {
  for (const Clause& clause : decision.clauses)
    if (clause.id == id) return clause.detail;
  return {};
}

std::string what_was_repaired(const GateInput& in) {
  const auto names = turned(in);
  return !names.empty() ? shown(names) : in.reproducer ? owner_of(*in.reproducer) : "a check of the issue";
}

std::string level_sentence(const GateInput& in, const GateDecision& decision) {
  const std::string back = " failed on the base, passes with the fix and fails again without it";
  switch (decision.evidence) {
    case Evidence::proven:
      return "proven: " + what_was_repaired(in) + back +
             "; and it fails when its expectation is turned around.";
    case Evidence::repaired: return "repaired: " + what_was_repaired(in) + back + ".";
    case Evidence::unbroken:
      return "unbroken: what passed on the base still passes with the fix; no check failed because of the "
             "issue.";
    case Evidence::judged:
      return "judged: no check tells whether the fix is right (" + clause_detail(decision, "P4") +
             "); the judge's word is all there is.";
    case Evidence::none: break;
  }
  return "not resolved: " + decision.detail + ".";
}

void tell_level(const GateInput& in, const GateDecision& decision, Story& story) {
  story.push_back({"level", level_sentence(in, decision)});
  const auto mark = [&](bool set, std::string text) {
    if (set) story.push_back({"mark", std::move(text)});
  };
  mark(decision.marks.shown, "shown: the fix brings tests of its own that fail without it and pass with it.");
  mark(decision.marks.rescanned, "rescanned: " + in.issue.finding.agent + " does not report it any more.");
  mark(decision.marks.independent,
       "independent: a hidden check passed whose values were compared outside the tree.");
  mark(decision.marks.executed, "executed: a coverage tool saw the checks execute every changed line.");
}

} // namespace

const Verification* find_run(const GateInput& in, VerificationKind kind, const std::string& base,
                             const std::string& patch_sha) {
  const Verification* found = nullptr;
  for (const Verification& v : in.verifications)
    if (v.kind == kind && v.base == base && v.patch_sha256 == patch_sha &&
        (v.issue_id.empty() || v.issue_id == in.issue.id) && !v.commands.empty())
      found = &v;
  return found;
}

// One function a kind of experiment.
Story story_of(const GateInput& in, const GateDecision& decision) {
  Story story;
  if (!in.attempt || in.attempt->patch.empty()) return story;
  tell_checks(in, story);
  tell_turned(in, story);
  tell_reproducer(in, story);
  tell_near(in, story);
  tell_probes(in, story);
  tell_executed(in, story);
  tell_final(in, story);
  tell_clause(decision, "P7", "rescan", "Analyzers, run again", story);
  tell_notes(in, story);
  tell_clause(decision, "P8", "judge", "The judge", story);
  tell_level(in, decision, story);
  return story;
}

Json to_json(const StoryLine& line) { return {{"experiment", line.experiment}, {"text", line.text}}; }

} // namespace emend
