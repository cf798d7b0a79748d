#include "engine/verify/rescan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.hpp"
#include "base/strings.hpp"
#include "engine/intake/triage.hpp"
#include "engine/patch/cosmetic_change.hpp"
#include "engine/verify/analyze.hpp"
#include "model/events.hpp"
#include "model/line_diff.hpp"

namespace emend {
namespace {

bool same_kind(const Finding& a, const Finding& b) {
  return a.agent == b.agent && a.rule == b.rule && a.file == b.file;
}

std::vector<std::string> files_after(const Patch& patch) {
  std::vector<std::string> files;
  for (const FileChange& change : patch.changes)
    if (!change.deleted() && (change.new_mode == kModeFile || change.new_mode == kModeExecutable))
      files.push_back(change.path);
  return files;
}

std::vector<std::string> files_before(const Patch& patch) {
  std::vector<std::string> files;
  for (const FileChange& change : patch.changes)
    if (change.old_mode == kModeFile || change.old_mode == kModeExecutable) files.push_back(change.path);
  return files;
}

// The lines of the change that are on one side only.
std::string changed_text(const FileChange& change) {
  const LineDiff diff = diff_lines(change.old_content, change.new_content);
  std::string text;
  for (std::size_t i = 0; i < diff.old_lines.size(); ++i)
    if (diff.removed[i]) text += diff.old_lines[i];
  for (std::size_t i = 0; i < diff.new_lines.size(); ++i)
    if (diff.added[i]) text += diff.new_lines[i];
  return text;
}

} // namespace

std::optional<std::string> changed_comments(const FileChange& change) {
  if (change.added() || change.deleted() || change.old_mode != change.new_mode || !is_cosmetic(change))
    return std::nullopt;
  return changed_text(change);
}

bool Rescanner::can_judge(const Issue& issue) {
  if (context_.ports.analyzers == nullptr || issue.finding.rule.empty() || issue.finding.agent.empty())
    return false;
  const std::lock_guard lock(mutex_);
  const auto [known, fresh] = runnable_.try_emplace(issue.finding.agent, false);
  if (fresh)
    for (const auto& analyzer : *context_.ports.analyzers)
      if (analyzer->name() == issue.finding.agent) known->second = !analyzer->version().empty();
  return known->second;
}

void Rescanner::add(Scan& scan, const std::vector<Analysis>& analyses) const {
  for (const Analysis& analysis : analyses) {
    if (analysis.state == AnalysisState::skipped || analysis.state == AnalysisState::missing) continue;
    scan.findings.insert(scan.findings.end(), analysis.findings.begin(), analysis.findings.end());
    Rescan::Tool& tool = scan.tools[analysis.analyzer];
    if (tool.name.empty() || tool.state == "done")
      tool = {analysis.analyzer,
              analysis.version,
              std::string(to_string(analysis.state)),
              analysis.detail,
              {},
              {}};
  }
}

Status Rescanner::look_at(const std::string& commit, const std::vector<std::string>& files,
                          std::stop_token stop, const Asked& asked) {
  if (context_.ports.analyzers == nullptr) return {};
  TRY_ASSIGN(const Tree* tree, context_.ports.repository.tree(commit));
  const std::lock_guard lock(mutex_);
  auto& scan = scans_[commit];
  if (!scan) scan = std::make_shared<Scan>();
  AnalyzeOrder order;
  order.commit = commit;
  order.parallel = context_.policy().parallel;
  for (const std::string& file : files)
    if (tree->contains(file)) order.files.push_back(file);
  order.asked = [&](const Analyzer& analyzer, const std::string& file) {
    const auto looked = scan->looked_at.find(analyzer.name());
    return (looked == scan->looked_at.end() || !looked->second.contains(file)) &&
           (!asked || asked(analyzer, file));
  };
  const auto open = [&](const Analyzer& analyzer) {
    return std::any_of(order.files.begin(), order.files.end(), [&](const std::string& file) {
      return analyzer.understands(file) && order.asked(analyzer, file);
    });
  };
  const auto& all = *context_.ports.analyzers;
  if (std::none_of(all.begin(), all.end(), [&](const auto& analyzer) { return open(*analyzer); })) return {};
  const auto analyses = run_analyzers(context_.ports.repository, all, order, stop);
  if (stop.stop_requested()) return {};
  add(*scan, analyses);
  for (const auto& analyzer : all)
    for (const std::string& file : order.files)
      if (!asked || asked(*analyzer, file)) scan->looked_at[std::string(analyzer->name())].insert(file);
  return {};
}

// By fingerprint; else by its place, since a fingerprint also depends on what stands around it.
Result<std::optional<Finding>> Rescanner::locate_at_base(const Issue& issue, const Scan& scan) {
  std::vector<Finding> candidates;
  for (const Finding& finding : scan.findings)
    if (same_kind(finding, issue.finding)) candidates.push_back(finding);
  TRY_ASSIGN(const std::vector<Issue> triaged,
             triage(candidates, context_.ports.repository, context_.session.base, context_.redactor));
  for (std::size_t i = 0; i < triaged.size(); ++i)
    if (triaged[i].fingerprint == issue.fingerprint) return std::optional<Finding>(triaged[i].finding);
  for (const Issue& other : triaged)
    if (other.finding.line == issue.finding.line &&
        (issue.finding.column == 0 || other.finding.column == issue.finding.column))
      return std::optional<Finding>(other.finding);
  return std::optional<Finding>{};
}

Result<std::optional<Finding>> Rescanner::locate(const Issue& issue, const std::string& commit,
                                                 std::stop_token stop) {
  const std::string& base = context_.session.base;
  const auto its_own = [&](const Analyzer& analyzer, const std::string&) {
    return analyzer.name() == issue.finding.agent;
  };
  TRY(look_at(base, {issue.finding.file}, stop, its_own));
  TRY(look_at(commit, {issue.finding.file}, stop, its_own));
  const std::lock_guard lock(mutex_);
  const auto at_base = scans_.find(base), at_commit = scans_.find(commit);
  if (at_base == scans_.end() || at_commit == scans_.end()) return std::optional<Finding>{};
  TRY_ASSIGN(const std::optional<Finding> origin, locate_at_base(issue, *at_base->second));
  if (commit == base || !origin) return origin;
  TRY_ASSIGN(const std::string before, context_.ports.repository.read(base, issue.finding.file));
  TRY_ASSIGN(const std::string now, context_.ports.repository.read(commit, issue.finding.file));
  const LineMap map(before, now);
  std::optional<Finding> found;
  for (const Finding& finding : at_commit->second->findings) {
    if (!same_kind(finding, issue.finding) || map.new_slot(finding.line) != map.old_slot(origin->line))
      continue;
    if (!found || std::abs(finding.column - origin->column) < std::abs(found->column - origin->column))
      found = finding;
  }
  return found;
}

std::vector<std::string> Rescanner::files_for(const std::string& analyzer,
                                              const std::vector<std::string>& files) const {
  std::vector<std::string> understood;
  for (const auto& candidate : *context_.ports.analyzers)
    if (candidate->name() == analyzer)
      std::copy_if(files.begin(), files.end(), std::back_inserter(understood),
                   [&](const std::string& file) { return candidate->understands(file); });
  return understood;
}

Result<Rescan> Rescanner::compare(const std::string& base, const Patch& patch,
                                  const std::vector<const Issue*>& issues, std::stop_token stop) {
  std::map<std::string, std::string> comments; // of files of which nothing else changed
  for (const FileChange& change : patch.changes)
    if (auto text = changed_comments(change)) comments[change.path] = *std::move(text);
  const auto asked = [&](const Analyzer& analyzer, const std::string& file) {
    const auto only = comments.find(file);
    return only == comments.end() || analyzer.minds_comment(only->second) ||
           std::any_of(issues.begin(), issues.end(),
                       [&](const Issue* issue) { return issue->finding.agent == analyzer.name(); });
  };
  TRY(look_at(base, files_before(patch), stop, asked));
  AnalyzeOrder order;
  order.asked = asked;
  order.work_out_fixes = false;
  order.commit = base;
  order.patch = patch;
  order.files = files_after(patch);
  order.parallel = context_.policy().parallel;
  Scan after;
  add(after, run_analyzers(context_.ports.repository, *context_.ports.analyzers, order, stop));
  std::vector<IssueTrace> traces;
  for (const Issue* issue : issues) {
    TRY_ASSIGN(const std::optional<Finding> found, locate(*issue, base, stop));
    if (found) traces.push_back({issue->id, *found});
  }
  const std::lock_guard lock(mutex_);
  const Scan& scan = *scans_[base];
  std::vector<Finding> before;
  for (const Finding& finding : scan.findings)
    if (patch.find(finding.file) != nullptr) before.push_back(finding);
  std::erase_if(after.findings, [&](const Finding& finding) { return patch.find(finding.file) == nullptr; });
  Rescan rescan = compare_scans(before, after.findings, patch, traces);
  for (const auto& [name, tool] : after.tools) {
    rescan.tools.push_back(tool);
    const auto before_it = scan.tools.find(name);
    rescan.tools.back().before = before_it == scan.tools.end() ? "" : before_it->second.state;
    if (tool.state != "done") rescan.tools.back().files = files_for(name, order.files);
  }
  return rescan;
}

// The same tree was looked at before this engine was started again.
Result<std::optional<Verification>> Rescanner::known(const std::string& base, const Patch& patch,
                                                     const std::vector<const Issue*>& issues) {
  TRY_ASSIGN(const std::vector<Verification> runs, context_.ports.store.verifications(context_.session.id));
  const std::string sha = patch.sha256();
  for (const Verification& run : runs) {
    if (run.kind != VerificationKind::rescan || run.base != base || run.patch_sha256 != sha || !run.rescan)
      continue;
    const bool about_all = std::all_of(issues.begin(), issues.end(), [&](const Issue* issue) {
      const auto named = [&](const std::vector<std::string>& ids) {
        return std::find(ids.begin(), ids.end(), issue->id) != ids.end();
      };
      return named(run.rescan->gone) || named(run.rescan->remaining);
    });
    if (about_all) return std::optional<Verification>(run);
  }
  return std::optional<Verification>{};
}

Result<std::optional<Verification>> Rescanner::run(const std::string& base, const Patch& patch,
                                                   const std::vector<const Issue*>& issues,
                                                   const Issue* single, std::stop_token stop) {
  TRY_ASSIGN(std::optional<Verification> before, known(base, patch, issues));
  if (before) return before;
  const std::string code = single == nullptr ? "" : single->code;
  TRY(context_.publish(code, FixRescanStarted{patch.changes.size(), issues.size()}));
  Verification verification;
  verification.id = new_uuid();
  verification.session_id = context_.session.id;
  verification.issue_id = single == nullptr ? "" : single->id;
  verification.kind = VerificationKind::rescan;
  verification.base = base;
  verification.patch_sha256 = patch.sha256();
  verification.started_ms = context_.ports.clock.wall_ms();
  const std::int64_t start = context_.ports.clock.steady_ms();
  TRY_ASSIGN(verification.rescan, compare(base, patch, issues, stop));
  if (stop.stop_requested()) return std::optional<Verification>{};
  verification.duration_ms = context_.ports.clock.steady_ms() - start;
  const Rescan& rescan = *verification.rescan;
  FixRescanResult told{rescan.gone.size(), rescan.remaining.size(), {}, {}, verification.duration_ms};
  for (const Rescan::Tool& tool : rescan.tools) told.tools.push_back({tool.name, tool.version, tool.state});
  for (const SeenFinding& seen : rescan.fresh)
    told.fresh.push_back({seen.analyzer, seen.rule, seen.file, seen.line, to_string(seen.severity)});
  Change change;
  change.verifications.push_back(verification);
  change.events.push_back(context_.event(code, told));
  TRY(context_.log.apply(std::move(change)));
  return std::optional<Verification>(std::move(verification));
}

} // namespace emend
