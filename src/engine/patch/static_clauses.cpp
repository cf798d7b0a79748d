#include "engine/patch/static_clauses.hpp"

#include <fmt/format.h>

#include "base/strings.hpp"
#include "engine/patch/content_rules.hpp"
#include "engine/patch/cosmetic_change.hpp"
#include "engine/patch/file_form.hpp"

namespace emend {
namespace {

Clause clause(const char* id, const char* name, bool passed, std::string detail) {
  return {id, name, passed ? ClauseState::passed : ClauseState::failed, std::move(detail)};
}

std::string shortened(const std::vector<std::string>& sentences) {
  std::vector<std::string> shown(sentences.begin(),
                                 sentences.begin() + std::min<std::ptrdiff_t>(5, std::ssize(sentences)));
  if (shown.size() < sentences.size())
    shown.push_back(fmt::format("and {} more", sentences.size() - shown.size()));
  return join(shown, "; ");
}

// A finding that says that something is not tested is fixed by tests.
bool asks_for_tests(const Finding& finding) {
  const std::string about = to_lower(finding.category + " " + finding.rule);
  return is_test_path(finding.file) || contains(about, "test") || contains(about, "coverage");
}

Clause real_change(const Issue& issue, const Patch& patch) {
  if (patch.empty()) return clause("P1", "real_change", false, "nothing was changed");
  const bool tests_count = asks_for_tests(issue.finding);
  const bool real = allows_cosmetic(issue.finding) ||
                    std::any_of(patch.changes.begin(), patch.changes.end(), [&](const FileChange& change) {
                      if (is_own_test(issue.finding.file, change) && !tests_count) return false;
                      return !is_cosmetic(change) || repairs_mode(issue.finding, change) ||
                             repairs_line_ends(issue.finding, change);
                    });
  if (product_side(patch, {issue.finding.file}).empty() && !tests_count)
    return clause("P1", "real_change", false, "only tests were added; the code of the issue is unchanged");
  const DiffStat stat = diff_stat(patch);
  return clause("P1", "real_change", real,
                real ? fmt::format("{} file(s), +{} -{}", stat.files, stat.insertions, stat.deletions)
                     : "only comments, white space or file modes differ");
}

Clause in_scope(const Issue& issue, const Attempt& attempt, const Scope& scope) {
  std::vector<std::string> wrong = scope.violations(issue, attempt.patch);
  for (const std::string& note : attempt.notes)
    if (note.starts_with(kViolationNote)) wrong.push_back(note.substr(kViolationNote.size()));
  const Patch judges = apart(issue.finding.file, attempt.patch).judges;
  const std::string allowed = judges.empty()
                                  ? ""
                                  : fmt::format("; the issue is about {} ({}), which is changed",
                                                path_list(judges), judging_kind(judges.changes.front().path));
  return clause("P2", "in_scope", wrong.empty(),
                wrong.empty() ? "only allowed paths are touched" + allowed : shortened(wrong));
}

} // namespace

std::vector<Clause> static_clauses(const Issue& issue, const Attempt& attempt, const Scope& scope,
                                   const Redactor& redactor) {
  const auto hits = content_problems(attempt.patch, redactor);
  return {real_change(issue, attempt.patch), in_scope(issue, attempt, scope),
          clause("P3", "no_cheats", hits.empty(),
                 hits.empty() ? "no secret and no hidden character is added" : shortened(hits))};
}

const Clause* first_failure(const std::vector<Clause>& clauses) {
  for (const Clause& clause : clauses)
    if (clause.state == ClauseState::failed || clause.state == ClauseState::unknown) return &clause;
  return nullptr;
}

} // namespace emend
