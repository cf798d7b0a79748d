#include "model/verdict.hpp"

#include "model/json_fields.hpp"

namespace emend {

template <typename Visitor, Of<Verdict> Record>
void fields(Visitor& visit, Record& verdict) {
  visit("id", verdict.id);
  visit("session_id", verdict.session_id);
  visit("issue_id", verdict.issue_id);
  visit("attempt_id", verdict.attempt_id);
  visit("patch_sha256", verdict.patch_sha256);
  visit("agent", verdict.agent);
  visit("model", verdict.model);
  visit("family", verdict.family);
  visit("canary", verdict.canary);
  visit("independent", verdict.independent);
  visit("valid", verdict.valid);
  visit("problem", verdict.problem);
  visit("score", verdict.score);
  visit("status_word", verdict.status_word);
  visit("feedback", verdict.feedback);
  visit("quality_scores", verdict.quality_scores);
  visit("improvements_needed", verdict.improvements_needed);
  visit.some("account", verdict.account);
  visit("answer", verdict.answer);
  visit("started_ms", verdict.started_ms);
  visit("duration_ms", verdict.duration_ms);
}

Json to_json(const Verdict& verdict) { return write_fields(verdict); }

Verdict verdict_from_json(const Json& json) {
  Verdict verdict = read_fields<Verdict>(json);
  if (verdict.score && (*verdict.score < 0 || *verdict.score > 100)) verdict.score.reset();
  return verdict;
}

} // namespace emend
