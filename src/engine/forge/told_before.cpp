#include "engine/forge/told_before.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "base/strings.hpp"
#include "engine/forge/forge_text.hpp"

namespace emend {

namespace {

constexpr int kNearLines = 3;
constexpr std::size_t kShortestWord = 4, kFewestWords = 3, kFingerprint = 16;

// Words that carry a meaning, and not those with which any finding is told.
std::set<std::string> words_in(std::string_view text) {
  static const std::set<std::string> kEmpty = {
      "critical", "high", "medium", "info",  "found", "should", "this", "that", "with", "from", "when",
      "have",     "will", "could",  "would", "which", "there",  "than", "then", "into", "does"};
  std::set<std::string> words;
  std::string word;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ' ';
    const bool part = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    if (part) {
      word += c;
      continue;
    }
    const std::string lower = to_lower(word);
    if (lower.size() >= kShortestWord && !kEmpty.contains(lower)) words.insert(lower);
    word.clear();
  }
  return words;
}

// Of the words of the shorter one, at least half are in the other; few words have to be the same.
bool says_the_same(const std::set<std::string>& a, const std::set<std::string>& b) {
  const auto shared = static_cast<std::size_t>(
      std::count_if(a.begin(), a.end(), [&](const std::string& word) { return b.contains(word); }));
  if (shared < kFewestWords) return shared > 0 && a == b;
  return shared * 2 >= std::min(a.size(), b.size());
}

// The words a person reads: without mark, code block and who found it.
std::string told_in(const Remark& remark) {
  std::string text = remark.body.substr(0, remark.body.find("\n```"));
  text = text.substr(0, text.find("<!-- emend"));
  return text.substr(0, text.rfind("\n\nfound by "));
}

} // namespace

std::map<std::string, std::string> told_before(const std::vector<Issue>& findings,
                                               const std::vector<Remark>& remarks) {
  std::set<std::string> now, taken, own;
  for (const Issue& issue : findings) now.insert(issue.fingerprint);
  for (const Remark& remark : remarks)
    if (const auto mark = remark.own ? mark_in(remark.body) : std::nullopt) own.insert(mark->fingerprint);
  std::map<std::string, std::string> same;
  for (const Remark& remark : remarks) {
    const auto mark =
        remark.own && remark.kind == RemarkKind::inline_comment ? mark_in(remark.body) : std::nullopt;
    if (!mark || mark->fingerprint.size() < kFingerprint || now.contains(mark->fingerprint) ||
        !taken.insert(mark->fingerprint).second)
      continue;
    const auto words = words_in(told_in(remark));
    for (const Issue& issue : findings) {
      const Finding& finding = issue.finding;
      if (same.contains(issue.fingerprint) || own.contains(issue.fingerprint) ||
          finding.file != remark.path || remark.line <= 0 ||
          std::abs(finding.line - remark.line) > kNearLines ||
          !says_the_same(words,
                         words_in(finding.title + " " + finding.description + " " + finding.suggestion)))
        continue;
      same.emplace(issue.fingerprint, mark->fingerprint);
      break;
    }
  }
  return same;
}

} // namespace emend
