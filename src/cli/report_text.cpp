#include "cli/report_text.hpp"

#include <fmt/format.h>

#include <ctime>

#include "base/strings.hpp"
#include "engine/fix/wanted_tests.hpp"
#include "engine/patch/new_files.hpp"
#include "engine/patch/notes.hpp"
#include "engine/patch/scope.hpp"
#include "engine/verify/test_report.hpp"
#include "model/forecast.hpp"
#include "model/next_step.hpp"
#include "model/panel.hpp"

namespace emend {

namespace {

std::string short_sha(const std::string& sha) { return sha.substr(0, 12); }

std::string score_text(int score) { return score < 0 ? "-" : std::to_string(score); }

std::string or_dash(const std::string& text) { return text.empty() ? "-" : text; }

bool is_done(IssueStatus status) { return status == IssueStatus::resolved || status == IssueStatus::merged; }

std::string absent_text(const Issue& issue) {
  return issue.seen_commit.empty() ? "no longer found" : "not seen since " + short_sha(issue.seen_commit);
}

Tone tone_of(SessionStatus status) {
  switch (status) {
    case SessionStatus::passed: return Tone::good;
    case SessionStatus::failed:
    case SessionStatus::error: return Tone::bad;
    case SessionStatus::planned:
    case SessionStatus::running:
    case SessionStatus::interrupted:
    case SessionStatus::partial:
    case SessionStatus::stopped:
    case SessionStatus::cancelled: return Tone::warn;
  }
  return Tone::plain;
}

Tone tone_of(ClauseState state) {
  switch (state) {
    case ClauseState::passed: return Tone::good;
    case ClauseState::failed: return Tone::bad;
    case ClauseState::unknown: return Tone::warn;
    case ClauseState::not_required: return Tone::dim;
  }
  return Tone::plain;
}

std::string grouped_line(const FixBranchGrouped& grouped) {
  return "or:        git merge " + one_line(shell_quote(grouped.branch)) + "   (the same files in " +
         plural(grouped.commits, "commit") +
         (grouped.by == "one" ? "" : ", one for each " + one_line(grouped.by)) + ")\n";
}

std::string branch_lines(const FixReport& report) {
  const Session& session = report.session;
  if (session.tip.empty()) return "no commit was made; your checkout and branches are unchanged\n";
  const std::string base = short_sha(session.base), branch = one_line(shell_quote(session.branch));
  std::string others;
  for (const FixBranchGrouped& one : report.grouped) others += grouped_line(one);
  return "branch     " + one_line(session.branch) +
         (others.empty() ? "" : "   (one commit for each issue, proven)") + "\nreview it: git diff " + base +
         ".." + branch + "\ntake it:   git merge " + branch + "\n" + others + "or:        emend apply " +
         short_sha(session.id) + "   (into your working tree), emend pr create\nnothing was pushed\n";
}

std::string commands_line(const Verification& verification) {
  std::vector<std::string> parts;
  for (const CommandRun& run : verification.commands)
    parts.push_back(run.name + " " + std::string(to_string(run.result)));
  return parts.empty() ? "no commands" : join(parts, ", ");
}

std::string cycle_text(const FixCycle& cycle, int panel, const Palette& palette) {
  const Attempt& attempt = cycle.attempt;
  const bool accepted = attempt.result == AttemptResult::accepted;
  std::string text = "  " + one_line(cycle.issue_code) + " round " + std::to_string(attempt.cycle) + ": " +
                     palette.paint(to_string(attempt.result), accepted ? Tone::good : Tone::bad);
  if (attempt.claim == Claim::contested) text += ", the verdict before was contested";
  if (!attempt.detail.empty()) text += " - " + one_line(attempt.detail, 300);
  text += "\n    fixer " + one_line(attempt.agent) + ", " + format_duration_ms(attempt.duration_ms) + ", " +
          plural(attempt.patch.changes.size(), "file") + " changed\n";
  for (const std::string& note : attempt.notes)
    if (note.starts_with(kLeftOutNote) || note.starts_with(kSeenNote))
      text += "    " + one_line(note, 300) + "\n";
  const ApartPatch parts = apart(cycle.issue_file, attempt.patch);
  const bool alone = (parts.judges.empty() && parts.own_tests.empty()) || parts.product.empty();
  const std::string without_judges = alone ? "" : parts.product.sha256();
  if (!parts.own_tests.empty()) text += "    adds tests: " + one_line(path_list(parts.own_tests), 300) + "\n";
  if (!parts.judges.empty())
    text += "    changes a " + std::string(judging_kind(parts.judges.changes.front().path)) + ": " +
            one_line(path_list(parts.judges), 300) + "\n";
  for (const Verification& verification : cycle.verifications) {
    const bool base_tests = !without_judges.empty() && verification.patch_sha256 == without_judges;
    text += "    ran (" + std::string(base_tests ? "with the base's tests" : to_string(verification.kind)) +
            "): " + one_line(commands_line(verification), 300) + "\n";
  }
  for (const Verdict& verdict : cycle.verdicts) {
    text += "    judged by " + one_line(verdict.agent) + ": " +
            (verdict.score ? std::to_string(*verdict.score) : "no valid verdict") + "\n";
    const std::string& words = verdict.valid ? verdict.feedback : verdict.problem;
    if (!words.empty()) text += indented(trim_middle(words, 2000), "      ");
  }
  if (panel > 1 && votes_of(cycle.verdicts).size() > 1)
    text += "    together: " + one_line(votes_text(cycle.verdicts, panel), 300) + "\n";
  return text;
}

} // namespace

std::string place_of(const Finding& finding) {
  if (finding.file.empty()) return "(project)";
  return finding.line > 0 ? finding.file + ":" + std::to_string(finding.line) : finding.file;
}

Tone tone_of(IssueStatus status) {
  switch (status) {
    case IssueStatus::resolved:
    case IssueStatus::merged: return Tone::good;
    case IssueStatus::failed: return Tone::bad;
    case IssueStatus::open:
    case IssueStatus::in_progress: return Tone::warn;
    case IssueStatus::ignored:
    case IssueStatus::duplicate: return Tone::dim;
  }
  return Tone::plain;
}

std::string utc_time(std::int64_t unix_ms) {
  const std::time_t seconds = unix_ms / 1000;
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &parts)};
}

