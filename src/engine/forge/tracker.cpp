#include "engine/forge/tracker.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.hpp"
#include "engine/forge/forge_text.hpp"
#include "model/agent_run_record.hpp"

namespace emend {

namespace {

constexpr std::size_t kMaxBody = 60'000, kMaxOutput = 2'000;

bool is_claim_without_work(const Attempt& attempt) {
  return attempt.patch.empty() && (attempt.claim == Claim::blocked || attempt.claim == Claim::deferred ||
                                   attempt.claim == Claim::false_positive);
}

std::string command_lines(const Verification& verification) {
  std::string text;
  for (const CommandRun& run : verification.commands) {
    if (run.passed()) continue;
    text += fmt::format("   - `{}`: {}{}\n", harmless_line(run.name), to_string(run.result),
                        run.exit_code > 0 ? fmt::format(" (exit {})", run.exit_code) : "");
    if (run.output.empty()) continue;
    const std::string block = code_block(trim_middle(clean_text(run.output), kMaxOutput), "");
    text += "\n     " + replace_all(block, "\n", "\n     ") + "\n";
  }
  return text;
}

std::string verdict_lines(const Verdict& verdict) {
  if (!verdict.canary.empty()) return {};
  if (!verdict.valid || !verdict.score)
    return fmt::format("   - {} gave no valid verdict: {}\n", harmless_line(verdict.agent, 60),
                       harmless_line(verdict.problem, 300));
  std::string text = fmt::format("   - {}: {} of 100. {}\n", harmless_line(verdict.agent, 60), *verdict.score,
                                 replace_all(harmless(verdict.feedback, 1'500), "\n", "\n     "));
  for (const std::string& improvement : verdict.improvements_needed)
    text += fmt::format("     - {}\n", harmless_line(improvement, 300));
  return text;
}

std::string attempt_text(const FixCycle& cycle, std::size_t number) {
  const Attempt& attempt = cycle.attempt;
  std::string text =
      fmt::format("{}. {} in session `{}`: **{}**{}\n", number, harmless_line(attempt.agent, 60),
                  harmless_line(attempt.session_id, 40), to_string(attempt.result),
                  attempt.detail.empty() ? "" : ", " + harmless_line(attempt.detail, 400));
  if (!attempt.explanation.empty())
    text += fmt::format("   - the fixer said \"{}\": {}\n", to_string(attempt.claim),
                        replace_all(harmless(attempt.explanation, 1'500), "\n", "\n     "));
  for (const Verification& verification : cycle.verifications) text += command_lines(verification);
  for (const Verdict& verdict : cycle.verdicts) text += verdict_lines(verdict);
  return text;
}

std::string attempts_text(const std::vector<FixCycle>& cycles) {
  if (cycles.empty()) return "Nothing was tried.\n";
  std::string text;
  std::size_t number = 0;
  for (const FixCycle& cycle : cycles) text += attempt_text(cycle, ++number);
  return text;
}

std::string doubts_text(const std::vector<std::string>& doubts) {
  if (doubts.empty()) return {};
  std::string text = "\n### Check this\n\n";
  for (const std::string& doubt : doubts) text += "- " + harmless_line(doubt, 400) + "\n";
  return text;
}

std::string place_text(const Issue& issue, const ForgePlace* place, const std::string& commit) {
  const Finding& finding = issue.finding;
  if (finding.file.empty()) return "the whole project";
  const std::string name =
      harmless_line(finding.file + (finding.line > 0 ? ":" + std::to_string(finding.line) : ""));
  if (place == nullptr || commit.empty()) return "`" + name + "`";
  return fmt::format("[{}]({})", name, place->permalink(commit, finding.file, finding.line));
}

std::string severity_label(const Issue& issue) {
  return "severity: " + std::string(to_string(issue.finding.severity));
}

} // namespace

std::optional<OpenEnd> open_end(const Issue& issue) {
  if (issue.status != IssueStatus::failed) return std::nullopt;
  if (issue.reason == "blocked" || issue.reason == "claimed_false_positive") return OpenEnd::blocked;
  const bool about_agents = issue.reason == "budget" || issue.reason == "interrupted" ||
                            parse_agent_status(issue.reason).has_value();
  return about_agents ? std::nullopt : std::optional<OpenEnd>(OpenEnd::exhausted);
}

std::vector<std::string> doubts_about(const Issue& issue, const std::vector<FixCycle>& cycles) {
  std::vector<std::string> doubts;
  const bool somebody_worked = std::any_of(
      cycles.begin(), cycles.end(), [](const FixCycle& cycle) { return !cycle.attempt.patch.empty(); });
  bool no_try = !cycles.empty();
  for (const FixCycle& cycle : cycles) {
    const Attempt& attempt = cycle.attempt;
    if (!is_claim_without_work(attempt)) no_try = false;
    if (attempt.claim == Claim::false_positive) {
      std::vector<std::string> against;
      if (issue.finding.found_by.size() > 1)
        against.push_back(fmt::format("{} reviewers found it independently", issue.finding.found_by.size()));
      if (somebody_worked) against.push_back("another attempt changed code for it");
      for (const Verdict& verdict : cycle.verdicts)
        if (verdict.valid && verdict.canary.empty())
          against.push_back(fmt::format("{} judged it as a real one ({} of 100)", verdict.agent,
                                        verdict.score.value_or(0)));
      doubts.push_back(fmt::format(
          "attempt {} calls it a false positive{}", attempt.cycle,
          against.empty() ? "; no one else has checked that" : ", but " + join(against, ", and ")));
    }
    if (attempt.result == AttemptResult::refused)
      doubts.push_back(fmt::format("attempt {} was refused, not judged: {}", attempt.cycle, attempt.detail));
    if (attempt.claim == Claim::fixed && attempt.patch.empty())
      doubts.push_back(fmt::format("attempt {} says \"fixed\" and changed nothing", attempt.cycle));
  }
  if (no_try) doubts.push_back("it was called unfixable without trying a change");
  return doubts;
}

TrackerEntry tracker_entry(const Issue& issue, const std::vector<FixCycle>& cycles, const ForgePlace* place,
                           const TrackerSettings& settings, const Redactor& redactor) {
  TrackerEntry entry{issue, doubts_about(issue, cycles), {}, {}};
  const std::string commit = !cycles.empty() ? cycles.back().attempt.base : issue.seen_commit;
  const Finding& finding = issue.finding;
  std::string text = fmt::format(
      "{}, **{}**, found by {}\n\n{}\n", place_text(issue, place, commit), to_string(finding.severity),
      finding.found_by.empty() ? "emend" : harmless_line(join(finding.found_by, ", ")),
      harmless(finding.description));
  if (!finding.suggestion.empty()) text += "\nSuggested fix: " + harmless(finding.suggestion, 2'000) + "\n";
  text += fmt::format("\n### Why it is not fixed\n\n{}: {}\n\n### What was tried\n\n{}{}",
                      harmless_line(issue.reason), harmless_line(issue.detail, 400), attempts_text(cycles),
                      doubts_text(entry.doubts));
  const std::string mark =
      "\n" + to_string(Mark{issue.fingerprint, issue.session_id.empty() ? "none" : issue.session_id}) + "\n";
  entry.text.title = redactor.redact(harmless_line(redactor.redact(finding.title), 200) +
                                     (finding.file.empty() ? "" : " (" + harmless_line(finding.file) + ")"));
  entry.text.body = trim_middle(redactor.redact(text), kMaxBody) + mark;
  entry.text.labels = settings.labels;
  entry.text.labels.push_back(severity_label(issue));
  std::vector<FixCycle> latest;
  for (const FixCycle& cycle : cycles)
    if (cycle.attempt.session_id == issue.session_id) latest.push_back(cycle);
  entry.update =
      trim_middle(
          redactor.redact(fmt::format("emend tried again, in session `{}`, and could not fix it: {}\n\n{}{}",
                                      harmless_line(issue.session_id, 40), harmless_line(issue.detail, 400),
                                      attempts_text(latest), doubts_text(entry.doubts))),
          kMaxBody) +
      mark;
  return entry;
}

} // namespace emend
