// Takes secrets out of text before it reaches a prompt, a log, an event, a report or a commit message.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace emend {

// Thread-safe after construction. Built-in patterns (private key blocks, AWS, GitHub, GitLab, Slack, Google,
// Anthropic/OpenAI-like keys, JWTs, bearer headers, password/secret/token assignments with a literal value,
// URLs with credentials) plus the user's.
class Redactor {
public:
  Redactor();
  // extra: RE2 patterns from configuration ([redact] patterns); a bad one is ErrorCode::config.
  static Result<Redactor> with_patterns(const std::vector<std::string>& extra);
  // Each secret becomes "[redacted:<kind>]". Line count is kept (a key block becomes as many lines).
  [[nodiscard]] std::string redact(std::string_view text) const;
  // Names of the kinds found; empty = clean. Used by the gate on added lines.
  [[nodiscard]] std::vector<std::string> find(std::string_view text) const;

private:
  struct Pattern;
  std::vector<std::shared_ptr<const Pattern>> patterns_;
};

} // namespace emend
