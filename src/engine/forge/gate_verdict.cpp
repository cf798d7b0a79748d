#include "engine/forge/gate_verdict.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.hpp"
#include "engine/forge/forge_text.hpp"

namespace emend {

namespace {

constexpr std::size_t kMostClaims = 50, kMostAnnotations = 200;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Words and codes of a text: "Fixes: BE-001, and" -> "fixes" "BE-001" "and".
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (is_letter(c) || is_digit(c) || c == '-')
      words.back() += c;
    else if (c == '\n' || c == '.')
      words.insert(words.end(), {".", ""}); // a sentence ends
    else if (!words.back().empty())
      words.emplace_back();
  }
  return words;
}

bool is_code(const std::string& word) {
  return word.size() >= 6 && word.size() <= 12 && word[2] == '-' &&
         std::all_of(word.begin(), word.begin() + 2, [](char c) { return c >= 'A' && c <= 'Z'; }) &&
         std::all_of(word.begin() + 3, word.end(), is_digit);
}

bool claims_a_fix(const std::string& word) {
  const std::string lower = to_lower(word);
  return lower == "fix" || lower == "fixes" || lower == "fixed" || lower == "closes" || lower == "resolves";
}

bool fails_gate(const Issue& issue, Severity at) { return issue.finding.severity >= at; }

std::string counts(const PrReview& review) {
  std::size_t worst = 0;
  Severity most = Severity::info;
  for (const Issue& issue : review.findings) most = std::max(most, issue.finding.severity);
  for (const Issue& issue : review.findings)
    if (issue.finding.severity == most) ++worst;
  if (review.findings.empty()) return "no findings";
  return fmt::format("{} finding{}, {} {}", review.findings.size(), review.findings.size() == 1 ? "" : "s",
                     worst, to_string(most));
}

std::string findings_text(const PrReview& review) {
  std::string text;
  for (const Issue& issue : review.findings)
    text += fmt::format("- {}**{}** `{}:{}` {}\n", issue.code.empty() ? "" : issue.code + " ",
                        to_string(issue.finding.severity), harmless_line(issue.finding.file),
                        issue.finding.line, harmless_line(issue.finding.title));
  return text;
}

std::string way_out(const TeamSettings& settings, bool failed) {
  if (!failed) return "";
  return fmt::format(
      "\nTo pass: fix or dismiss what is listed (`/emend help`). Somebody who may write here can "
      "override it for this commit with the label `{}`.\n",
      harmless_line(settings.override_label));
}

} // namespace

std::string claims_text(const std::vector<FixClaim>& claims) {
  std::string text;
  for (const FixClaim& claim : claims)
    text += fmt::format("- {}: {}, {}\n", claim.code, claim.proven ? "proven" : "**not proven**",
                        harmless_line(claim.line, 300));
  return text.empty() ? "" : "\nWhat it says it fixes:\n\n" + text;
}

std::vector<std::string> claimed_codes(std::string_view text) {
  std::vector<std::string> codes;
  bool claims = false;
  for (const std::string& word : words_of(text)) {
    if (word == ".")
      claims = false;
    else if (claims_a_fix(word))
      claims = true;
    else if (claims && is_code(word) && codes.size() < kMostClaims &&
             std::find(codes.begin(), codes.end(), word) == codes.end())
      codes.push_back(word);
  }
  return codes;
}

HeadStatus conclude(const GateFacts& facts, const TeamSettings& settings) {
  HeadStatus status;
  const PrReview& review = facts.review;
  const auto bad = std::count_if(review.findings.begin(), review.findings.end(),
                                 [&](const Issue& issue) { return fails_gate(issue, settings.gate_at); });
  const auto unproven = std::count_if(facts.claims.begin(), facts.claims.end(),
                                      [](const FixClaim& claim) { return !claim.proven; });
  const bool by_findings = settings.gate != GateMode::never && bad > 0;
  const bool by_proof = settings.gate == GateMode::proof && unproven > 0;
  const bool no_votes = review.count.decision == PrDecision::not_enough_votes;
  status.summary = counts(review);
  if (by_findings)
    status.summary += fmt::format("; {} {} or worse, which blocks it", bad, to_string(settings.gate_at));
  if (unproven > 0)
    status.summary +=
        fmt::format("; {} {} claimed and not proven", unproven, unproven == 1 ? "fix is" : "fixes are");
  const bool failed = by_findings || by_proof;
  status.state = no_votes                  ? HeadState::error
                 : failed                  ? HeadState::failure
                 : review.findings.empty() ? HeadState::success
                                           : HeadState::neutral;
  if (no_votes) status.summary = "fewer than two votes: nothing is known about this change";
  if (failed && !facts.override_by.empty() && !no_votes) {
    status.state = HeadState::neutral;
    status.summary += "; overridden by " + harmless_line(facts.override_by, 60);
  }
  status.text = status.summary + "\n\n" + findings_text(review) + claims_text(facts.claims) +
                way_out(settings, status.state == HeadState::failure);
  return status;
}

std::vector<Annotation> annotations_of(const std::vector<Issue>& findings,
                                       const std::vector<DiffFile>& diff) {
  const auto is_shown = [&](const Finding& finding) {
    for (const DiffFile& file : diff)
      for (const auto& hunk : file.hunks)
        for (const DiffLine& line : hunk)
          if (file.path == finding.file && line.line == finding.line) return true;
    return false;
  };
  std::vector<const Issue*> shown;
  for (const Issue& issue : findings)
    if (is_shown(issue.finding)) shown.push_back(&issue);
  std::stable_sort(shown.begin(), shown.end(),
                   [](const Issue* a, const Issue* b) { return a->finding.severity > b->finding.severity; });
  if (shown.size() > kMostAnnotations) shown.resize(kMostAnnotations);
  std::vector<Annotation> all;
  for (const Issue* issue : shown) {
    const Finding& finding = issue->finding;
    all.push_back({finding.file, finding.line, finding.line, finding.severity >= Severity::high,
                   (issue->code.empty() ? "" : issue->code + ": ") + harmless_line(finding.title),
                   harmless(finding.description.empty() ? finding.title : finding.description, 560),
                   harmless(finding.suggestion, 2'000)});
  }
  return all;
}

} // namespace emend
