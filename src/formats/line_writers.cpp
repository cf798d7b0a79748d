// The formats with one line per finding: concise for editors, agent for AI callers, jsonl for programs,
// github for workflow logs.
#include <fmt/format.h>

#include <map>

#include "base/json.hpp"
#include "base/strings.hpp"
#include "formats/escaping.hpp"
#include "formats/severity_map.hpp"
#include "formats/writer.hpp"
#include "model/json_fields.hpp"

namespace emend {
namespace {

std::string rule_or_category(const Finding& finding) {
  const std::string name = finding.rule.empty() ? finding.category : finding.rule;
  return name.empty() ? "-" : replace_all(single_line(name), " ", "-");
}

std::string place_of(const Finding& finding) {
  if (finding.file.empty()) return "-";
  const std::string file = single_line(finding.file);
  if (finding.line == 0) return file;
  return finding.column == 0 ? fmt::format("{}:{}", file, finding.line)
                             : fmt::format("{}:{}:{}", file, finding.line, finding.column);
}

constexpr int kShownPerLevel = 10; // GitHub shows no more per step

std::string github_properties(const OutputFinding& output) {
  const Finding& f = output.finding;
  std::string text;
  const auto add = [&](std::string_view key, const std::string& value) {
    text += fmt::format("{}{}={}", text.empty() ? " " : ",", key, value);
  };
  if (!f.file.empty()) add("file", command_property(f.file));
  if (f.line > 0) add("line", std::to_string(f.line));
  if (f.line_end > f.line) add("endLine", std::to_string(f.line_end));
  if (f.column > 0) add("col", std::to_string(f.column));
  if (f.column_end > f.column && f.line_end <= f.line) add("endColumn", std::to_string(f.column_end));
  const std::string title =
      output.code.empty() ? rule_or_category(f) : output.code + " " + rule_or_category(f);
  add("title", command_property(title));
  return text;
}

} // namespace

std::string write_concise(const Findings& findings) {
  std::string out;
  for (const OutputFinding& output : findings) {
    const Finding& f = output.finding;
    const std::string file = f.file.empty() ? "-" : single_line(f.file);
    const std::string code = output.code.empty() ? "" : fmt::format(" [{}]", single_line(output.code));
    out += fmt::format("{}:{}:{}: {} {} {}{}\n", file, std::max(f.line, 1), std::max(f.column, 1),
                       to_string(f.severity), rule_or_category(f),
                       single_line(f.title.empty() ? first_line(f.description, 300) : f.title), code);
  }
  return out;
}

std::string write_agent(const Findings& findings) {
  std::string out, next;
  for (const OutputFinding& output : findings) {
    const Finding& f = output.finding;
    const std::string code = output.code.empty() ? "-" : single_line(output.code);
    out += fmt::format("{} {} {} {}: {}", code, to_string(f.severity), place_of(f), rule_or_category(f),
                       single_line(full_message(f)));
    if (!f.suggestion.empty()) out += " | fix: " + single_line(f.suggestion);
    if (!output.status.empty())
      out += " | " + single_line(output.status + (output.reason.empty() ? "" : " " + output.reason));
    out += '\n';
    if (next.empty() && !output.code.empty() && !is_settled(output))
      next = "next: emend fix " + shell_quote(code) + "\n";
  }
  if (findings.empty()) return "no findings\n";
  return out + next;
}

std::string write_jsonl(const Findings& findings, const RunInfo& run) {
  std::string out;
  for (const OutputFinding& output : findings) {
    Json line = {{"schema", "emend.finding/v1"}, {"type", "finding"}};
    for (const auto& [key, value] :
         {std::pair("code", &output.code), std::pair("status", &output.status),
          std::pair("reason", &output.reason), std::pair("evidence", &output.evidence),
          std::pair("fingerprint", &output.fingerprint)})
      line[key] = null_if_empty(*value);
    line["marks"] = to_json(output.marks);
    line["score"] = output.score < 0 ? Json(nullptr) : Json(output.score);
    const Json finding = to_json(output.finding);
    for (const auto& [key, value] : finding.items()) line[key] = value;
    out += dump_json(line) + "\n";
  }
  const Json last = {{"schema", "emend.run/v1"},
                     {"type", "run"},
                     {"findings", findings.size()},
                     {"version", run.tool_version},
                     {"session_id", null_if_empty(run.session_id)},
                     {"revision", null_if_empty(run.revision)},
                     {"branch", null_if_empty(run.branch)},
                     {"start_ms", run.start_ms},
                     {"end_ms", run.end_ms},
                     {"exit_code", run.exit_code},
                     {"success", run.success}};
  return out + dump_json(last) + "\n";
}

std::string write_github(const Findings& findings, std::vector<std::string>& notes) {
  std::string out;
  std::map<std::string_view, int> count;
  for (const OutputFinding& output : findings) {
    const std::string_view level = github_level(output.finding.severity);
    if (++count[level] > kShownPerLevel) continue;
    out += fmt::format("::{}{}::{}\n", level, github_properties(output),
                       command_message(full_message(output.finding)));
  }
  for (const auto& [level, total] : count) {
    if (total <= kShownPerLevel) continue;
    const std::string line =
        fmt::format("{} more findings of level {} are not annotated: GitHub shows {} per step",
                    total - kShownPerLevel, level, kShownPerLevel);
    out += line + "\n";
    notes.push_back(line);
  }
  return out;
}

} // namespace emend
