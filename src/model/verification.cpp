#include "model/verification.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/glob.hpp"
#include "base/hash.hpp"
#include "base/strings.hpp"
#include "model/enum_names.hpp"
#include "model/json_fields.hpp"

namespace emend {

namespace {

constexpr EnumName<CommandResult> kResults[] = {{CommandResult::passed, "passed"},
                                                {CommandResult::failed, "failed"},
                                                {CommandResult::timed_out, "timed_out"},
                                                {CommandResult::crashed, "crashed"},
                                                {CommandResult::not_started, "not_started"},
                                                {CommandResult::cancelled, "cancelled"},
                                                {CommandResult::contradictory, "contradictory"}};

constexpr EnumName<VerificationKind> kKinds[] = {{VerificationKind::baseline, "baseline"},
                                                 {VerificationKind::alone, "alone"},
                                                 {VerificationKind::combined, "combined"},
                                                 {VerificationKind::without_patch, "without_patch"},
                                                 {VerificationKind::rescan, "rescan"},
                                                 {VerificationKind::reproducer_base, "reproducer_base"},
                                                 {VerificationKind::reproducer_patched, "reproducer_patched"},
                                                 {VerificationKind::reproducer_without, "reproducer_without"},
                                                 {VerificationKind::own_tests_base, "own_tests_base"},
                                                 {VerificationKind::probe, "probe"},
                                                 {VerificationKind::coverage, "coverage"},
                                                 {VerificationKind::near_base, "near_base"},
                                                 {VerificationKind::near_patched, "near_patched"},
                                                 {VerificationKind::elsewhere, "elsewhere"}};

std::optional<VerificationKind> parse_verification_kind(std::string_view text) {
  return value_of(kKinds, text);
}

} // namespace

bool VerifyCommand::applies_to(std::string_view file) const {
  return paths.empty() || any_glob_match(paths, file);
}

std::string VerifyCommand::key() const {
  return sha256_hex(std::to_string(run.size()) + ":" + run + ":" + std::to_string(timeout_ms));
}

bool TestReport::names(std::string_view state) const {
  return std::any_of(by_id.begin(), by_id.end(), [&](const auto& entry) { return entry.second == state; });
}

void CommandRun::settle() {
  if (!passed() || tests.own_failures == 0) return;
  result = CommandResult::contradictory;
  output += "\n[emend: exit 0, but its own summary says " + std::to_string(tests.own_failures) + " failed]\n";
}

std::string_view to_string(CommandResult result) { return name_of(kResults, result); }

std::optional<CommandResult> parse_command_result(std::string_view text) { return value_of(kResults, text); }

std::string_view to_string(VerificationKind kind) { return name_of(kKinds, kind); }

std::string ExecutedLines::sentence() const {
  constexpr std::size_t kNamed = 5;
  const std::size_t all = executed.size() + missed.size();
  std::vector<std::string> parts;
  if (all > 0)
    parts.push_back(fmt::format("the checks execute {} of {} changed {}", executed.size(), all,
                                all == 1 ? "line" : "lines"));
  std::vector<std::string> places;
  for (std::size_t i = 0; i < std::min(missed.size(), kNamed); ++i)
    places.push_back(fmt::format("{}:{}", clean_text(missed[i].file), missed[i].number));
  if (!places.empty())
    parts.push_back("not executed: " + join(places, ", ") +
                    (missed.size() > kNamed ? fmt::format(" and {} more", missed.size() - kNamed) : ""));
  if (!not_measured.empty())
    parts.push_back("the coverage tool saw nothing of " + clean_text(join(not_measured, ", ")));
  return join(parts, "; ");
}

const CommandRun* Verification::find(std::string_view command_name) const {
  const auto found = std::find_if(commands.begin(), commands.end(),
                                  [&](const CommandRun& run) { return run.name == command_name; });
  return found == commands.end() ? nullptr : &*found;
}

template <typename Visitor, Of<TestReport> Record>
void fields(Visitor& visit, Record& tests) {
  visit("recognised", tests.recognised);
  visit("runner", tests.runner);
  visit("passed", tests.passed);
  visit("failed", tests.failed);
  visit("skipped", tests.skipped);
  visit("own_failures", tests.own_failures);
  visit("by_id", tests.by_id);
  visit.some("passes_unnamed", tests.passes_unnamed);
}

template <typename Visitor, Of<CommandRun> Record>
void fields(Visitor& visit, Record& run) {
  visit("name", run.name);
  visit("run", run.run);
  visit("scoped", run.scoped);
  visit("result", run.result, parse_command_result);
  visit("exit_code", run.exit_code);
  visit("runs", run.runs);
  visit("passes", run.passes);
  visit.some("spent", run.spent);
  visit.some("wavers", run.wavers);
  visit("output", run.output);
  visit("tests", run.tests);
  visit("duration_ms", run.duration_ms);
  visit.some("values", run.values, spoken_values_from_json);
}

template <typename Visitor, Of<Rescan::Tool> Record>
void fields(Visitor& visit, Record& tool) {
  visit("name", tool.name);
  visit("version", tool.version);
  visit("state", tool.state);
  visit("detail", tool.detail);
  visit("before", tool.before);
  visit("files", tool.files);
}

template <typename Visitor, Of<SeenFinding> Record>
void fields(Visitor& visit, Record& seen) {
  visit("analyzer", seen.analyzer);
  visit("rule", seen.rule);
  visit("file", seen.file);
  visit("line", seen.line);
  visit("severity", seen.severity, parse_severity, Severity::critical); // what cannot be read is no excuse
  visit("title", seen.title);
}

template <typename Visitor, Of<Rescan> Record>
void fields(Visitor& visit, Record& rescan) {
  visit("tools", rescan.tools);
  visit("gone", rescan.gone);
  visit("remaining", rescan.remaining);
  visit("fresh", rescan.fresh);
}

template <typename Visitor, Of<Probe> Record>
void fields(Visitor& visit, Record& probe) {
  visit("issue_id", probe.issue_id);
  visit("command", probe.command);
  visit("kind", probe.kind);
  visit("file", probe.file);
  visit("line", probe.line);
  visit("before", probe.before);
  visit("after", probe.after);
  visit("name", probe.name);
  visit("tests", probe.tests);
}

template <typename Visitor, Of<ExecutedLines::Line> Record>
void fields(Visitor& visit, Record& line) {
  visit("file", line.file);
  visit("line", line.number);
}

template <typename Visitor, Of<ExecutedLines> Record>
void fields(Visitor& visit, Record& lines) {
  visit("executed", lines.executed);
  visit("missed", lines.missed);
  visit("not_measured", lines.not_measured);
}

template <typename Visitor, Of<Verification> Record>
void fields(Visitor& visit, Record& verification) {
  visit("id", verification.id);
  visit("session_id", verification.session_id);
  visit("issue_id", verification.issue_id);
  visit("kind", verification.kind, parse_verification_kind);
  visit("base", verification.base);
  visit("patch_sha256", verification.patch_sha256);
  visit("commands", verification.commands);
  visit("started_ms", verification.started_ms);
  visit("duration_ms", verification.duration_ms);
  visit.some("rescan", verification.rescan);
  visit.some("reproducer_sha256", verification.reproducer_sha256);
  visit.some("probes", verification.probes);
  visit.some("executed", verification.executed);
}

Json to_json(const Verification& verification) { return write_fields(verification); }
Verification verification_from_json(const Json& json) { return read_fields<Verification>(json); }

} // namespace emend
