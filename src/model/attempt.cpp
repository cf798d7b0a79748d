#include "model/attempt.hpp"

#include "base/strings.hpp"
#include "model/enum_names.hpp"
#include "model/json_fields.hpp"

namespace emend {

namespace {

constexpr EnumName<Claim> kClaims[] = {
    {Claim::fixed, "fixed"},         {Claim::blocked, "blocked"},
    {Claim::deferred, "deferred"},   {Claim::false_positive, "false_positive"},
    {Claim::contested, "contested"}, {Claim::not_reported, "not_reported"}};

constexpr EnumName<AttemptResult> kResults[] = {{AttemptResult::accepted, "accepted"},
                                                {AttemptResult::no_change, "no_change"},
                                                {AttemptResult::refused, "refused"},
                                                {AttemptResult::verification_failed, "verification_failed"},
                                                {AttemptResult::below_threshold, "below_threshold"},
                                                {AttemptResult::unevaluated, "unevaluated"},
                                                {AttemptResult::agent_failed, "agent_failed"},
                                                {AttemptResult::deferred, "deferred"},
                                                {AttemptResult::blocked, "blocked"},
                                                {AttemptResult::not_chosen, "not_chosen"},
                                                {AttemptResult::interrupted, "interrupted"}};

} // namespace

std::string_view to_string(Claim claim) { return name_of(kClaims, claim); }

std::optional<Claim> parse_claim(std::string_view text) {
  return value_of(kClaims, std::string_view(replace_all(to_lower(trim(text)), "-", "_")));
}

std::string_view to_string(AttemptResult result) { return name_of(kResults, result); }

std::optional<AttemptResult> parse_attempt_result(std::string_view text) { return value_of(kResults, text); }

template <typename Visitor, Of<Attempt> Record>
void fields(Visitor& visit, Record& attempt) {
  visit("id", attempt.id);
  visit("session_id", attempt.session_id);
  visit("unit_id", attempt.unit_id);
  visit("issue_id", attempt.issue_id);
  visit("cycle", attempt.cycle);
  visit("agent", attempt.agent);
  visit("model", attempt.model);
  visit("family", attempt.family);
  visit("ending", attempt.ending);
  visit("exit_code", attempt.exit_code);
  visit("claim", attempt.claim, parse_claim);
  visit("explanation", attempt.explanation);
  visit("result", attempt.result, parse_attempt_result);
  visit("detail", attempt.detail);
  visit("base", attempt.base);
  std::string sha256 = attempt.patch.empty() ? "" : attempt.patch.sha256(); // said, never read back
  visit.or_null("patch_sha256", sha256);
  visit("notes", attempt.notes);
  visit("started_ms", attempt.started_ms);
  visit("duration_ms", attempt.duration_ms);
}

Json to_json(const Attempt& attempt, bool with_patch) {
  Json json = write_fields(attempt);
  if (with_patch) json["patch"] = to_json(attempt.patch);
  return json;
}

Attempt attempt_from_json(const Json& json) { return read_fields<Attempt>(json); }

} // namespace emend
