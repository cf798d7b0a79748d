// Verdict: what an independent challenger said about one patch for one issue, bound to the patch by its hash.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"

namespace emend {

struct Verdict {
  std::string id;
  std::string session_id;
  std::string issue_id;
  std::string attempt_id;
  std::string patch_sha256;
  std::string agent;
  std::string model;
  std::string family;
  std::string
      canary; // "" = on a fix; "empty", "reverted": on a worthless diff that only a careless judge approves
  bool independent = false; // another family than the fixer's
  bool valid = false;       // false = unevaluated; `problem` says why
  std::string problem;
  std::optional<int> score; // 0..100, only when valid
  std::string status_word;  // what the model called it; recorded, never decides
  std::string feedback;
  std::map<std::string, int> quality_scores;
  std::vector<std::string> improvements_needed;
  std::string account; // what was wrong and what the change does, from the diff alone: for the commit message
  std::string
      answer; // the judge's own words, redacted and cut to a bounded length: for people and for the proof
  std::int64_t started_ms = 0;
  std::int64_t duration_ms = 0;
};

[[nodiscard]] Json to_json(const Verdict& verdict);
[[nodiscard]] Verdict verdict_from_json(const Json& json);

} // namespace emend
