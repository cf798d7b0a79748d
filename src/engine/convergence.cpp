#include "engine/convergence.hpp"

#include <re2/re2.h>

#include <algorithm>

namespace emend {
namespace {

// What differs from run to run although nothing else does.
std::string settled(const Feedback& feedback) {
  static const RE2 time(R"(\b\d+(?:\.\d+)?\s*(?:ms|s|sec|secs|seconds|µs|us)\b)");
  static const RE2 address(R"(\b0x[0-9a-fA-F]{4,}\b)");
  static const RE2 clock(R"(\b\d{2}:\d{2}:\d{2}(?:[.,]\d+)?\b)");
  static const RE2 place(R"((?:/[\w.+-]+)*/(?:tmp|workspaces?)/[\w.+-]+)");
  static const RE2 space(R"(\s+)");
  std::string text = feedback.failure + "\n" + feedback.feedback;
  for (const RE2* pattern : {&time, &address, &clock, &place}) RE2::GlobalReplace(&text, *pattern, "#");
  RE2::GlobalReplace(&text, space, " ");
  return text;
}

} // namespace

const Attempt* same_change(const std::vector<Attempt>& attempts, const Attempt& attempt) {
  if (attempt.patch.empty()) return nullptr;
  const std::string sha = attempt.patch.sha256();
  for (const Attempt& earlier : attempts) {
    if (earlier.id == attempt.id || earlier.unit_id != attempt.unit_id ||
        earlier.issue_id != attempt.issue_id || earlier.base != attempt.base)
      continue;
    if (earlier.result == AttemptResult::interrupted || earlier.detail.starts_with(kContainment)) continue;
    if (!earlier.patch.empty() && earlier.patch.sha256() == sha) return &earlier;
  }
  return nullptr;
}

bool returned_to(const std::vector<Attempt>& attempts, const Attempt& earlier) {
  return std::any_of(attempts.begin(), attempts.end(), [&](const Attempt& other) {
    return other.unit_id == earlier.unit_id && other.issue_id == earlier.issue_id &&
           other.cycle > earlier.cycle && !other.patch.empty() &&
           other.result != AttemptResult::interrupted && other.patch.sha256() != earlier.patch.sha256();
  });
}

bool same_feedback(const Feedback& before, const Feedback& now) {
  if (now.failure.empty() && now.feedback.empty()) return false;
  return settled(before) == settled(now);
}

} // namespace emend
