#include "engine/review.hpp"

#include <map>
#include <set>

#include "base/glob.hpp"
#include "base/parallel.hpp"
#include "engine/triage.hpp"

namespace emend {
namespace {

bool chosen(const std::vector<std::string>& paths, const std::string& file) {
  if (paths.empty()) return true;
  for (const std::string& path : paths) {
    const bool below = file.starts_with(path.ends_with('/') ? path : path + "/");
    if (file == path || below || path == "." || glob_match(path, file)) return true;
  }
  return false;
}

Result<std::vector<std::string>> files_to_look_at(Repository& repository, const ReviewRequest& request, const std::string& commit) {
  TRY_ASSIGN(const Tree* tree, repository.tree(commit));
  std::set<std::string> changed;
  if (!request.since.empty()) {
    TRY_ASSIGN(const std::string since, repository.resolve(request.since));
    TRY_ASSIGN(const Patch patch, repository.diff(since, commit));
    for (const FileChange& change : patch.changes) changed.insert(change.path);
  }
  std::vector<std::string> files;
  for (const auto& [path, entry] : *tree) {
    const bool plain = entry.mode == kModeFile || entry.mode == kModeExecutable;
    if (plain && chosen(request.paths, path) && (request.since.empty() || changed.contains(path))) files.push_back(path);
  }
  return files;
}

Analysis failed_analysis(const Analyzer& analyzer, const std::string& why) {
  Analysis analysis;
  analysis.analyzer = analyzer.name();
  analysis.state = AnalysisState::failed;
  analysis.detail = why;
  return analysis;
}

// Each analyzer has a workspace of its own: what one writes there (caches, build output) the others do not see.
Analysis run_one(Repository& repository, Analyzer& analyzer, const ReviewRequest& request, const std::string& commit,
                 const std::vector<std::string>& files, std::stop_token stop) {
  AnalysisRequest work;
  for (const std::string& file : files)
    if (analyzer.understands(file)) work.files.push_back(file);
  Analysis analysis;
  analysis.analyzer = analyzer.name();
  if (work.files.empty()) {
    analysis.detail = "no file it understands";
    return analysis;
  }
  auto workspace = repository.make_workspace(commit, {});
  if (!workspace) return failed_analysis(analyzer, workspace.error().message);
  work.root = (*workspace)->path();
  work.overlay = (*workspace)->overlay();
  work.home = (*workspace)->home_dir();
  work.temp = (*workspace)->temp_dir();
  work.timeout_ms = request.timeout_ms;
  return analyzer.run(work, stop);
}

void join_into(Issue& kept, const Issue& other) {
  Finding& finding = kept.finding;
  finding.severity = std::max(finding.severity, other.finding.severity);
  if (!finding.fixit) finding.fixit = other.finding.fixit;
  for (const std::string& who : other.finding.found_by)
    if (std::find(finding.found_by.begin(), finding.found_by.end(), who) == finding.found_by.end()) finding.found_by.push_back(who);
}

} // namespace

std::vector<Issue> merge_duplicates(std::vector<Issue> issues) {
  std::vector<Issue> merged;
  std::map<std::string, std::size_t> places;
  for (Issue& issue : issues) {
    if (issue.finding.found_by.empty() && !issue.finding.agent.empty()) issue.finding.found_by = {issue.finding.agent};
    const auto [place, fresh] = places.emplace(issue.fingerprint, merged.size());
    if (fresh) merged.push_back(std::move(issue));
    else join_into(merged[place->second], issue);
  }
  return merged;
}

Result<Review> review(const Ports& ports, const std::vector<std::unique_ptr<Analyzer>>& analyzers, const ReviewRequest& request,
                      std::stop_token stop) {
  Review result;
  TRY_ASSIGN(result.commit, ports.repository.resolve(request.ref));
  TRY_ASSIGN(const std::vector<std::string> files, files_to_look_at(ports.repository, request, result.commit));
  result.files = files.size();
  result.analyses.resize(analyzers.size());
  parallel_for(analyzers.size(), static_cast<std::size_t>(std::max(1, request.parallel)), [&](std::size_t i) {
    result.analyses[i] = run_one(ports.repository, *analyzers[i], request, result.commit, files, stop);
  });
  std::vector<Finding> findings;
  for (const Analysis& analysis : result.analyses) findings.insert(findings.end(), analysis.findings.begin(), analysis.findings.end());
  TRY_ASSIGN(std::vector<Issue> issues, triage(findings, ports.repository, result.commit));
  const std::int64_t now = ports.clock.wall_ms();
  TRY_ASSIGN(result.issues, ports.store.add_issues(merge_duplicates(std::move(issues)), now));
  for (const Issue& issue : result.issues)
    if (issue.created_ms == now) result.fresh.push_back(issue.code);
  std::stable_sort(result.issues.begin(), result.issues.end(), [](const Issue& a, const Issue& b) {
    return std::tie(a.finding.file, a.finding.line) < std::tie(b.finding.file, b.finding.line);
  });
  return result;
}

} // namespace emend
