#include "engine/intake/uncommitted.hpp"

#include "engine/intake/fingerprint.hpp"
#include "engine/intake/review_scope.hpp"

namespace emend {
namespace {

// Whether a line of the text is the one the issue is about, by its words.
bool has_line(const FingerprintText& text, const Issue& issue, int line) {
  Finding there = issue.finding;
  there.line = line;
  return text.fingerprints(there).line_key == issue.line_key;
}

bool has_any_line(const FingerprintText& text, const Issue& issue) {
  for (int line = 1; line <= text.lines(); ++line)
    if (has_line(text, issue, line)) return true;
  return false;
}

bool is_new_in(const FileChange& change, const DiffFilter& added, const Issue& issue) {
  if (change.deleted()) return false;
  if (change.added()) return true;
  if (issue.line_key.empty() || issue.finding.line < 1) return false;
  const FingerprintText now(change.new_content);
  if (!has_any_line(FingerprintText(change.old_content), issue)) return has_any_line(now, issue);
  return added.keeps(issue.finding) &&
         has_line(now, issue, issue.finding.line); // the same line is there twice, and this one is new
}

} // namespace

Result<std::set<std::string>> uncommitted_issues(Checkout& repository, const std::vector<Issue>& issues) {
  std::set<std::string> ids;
  const auto head = repository.resolve("HEAD");
  if (!head) return ids; // no commit at all is somebody else's to say
  auto patch = repository.uncommitted(*head);
  if (!patch && patch.error().code == ErrorCode::not_found) return ids; // nothing is checked out
  if (!patch) return fail(std::move(patch).error());
  const DiffFilter added(*patch, FilterMode::added);
  for (const Issue& issue : issues) {
    const FileChange* change = patch->find(issue.finding.file);
    if (change != nullptr && is_new_in(*change, added, issue)) ids.insert(issue.id);
  }
  return ids;
}

std::string not_committed_text(const std::string& again) {
  return "This finding is in code that is not committed yet. Commit it, then run `" + again + "` again.";
}

} // namespace emend
