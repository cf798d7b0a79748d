#include "model/attempt.hpp"

#include "base/strings.hpp"
#include "model/enum_names.hpp"

namespace emend {

namespace {

constexpr EnumName<Claim> kClaims[] = {{Claim::fixed, "fixed"},
                                       {Claim::blocked, "blocked"},
                                       {Claim::deferred, "deferred"},
                                       {Claim::false_positive, "false_positive"},
                                       {Claim::not_reported, "not_reported"}};

constexpr EnumName<AttemptResult> kResults[] = {{AttemptResult::accepted, "accepted"},
                                                {AttemptResult::no_change, "no_change"},
                                                {AttemptResult::refused, "refused"},
                                                {AttemptResult::verification_failed, "verification_failed"},
                                                {AttemptResult::below_threshold, "below_threshold"},
                                                {AttemptResult::unevaluated, "unevaluated"},
                                                {AttemptResult::agent_failed, "agent_failed"},
                                                {AttemptResult::deferred, "deferred"},
                                                {AttemptResult::blocked, "blocked"},
                                                {AttemptResult::interrupted, "interrupted"}};

} // namespace

std::string_view to_string(Claim claim) { return name_of(kClaims, claim); }

std::optional<Claim> parse_claim(std::string_view text) {
  return value_of(kClaims, std::string_view(replace_all(to_lower(trim(text)), "-", "_")));
}

std::string_view to_string(AttemptResult result) { return name_of(kResults, result); }

std::optional<AttemptResult> parse_attempt_result(std::string_view text) { return value_of(kResults, text); }

Json to_json(const Attempt& attempt, bool with_patch) {
  Json json = {{"id", attempt.id},
               {"session_id", attempt.session_id},
               {"unit_id", attempt.unit_id},
               {"issue_id", attempt.issue_id},
               {"cycle", attempt.cycle},
               {"agent", attempt.agent},
               {"model", attempt.model},
               {"family", attempt.family},
               {"ending", attempt.ending},
               {"exit_code", attempt.exit_code},
               {"claim", to_string(attempt.claim)},
               {"explanation", attempt.explanation},
               {"result", to_string(attempt.result)},
               {"detail", attempt.detail},
               {"base", attempt.base},
               {"patch_sha256", attempt.patch.empty() ? Json(nullptr) : Json(attempt.patch.sha256())},
               {"notes", attempt.notes},
               {"started_ms", attempt.started_ms},
               {"duration_ms", attempt.duration_ms}};
  if (with_patch) json["patch"] = to_json(attempt.patch);
  return json;
}

} // namespace emend
