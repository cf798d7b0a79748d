#include "engine/judge/rubric.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.hpp"
#include "engine/patch/notes.hpp"
#include "engine/verify/scan_comparison.hpp"

namespace emend {
namespace {

constexpr int kSmall = 20; // changed lines

bool is_confined(const Issue& issue, const Patch& patch) {
  return std::all_of(patch.changes.begin(), patch.changes.end(), [&](const FileChange& change) {
    const Finding& finding = issue.finding;
    const bool related = std::find(finding.related_files.begin(), finding.related_files.end(), change.path) !=
                         finding.related_files.end();
    return change.path == finding.file || related ||
           (finding.fixit && finding.fixit->sources.contains(change.path));
  });
}

struct Line {
  const char* name;
  const char* sentence;
  int weight;
  bool passed;
};

} // namespace

RubricScore rubric_score(const RubricFacts& facts) {
  const bool small = facts.changed_lines <= kSmall;
  std::vector<Line> lines = {
      {"gone", "the finding is gone when its analyzer is run again", 40, facts.finding_gone},
      {"nothing_new", "no new finding of its severity or above in the files it touches", 15,
       facts.nothing_new},
      {"confined", "only files the finding names are changed", 10, facts.confined},
      {"small", "the change is small", 5, small}};
  if (facts.verified) lines.push_back({"verified", "the project's checks pass with it", 30, *facts.verified});
  RubricScore result;
  int got = 0, possible = 0;
  result.feedback = "Fixed rubric, no model.\n";
  for (const Line& line : lines) {
    const int points = line.passed ? line.weight : 0;
    got += points;
    possible += line.weight;
    result.points[line.name] = points;
    result.feedback += fmt::format("- {}: {} of {}\n", line.sentence, points, line.weight);
  }
  if (!facts.verified) result.feedback += "- no check applies: not counted\n";
  result.score = got * 100 / possible;
  return result;
}

Verdict rubric_verdict(const RunContext& context, const Issue& issue, const Attempt& attempt,
                       const Verification& rescan, std::optional<bool> verified) {
  const DiffStat stat = diff_stat(attempt.patch);
  RubricFacts facts;
  if (rescan.rescan) {
    const auto& gone = rescan.rescan->gone;
    facts.finding_gone =
        std::find(gone.begin(), gone.end(), issue.id) != gone.end() && !silences_analyzer(attempt.patch);
    facts.nothing_new = rescan_problem(*rescan.rescan, issue, attempt.patch).empty();
  }
  facts.verified = verified;
  facts.confined = is_confined(issue, attempt.patch);
  facts.changed_lines = std::max(stat.insertions, stat.deletions);
  const RubricScore score = rubric_score(facts);
  const AgentBinding& binding = context.policy().challenger;
  Verdict verdict;
  verdict.id = new_uuid();
  verdict.session_id = context.session.id;
  verdict.issue_id = issue.id;
  verdict.attempt_id = attempt.id;
  verdict.patch_sha256 = attempt.patch.sha256();
  verdict.agent = binding.name;
  verdict.model = binding.model;
  verdict.family = binding.family;
  verdict.independent = binding.family != attempt.family;
  verdict.valid = true;
  verdict.score = score.score;
  verdict.status_word = score.score >= context.policy().satisfaction_threshold ? "SOLVED" : "IN_PROGRESS";
  verdict.feedback = score.feedback;
  verdict.quality_scores = score.points;
  verdict.started_ms = context.ports.clock.wall_ms();
  return verdict;
}

} // namespace emend
