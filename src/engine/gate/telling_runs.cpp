#include "engine/gate/telling_runs.hpp"

#include <algorithm>

#include "engine/gate/story.hpp"
#include "engine/verify/without_fix.hpp"

namespace emend {
namespace {

constexpr std::size_t kShownBytes = 8'000; // of a command's output

// The end of an output, from the beginning of a line on.
std::string output_end(const std::string& output) {
  if (output.size() <= kShownBytes) return output;
  const std::size_t line = output.find('\n', output.size() - kShownBytes);
  return line == std::string::npos ? "" : output.substr(line + 1);
}

// The check that tells about a fix, with its runs on each tree.
struct Telling {
  const Verification *before = nullptr, *with = nullptr, *without = nullptr;
  std::string command; // empty = nothing tells
  bool hidden = false; // the check of the issue that the fixer never saw
  std::vector<std::string> tests;
};

std::vector<std::string> turned_tests(const CommandRun& before, const CommandRun& with) {
  std::vector<std::string> names;
  for (const auto& [id, result] : before.tests.by_id) {
    const auto now = with.tests.by_id.find(id);
    if (result == "failed" && now != with.tests.by_id.end() && now->second == "passed") names.push_back(id);
  }
  return names;
}

// The first command that does not pass in `before` and does in `with`, whole or in some of its tests.
bool pick_turned(Telling& telling) {
  if (telling.before == nullptr || telling.with == nullptr) return false;
  for (const CommandRun& run : telling.with->commands) {
    const CommandRun* before = telling.before->find(run.name);
    if (before == nullptr) continue;
    std::vector<std::string> tests = turned_tests(*before, run);
    if (tests.empty() && (before->passed() || !run.passed())) continue;
    telling.command = run.name;
    telling.tests = std::move(tests);
    return true;
  }
  return false;
}

Telling telling_check(const GateInput& in) {
  using Kind = VerificationKind;
  const Attempt& attempt = *in.attempt;
  const std::string sha = attempt.patch.sha256();
  const ApartPatch parts = apart(in.issue.finding.file, attempt.patch, in.called_scripts, in.opened);
  Telling project{find_run(in, Kind::baseline, attempt.base, ""),
                  find_run(in, Kind::alone, attempt.base, sha),
                  run_without(in.verifications, {in.issue.id, in.issue.finding.file, attempt.base, parts}),
                  "",
                  false,
                  {}};
  const bool turned = pick_turned(project);
  if (turned && project.without != nullptr) return project;
  Telling hidden{find_run(in, Kind::reproducer_base, in.session.base, ""),
                 find_run(in, Kind::reproducer_patched, attempt.base, sha),
                 find_run(in, Kind::reproducer_without, attempt.base, ""),
                 "",
                 true,
                 {}};
  const bool hidden_tells_more = !turned || (hidden.before != nullptr && hidden.without != nullptr);
  if (in.reproducer && hidden.with != nullptr && hidden_tells_more) {
    hidden.command = hidden.with->commands.front().name;
    return hidden;
  }
  if (turned) return project;
  Telling own = project;
  own.before = find_run(in, Kind::own_tests_base, attempt.base, parts.own_tests.sha256());
  own.without = nullptr;
  if (!parts.own_tests.empty() && pick_turned(own)) return own;
  if (project.with != nullptr) project.command = project.with->commands.front().name;
  project.without = nullptr; // says nothing: the check passes before the fix as well
  return project;
}

std::string name_of(const GateInput& in, const Telling& telling) {
  if (!telling.hidden) return telling.command;
  return in.reproducer->by_person() ? "a person's hidden check"
                                    : "the hidden check of " + in.reproducer->agent;
}

void add_run(const GateInput& in, const Telling& telling, const char* step, const Verification* run,
             std::vector<TellingRun>& all) {
  const CommandRun* command = run == nullptr ? nullptr : run->find(telling.command);
  if (command == nullptr) return;
  TellingRun one;
  one.step = step;
  one.check = name_of(in, telling);
  one.passes = telling.hidden ? in.reproducer->green(*command) : command->passed();
  if (!telling.tests.empty() && !telling.hidden)
    one.passes = std::all_of(telling.tests.begin(), telling.tests.end(), [&](const std::string& id) {
      const auto test = command->tests.by_id.find(id);
      return test != command->tests.by_id.end() ? test->second == "passed" : command->passed();
    });
  one.base = run->base;
  one.patched = run == telling.with;
  one.tests = telling.tests;
  one.output = output_end(command->output);
  one.duration_ms = command->duration_ms;
  all.push_back(std::move(one));
}

// The newest run with the expectation of this issue's check turned around.
void add_probe(const GateInput& in, const Telling& telling, std::vector<TellingRun>& all) {
  std::optional<TellingRun> found;
  for (const Verification& run : in.verifications) {
    if (run.kind != VerificationKind::probe || run.patch_sha256.empty()) continue;
    for (const Probe& probe : run.probes) {
      const CommandRun* command = run.find(probe.command);
      if (probe.issue_id != in.issue.id || command == nullptr ||
          (probe.kind != kNegation && probe.kind != kValue))
        continue;
      found = TellingRun{"turned",
                         telling.hidden ? name_of(in, telling) : probe.command,
                         command->passed(),
                         run.base,
                         true,
                         probe.tests,
                         output_end(command->output),
                         command->duration_ms,
                         probe};
    }
  }
  if (found) all.push_back(std::move(*found));
}

} // namespace

std::vector<TellingRun> telling_runs(const GateInput& in) {
  std::vector<TellingRun> all;
  if (!in.attempt || in.attempt->patch.empty()) return all;
  const Telling telling = telling_check(in);
  add_run(in, telling, "before", telling.before, all);
  add_run(in, telling, "with", telling.with, all);
  add_run(in, telling, "without", telling.without, all);
  add_probe(in, telling, all);
  return all;
}

Json to_json(const TellingRun& one) {
  Json json = {{"step", one.step},       {"check", one.check},
               {"passes", one.passes},   {"base", one.base},
               {"patched", one.patched}, {"tests", one.tests},
               {"output", one.output},   {"duration_ms", one.duration_ms},
               {"probe", nullptr}};
  if (one.probe)
    json["probe"] = {{"file", one.probe->file},
                     {"line", one.probe->line},
                     {"before", one.probe->before},
                     {"after", one.probe->after}};
  return json;
}

} // namespace emend
