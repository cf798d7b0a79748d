#include "model/verification.hpp"

#include <algorithm>

#include "base/glob.hpp"
#include "base/hash.hpp"
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

constexpr EnumName<VerificationKind> kKinds[] = {
    {VerificationKind::baseline, "baseline"},
    {VerificationKind::alone, "alone"},
    {VerificationKind::combined, "combined"},
    {VerificationKind::without_patch, "without_patch"},
    {VerificationKind::rescan, "rescan"},
    {VerificationKind::reproducer_base, "reproducer_base"},
    {VerificationKind::reproducer_patched, "reproducer_patched"},
    {VerificationKind::reproducer_without, "reproducer_without"}};

Json json_of(const TestReport& tests) {
  return {{"recognised", tests.recognised}, {"runner", tests.runner},   {"passed", tests.passed},
          {"failed", tests.failed},         {"skipped", tests.skipped}, {"own_failures", tests.own_failures},
          {"by_id", Json(tests.by_id)}};
}

TestReport tests_from(const Json& json) {
  TestReport tests;
  tests.recognised = bool_field(json, "recognised");
  tests.runner = string_or(json, "runner");
  tests.passed = int_field(json, "passed");
  tests.failed = int_field(json, "failed");
  tests.skipped = int_field(json, "skipped");
  tests.own_failures = int_field(json, "own_failures");
  if (const Json* ids = find_member(json, "by_id"); ids != nullptr && ids->is_object()) {
    for (const auto& [id, state] : ids->items())
      tests.by_id[id] = state.is_string() ? state.get<std::string>() : std::string();
  }
  return tests;
}

Json json_of(const CommandRun& run) {
  return {{"name", run.name},
          {"run", run.run},
          {"scoped", run.scoped},
          {"result", to_string(run.result)},
          {"exit_code", run.exit_code},
          {"runs", run.runs},
          {"passes", run.passes},
          {"output", run.output},
          {"tests", json_of(run.tests)},
          {"duration_ms", run.duration_ms}};
}

CommandRun run_from(const Json& json) {
  CommandRun run;
  run.name = string_or(json, "name");
  run.run = string_or(json, "run");
  run.scoped = bool_field(json, "scoped");
  run.result = parse_command_result(string_or(json, "result")).value_or(CommandResult::not_started);
  run.exit_code = int_field(json, "exit_code", -1);
  run.runs = int_field(json, "runs");
  run.passes = int_field(json, "passes");
  run.output = string_or(json, "output");
  if (const Json* tests = find_member(json, "tests")) run.tests = tests_from(*tests);
  run.duration_ms = int64_field(json, "duration_ms");
  return run;
}

Json json_of(const Rescan& rescan) {
  Json tools = Json::array(), fresh = Json::array();
  for (const Rescan::Tool& tool : rescan.tools)
    tools.push_back({{"name", tool.name},
                     {"version", tool.version},
                     {"state", tool.state},
                     {"detail", tool.detail},
                     {"before", tool.before},
                     {"files", tool.files}});
  for (const SeenFinding& seen : rescan.fresh)
    fresh.push_back({{"analyzer", seen.analyzer},
                     {"rule", seen.rule},
                     {"file", seen.file},
                     {"line", seen.line},
                     {"severity", to_string(seen.severity)},
                     {"title", seen.title}});
  return {{"tools", std::move(tools)},
          {"gone", rescan.gone},
          {"remaining", rescan.remaining},
          {"fresh", std::move(fresh)}};
}

Rescan rescan_from(const Json& json) {
  Rescan rescan;
  for (const Json& tool : array_field(json, "tools"))
    rescan.tools.push_back({string_or(tool, "name"), string_or(tool, "version"), string_or(tool, "state"),
                            string_or(tool, "detail"), string_or(tool, "before"),
                            strings_field(tool, "files")});
  for (const Json& id : array_field(json, "gone")) rescan.gone.push_back(id.get<std::string>());
  for (const Json& id : array_field(json, "remaining")) rescan.remaining.push_back(id.get<std::string>());
  for (const Json& seen : array_field(json, "fresh"))
    rescan.fresh.push_back({string_or(seen, "analyzer"), string_or(seen, "rule"), string_or(seen, "file"),
                            int_field(seen, "line"),
                            parse_severity(string_or(seen, "severity")).value_or(Severity::critical),
                            string_or(seen, "title")});
  return rescan;
}

} // namespace

bool VerifyCommand::applies_to(std::string_view file) const {
  return paths.empty() || any_glob_match(paths, file);
}

std::string VerifyCommand::key() const {
  return sha256_hex(std::to_string(run.size()) + ":" + run + ":" + std::to_string(timeout_ms));
}

void CommandRun::settle() {
  if (!passed() || tests.own_failures == 0) return;
  result = CommandResult::contradictory;
  output += "\n[emend: exit 0, but its own summary says " + std::to_string(tests.own_failures) + " failed]\n";
}

std::string_view to_string(CommandResult result) { return name_of(kResults, result); }

std::optional<CommandResult> parse_command_result(std::string_view text) { return value_of(kResults, text); }

std::string_view to_string(VerificationKind kind) { return name_of(kKinds, kind); }

const CommandRun* Verification::find(std::string_view command_name) const {
  const auto found = std::find_if(commands.begin(), commands.end(),
                                  [&](const CommandRun& run) { return run.name == command_name; });
  return found == commands.end() ? nullptr : &*found;
}

Json to_json(const Verification& verification) {
  Json commands = Json::array();
  for (const CommandRun& run : verification.commands) commands.push_back(json_of(run));
  Json json = {{"id", verification.id},
               {"session_id", verification.session_id},
               {"issue_id", verification.issue_id},
               {"kind", to_string(verification.kind)},
               {"base", verification.base},
               {"patch_sha256", verification.patch_sha256},
               {"commands", std::move(commands)},
               {"started_ms", verification.started_ms},
               {"duration_ms", verification.duration_ms}};
  if (verification.rescan) json["rescan"] = json_of(*verification.rescan);
  if (!verification.reproducer_sha256.empty()) json["reproducer_sha256"] = verification.reproducer_sha256;
  return json;
}

Verification verification_from_json(const Json& json) {
  Verification verification;
  verification.id = string_or(json, "id");
  verification.session_id = string_or(json, "session_id");
  verification.issue_id = string_or(json, "issue_id");
  verification.kind =
      value_of(kKinds, std::string_view(string_or(json, "kind"))).value_or(VerificationKind::alone);
  verification.base = string_or(json, "base");
  verification.patch_sha256 = string_or(json, "patch_sha256");
  for (const Json& run : array_field(json, "commands")) verification.commands.push_back(run_from(run));
  if (const Json* rescan = find_member(json, "rescan")) verification.rescan = rescan_from(*rescan);
  verification.reproducer_sha256 = string_or(json, "reproducer_sha256");
  verification.started_ms = int64_field(json, "started_ms");
  verification.duration_ms = int64_field(json, "duration_ms");
  return verification;
}

} // namespace emend
