#include "model/report.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/strings.hpp"
#include "model/forecast.hpp"
#include "model/json_fields.hpp"
#include "model/panel.hpp"

namespace emend {

namespace {

using Codes = std::map<std::string, std::string>; // issue UUID -> code

Codes codes_of(const FixReport& report) {
  Codes codes;
  for (const IssueOutcome& outcome : report.issues) codes[outcome.issue.id] = outcome.issue.code;
  return codes;
}

Json commits_json(const FixReport& report) {
  const Codes codes = codes_of(report);
  Json commits = Json::array();
  for (const CommitRecord& commit : report.commits) {
    Json issues = Json::array();
    for (const std::string& id : commit.issue_ids) {
      const auto code = codes.find(id);
      issues.push_back(code == codes.end() ? id : code->second);
    }
    commits.push_back({{"sha", commit.sha}, {"subject", commit.subject}, {"issues", std::move(issues)}});
  }
  return commits;
}

Json issue_json(const IssueOutcome& outcome, const std::vector<AgentRunRecord>& runs) {
  const Issue& issue = outcome.issue;
  const Finding& finding = issue.finding;
  return {{"code", issue.code},
          {"id", finding.id.empty() ? issue.id : finding.id},
          {"uuid", issue.id},
          {"file", finding.file},
          {"line", finding.line},
          {"title", finding.title},
          {"severity", to_string(finding.severity)},
          {"status", to_string(issue.status)},
          {"reason", null_if_empty(issue.reason)},
          {"detail", issue.detail},
          {"evidence", null_if_empty(issue.evidence)},
          {"marks", to_json(issue.marks)},
          {"score", issue.last_score < 0 ? Json(nullptr) : Json(issue.last_score)},
          {"attempts", issue.attempts},
          {"commit", null_if_empty(issue.commit)},
          {"usage", to_json(consumed_by(runs, issue.id))},
          {"clauses", to_json(outcome.decision)["clauses"]}};
}

Json verification_json(const std::vector<Verification>& verifications) {
  Json commands = Json::array();
  for (const Verification& verification : verifications) {
    for (const CommandRun& run : verification.commands) {
      commands.push_back({{"kind", to_string(verification.kind)},
                          {"command", run.name},
                          {"result", to_string(run.result)},
                          {"exit_code", run.exit_code},
                          {"duration_ms", run.duration_ms}});
    }
  }
  return commands;
}

// The verdict a cycle stands on: what its judges say together; without enough votes, the last that was tried.
std::optional<Verdict> deciding_verdict(const std::vector<Verdict>& verdicts, int panel) {
  if (auto joint = joint_verdict(verdicts, panel)) return joint;
  return verdicts.empty() ? std::nullopt : std::optional<Verdict>(verdicts.back());
}

Json judges_json(const std::vector<Verdict>& verdicts) {
  Json judges = Json::array();
  for (const Verdict& verdict : verdicts)
    judges.push_back({{"agent", verdict.agent},
                      {"model", verdict.model},
                      {"vendor", verdict.family},
                      {"score", verdict.score ? Json(*verdict.score) : Json(nullptr)},
                      {"problem", null_if_empty(verdict.problem)}});
  return judges;
}

Json changed_files_json(const Patch& patch) {
  Json files = Json::array();
  for (const FileChange& change : patch.changes) files.push_back(clean_text(change.path));
  return files;
}

Json cycle_json(const FixCycle& cycle, int panel) {
  const Attempt& attempt = cycle.attempt;
  const DiffStat stat = diff_stat(attempt.patch);
  const std::optional<Verdict> verdict = deciding_verdict(cycle.verdicts, panel);
  const bool judged = verdict && verdict->valid && verdict->score;
  return {{"issue", cycle.issue_code},
          {"cycle", attempt.cycle},
          {"agent", attempt.agent},
          {"claim", to_string(attempt.claim)},
          {"result", to_string(attempt.result)},
          {"detail", attempt.detail},
          {"changed_files", changed_files_json(attempt.patch)},
          {"insertions", stat.insertions},
          {"deletions", stat.deletions},
          {"no_changes", attempt.patch.empty()},
          {"verification", verification_json(cycle.verifications)},
          {"score", judged ? Json(*verdict->score) : Json(nullptr)},
          {"judges", judges_json(cycle.verdicts)},
          {"feedback", verdict ? verdict->feedback : std::string()},
          {"duration_ms", attempt.duration_ms}};
}

Json shares_json(const FixReport& report) {
  Json shares = Json::object();
  for (const EvidenceShare& share : evidence_shares(report))
    shares[std::string(to_string(share.level))] = {{"count", share.count}, {"percent", share.percent}};
  return shares;
}

} // namespace

std::vector<EvidenceShare> evidence_shares(const FixReport& report) {
  std::vector<EvidenceShare> shares;
  for (const Evidence level : {Evidence::proven, Evidence::repaired, Evidence::unbroken, Evidence::judged})
    shares.push_back({level, 0, 0});
  int resolved = 0;
  for (const IssueOutcome& outcome : report.issues) {
    if (outcome.issue.status != IssueStatus::resolved && outcome.issue.status != IssueStatus::merged)
      continue;
    ++resolved;
    for (EvidenceShare& share : shares)
      share.count += outcome.issue.evidence == to_string(share.level) ? 1 : 0;
  }
  for (EvidenceShare& share : shares)
    share.percent = resolved == 0 ? 0 : std::round(1000.0 * share.count / resolved) / 10;
  return shares;
}

ResolvedCost cost_of_resolved(const Session& session, const std::vector<Issue>& issues, const Consumed& all) {
  ResolvedCost cost;
  cost.strategy = session.policy.strategy;
  cost.resolved = static_cast<int>(std::count_if(issues.begin(), issues.end(), [](const Issue& issue) {
    return issue.status == IssueStatus::resolved || issue.status == IssueStatus::merged;
  }));
  if (cost.resolved == 0) return cost;
  if (all.priced) cost.cost_usd = all.cost_usd / cost.resolved;
  cost.tokens = all.tokens / cost.resolved;
  cost.agent_time_ms = all.time_ms / cost.resolved;
  cost.wall_ms = session.duration_ms / cost.resolved;
  return cost;
}

ResolvedCost cost_of_resolved(const FixReport& report) {
  std::vector<Issue> issues;
  for (const IssueOutcome& outcome : report.issues) issues.push_back(outcome.issue);
  return cost_of_resolved(report.session, issues, consumed_by(report.runs));
}

Json to_json(const ResolvedCost& cost) {
  if (cost.resolved == 0) return nullptr;
  return {{"strategy", to_string(cost.strategy)},
          {"resolved", cost.resolved},
          {"cost_usd", cost.cost_usd ? Json(*cost.cost_usd) : Json(nullptr)},
          {"tokens", cost.tokens},
          {"agent_time_ms", cost.agent_time_ms},
          {"wall_ms", cost.wall_ms}};
}

Json to_json(const FixReport& report) {
  const Session& session = report.session;
  Json issues = Json::array();
  for (const IssueOutcome& outcome : report.issues) issues.push_back(issue_json(outcome, report.runs));
  Json cycles = Json::array();
  for (const FixCycle& cycle : report.cycles) cycles.push_back(cycle_json(cycle, session.policy.panel));
  return {{"session_id", session.id},
          {"status", to_string(session.status)},
          {"detail", session.detail},
          {"branch", report.commits.empty() ? Json(nullptr) : Json(session.branch)},
          {"base", session.base},
          {"sandbox", to_string(session.policy.sandbox.kind)},
          {"grouped_branches", event_fields::json_of(report.grouped)},
          {"commits", commits_json(report)},
          {"issues", std::move(issues)},
          {"evidence", shares_json(report)},
          {"cycles", std::move(cycles)},
          {"usage", to_json(consumed_by(report.runs))},
          {"per_resolved_issue", to_json(cost_of_resolved(report))},
          {"forecast",
           report.forecast ? forecast_json(*report.forecast, consumed_by(report.runs)) : Json(nullptr)},
          {"fixes_applied", report.fixes_applied},
          {"notes", report.notes},
          {"duration_ms", report.duration_ms}};
}

} // namespace emend
