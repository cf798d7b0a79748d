#include "cli/model_json.hpp"

namespace emend {

namespace {

Json cycle_json(const FixCycle& cycle) {
  Json verifications = Json::array(), verdicts = Json::array();
  for (const Verification& verification : cycle.verifications) verifications.push_back(to_json(verification));
  for (const Verdict& verdict : cycle.verdicts) verdicts.push_back(to_json(verdict));
  return {{"issue_code", cycle.issue_code},
          {"attempt", to_json(cycle.attempt, false)},
          {"verifications", std::move(verifications)},
          {"verdicts", std::move(verdicts)},
          {"diff_after_fix", cycle.diff_after_fix}};
}

Json proof_json(const Proof& proof) {
  return {{"session_id", proof.session_id},
          {"attempt_id", proof.attempt_id},
          {"verdict_id", proof.verdict_id},
          {"base", proof.base},
          {"commit", proof.commit},
          {"branch", proof.branch},
          {"patch_sha256", proof.patch_sha256},
          {"evidence", to_string(standing_of(proof).level)},
          {"marks", to_json(standing_of(proof).marks)},
          {"score", proof.score},
          {"created_ms", proof.created_ms}};
}

} // namespace

Json session_json(const Session& session) {
  return {{"id", session.id},
          {"status", to_string(session.status)},
          {"detail", session.detail},
          {"base", session.base},
          {"base_ref", session.base_ref},
          {"branch", session.branch},
          {"tip", session.tip},
          {"issues", session.issue_ids.size()},
          {"started_ms", session.started_ms},
          {"updated_ms", session.updated_ms},
          {"duration_ms", session.duration_ms}};
}

Json explanation_json(const Explanation& explanation) {
  Json cycles = Json::array();
  for (const FixCycle& cycle : explanation.cycles) cycles.push_back(cycle_json(cycle));
  Json story = Json::array();
  for (const StoryLine& line : explanation.story) story.push_back(to_json(line));
  return {{"issue", to_json(explanation.issue)},
          {"story", std::move(story)},
          {"decision", explanation.decision ? to_json(*explanation.decision) : Json(nullptr)},
          {"proof", explanation.proof ? proof_json(*explanation.proof) : Json(nullptr)},
          {"cycles", std::move(cycles)}};
}

} // namespace emend
