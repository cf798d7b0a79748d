#include "engine/review/review.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <tuple>

#include "base/parallel.hpp"
#include "base/strings.hpp"
#include "engine/context/event_log.hpp"
#include "engine/intake/triage.hpp"
#include "engine/verify/analyze.hpp"
#include "model/same_rules.hpp"

namespace emend {
namespace {

// A path that names nothing must not look like a clean one.
Result<std::vector<std::string>> named_files(const std::vector<std::string>& files,
                                             const std::vector<std::string>& paths) {
  if (paths.empty()) return files;
  std::set<std::string> chosen;
  for (const std::string& path : paths) {
    bool any = false;
    for (const std::string& file : files)
      if (names_path(path, file)) any = true, chosen.insert(file);
    if (!any) return fail(ErrorCode::usage, "there is no file " + path + " in what is reviewed");
  }
  return std::vector<std::string>(chosen.begin(), chosen.end());
}

std::vector<Finding> findings_of(const std::vector<Analysis>& analyses) {
  std::vector<Finding> findings;
  for (const Analysis& analysis : analyses)
    findings.insert(findings.end(), analysis.findings.begin(), analysis.findings.end());
  return findings;
}

bool found_by_any(const Finding& finding, const std::vector<Analysis>& analyses) {
  return std::any_of(analyses.begin(), analyses.end(), [&](const Analysis& analysis) {
    return finding.agent == analysis.analyzer || std::find(finding.found_by.begin(), finding.found_by.end(),
                                                           analysis.analyzer) != finding.found_by.end();
  });
}

using ReadFile = std::function<Result<std::string>(const std::string&)>;

// Lines of the files that are reviewed. One file is held at a time.
class ReviewedLines {
public:
  explicit ReviewedLines(const ReadFile& read) : read_(read) {}

  // Of one file, for ReviewRules::why_hidden().
  [[nodiscard]] ReviewRules::LineOf of(const std::string& file) {
    return [this, &file](int line) -> std::string {
      open(file);
      const auto index = static_cast<std::size_t>(line);
      return index < 1 || index > lines_.size() ? "" : std::string(lines_[index - 1]);
    };
  }

private:
  void open(const std::string& file) {
    if (file == opened_) return;
    auto content = read_(opened_ = file);
    text_ = content ? *std::move(content) : "";
    lines_ = lines_of(text_);
  }