std::string next_text(const Issue& issue, const std::vector<FixCycle>& cycles) {
  if (issue.status != IssueStatus::failed) return {};
  std::vector<WantedTest> wanted; // of the last attempt
  for (const FixCycle& cycle : cycles)
    if (cycle.issue_code == issue.code) wanted = wanted_tests({cycle.attempt}, {});
  const std::string step = next_step(issue.reason, issue.code);
  if (wanted.empty() || !step.empty()) return step;
  return fmt::format("If the test asserts the bug: emend issues open-test {} {}, then emend fix {}",
                     issue.code, shell_quote(clean_text(test_name(wanted.front().file, wanted.front().test))),
                     issue.code);
}

std::string why_text(const Issue& issue) {
  if (is_done(issue.status)) return issue.commit.empty() ? "" : "commit " + short_sha(issue.commit);
  if (issue.status == IssueStatus::duplicate && !issue.duplicate_of.empty())
    return "duplicate of " + issue.duplicate_of;
  const bool explained =
      issue.status == IssueStatus::failed && !issue.detail.empty(); // the reason names a rule
  if (explained || issue.reason.empty() || issue.detail.empty())
    return (explained ? "" : issue.reason) + issue.detail;
  return issue.reason + ": " + issue.detail;
}

namespace {

// For where the next step has a line of its own.
std::string why_alone(Issue issue) {
  issue.detail = detail_alone(issue);
  return why_text(issue);
}

} // namespace

std::string issue_rows(const std::vector<Issue>& issues, const Palette& palette, bool header) {
  TextTable table(header ? std::vector<std::string>{"code", "severity", "status", "where", "title"}
                         : std::vector<std::string>{});
  for (const Issue& issue : issues) {
    table.add({{issue.code, Tone::strong},
               {std::string(to_string(issue.finding.severity))},
               {std::string(to_string(issue.status)), tone_of(issue.status)},
               {place_of(issue.finding)},
               {one_line(issue.finding.title, 80) +
                (issue.absent_commit.empty() ? "" : " (" + absent_text(issue) + ")")}});
  }
  return table.render(palette);
}

