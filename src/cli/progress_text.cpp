#include "cli/progress_text.hpp"

#include <functional>
#include <map>

#include "base/strings.hpp"
#include "cli/text_table.hpp"
#include "model/evidence.hpp"

namespace emend {

namespace {

struct Telling {
  ProgressDetail from; // lowest level at which it is printed
  std::function<std::string(const Json&)> text;
};

std::string number_text(const Json& data, std::string_view key) {
  const Json* value = find_member(data, key);
  return value != nullptr && value->is_number_integer() ? dump_json(*value) : "?";
}

bool flag(const Json& data, std::string_view key) {
  const Json* value = find_member(data, key);
  return value != nullptr && value->is_boolean() && value->get<bool>();
}

std::string with_detail(std::string text, const Json& data, std::string_view key) {
  const std::string detail = string_or(data, key);
  return detail.empty() ? text : text + " - " + detail;
}

std::string verification_result(const Json& data) {
  std::vector<std::string> parts;
  if (const Json* commands = find_member(data, "commands"); commands != nullptr && commands->is_array()) {
    for (const Json& command : *commands) {
      const std::string red_before = flag(command, "failed_before") ? " (failed before)" : "";
      parts.push_back(string_or(command, "name") + " " + string_or(command, "result") + red_before);
    }
  }
  std::string text = flag(data, "passed") ? "verification passed" : "verification failed";
  if (!parts.empty()) text += ": " + join(parts, ", ");
  return text;
}

std::string challenger_result(const Json& data) {
  if (!flag(data, "valid")) return with_detail("no valid verdict", data, "problem");
  return "score " + number_text(data, "score") + " (needs " + number_text(data, "threshold") + ")";
}

// In today's words: events of older programs have no marks, and other words.
std::string evidence_words(const Json& data) {
  const std::string level = string_or(data, "evidence");
  if (const Json* marks = find_member(data, "marks")) return evidence_text(level, marks_from_json(*marks));
  const auto old = parse_old_standing(level);
  return old ? to_string(*old) : level;
}

// Of a failed issue only what happened: the reason is the name of a rule, which can read like a success.
std::string issue_completed(const Json& data) {
  const std::string status = string_or(data, "status"), reason = string_or(data, "reason");
  std::vector<std::string> parts;
  if (status == "FAILED" || status == "OPEN") {
    const std::string detail = string_or(data, "detail");
    parts.push_back(detail.empty() ? reason : detail);
  } else {
    if (const Json* score = find_member(data, "score"); score != nullptr && exact_int(*score, 0, 100))
      parts.push_back("score " + dump_json(*score));
    if (const std::string evidence = evidence_words(data); !evidence.empty())
      parts.push_back("evidence " + evidence);
    if (const std::string detail = string_or(data, "detail"); !detail.empty()) parts.push_back(detail);
  }
  std::erase(parts, "");
  return parts.empty() ? status : status + ": " + join(parts, ", ");
}

std::string cycle_completed(const Json& data) {
  std::string text = "round " + number_text(data, "cycle") + ": " + string_or(data, "result");
  if (flag(data, "no_changes")) text += ", no changes";
  return with_detail(text, data, "detail");
}

std::string violation(const Json& data) {
  const std::string text = string_or(data, "path") + " was " + string_or(data, "change") + " while " +
                           string_or(data, "who") + " ran";
  return flag(data, "blamed") ? "outside the workspace: " + text : text;
}

std::string session_completed(const Json& data) {
  const Json* summary = find_member(data, "summary");
  std::string text = "session " + string_or(data, "status");
  if (summary != nullptr && summary->is_object()) {
    text += ": " + number_text(*summary, "resolved") + " resolved, " + number_text(*summary, "failed") +
            " failed, " + number_text(*summary, "open") + " open";
  }
  return text;
}

std::string forecast(const Json& data) {
  const Json* cost = find_member(data, "cost_usd");
  const std::string price =
      cost != nullptr && cost->is_number() ? fmt::format(", ${:.4f}", cost->get<double>()) : "";
  return "forecast: " + number_text(data, "runs_at_least") + " to " + number_text(data, "runs_at_most") +
         " agent runs; " + number_text(data, "tokens") + " tokens" + price + " if the first attempts pass";
}

const std::map<std::string, Telling, std::less<>>& tellings() {
  using Detail = ProgressDetail;
  static const std::map<std::string, Telling, std::less<>> table = {
      {"fix_session_started",
       {Detail::stages, [](const Json& d) { return "branch " + string_or(d, "branch_name"); }}},
      {"fix_issue_started",
       {Detail::stages, [](const Json& d) { return "started with " + string_or(d, "agent"); }}},
      {"fix_cycle_started",
       {Detail::stages, [](const Json& d) { return "round " + number_text(d, "cycle"); }}},
      {"fix_agent_invoked",
       {Detail::stages,
        [](const Json& d) { return string_or(d, "role") + " " + string_or(d, "agent") + " is working"; }}},
      {"fix_issue_streaming", {Detail::all, [](const Json& d) { return "| " + string_or(d, "text"); }}},
      {"fix_verification_started",
       {Detail::stages, [](const Json& d) { return "verifying (" + string_or(d, "kind") + ")"; }}},
      {"fix_verification_result", {Detail::stages, verification_result}},
      {"fix_rescan_started",
       {Detail::stages, [](const Json&) { return std::string("running the analyzers again"); }}},
      {"fix_rescan_result",
       {Detail::stages,
        [](const Json& d) {
          const Json* fresh = find_member(d, "fresh");
          return "rescan: " + number_text(d, "gone") + " gone, " + number_text(d, "remaining") +
                 " still there, " + std::to_string(fresh != nullptr ? fresh->size() : 0) + " new";
        }}},
      {"fix_reproducer_started",
       {Detail::stages, [](const Json& d) { return string_or(d, "agent") + " writes a reproducer"; }}},
      {"fix_reproducer_result",
       {Detail::stages,
        [](const Json& d) { return with_detail("reproducer " + string_or(d, "state"), d, "reason"); }}},
      {"fix_reproducer_run",
       {Detail::stages,
        [](const Json& d) {
          return "reproducer (" + string_or(d, "kind") + "): " + string_or(d, "result");
        }}},
      {"fix_challenger_evaluating",
       {Detail::stages, [](const Json& d) { return string_or(d, "agent") + " is judging"; }}},
      {"fix_challenger_result", {Detail::stages, challenger_result}},
      {"fix_cycle_completed", {Detail::stages, cycle_completed}},
      {"fix_issue_completed", {Detail::results, issue_completed}},
      {"fix_commit_created",
       {Detail::stages,
        [](const Json& d) {
          return "commit " + string_or(d, "sha").substr(0, 12) + " " + string_or(d, "subject");
        }}},
      {"fix_issue_rejected",
       {Detail::stages, [](const Json&) { return std::string("OPEN again: a person rejected its fix"); }}},
      {"fix_issue_discarded",
       {Detail::stages, [](const Json&) { return std::string("OPEN again: its fix was discarded"); }}},
      {"fix_commit_reverted",
       {Detail::stages,
        [](const Json& d) {
          return "commit " + string_or(d, "sha").substr(0, 12) + " undoes " +
                 string_or(d, "reverts").substr(0, 12);
        }}},
      {"fix_branch_grouped",
       {Detail::stages,
        [](const Json& d) {
          return "branch " + string_or(d, "branch") + " has the same files in fewer commits";
        }}},
      {"fix_branch_removed",
       {Detail::stages, [](const Json& d) { return "removed branch " + string_or(d, "branch"); }}},
      {"fix_forecast", {Detail::all, forecast}},
      {"fix_notice", {Detail::results, [](const Json& d) { return string_or(d, "text"); }}},
      {"containment_violation", {Detail::results, violation}},
      {"fix_session_completed", {Detail::stages, session_completed}},
      {"fix_session_cancelled",
       {Detail::results,
        [](const Json&) { return std::string("session cancelled; finished work is kept"); }}},
      {"fix_session_interrupted",
       {Detail::results, [](const Json& d) { return "session interrupted: " + string_or(d, "message"); }}},
      {"fix_session_error",
       {Detail::results, [](const Json& d) { return "session stopped: " + string_or(d, "message"); }}},
  };
  return table;
}

} // namespace

std::optional<std::string> progress_line(const Event& event, ProgressDetail detail) {
  const auto found = tellings().find(event.type);
  if (found == tellings().end() || detail < found->second.from) return std::nullopt;
  const std::string text = one_line(found->second.text(event.data), 240);
  if (text.empty()) return std::nullopt;
  return event.issue_code.empty() ? text : one_line(event.issue_code) + "  " + text;
}

} // namespace emend
