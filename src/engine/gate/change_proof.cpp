#include "engine/gate/change_proof.hpp"

#include "engine/gate/proof_parts.hpp"
#include "engine/gate/verification_clauses.hpp"
#include "engine/patch/clause_outcomes.hpp"
#include "engine/patch/static_clauses.hpp"

namespace emend {
namespace {

std::string text_of(const Json& json) { return dump_json(json, 1) + "\n"; }

template <typename Record>
Json list_of(const std::vector<Record>& records, const Redactor& redactor) {
  Json list = Json::array();
  for (const Record& record : records) list.push_back(redacted(to_json(record), redactor));
  return list;
}

Json opened_part(const std::vector<OpenedTest>& opened) {
  Json list = Json::array();
  for (const OpenedTest& one : opened) list.push_back(to_json(one));
  return list;
}

} // namespace

GateInput gate_input(const SeenChange& seen) {
  GateInput in;
  in.policy = seen.policy;
  in.issue = seen.issue;
  in.attempt = seen.attempt;
  in.verifications = seen.verifications;
  in.opened = in.session_opened = seen.opened;
  in.session.id = seen.attempt.session_id;
  in.session.policy = seen.policy;
  in.session.base = in.final_base = seen.attempt.base;
  in.final_patch_sha256 = in.whole_patch_sha256 = seen.attempt.patch.sha256();
  in.every_check_on_final = false; // there is no branch with fixes of others
  return in;
}

GateDecision decide_change(const GateInput& in, const Redactor& redactor) {
  GateDecision decision;
  decision.clauses = static_clauses(in.issue, *in.attempt,
                                    Scope(in.policy, *in.base_tree, in.called_scripts, in.opened), redactor);
  VerificationClauses verification = verification_clauses(in);
  for (Clause* clause : {&verification.p4, &verification.p5, &verification.p6})
    decision.clauses.push_back(std::move(*clause));
  if (const Clause* failure = first_failure(decision.clauses)) {
    decision.reason = failure->name;
    decision.detail = failure->detail;
    return decision;
  }
  decision.evidence = evidence_of(verification.support);
  decision.marks = verification.support.marks;
  const bool shown = decision.evidence == Evidence::unbroken && decision.marks.shown;
  decision.resolved = decision.evidence >= Evidence::repaired || shown;
  if (!decision.resolved) decision.reason = "evidence_too_weak";
  return decision;
}

std::string change_proof(const GateInput& in, const std::vector<Verdict>& verdicts,
                         const std::string& version, const Redactor& redactor) {
  const GateDecision decision = decide_change(in, redactor);
  if (!decision.resolved) return {};
  std::vector<ProofPart> parts = {
      {"issue.json", text_of(issue_part(in.issue, redactor))},
      {"policy.json", text_of(policy_part(in.policy, redactor))},
      {"attempt.json", text_of(attempt_part(*in.attempt, redactor))},
      {"patch.json", text_of(to_json(in.attempt->patch))},
      {"patch.diff", unified_diff(in.attempt->patch)},
      {"verifications.json", text_of(list_of(in.verifications, redactor))},
      {"verdicts.json", text_of(list_of(verdicts, redactor))},
      {"opened-tests.json", text_of(opened_part(in.opened))},
      {"tools.json", text_of(tools_part(version))},
      {"decision.json", text_of(redacted(to_json(decision), redactor))},
  };
  const Json head = {{"format", kChangeProofFormat},
                     {"emend", version},
                     {"base", in.attempt->base},
                     {"patch_sha256", in.attempt->patch.sha256()},
                     {"evidence", to_string(decision.evidence)}};
  parts.insert(parts.begin(), manifest_part(head, parts));
  return write_archive(parts);
}

} // namespace emend
