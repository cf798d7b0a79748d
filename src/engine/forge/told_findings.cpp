#include "engine/forge/told_findings.hpp"

#include <algorithm>

#include "base/strings.hpp"
#include "engine/forge/forge_text.hpp"
#include "engine/forge/threads.hpp"
#include "engine/intake/triage.hpp"

namespace emend {

namespace {

constexpr std::size_t kFingerprint = 16;

// The words as they were before they were made harmless.
std::string plain(std::string_view text) { return replace_all(std::string(text), "\xE2\x80\x8B", ""); }

// "**high**: Off by one (BE-001)"
struct FirstLine {
  Severity severity;
  std::string title, code;
};
std::optional<FirstLine> read_first_line(std::string_view line) {
  const std::size_t end = line.find("**: "), open = line.rfind(" (");
  if (!line.starts_with("**") || end == std::string_view::npos || open == std::string_view::npos ||
      open < end + 4 || !line.ends_with(')'))
    return std::nullopt;
  const auto severity = parse_severity(line.substr(2, end - 2));
  const std::string_view code = line.substr(open + 2, line.size() - open - 3);
  const bool is_code =
      code.size() >= 6 && code.size() <= 12 && code[2] == '-' &&
      std::all_of(code.begin(), code.begin() + 2, [](char c) { return c >= 'A' && c <= 'Z'; }) &&
      std::all_of(code.begin() + 3, code.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!severity || !is_code) return std::nullopt;
  return FirstLine{*severity, plain(line.substr(end + 4, open - end - 4)), std::string(code)};
}

// What stands below the first line, without the code block, who found it, and the mark.
std::string told_below(std::string_view body) {
  std::string_view rest = body.substr(std::min(body.find('\n'), body.size()));
  for (const std::string_view end : {"\n```", "\n\nfound by ", "\n\n<!-- emend"})
    rest = rest.substr(0, rest.find(end));
  return plain(trim(rest));
}

std::string dismissal_in(const ReviewThread& thread) {
  for (std::size_t i = 1; i < thread.remarks.size(); ++i) {
    const Remark& said = thread.remarks[i];
    const auto mark = said.own ? mark_in(said.body) : std::nullopt;
    if (mark && mark->fingerprint == kDismissedMark) return first_line(plain(said.body), 400);
  }
  return {};
}

} // namespace

std::optional<ToldFinding> told_finding(const ReviewThread& thread) {
  const auto fingerprint = fingerprint_of(thread);
  if (!fingerprint || fingerprint->size() < kFingerprint) return std::nullopt;
  const std::string body = replace_all(thread.remarks.front().body, "\r\n", "\n");
  const auto first = read_first_line(body.substr(0, body.find('\n')));
  if (!first) return std::nullopt;
  ToldFinding told{*fingerprint, first->code, {}, dismissal_in(thread)};
  told.finding.severity = first->severity;
  told.finding.title = first->title;
  told.finding.description = told_below(body);
  told.finding.file = thread.path;
  told.finding.line = thread.line > 0 ? thread.line : thread.line_then;
  told.finding.line_end = told.finding.line;
  return told;
}

Result<std::vector<LearnedFinding>> learn_told(const Ports& ports, const std::vector<ReviewThread>& threads,
                                               const std::string& commit) {
  IssueFilter filter;
  filter.repository_id = ports.repository.id();
  TRY_ASSIGN(const std::vector<Issue> known, ports.store.issues(filter));
  TRY_ASSIGN(const Redactor redactor, ports.redactor());
  std::vector<LearnedFinding> learned;
  for (const ReviewThread& thread : threads) {
    const auto told = told_finding(thread);
    if (!told || std::any_of(known.begin(), known.end(),
                             [&](const Issue& issue) { return issue.fingerprint == told->fingerprint; }))
      continue;
    TRY_ASSIGN(std::vector<Issue> issues, triage({told->finding}, ports.repository, commit, redactor));
    issues.front().fingerprint = told->fingerprint;
    issues.front().code = told->code;
    TRY_ASSIGN(issues, ports.store.add_issues(std::move(issues), ports.clock.wall_ms()));
    learned.push_back({std::move(issues.front()), told->dismissed});
  }
  return learned;
}

} // namespace emend