std::string issues_text(const std::vector<Issue>& issues, const Palette& palette) {
  if (issues.empty()) return "no issues\n";
  return issue_rows(issues, palette, true) + "\n" + plural(issues.size(), "issue") + "\n";
}

std::string clarifications_text(const Issue& issue) {
  std::string text;
  for (const Clarification& said : issue.clarifications) {
    const std::string answer = said.state == ClarificationState::answered ? said.answer
                               : said.state == ClarificationState::skipped
                                   ? "(skipped: left to the fixer)"
                                   : "(open: answer it with `emend clarify " + issue.code + "`)";
    text += "\n  question " + one_line(said.question_id) + "\n" + indented(said.question, "    ") +
            "  answer\n" + indented(answer, "    ");
  }
  return text;
}

std::string said_text(const std::vector<Comment>& comments, const std::vector<Withdrawal>& withdrawals) {
  std::string text;
  for (const Withdrawal& one : withdrawals) {
    text += "\n  " + std::string(to_string(one.kind)) + " " + utc_time(one.created_ms) +
            ": the fix of session " + one_line(one.session_id) + ", commit " + short_sha(one.commit) + "\n";
  }
  for (const Comment& comment : comments) {
    const std::string line = comment.line == 0 ? "" : ":" + std::to_string(comment.line);
    const std::string where = comment.file.empty() ? "" : " on " + one_line(comment.file, 200) + line;
    text += "\n  comment " + utc_time(comment.created_ms) + where + "\n" + indented(comment.text, "    ");
  }
  return text;
}

std::string issue_text(const Issue& issue, const Palette& palette) {
  const Finding& finding = issue.finding;
  std::string text =
      palette.paint(one_line(issue.code), Tone::strong) + "  " + one_line(finding.title, 200) + "\n\n";
  TextTable table({});
  table.add({{"status"}, {std::string(to_string(issue.status)), tone_of(issue.status)}});
  if (const std::string why = why_text(issue); !why.empty()) table.add({{"why"}, {why}});
  if (!issue.absent_commit.empty())
    table.add({{"seen"}, {absent_text(issue) + ", looked for in " + short_sha(issue.absent_commit)}});
  if (issue.trend == IssueTrend::regressed) table.add({{"trend"}, {"regressed: it was fixed before"}});
  table.add({{"where"}, {place_of(finding)}});
  table.add({{"severity"}, {std::string(to_string(finding.severity))}});
  if (!finding.category.empty()) table.add({{"category"}, {finding.category}});
  if (!finding.rule.empty()) table.add({{"rule"}, {finding.rule}});
  if (!finding.agent.empty())
    table.add({{"found by"},
               {join(finding.found_by.empty() ? std::vector<std::string>{finding.agent} : finding.found_by,
                     ", ")}});
  if (!finding.id.empty()) table.add({{"id in the report"}, {one_line(finding.id, 80)}});
  if (!finding.group.empty()) table.add({{"group"}, {one_line(finding.group, 120)}});
  if (issue.last_score >= 0) table.add({{"score"}, {score_text(issue.last_score)}});
  if (!issue.evidence.empty()) table.add({{"evidence"}, {evidence_text(issue.evidence, issue.marks)}});
  if (issue.attempts > 0) table.add({{"attempts"}, {std::to_string(issue.attempts)}});
  if (!issue.session_id.empty()) table.add({{"session"}, {issue.session_id}});
  if (!finding.annotations.empty()) table.add({{"noted"}, {join(finding.annotations, ", ")}});
  text += table.render(palette, "  ");
  if (!finding.description.empty()) text += "\n" + indented(finding.description, "  ");
  if (!finding.suggestion.empty()) text += "\n  suggestion\n" + indented(finding.suggestion, "    ");
  return text + clarifications_text(issue);
}

std::string sessions_text(const std::vector<Session>& sessions, const Palette& palette) {
  if (sessions.empty()) return "no sessions\n";
  TextTable table({"session", "status", "started", "issues", "branch", "detail"});
  for (const Session& session : sessions) {
    table.add({{session.id, Tone::strong},
               {std::string(to_string(session.status)), tone_of(session.status)},
               {utc_time(session.started_ms)},
               {std::to_string(session.issue_ids.size())},
               {session.tip.empty() ? "-" : session.branch},
               {one_line(session.detail, 80)}});
  }
  return table.render(palette);
}

