#include "engine/gate/proof_parts.hpp"

#include <algorithm>

#include "base/hash.hpp"
#include "base/strings.hpp"
#include "model/json_fields.hpp"

namespace emend {
namespace {

std::string hash_of(const Json& json) { return sha256_hex(dump_json(json)); }

// "NAME=VALUE" -> "NAME=": a value may be anything, and no pattern knows all secrets.
void hide_values(Json& object, const char* key) {
  const auto list = object.find(key);
  if (list == object.end() || !list->is_array()) return;
  for (Json& pair : *list)
    if (pair.is_string()) pair = pair.get<std::string>().substr(0, pair.get<std::string>().find('=') + 1);
}

bool is_first(const std::vector<const Verification*>& chosen, const Verification& run) {
  return std::none_of(chosen.begin(), chosen.end(), [&](const Verification* one) {
    return one->kind == run.kind && one->base == run.base && one->patch_sha256 == run.patch_sha256 &&
           one->reproducer_sha256 == run.reproducer_sha256;
  });
}

// The issue's own runs on this patch and on the base it was made on.
std::vector<const Verification*> sealed_runs(const SealInput& in) {
  const std::string sha = in.attempt.patch.sha256();
  std::vector<const Verification*> chosen;
  for (const Verification& run : in.verifications) {
    const bool shared = run.issue_id.empty() && run.kind == VerificationKind::baseline;
    const bool about_it = shared || run.issue_id == in.issue.id;
    if (about_it && run.base == in.attempt.base && (run.patch_sha256.empty() || run.patch_sha256 == sha) &&
        is_first(chosen, run))
      chosen.push_back(&run);
  }
  return chosen;
}

} // namespace

Json redacted(Json json, const Redactor& redactor) {
  if (json.is_string()) return redactor.redact(json.get<std::string>());
  if (json.is_structured())
    for (Json& element : json) element = redacted(std::move(element), redactor);
  return json;
}

Json policy_part(const Policy& policy, const Redactor& redactor) {
  Json json = to_json(policy);
  hide_values(json, "verify_env");
  for (const char* role : {"fixer", "challenger", "reproducer"}) hide_values(json[role], "env");
  for (const char* role : {"fixer_fallbacks", "challenger_fallbacks"})
    for (Json& agent : json[role]) hide_values(agent, "env");
  return redacted(std::move(json), redactor);
}

Json issue_part(const Issue& issue, const Redactor& redactor) {
  return redacted({{"id", issue.id},
                   {"code", issue.code},
                   {"fingerprint", issue.fingerprint},
                   {"finding", to_json(issue.finding)}},
                  redactor);
}

Issue issue_from_part(const Json& json) {
  Issue issue;
  issue.id = string_or(json, "id");
  issue.code = string_or(json, "code");
  issue.fingerprint = string_or(json, "fingerprint");
  if (const Json* finding = find_member(json, "finding")) issue.finding = finding_from_json(*finding);
  return issue;
}

Json attempt_part(const Attempt& attempt, const Redactor& redactor) {
  return redacted(to_json(attempt, false), redactor);
}

Attempt attempt_from_part(const Json& json, const Json& patch) {
  Attempt attempt = attempt_from_json(json);
  attempt.patch = patch_from_json(patch);
  return attempt;
}

Json reproducer_part(const Reproducer& reproducer, const Redactor& redactor) {
  Json json = to_json(reproducer);
  for (const char* key : {"explanation", "reason"}) json[key] = redacted(json[key], redactor);
  return json;
}

Json commit_part(const CommitRecord& commit, const Redactor& redactor) {
  return redacted({{"sha", commit.sha},
                   {"parent", commit.parent},
                   {"issue_ids", commit.issue_ids},
                   {"patch_sha256", commit.patch_sha256},
                   {"subject", commit.subject}},
                  redactor);
}

CommitRecord commit_from_part(const Json& json) {
  CommitRecord commit;
  commit.sha = string_or(json, "sha");
  commit.parent = string_or(json, "parent");
  commit.issue_ids = strings_field(json, "issue_ids");
  commit.patch_sha256 = string_or(json, "patch_sha256");
  commit.subject = string_or(json, "subject");
  return commit;
}

Json event_part(const Event& event, const Redactor& redactor) {
  return redacted({{"seq", event.seq},
                   {"time_ms", event.time_ms},
                   {"type", event.type},
                   {"issue_code", event.issue_code},
                   {"data", event.data},
                   {"digest", event.digest}},
                  redactor);
}

Json proof_part(const Proof& proof, const Redactor& redactor) {
  Json detail = proof.detail;
  detail.erase("bundle");
  return redacted({{"issue_id", proof.issue_id},
                   {"session_id", proof.session_id},
                   {"attempt_id", proof.attempt_id},
                   {"verdict_id", proof.verdict_id},
                   {"base", proof.base},
                   {"commit", proof.commit},
                   {"branch", proof.branch},
                   {"patch_sha256", proof.patch_sha256},
                   {"evidence", proof.evidence},
                   {"score", proof.score},
                   {"detail", std::move(detail)},
                   {"created_ms", proof.created_ms}},
                  redactor);
}

Json make_seal(const SealInput& in, const Redactor& redactor) {
  Json runs = Json::array(), verdicts = Json::array();
  for (const Verification* run : sealed_runs(in))
    runs.push_back({{"id", run->id}, {"sha256", hash_of(redacted(to_json(*run), redactor))}});
  for (const Verdict& verdict : in.verdicts)
    if (verdict.attempt_id == in.attempt.id)
      verdicts.push_back({{"id", verdict.id}, {"sha256", hash_of(redacted(to_json(verdict), redactor))}});
  return {{"format", "emend.seal/v3"},
          {"issue", in.issue.code},
          {"session", in.session_id},
          {"base", in.attempt.base},
          {"patch_sha256", in.attempt.patch.sha256()},
          {"patch_bytes_sha256", hash_of(to_json(in.attempt.patch))},
          {"issue_sha256", hash_of(issue_part(in.issue, redactor))},
          {"policy_sha256", hash_of(policy_part(in.policy, redactor))},
          {"attempt_sha256", hash_of(attempt_part(in.attempt, redactor))},
          {"reproducer_sha256",
           in.reproducer == nullptr ? Json() : Json(hash_of(reproducer_part(*in.reproducer, redactor)))},
          {"verifications", std::move(runs)},
          {"verdicts", std::move(verdicts)}};
}

std::string seal_text(const Json& seal) { return dump_json(seal, 1) + "\n"; }

std::string missing_from(const Json& seal, const std::string& list, const Json& records) {
  for (const Json& entry : array_field(seal, list)) {
    const std::string id = string_or(entry, "id");
    const auto found = std::find_if(records.begin(), records.end(),
                                    [&](const Json& record) { return string_or(record, "id") == id; });
    if (found == records.end()) return list + " " + id + " is not there";
    if (hash_of(*found) != string_or(entry, "sha256"))
      return list + " " + id + " is not the one that was sealed";
  }
  return {};
}

} // namespace emend
