#include "engine/review.hpp"

#include <map>
#include <set>

#include "base/glob.hpp"
#include "engine/analyze.hpp"
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
  result.analyses =
      run_analyzers(ports.repository, analyzers, {result.commit, {}, files, request.parallel, request.timeout_ms}, stop);
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
