#include "engine/review.hpp"

#include <map>
#include <set>

#include "base/glob.hpp"
#include "engine/analyze.hpp"
#include "engine/triage.hpp"

namespace emend {
namespace {

bool names(const std::string& path, const std::string& file) {
  return path == "." || file == path || file.starts_with(path.ends_with('/') ? path : path + "/") || glob_match(path, file);
}

// A path that names nothing must not look like a clean one.
Result<std::vector<std::string>> named_files(const std::vector<std::string>& files, const std::vector<std::string>& paths) {
  if (paths.empty()) return files;
  std::set<std::string> chosen;
  for (const std::string& path : paths) {
    bool any = false;
    for (const std::string& file : files)
      if (names(path, file)) any = true, chosen.insert(file);
    if (!any) return fail(ErrorCode::usage, "there is no file " + path + " in what is looked at");
  }
  return std::vector<std::string>(chosen.begin(), chosen.end());
}

// What the store would say, without telling it anything.
Result<std::vector<Issue>> recognised(const Ports& ports, std::vector<Issue> issues) {
  IssueFilter filter;
  filter.repository_id = ports.repository.id();
  TRY_ASSIGN(const std::vector<Issue> known, ports.store.issues(filter));
  std::map<std::string, const Issue*> by_fingerprint;
  for (const Issue& issue : known) by_fingerprint[issue.fingerprint] = &issue;
  for (Issue& issue : issues)
    if (const auto found = by_fingerprint.find(issue.fingerprint); found != by_fingerprint.end()) issue = *found->second;
  return issues;
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
  const std::int64_t start = ports.clock.wall_ms();
  Review result;
  TRY_ASSIGN(result.tree, look_up(ports.repository, request.scope));
  result.commit = result.tree.commit;
  const DiffFilter filter(result.tree.diff, request.filter.value_or(request.scope.kind == ScopeKind::since ? FilterMode::file : FilterMode::added));
  TRY_ASSIGN(std::vector<std::string> files, files_of(ports.repository, result.tree));
  TRY_ASSIGN(files, named_files(files, request.paths));
  std::erase_if(files, [&](const std::string& file) { return !filter.looks_at(file); });
  result.files = files.size();
  result.analyses = run_analyzers(ports.repository, analyzers,
                                  {result.tree.commit, result.tree.patch, files, request.parallel, request.timeout_ms}, stop);
  std::vector<Finding> findings;
  for (const Analysis& analysis : result.analyses) findings.insert(findings.end(), analysis.findings.begin(), analysis.findings.end());
  const auto read = [&](const std::string& path) { return read_from(ports.repository, result.tree, path); };
  TRY_ASSIGN(std::vector<Issue> issues, triage(findings, ports.repository, read));
  issues = merge_duplicates(std::move(issues));
  result.outside = std::erase_if(issues, [&](const Issue& issue) { return !filter.keeps(issue.finding); });
  const std::int64_t now = ports.clock.wall_ms();
  if (request.save) {
    TRY_ASSIGN(result.issues, ports.store.add_issues(issues, now));
  } else {
    TRY_ASSIGN(result.issues, recognised(ports, std::move(issues)));
  }
  for (const Issue& issue : result.issues)
    if (issue.code.empty() || issue.created_ms == now) result.fresh.push_back(issue.fingerprint);
  std::stable_sort(result.issues.begin(), result.issues.end(), [](const Issue& a, const Issue& b) {
    return std::tie(a.finding.file, a.finding.line) < std::tie(b.finding.file, b.finding.line);
  });
  result.duration_ms = ports.clock.wall_ms() - start;
  return result;
}

} // namespace emend
