#include "engine/verify/probe_reading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/strings.hpp"
#include "engine/probe/failure_places.hpp"
#include "engine/verify/test_lines.hpp"

namespace emend {
namespace {

constexpr int kStatementLines = 12; // a runner may name any line of the statement that failed

using Ids = std::set<std::string, std::less<>>;

Ids with_state(const TestReport& report, std::string_view state) {
  Ids ids;
  for (const auto& [id, found] : report.by_id)
    if (found == state) ids.insert(id);
  return ids;
}

// "test_limit[3]" and "TestLimit/3" are rounds of one test. But what stands behind the name in
// "test_limit (tests.test_a.Limits)" says which test it is.
std::string_view test_of(std::string_view id) {
  std::size_t cut = id.find_first_of("[(", 1);
  if (cut != std::string_view::npos && id[cut] == '(' && id[cut - 1] == ' ') {
    const std::size_t close = std::min(id.find(')', cut), id.size() - 1);
    const std::string_view inside = id.substr(cut + 1, close - cut);
    if (contains(inside, ".") && !contains(inside, "="))
      cut = close + 1 == id.size() ? std::string_view::npos : close + 1;
  }
  std::string_view test = cut == std::string_view::npos ? id : id.substr(0, cut);
  const std::size_t slash = test.rfind('/');
  const bool round = slash != std::string_view::npos && slash + 1 < test.size() &&
                     test.find_first_not_of("0123456789", slash + 1) == std::string_view::npos;
  return round ? test.substr(0, slash) : test;
}

// What the fix repaired, turned around.
bool turns_repair(const Probe& probe) { return probe.kind == kNegation || probe.kind == kValue; }

bool is_about(const Probe& probe, const std::string& id) {
  if (probe.kind == kSentinel) return contains(id, probe.name);
  return std::any_of(probe.tests.begin(), probe.tests.end(),
                     [&](const std::string& test) { return test_of(test) == test_of(id); });
}

bool is_asked_for(const std::vector<Probe>& probes, const std::string& id) {
  return std::any_of(probes.begin(), probes.end(), [&](const Probe& probe) { return is_about(probe, id); });
}

// Tests that are named as failing with the probes, and not without. A command that passes all the same does
// not fail for them.
Ids freshly_failing(const CommandRun& plain, const CommandRun& probed) {
  if (probed.passed()) return {};
  Ids fresh = with_state(probed.tests, kTestFailed);
  for (const std::string& id : with_state(plain.tests, kTestFailed)) fresh.erase(id);
  return fresh;
}

// A program that stops at the first failure may name neither the test that failed nor any behind it.
bool stopped_at(const std::vector<Probe>& probes, const CommandRun& plain, const CommandRun& probed,
                const std::string& id) {
  return !probed.passed() && !probed.tests.by_id.contains(id) && is_asked_for(probes, id) &&
         freshly_failing(plain, probed).empty();
}

// It came to its own end, and what fails now fails on the base, too.
bool ends_alike(const CommandRun& plain, const CommandRun& probed, const CommandRun* on_base) {
  if (on_base == nullptr) return false;
  if (probed.result != CommandResult::failed || on_base->result != CommandResult::failed) return false;
  const Ids fresh = freshly_failing(plain, probed), there = with_state(on_base->tests, kTestFailed);
  const auto fails_there = [&](const std::string& id) {
    return std::any_of(there.begin(), there.end(),
                       [&](const std::string& other) { return test_of(other) == test_of(id); });
  };
  return !fresh.empty() && std::all_of(fresh.begin(), fresh.end(), fails_there);
}

// Tests that were not run with the probes because the check ends where something fails, as on the base.
Ids left_out(const CommandRun& plain, const CommandRun& probed, const CommandRun* on_base) {
  Ids ids;
  if (!ends_alike(plain, probed, on_base)) return ids;
  for (const std::string& id : with_state(plain.tests, kTestPassed))
    if (!probed.tests.by_id.contains(id) && !on_base->tests.by_id.contains(id)) ids.insert(id);
  return ids;
}

// Tests that fail as the probes ask for and had no such name when they passed: a program may say of a test
// that fails something else than of one that passes.
std::size_t failing_as_asked(const std::vector<Probe>& probes, const CommandRun& plain,
                             const CommandRun& probed) {
  std::vector<Probe> turned = probes;
  std::erase_if(turned,
                [](const Probe& probe) { return probe.kind == kSentinel; }); // a new test is no other name
  std::size_t count = 0;
  for (const auto& [id, state] : probed.tests.by_id)
    if (state == kTestFailed && !plain.tests.by_id.contains(id) && is_asked_for(turned, id)) ++count;
  return count;
}

int total(const TestReport& tests) { return tests.passed + tests.failed + tests.skipped; }

std::string not_run(const std::vector<Probe>& probes, const CommandRun& plain, const CommandRun& probed,
                    const CommandRun* on_base) {
  switch (probed.result) {
    case CommandResult::timed_out:
    case CommandResult::not_started:
    case CommandResult::cancelled: return fmt::format("{} {}", probed.name, to_string(probed.result));
    default: break;
  }
  if (plain.tests.recognised && !probed.tests.recognised) return probed.name + " named no tests";
  const Ids passed = with_state(plain.tests, kTestPassed), behind = left_out(plain, probed, on_base);
  std::size_t renamed = failing_as_asked(probes, plain, probed);
  for (const std::string& id : passed) {
    if (behind.contains(id) || stopped_at(probes, plain, probed, id)) continue;
    const auto found = probed.tests.by_id.find(id);
    if (found == probed.tests.by_id.end() && renamed > 0) {
      --renamed;
      continue;
    }
    if (found == probed.tests.by_id.end()) return "the test " + id + " was not run";
    if (found->second == kTestSkipped) return "the test " + id + " was skipped";
  }
  const bool alike = ends_alike(plain, probed, on_base) && total(probed.tests) >= total(on_base->tests);
  if (passed.empty() && total(probed.tests) < total(plain.tests) && !alike)
    return fmt::format("{} tests ran, {} were expected", total(probed.tests), total(plain.tests));
  return {};
}

// Where tests have names, those that fail now and did not before are held against the probes.
void read_names(const std::vector<Probe>& probes, const CommandRun& plain, const CommandRun& probed,
                const Ids& behind, ProbeReading& reading) {
  Ids fresh = freshly_failing(plain, probed);
  Ids stopped;
  for (const std::string& id : with_state(plain.tests, kTestPassed))
    if (stopped_at(probes, plain, probed, id)) stopped.insert(id);
  fresh.merge(stopped);
  if (fresh.empty() && plain.passed() && !probed.passed()) {
    reading.void_because = probed.name + " failed and did not say which test";
    return;
  }
  const auto was_left_out = [&](const std::string& id) { return behind.contains(id); };
  for (const Probe& probe : probes) {
    if (std::any_of(fresh.begin(), fresh.end(), [&](const std::string& id) { return is_about(probe, id); }))
      continue;
    const bool reached =
        probe.tests.empty() || !std::all_of(probe.tests.begin(), probe.tests.end(), was_left_out);
    (reached ? reading.silent : reading.unread).push_back(probe);
  }
  for (const std::string& id : fresh)
    if (!is_asked_for(probes, id)) reading.unexpected.push_back(id);
  reading.exact = true;
}

bool fails_at(const Probe& probe, const CommandRun& probed) {
  if (probe.kind == kSentinel) return contains(probed.output, probe.name);
  for (const Place& place : failure_places(probed.output, {probe.file}))
    if (place.line >= probe.line && place.line < probe.line + kStatementLines) return true;
  return false;
}

// It came to its own end at the very line that was changed. What it would have run behind that is not known.
bool stopped_there(const std::vector<Probe>& probes, const CommandRun& probed) {
  const bool ended = probed.result == CommandResult::failed || probed.result == CommandResult::crashed;
  const bool one_place = std::all_of(probes.begin(), probes.end(), [&](const Probe& probe) {
    return probe.file == probes.front().file && probe.line == probes.front().line;
  }); // one for each of several fixes
  return ended && probed.tests.failed == 0 && one_place && fails_at(probes.front(), probed);
}

// Otherwise the exit status tells that it failed, and a line in its output where.
void read_status(const std::vector<Probe>& probes, const CommandRun& probed, ProbeReading& reading) {
  if (probed.passed()) {
    reading.silent = probes;
    return;
  }
  reading.exact =
      std::all_of(probes.begin(), probes.end(), [&](const Probe& probe) { return fails_at(probe, probed); });
}

} // namespace

ProbeReading read_probes(const std::vector<Probe>& probes, const CommandRun& plain, const CommandRun& probed,
                         const CommandRun* on_base) {
  ProbeReading reading;
  if (plain.passed() && probed.result == CommandResult::contradictory) {
    const bool unknown = on_base == nullptr || on_base->passed();
    reading.cut_short = unknown;
    if (unknown) reading.void_because = probed.name + " exited with 0 although tests failed";
    if (!unknown && on_base->result != CommandResult::contradictory) reading.silent = probes;
    if (unknown || !reading.silent.empty()) return reading;
  }
  reading.void_because = not_run(probes, plain, probed, on_base);
  if (reading.says_nothing() && plain.passed() && stopped_there(probes, probed)) {
    reading.void_because.clear();
    reading.exact = true;
  } else if (reading.says_nothing()) {
    const Ids fresh = freshly_failing(plain, probed);
    reading.cut_short = probed.result == CommandResult::failed && !fresh.empty() &&
                        std::all_of(fresh.begin(), fresh.end(),
                                    [&](const std::string& id) { return is_asked_for(probes, id); });
    return reading;
  }
  if (reading.exact) return reading;
  const bool named = std::all_of(probes.begin(), probes.end(), [](const Probe& probe) {
    return probe.kind == kSentinel || !probe.tests.empty();
  });
  const bool names =
      !plain.tests.by_id.empty() ||
      (plain.tests.recognised && (plain.tests.passes_unnamed || probed.tests.names(kTestFailed)));
  if (named && names)
    read_names(probes, plain, probed, left_out(plain, probed, on_base), reading);
  else if (plain.passed())
    read_status(probes, probed, reading);
  else
    reading.void_because = probed.name + " fails without the probe, too, and does not name its tests";
  return reading;
}

namespace {

// Probes of several commands may share a run; one reading for all of them. on_base: where the same tests
// fail without the patch.
ProbeReading read_run(const Verification& run, const Verification& plain, const Verification& on_base) {
  ProbeReading whole;
  std::string why;
  whole.exact = true;
  for (const CommandRun& probed : run.commands) {
    std::vector<Probe> probes;
    for (const Probe& probe : run.probes)
      if (probe.command == probed.name) probes.push_back(probe);
    const CommandRun* before = plain.find(probed.name);
    if (probes.empty() || before == nullptr) continue;
    ProbeReading one = read_probes(probes, *before, probed, on_base.find(probed.name));
    if (one.says_nothing()) {
      whole.cut_short = whole.cut_short || one.cut_short;
      whole.unread.insert(whole.unread.end(), probes.begin(), probes.end());
      why = one.void_because;
      continue;
    }
    std::move(one.silent.begin(), one.silent.end(), std::back_inserter(whole.silent));
    std::move(one.unread.begin(), one.unread.end(), std::back_inserter(whole.unread));
    std::move(one.unexpected.begin(), one.unexpected.end(), std::back_inserter(whole.unexpected));
    whole.exact = whole.exact && one.exact;
  }
  if (whole.unread.size() == run.probes.size()) whole.void_because = why;
  return whole;
}

// What fails on the base in the same way is not the patch's doing. What the fix repairs is expected to be
// silent there: it fails on the base anyway, or does so no more.
ProbeReading without_control(ProbeReading reading, const ProbeReading& control) {
  if (control.says_nothing()) {
    reading.void_because = "on the base, " + control.void_because;
    return reading;
  }
  std::erase_if(reading.silent, [&](const Probe& probe) {
    return !turns_repair(probe) &&
           std::find(control.silent.begin(), control.silent.end(), probe) != control.silent.end();
  });
  std::erase_if(reading.unexpected, [&](const std::string& id) {
    return std::find(control.unexpected.begin(), control.unexpected.end(), id) != control.unexpected.end();
  });
  return reading;
}

bool only_repairs(const std::vector<Probe>& probes) {
  return std::all_of(probes.begin(), probes.end(), turns_repair);
}

bool is_for(const Probe& probe, const std::string& issue_id) {
  return probe.issue_id == issue_id || probe.issue_id.empty();
}

// A command that passes on the base fails in this run of it, and names no test.
bool fails_more(const Verification& control, const Verification& baseline) {
  return std::any_of(control.commands.begin(), control.commands.end(), [&](const CommandRun& run) {
    const CommandRun* before = baseline.find(run.name);
    return before != nullptr && before->passed() && run.result == CommandResult::failed &&
           run.tests.by_id.empty();
  });
}

// Tests that look at the same data may fail as well, and not all of them on the base.
bool is_about_data(const Verification& run) {
  return std::all_of(run.probes.begin(), run.probes.end(),
                     [](const Probe& probe) { return probe.kind == kData; });
}

bool is_breakage(const Verification& run) { return run.probes.front().kind == kBreakage; }

bool is_literal(const Probe& probe) { return probe.kind == kLiteral || probe.kind == kData; }
bool makes_doubtful(const Probe& probe) { return probe.kind == kData || probe.kind == kOthers; }
bool refuses_nobody(const Probe& probe) { return is_literal(probe) || probe.kind == kOthers; }

bool failed_before(const Probe& probe, const Verification& baseline) {
  const CommandRun* run = baseline.find(probe.command);
  return run != nullptr && std::any_of(probe.tests.begin(), probe.tests.end(), [&](const std::string& id) {
           const auto found = run->tests.by_id.find(id);
           return found != run->tests.by_id.end() && found->second == kTestFailed;
         });
}

// Probes for this issue that made something fail.
std::vector<Probe> noticed_in(const Verification& run, const ProbeReading& reading,
                              const std::string& issue_id) {
  std::vector<Probe> noticed;
  const auto has = [](const std::vector<Probe>& list, const Probe& probe) {
    return std::find(list.begin(), list.end(), probe) != list.end();
  };
  for (const Probe& probe : run.probes)
    if (is_for(probe, issue_id) && !has(reading.silent, probe) && !has(reading.unread, probe))
      noticed.push_back(probe);
  return noticed;
}

void count_noticed(const std::vector<Probe>& noticed, bool exact, const Verification& baseline,
                   Probed& result) {
  if (noticed.empty()) return;
  if (result.end == Probed::End::nothing) result.end = Probed::End::passed;
  for (const Probe& probe : noticed) {
    result.alive.insert(probe.command);
    const bool repair = turns_repair(probe) || (is_literal(probe) && failed_before(probe, baseline));
    result.exact = result.exact || (exact && repair);
  }
}

// Probes of more than one issue in one run.
bool has_several(const Verification& run) {
  return std::any_of(run.probes.begin(), run.probes.end(),
                     [&](const Probe& probe) { return probe.issue_id != run.probes.front().issue_id; });
}

} // namespace

bool probes_issue(const Verification& run, const std::string& issue_id) {
  return run.kind == VerificationKind::probe &&
         std::any_of(run.probes.begin(), run.probes.end(),
                     [&](const Probe& probe) { return probe.issue_id == issue_id; });
}

Probed probed_by(const std::vector<Verification>& runs, const std::string& issue_id, const std::string& base,
                 const std::string& patch_sha256, const Verification& plain, const Verification& baseline) {
  const auto is_on = [&](const Verification& run, const std::string& sha) {
    return run.kind == VerificationKind::probe && run.base == base && run.patch_sha256 == sha;
  };
  const auto control_of = [&](const Verification& of) -> const Verification* {
    for (const Verification& run : runs)
      if (is_on(run, "") && run.probes == of.probes) return &run;
    return nullptr;
  };
  Probed result;
  for (const Verification& run : runs) {
    if (!is_on(run, patch_sha256) || patch_sha256.empty() || !probes_issue(run, issue_id)) continue;
    const Verification* control = control_of(run);
    const Verification& on_base = control != nullptr ? *control : baseline;
    ProbeReading reading = read_run(run, plain, on_base);
    result.needs_control = result.needs_control || (reading.cut_short && control == nullptr);
    if (reading.says_nothing()) continue;
    std::erase_if(reading.silent, [&](const Probe& probe) { return !is_for(probe, issue_id); });
    if (is_about_data(run)) reading.unexpected.clear();
    if (!reading.unexpected.empty() && has_several(run))
      continue; // whose doing it is shows when they run apart
    const std::vector<Probe> noticed = noticed_in(run, reading, issue_id);
    // Data that a test need not compare is told by the base, where that test passes as well.
    const auto beside = [&](const Probe& probe) {
      return probe.kind == kData && !failed_before(probe, baseline);
    };
    const auto own = [&](const Probe& probe) { return makes_doubtful(probe) && !beside(probe); };
    result.doubted = result.doubted || std::any_of(reading.silent.begin(), reading.silent.end(), own);
    if (std::any_of(reading.silent.begin(), reading.silent.end(), beside)) {
      result.needs_control = result.needs_control || control == nullptr;
      if (control != nullptr && !fails_more(*control, baseline))
        reading = without_control(std::move(reading), read_run(*control, baseline, *control));
      if (reading.says_nothing()) continue;
    }
    result.doubted = result.doubted || std::any_of(reading.silent.begin(), reading.silent.end(), beside);
    std::erase_if(reading.silent, refuses_nobody);
    if (is_breakage(run)) reading.silent.clear(); // a check need not look at the file: no fault of the fix
    if (reading.as_expected()) {
      count_noticed(noticed, reading.exact, baseline, result);
      continue;
    }
    if (is_breakage(run)) continue;
    const bool alone = reading.unexpected.empty(); // nothing else failed, here or on the base
    const bool wants_control = !alone || !only_repairs(reading.silent);
    if (wants_control && control == nullptr) {
      result.needs_control = true;
      continue;
    }
    if (wants_control) reading = without_control(std::move(reading), read_run(*control, baseline, *control));
    if (reading.as_expected() && alone) count_noticed(noticed, reading.exact, baseline, result);
    if (reading.says_nothing() || reading.as_expected()) continue;
    int same = 0, failed = 0;
    for (const Verification& other : runs)
      if (is_on(other, patch_sha256) && other.probes == run.probes) {
        ++same;
        failed += read_run(other, plain, on_base).as_expected() ? 0 : 1;
      }
    result.needs_repeat = result.needs_repeat || same == 1;
    if (failed < same) continue; // it comes and goes
    const bool shared = run.probes.front().kind == kGuard && has_several(run);
    if (shared) continue; // which of the fixes it is cannot be told
    result.end = Probed::End::failed;
    result.detail = probe_problem(reading);
  }
  return result;
}

bool is_alive(const std::set<std::string>& alive, const std::vector<std::string>& commands) {
  return std::any_of(commands.begin(), commands.end(),
                     [&](const std::string& command) { return alive.contains(command); });
}

std::string probe_problem(const ProbeReading& reading) {
  if (!reading.silent.empty()) {
    const Probe& probe = reading.silent.front();
    if (probe.kind == kSentinel)
      return fmt::format("a test that must fail, added to {}, does not fail with the patch", probe.file);
    return fmt::format("with the patch, {}:{} passes, and what contradicts it passes, too: `{}` and `{}`",
                       probe.file, probe.line, probe.before, probe.after);
  }
  if (!reading.unexpected.empty())
    return fmt::format("other tests fail with the patch when one expectation is turned around: {}",
                       join(reading.unexpected, ", "));
  return {};
}

} // namespace emend
