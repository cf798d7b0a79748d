#include "model/verdict.hpp"

#include "model/json_fields.hpp"

namespace emend {

namespace {

std::optional<int> score_of(const Json* value) {
  const auto score = value == nullptr ? std::nullopt : exact_int(*value, 0, 100);
  return score ? std::optional<int>(static_cast<int>(*score)) : std::nullopt;
}

} // namespace

Json to_json(const Verdict& verdict) {
  return {{"id", verdict.id},
          {"session_id", verdict.session_id},
          {"issue_id", verdict.issue_id},
          {"attempt_id", verdict.attempt_id},
          {"patch_sha256", verdict.patch_sha256},
          {"agent", verdict.agent},
          {"model", verdict.model},
          {"family", verdict.family},
          {"canary", verdict.canary},
          {"independent", verdict.independent},
          {"valid", verdict.valid},
          {"problem", verdict.problem},
          {"score", verdict.score ? Json(*verdict.score) : Json(nullptr)},
          {"status_word", verdict.status_word},
          {"feedback", verdict.feedback},
          {"quality_scores", Json(verdict.quality_scores)},
          {"improvements_needed", verdict.improvements_needed},
          {"answer", verdict.answer},
          {"started_ms", verdict.started_ms},
          {"duration_ms", verdict.duration_ms}};
}

Verdict verdict_from_json(const Json& json) {
  Verdict verdict;
  verdict.id = string_or(json, "id");
  verdict.session_id = string_or(json, "session_id");
  verdict.issue_id = string_or(json, "issue_id");
  verdict.attempt_id = string_or(json, "attempt_id");
  verdict.patch_sha256 = string_or(json, "patch_sha256");
  verdict.agent = string_or(json, "agent");
  verdict.model = string_or(json, "model");
  verdict.family = string_or(json, "family");
  verdict.canary = string_or(json, "canary");
  verdict.independent = bool_field(json, "independent");
  verdict.valid = bool_field(json, "valid");
  verdict.problem = string_or(json, "problem");
  verdict.score = score_of(find_member(json, "score"));
  verdict.status_word = string_or(json, "status_word");
  verdict.feedback = string_or(json, "feedback");
  if (const Json* scores = find_member(json, "quality_scores"); scores != nullptr && scores->is_object()) {
    for (const auto& [name, value] : scores->items()) verdict.quality_scores[name] = int_field(*scores, name);
  }
  verdict.improvements_needed = strings_field(json, "improvements_needed");
  verdict.answer = string_or(json, "answer");
  verdict.started_ms = int64_field(json, "started_ms");
  verdict.duration_ms = int64_field(json, "duration_ms");
  return verdict;
}

} // namespace emend
