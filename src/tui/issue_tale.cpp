#include "tui/issue_tale.hpp"

#include "base/json.hpp"

namespace emend {

namespace {

bool flag(const Json& data, std::string_view key) {
  const Json* value = find_member(data, key);
  return value != nullptr && value->is_boolean() && value->get<bool>();
}

std::int64_t number(const Json& data, std::string_view key) {
  const Json* value = find_member(data, key);
  return value == nullptr ? 0 : exact_int(*value, 0, 1'000'000'000'000).value_or(0);
}

void take_checks(const Json& data, Detail& detail) {
  const Json* commands = find_member(data, "commands");
  if (commands == nullptr || !commands->is_array()) return;
  detail.checks.clear();
  for (const Json& command : *commands)
    detail.checks.push_back({string_or(command, "name"), string_or(command, "result"),
                             number(command, "duration_ms"), flag(command, "failed_before")});
}

void take_verdict(const Json& data, Detail& detail) {
  Verdict verdict;
  verdict.valid = flag(data, "valid");
  verdict.problem = string_or(data, "problem");
  verdict.feedback = string_or(data, "feedback");
  if (const Json* score = find_member(data, "score"); score != nullptr)
    if (const auto value = exact_int(*score, 0, 100)) verdict.score = static_cast<int>(*value);
  const Json* qualities = find_member(data, "quality_scores");
  if (qualities != nullptr && qualities->is_object())
    for (const auto& [name, value] : qualities->items())
      if (const auto points = exact_int(value, 0, 100))
        verdict.quality_scores[name] = static_cast<int>(*points);
  detail.threshold = static_cast<int>(number(data, "threshold"));
  detail.verdict = std::move(verdict);
}

void take_phase(const Event& event, Detail& detail) {
  if (event.type == "fix_issue_started" || event.type == "fix_cycle_started" ||
      event.type == "fix_agent_invoked")
    detail.phase = "fixing";
  else if (event.type == "fix_verification_started" || event.type == "fix_rescan_started")
    detail.phase = "verifying";
  else if (event.type == "fix_challenger_evaluating")
    detail.phase = "judging";
  else if (event.type == "fix_cycle_completed")
    detail.phase = string_or(event.data, "result") == "accepted" ? "accepted" : "";
  else if (event.type == "fix_issue_completed")
    detail.phase.clear();
}

} // namespace

void add_tale(const std::vector<Event>& events,
              const std::function<std::optional<std::string>(const Event&)>& tell, Detail& detail) {
  for (const Event& event : events) {
    // A new round has no checks and no score yet.
    if (event.type == "fix_cycle_started") {
      detail.checks.clear();
      detail.verdict.reset();
    }
    if (event.type == "fix_verification_result" && string_or(event.data, "kind") != "baseline")
      take_checks(event.data, detail);
    if (event.type == "fix_challenger_result") take_verdict(event.data, detail);
    take_phase(event, detail);
    auto line = tell(event);
    if (!line) continue;
    const std::string prefix = event.issue_code + "  ";
    detail.timeline.push_back(
        {event.time_ms, line->starts_with(prefix) ? line->substr(prefix.size()) : std::move(*line)});
  }
}

} // namespace emend