  const ReadFile& read_;
  std::string opened_, text_;
  std::vector<std::string_view> lines_;
};

// Takes out what the rules hide, and keeps count. What is hidden was found all the same: see record_absent().
std::vector<Issue> take_hidden(std::vector<Issue>& issues, const ReviewRules& rules, const ReadFile& read,
                               Review& result) {
  ReviewedLines lines(read);
  std::vector<Issue> kept, hidden;
  for (Issue& issue : issues) {
    const std::string why = rules.why_hidden(issue.finding, lines.of(issue.finding.file));
    if (!why.empty()) ++result.hidden[why];
    (why.empty() ? kept : hidden).push_back(std::move(issue));
  }
  issues = std::move(kept);
  return hidden;
}

// Nobody pays for a review of everything who did not ask for it.
std::vector<Analysis> agents_review(const Ports& ports, const ReviewRequest& request, const ScopedTree& tree,
                                    const std::vector<std::string>& files, std::stop_token stop) {
  if (request.reviewers.reviewers.empty()) return {};
  const bool asked_for = tree.diff || request.scope.kind != ScopeKind::branch || !request.paths.empty();
  if (asked_for)
    return run_reviewers(ports, request.reviewers, {tree, files, request.paths.empty()}, std::move(stop));
  std::vector<Analysis> skipped;
  for (const Reviewer& reviewer : request.reviewers.reviewers) {
    skipped.emplace_back();
    skipped.back().analyzer = reviewer.name();
    skipped.back().by_agent = true;
    skipped.back().detail = "nothing changed; to review the whole repository: --all";
  }
  return skipped;
}

// What is told while tools are still at work: only what the review will show, too. Calls come one at a time.
TellProgress telling(const ReviewRequest& request, const DiffFilter& filter,
                     const std::function<bool(const std::string&)>& left_out, const Redactor& redactor,
                     const ReadFile& read) {
  if (!request.on_progress) return {};
  const auto lines = std::make_shared<ReviewedLines>(read);
  return
      [&, left_out, lines](const AnalyzerProgress& progress) { // what was made for the call does not live on
        AnalyzerProgress told = progress;
        std::erase_if(told.found, [&](const Finding& finding) {
          return !filter.keeps(finding) || left_out(finding.file) ||
                 !request.rules.why_hidden(finding, lines->of(finding.file)).empty();
        });
        for (Finding& finding : told.found) finding.title = redactor.redact(finding.title);
        request.on_progress(told);
      };
}

// A repository of which nothing is known yet is looked at as a whole: who tries emend wants to see what there
// is.
Result<bool> is_first(const Ports& ports, const ReviewRequest& request) {
  if (request.scope.kind != ScopeKind::branch || !request.save || request.filter || !request.paths.empty())
    return false;
  IssueFilter any;
  any.repository_id = ports.repository.id();
  any.limit = 1;
  TRY_ASSIGN(const auto known, ports.store.issues(any));
  return known.empty();
}

} // namespace

namespace {

// What one tool doubts and another is sure of is sure: who is sure speaks for both.
void join_issue(Issue& kept, Issue& other) {
  if (is_noise(kept.finding) && !is_noise(other.finding)) std::swap(kept, other);
  join_finding(kept.finding, other.finding);
}

} // namespace

// Columns differ from tool to tool, so beside the fingerprint the line and the rule count, but only between
// different tools: two reports of one tool on one line are two things.
std::vector<Issue> merge_duplicates(std::vector<Issue> issues) {
  std::vector<Issue> merged;
  std::map<std::string, std::size_t> places;
  std::map<std::tuple<std::string, int, std::string>, std::vector<std::size_t>> lines;
  for (Issue& issue : issues) {
    Finding& finding = issue.finding;
    if (finding.found_by.empty() && !finding.agent.empty()) finding.found_by = {finding.agent};
    if (const auto same = places.find(issue.fingerprint); same != places.end()) {
      join_issue(merged[same->second], issue);
      continue;
    }
    const bool placed = finding.line > 0 && !finding.rule.empty() && !finding.agent.empty();
    auto* neighbours = placed ? &lines[{finding.file, finding.line, meaning_of_rule(finding.rule)}] : nullptr;
    const auto twin = [&](std::size_t i) {
      const auto& finders = merged[i].finding.found_by;
      return std::find(finders.begin(), finders.end(), finding.agent) == finders.end();
    };
    if (neighbours != nullptr) {
      if (const auto found = std::find_if(neighbours->begin(), neighbours->end(), twin);
          found != neighbours->end()) {
        places.emplace(issue.fingerprint, *found);
        join_issue(merged[*found], issue);
        continue;
      }
      neighbours->push_back(merged.size());
    }
    places.emplace(issue.fingerprint, merged.size());
    merged.push_back(std::move(issue));
  }
  return merged;
}

Result<Review> review(const Ports& ports, const std::vector<std::unique_ptr<Analyzer>>& analyzers,
                      const ReviewRequest& request, std::stop_token stop) {
  const std::int64_t start = ports.clock.wall_ms();
  Review result;
  TRY_ASSIGN(result.tree, look_up(ports.repository, request.scope));
  result.commit = result.tree.commit;
  const ScopedTree changed =
      result.tree; // what agents look at: nobody pays them for everything without asking
  TRY_ASSIGN(const bool first, is_first(ports, request));
  if (first && result.tree.diff && !analyzers.empty()) {
    result.tree.diff.reset();
    result.tree.words = "the whole repository with local analyzers, because this is its first review";
    if (!request.reviewers.reviewers.empty()) result.tree.words += "; agents review " + changed.words;
  }
  const DiffFilter filter(
      result.tree.diff,
      request.filter.value_or(request.scope.kind == ScopeKind::since ? FilterMode::file : FilterMode::added));
  TRY_ASSIGN(const std::vector<std::string> all, files_of(ports.repository, result.tree));
  TRY_ASSIGN(std::vector<std::string> files, named_files(all, request.paths));
  // Who reviews with understanding also tells what is missing beside the lines that changed.
  const DiffFilter wider(changed.diff, request.filter.value_or(FilterMode::file));
  std::vector<std::string> changed_files = files;
  std::erase_if(changed_files, [&](const std::string& file) { return !wider.looks_at(file); });
  std::erase_if(files, [&](const std::string& file) { return !filter.looks_at(file); });
  const bool whole_tree = files.size() == all.size();
  const auto left_out = [&](const std::string& file) {
    const auto& named = request.paths;
    return request.rules.leaves_out(file) && std::find(named.begin(), named.end(), file) == named.end();
  };
  std::erase_if(changed_files, left_out);
  result.excluded = std::erase_if(files, left_out);
  result.files = files.size();
  TRY_ASSIGN(const Redactor redactor, ports.redactor());
  const ReadFile read = [&](const std::string& path) {
    return read_from(ports.repository, result.tree, path);
  };
  const TellProgress tell = telling(request, filter, left_out, redactor, read);
  std::vector<Analysis> reviews;
  parallel_for(2, 2, [&](std::size_t i) {
    if (i == 1)
      reviews = agents_review(ports, request, changed, changed_files, stop);
    else
      result.analyses = run_analyzers(
          ports.repository, analyzers,
          {result.tree.commit, result.tree.patch, files, request.parallel, request.timeout_ms, tell}, stop);
  });
  std::vector<Finding> findings = findings_of(result.analyses);
  for (Finding& finding : join_reviewers(findings_of(reviews))) findings.push_back(std::move(finding));
  TRY_ASSIGN(std::vector<Issue> issues, triage(findings, ports.repository, read, redactor));
  issues = merge_duplicates(std::move(issues));
  result.outside = std::erase_if(issues, [&](const Issue& issue) {
    return !(found_by_any(issue.finding, reviews) ? wider : filter).keeps(issue.finding);
  });
  std::erase_if(issues, [&](const Issue& issue) { return left_out(issue.finding.file); });
  const std::vector<Issue> hidden = take_hidden(issues, request.rules, read, result);
  const std::int64_t now = ports.clock.wall_ms();
  const auto has_file = [&all](const std::string& file) {
    return std::binary_search(all.begin(), all.end(), file);
  };
  Sighting sighting = new_sighting(result.tree.patch.empty() ? result.commit : "", has_file);
  sighting.dry = !request.save;
  TRY_ASSIGN(result.issues, ports.store.add_issues(std::move(issues), now, sighting));
  EventLog log(ports.store, ports.clock, {});
  TRY_ASSIGN(result.seen,
             judge_sightings(result.issues, result.commit, request.save, ports.repository, ports.store, log));
  for (const auto& [fingerprint, seen] : result.seen)
    if (seen == SeenAs::fresh) result.fresh.push_back(fingerprint);
  // Lines that were filtered out say nothing, and what is not committed has no name to record.
  if (request.save && result.outside == 0 && result.tree.patch.empty()) {
    const Looked looked{result.commit, files, has_file, whole_tree, result.analyses, hidden};
    TRY_ASSIGN(result.absent, record_absent(looked, result.issues, ports.repository.id(), ports.store, log));
  }
  for (Analysis& review : reviews) result.analyses.push_back(std::move(review));
  std::stable_sort(result.issues.begin(), result.issues.end(), [](const Issue& a, const Issue& b) {
    return std::tie(a.finding.file, a.finding.line) < std::tie(b.finding.file, b.finding.line);
  });
  result.duration_ms = ports.clock.wall_ms() - start;
  return result;
}

} // namespace emend
