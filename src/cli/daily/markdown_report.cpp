#include "cli/daily/markdown_report.hpp"

#include <algorithm>

#include <set>

#include "base/strings.hpp"
#include "cli/report_text.hpp"
#include "engine/patch/new_files.hpp"
#include "engine/patch/notes.hpp"
#include "engine/patch/scope.hpp"

namespace emend {

namespace {

std::string paragraph(std::string_view text) {
  const std::string cleaned = harmless_text(text);
  std::string result;
  for (const std::string_view line : lines_of(cleaned)) result += "> " + markdown_escape(line) + "\n";
  return result.empty() ? result : result + "\n";
}

std::string row(const std::vector<std::string>& cells) { return "| " + join(cells, " | ") + " |\n"; }

std::string header(const std::vector<std::string>& titles) {
  return row(titles) + "|" + join(std::vector<std::string>(titles.size(), "---"), "|") + "|\n";
}

std::string score_text(int score) { return score < 0 ? "-" : std::to_string(score); }

std::string summary_table(const FixReport& report) {
  std::string text = header({"issue", "where", "status", "score", "evidence", "cost", "agent time", "why"});
  for (const IssueOutcome& outcome : report.issues) {
    const Issue& issue = outcome.issue;
    text += row({markdown_escape(issue.code), markdown_escape(place_of(issue.finding)),
                 std::string(to_string(issue.status)), score_text(issue.last_score),
                 issue.evidence.empty() ? "-" : markdown_escape(evidence_text(issue.evidence, issue.marks)),
                 cost_text(consumed_by(report.runs, issue.id)), time_text(consumed_by(report.runs, issue.id)),
                 markdown_escape(one_line(why_text(issue), 300))});
  }
  return text + "\n";
}

std::string session_facts(const FixReport& report) {
  const Session& session = report.session;
  std::string text =
      "Session `" + markdown_escape(session.id) + "`: **" + std::string(to_string(session.status)) + "**, " +
      format_duration_ms(report.duration_ms) + ", base `" + markdown_escape(session.base.substr(0, 12)) + "`";
  text += session.tip.empty() ? ", no commit was made.\n\n"
                              : ", branch `" + markdown_escape(session.branch) + "`. Nothing was pushed.\n\n";
  if (const std::string shares = shares_line(report); !shares.empty())
    text += "- " + markdown_escape(shares) + "\n";
  if (!report.runs.empty()) text += "- " + markdown_escape(usage_line(report.runs)) + "\n";
  for (const std::string& line : {resolved_cost_line(report), forecast_line(report)})
    if (!line.empty()) text += "- " + markdown_escape(line) + "\n";
  for (const IssueOutcome& outcome : report.issues)
    if (const std::string next = next_text(outcome.issue, report.cycles); !next.empty())
      text += "- next for " + markdown_escape(outcome.issue.code + ": " + next) + "\n";
  for (const std::string& note : report.notes) text += "- " + markdown_escape(note) + "\n";
  if (!text.ends_with("\n\n")) text += "\n";
  return text;
}

// Commands that failed on the base as well: not our doing.
std::set<std::string> red_before_us(const FixReport& report) {
  std::set<std::string> names;
  if (!report.baseline) return names;
  for (const CommandRun& run : report.baseline->commands) {
    if (!run.passed()) names.insert(run.name);
  }
  return names;
}

std::string verification_table(const Verification& verification, const std::set<std::string>& red_before) {
  if (verification.commands.empty()) return "";
  std::string text = "Verification (" + std::string(to_string(verification.kind)) + "):\n\n" +
                     header({"command", "result", "exit code", "time", "failed before"});
  for (const CommandRun& run : verification.commands) {
    text += row({markdown_escape(run.name), std::string(to_string(run.result)),
                 run.exit_code < 0 ? "-" : std::to_string(run.exit_code), format_duration_ms(run.duration_ms),
                 red_before.count(run.name) != 0 ? "yes" : "no"});
  }
  text += "\n";
  for (const CommandRun& run : verification.commands) {
    if (run.passed() || run.output.empty()) continue;
    text += "Output of " + markdown_escape(run.name) + ":\n\n" +
            markdown_fence(trim_middle(run.output, 6000), "") + "\n";
  }
  return text;
}

std::string verdict_text(const Verdict& verdict) {
  std::string text =
      "Judged by " + markdown_escape(verdict.agent) + (verdict.independent ? " (independent)" : "") + ": ";
  if (!verdict.valid || !verdict.score)
    return text + "no valid verdict. " + markdown_escape(verdict.problem) + "\n\n";
  text += "**" + std::to_string(*verdict.score) + "**\n\n" + paragraph(verdict.feedback);
  for (const std::string& improvement : verdict.improvements_needed)
    text += "- " + markdown_escape(improvement) + "\n";
  return verdict.improvements_needed.empty() ? text : text + "\n";
}

std::string cycle_section(const FixCycle& cycle, const std::set<std::string>& red_before) {
  const Attempt& attempt = cycle.attempt;
  std::string text =
      "### Cycle " + std::to_string(attempt.cycle) + ": " + std::string(to_string(attempt.result)) + "\n\n";
  if (!attempt.detail.empty()) text += markdown_escape(attempt.detail) + "\n\n";
  text +=
      "Fixer " + markdown_escape(attempt.agent) + ", " + format_duration_ms(attempt.duration_ms) + ".\n\n";
  std::string notes;
  for (const std::string& note : attempt.notes)
    if (note.starts_with(kLeftOutNote) || note.starts_with(kSeenNote))
      notes += "- " + markdown_escape(note) + "\n";
  if (!notes.empty()) text += notes + "\n";
  for (const Verification& verification : cycle.verifications)
    text += verification_table(verification, red_before);
  for (const Verdict& verdict : cycle.verdicts) text += verdict_text(verdict);
  return text;
}

std::string gate_table(const GateDecision& decision) {
  if (decision.clauses.empty()) return "";
  std::string text = "### The gate\n\n" + header({"clause", "name", "state", "detail"});
  for (const Clause& clause : decision.clauses) {
    text += row({markdown_escape(clause.id), markdown_escape(clause.name),
                 std::string(to_string(clause.state)), markdown_escape(clause.detail)});
  }
  return text + "\n";
}

std::string issue_section(const IssueOutcome& outcome, const FixReport& report,
                          const std::set<std::string>& red_before) {
  const Issue& issue = outcome.issue;
  std::string text = "## " + markdown_escape(issue.code) + ": " + markdown_escape(issue.finding.title) +
                     "\n\n" + markdown_escape(place_of(issue.finding)) + ", " +
                     std::string(to_string(issue.finding.severity)) + ", **" +
                     std::string(to_string(issue.status)) + "**\n\n" + paragraph(issue.finding.description);
  if (!issue.finding.suggestion.empty()) text += "Suggestion:\n\n" + paragraph(issue.finding.suggestion);
  ApartPatch last;
  for (const FixCycle& cycle : report.cycles) {
    if (cycle.issue_code != issue.code) continue;
    text += cycle_section(cycle, red_before);
    if (!cycle.attempt.patch.empty()) last = apart(cycle.issue_file, cycle.attempt.patch);
  }
  text += gate_table(outcome.decision);
  if (!last.product.empty()) text += "### Diff\n\n" + markdown_fence(shown_diff(last.product), "diff") + "\n";
  if (!last.own_tests.empty())
    text += "### Added tests\n\n" + markdown_fence(shown_diff(last.own_tests), "diff") + "\n";
  if (!last.judges.empty())
    text +=
        "### Changed tests and configuration\n\n" + markdown_fence(shown_diff(last.judges), "diff") + "\n";
  return text;
}

} // namespace

std::string markdown_escape(std::string_view text) {
  std::string result;
  for (const char c : harmless_text(text)) {
    if (c == '\n' || c == '\t') {
      result += ' ';
    } else if (c == '<') {
      result += "&lt;";
    } else if (c == '&') {
      result += "&amp;";
    } else if (c == '@') {
      result += "@\u200b"; // no mention: nobody is called by a report
    } else {
      if (std::string_view("\\`*_{}[]()#+!|>~").find(c) != std::string_view::npos) result += '\\';
      result += c;
    }
  }
  return result;
}

std::string markdown_fence(std::string_view text, std::string_view language) {
  const std::string cleaned = harmless_text(text);
  std::size_t longest = 0, current = 0;
  for (const char c : cleaned) {
    current = c == '`' ? current + 1 : 0;
    longest = std::max(longest, current);
  }
  const std::string fence(std::max<std::size_t>(3, longest + 1), '`');
  const bool ends_line = cleaned.empty() || cleaned.back() == '\n';
  return fence + std::string(language) + "\n" + cleaned + (ends_line ? "" : "\n") + fence + "\n";
}

std::string markdown_report(const FixReport& report) {
  std::string text = "# Fix report\n\n" + session_facts(report);
  if (report.issues.empty()) return text + "Nothing to do: no findings.\n";
  text += summary_table(report);
  const auto red_before = red_before_us(report);
  for (const IssueOutcome& outcome : report.issues) text += issue_section(outcome, report, red_before);
  return text;
}

} // namespace emend
