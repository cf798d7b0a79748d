// What agents answer: verdicts, outcomes, findings, questions, plans, names.
#include "engine/agents/answers.hpp"
#include "engine/branch/git_proposals.hpp"
#include "engine/intake/findings.hpp"
#include "engine/plan/clarify.hpp"
#include "engine/plan/plan_agent.hpp"
#include "engine/review/reviewer_answer.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace emend::fuzz {
namespace {

Issue issue(const char* code) {
  Issue made;
  made.id = code;
  made.code = code;
  made.finding.id = "F001";
  made.finding.file = "src/a.c";
  return made;
}

FUZZ_TARGET(verdict) {
  Verdict verdict;
  parse_verdict(input, issue("BE-001"), "0123456789abcdef", 95, verdict);
  promise(verdict.valid == verdict.score.has_value(), "a valid verdict has a score, an invalid one has none");
  promise(!verdict.score || (*verdict.score >= 0 && *verdict.score <= 100), "scores are from 0 to 100");
  promise(verdict.valid || !verdict.problem.empty(), "what is invalid says why");
  promise(to_json(verdict_from_json(to_json(verdict))) == to_json(verdict), "a verdict survives the store");
  promise(other_remarks(input, issue("BE-001")).size() <= 20, "remarks are bounded");
}

FUZZ_TARGET(fixer_answer) {
  const auto answer = parse_fixer_answer(input, {issue("BE-001"), issue("BE-002")});
  promise(!answer || answer->by_code.size() == 2,
          "every issue that was asked about has an outcome, and no other");
}

FUZZ_TARGET(reviewer_answer) {
  const auto answer = parse_reviewer_answer(input, "token");
  if (answer)
    for (const Finding& finding : answer->findings)
      promise(finding.line >= 0 && (finding.line_end == 0 || finding.line_end >= finding.line),
              "lines are in order");
}

FUZZ_TARGET(other_answers) {
  static_cast<void>(parse_clarifier_answer(input, {issue("BE-001")}, 3));
  static_cast<void>(parse_planner_answer(input));
  static_cast<void>(parse_message_proposal(input));
  if (const auto branch = parse_branch_proposal(input, "session"))
    promise(!branch->empty() && branch->front() != '-' && branch->find("..") == std::string::npos,
            "a branch's name is one git takes");
}

FUZZ_TARGET(findings) {
  const auto found = parse_findings(input);
  if (!found) return;
  for (const Finding& finding : *found)
    promise(finding_from_json(to_json(finding)) == finding, "a finding survives the store");
}

} // namespace
} // namespace emend::fuzz