std::string cost_text(const Consumed& consumed) {
  if (consumed.priced) return fmt::format("${:.4f}", consumed.cost_usd);
  return consumed.tokens > 0 ? fmt::format("{} tokens", consumed.tokens) : "-";
}

std::string time_text(const Consumed& consumed) {
  return consumed.runs == 0 ? "-" : format_duration_ms(consumed.time_ms);
}

std::string usage_line(const std::vector<AgentRunRecord>& runs) {
  const Consumed sum = consumed_by(runs);
  std::string text =
      plural(runs.size(), "agent run") + ", " + format_duration_ms(sum.time_ms) + " of agent time";
  if (sum.tokens > 0) text += fmt::format(", {} tokens", sum.tokens);
  if (sum.priced) text += fmt::format(", ${:.4f} as reported by the agents", sum.cost_usd);
  return text;
}

std::string shares_line(const FixReport& report) {
  std::vector<std::string> parts;
  int resolved = 0;
  for (const EvidenceShare& share : evidence_shares(report)) {
    resolved += share.count;
    parts.push_back(fmt::format("{} {}", share.count, to_string(share.level)) +
                    (share.count > 0 ? fmt::format(" ({:g} %)", share.percent) : ""));
  }
  return resolved == 0 ? "" : "evidence of the resolved issues: " + join(parts, ", ");
}

std::string resolved_cost_line(const FixReport& report) {
  const ResolvedCost cost = cost_of_resolved(report);
  if (cost.resolved == 0) return "";
  std::string text = fmt::format("each resolved issue ({}): ", to_string(report.session.policy.strategy));
  if (cost.cost_usd) text += fmt::format("${:.4f}, ", *cost.cost_usd);
  if (cost.tokens > 0) text += fmt::format("{} tokens, ", cost.tokens);
  return text + fmt::format("{} of agent time, {} in all", format_duration_ms(cost.agent_time_ms),
                            format_duration_ms(cost.wall_ms));
}

std::string forecast_line(const FixReport& report) {
  if (!report.forecast) return "";
  return forecast_text(*report.forecast, consumed_by(report.runs));
}

std::string summary_line(const FixReport& report) {
  std::size_t resolved = 0, failed = 0, open = 0;
  for (const IssueOutcome& outcome : report.issues) {
    if (is_done(outcome.issue.status))
      ++resolved;
    else if (outcome.issue.status == IssueStatus::failed)
      ++failed;
    else
      ++open;
  }
  std::string line = std::to_string(resolved) + " of " + plural(report.issues.size(), "issue") + " resolved";
  if (failed > 0) line += ", " + std::to_string(failed) + " failed";
  if (open > 0) line += ", " + std::to_string(open) + " open";
  return line + " in " + format_duration_ms(report.duration_ms);
}

std::string fix_result_text(const FixReport& report, const Palette& palette) {
  if (report.issues.empty()) return "No findings: nothing to do.\n";
  const bool agents = !report.runs.empty();
  std::vector<std::string> titles = {"code", "where", "status", "score", "evidence"};
  if (agents) titles.insert(titles.end(), {"cost", "agent time"});
  titles.push_back("why");
  TextTable table(titles);
  for (const IssueOutcome& outcome : report.issues) {
    const Issue& issue = outcome.issue;
    std::vector<Cell> cells = {{issue.code, Tone::strong},
                               {place_of(issue.finding)},
                               {std::string(to_string(issue.status)), tone_of(issue.status)},
                               {score_text(issue.last_score)},
                               {or_dash(evidence_text(issue.evidence, issue.marks))}};
    if (agents) {
      const Consumed consumed = consumed_by(report.runs, issue.id);
      cells.push_back({cost_text(consumed)});
      cells.push_back({time_text(consumed)});
    }
    cells.push_back({one_line(why_alone(issue), 160)});
    table.add(std::move(cells));
  }
  std::string text = table.render(palette) + "\n" + summary_line(report) + " (session " +
                     one_line(report.session.id) + ", " +
                     palette.paint(to_string(report.session.status), tone_of(report.session.status)) + ")\n";
  if (const std::string shares = shares_line(report); !shares.empty()) text += shares + "\n";
  if (!report.session.detail.empty()) text += one_line(report.session.detail, 300) + "\n";
  if (agents) text += usage_line(report.runs) + "\n";
  for (const std::string& line : {resolved_cost_line(report), forecast_line(report)})
    if (agents && !line.empty()) text += line + "\n";
  for (const std::string& note : report.notes) text += "note: " + one_line(note, 300) + "\n";
  for (const IssueOutcome& outcome : report.issues)
    if (const std::string next = next_text(outcome.issue, report.cycles); !next.empty())
      text += "next:      " + one_line(outcome.issue.code) + ": " + one_line(next, 600) + "\n";
  for (const IssueOutcome& outcome : report.issues)
    if (outcome.issue.status == IssueStatus::failed) {
      text += "why:       emend explain " + one_line(outcome.issue.code) + "\n";
      break;
    }
  return text + branch_lines(report);
}

std::string session_text(const FixReport& report, const Palette& palette) {
  std::string text = fix_result_text(report, palette);
  if (report.cycles.empty()) return text;
  text += "\nwhat was tried\n";
  for (const FixCycle& cycle : report.cycles) text += cycle_text(cycle, report.session.policy.panel, palette);
  return text;
}

std::string explanation_text(const Explanation& explanation, const Palette& palette) {
  const Issue& issue = explanation.issue;
  std::string text = palette.paint(one_line(issue.code), Tone::strong) + "  " +
                     one_line(issue.finding.title, 200) + "\n" +
                     palette.paint(to_string(issue.status), tone_of(issue.status));
  if (const std::string why = why_alone(issue); !why.empty()) text += ": " + one_line(why, 400);
  text += "\n";
  if (const std::string next = next_text(issue, explanation.cycles); !next.empty())
    text += "next: " + one_line(next, 600) + "\n";
  if (!explanation.story.empty()) text += "\nwhat was run\n";
  for (const StoryLine& line : explanation.story) text += "  " + one_line(line.text, 500) + "\n";
  if (explanation.decision) {
    text += "\nthe gate\n";
    TextTable table({});
    for (const Clause& clause : explanation.decision->clauses) {
      table.add({{clause.id},
                 {clause.name},
                 {std::string(to_string(clause.state)), tone_of(clause.state)},
                 {one_line(clause.detail, 300)}});
    }
    text += table.render(palette, "  ");
  } else {
    text += issue.attempts > 0 ? "\nNo fix reached the gate.\n" : "\nNo fix was tried yet.\n";
  }
  if (explanation.proof) {
    text += "\nproof: commit " + short_sha(explanation.proof->commit) + " on " +
            one_line(explanation.proof->branch) + ", patch sha256 " +
            short_sha(explanation.proof->patch_sha256) + ", score " +
            std::to_string(explanation.proof->score) + "\n";
  }
  if (!explanation.cycles.empty()) text += "\nattempts\n";
  for (const FixCycle& cycle : explanation.cycles) text += cycle_text(cycle, explanation.panel, palette);
  return text;
}

std::string attempts_text(const std::vector<FixCycle>& cycles, int panel, const Palette& palette) {
  std::string text;
  for (const FixCycle& cycle : cycles) text += cycle_text(cycle, panel, palette);
  return text;
}

std::string verification_text(const Verification& verification, const Palette& palette) {
  TextTable table({"command", "result", "exit", "time", "runs", "reports"});
  for (const CommandRun& run : verification.commands) {
    table.add({{run.name, Tone::strong},
               {std::string(to_string(run.result)), run.passed() ? Tone::good : Tone::bad},
               {run.exit_code < 0 ? "-" : std::to_string(run.exit_code)},
               {format_duration_ms(run.duration_ms)},
               {std::to_string(run.passes) + "/" + std::to_string(run.runs)},
               {what_it_tells(run.tests)}});
  }
  std::string text = table.render(palette);
  for (const CommandRun& run : verification.commands) {
    if (run.passed() || run.output.empty()) continue;
    text += "\n" + one_line(run.name) + ": " + one_line(run.run, 200) + "\n" +
            indented(trim_middle(run.output, 8000), "  ");
  }
  return text;
}

} // namespace emend
