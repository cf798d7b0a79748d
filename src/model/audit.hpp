// The audit log: what people changed, in a chain in which a changed, missing or moved entry shows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/actor.hpp"

namespace emend {

struct AuditEntry {
  std::int64_t n = 0; // given by the store: 1, 2, 3, ... without gaps
  std::int64_t time_ms = 0;
  Actor actor;
  std::string action;        // "issue.ignored"; docs/people.md lists them
  std::string repository_id; // empty = it is about the server
  std::string subject;       // an issue's code, a session's id, a path, a name
  std::string session_id;    // may be empty
  Json detail = Json::object();
  std::string digest; // given by the store: over this entry and the one before it
};

[[nodiscard]] Json to_json(const AuditEntry& entry);

// What `entry` carries when it follows one with this digest ("" = it is the first).
[[nodiscard]] std::string audit_digest(const std::string& before, const AuditEntry& entry);

// The end of the chain, as the store keeps it beside the entries.
struct AuditHead {
  std::int64_t n = 0;
  std::string digest;
};

struct AuditSearch {
  std::string actor;  // part of the name, or an account's id; empty = all
  std::string action; // the whole word, or its first part ("issue"); empty = all
  std::string repository_id;
  std::string subject;
  std::int64_t since_ms = 0, until_ms = 0; // 0 = no bound
  std::int64_t before = 0;                 // only entries with a smaller number; 0 = all
  std::int64_t after = 0;                  // only entries with a larger number
  std::size_t limit = 0;                   // 0 = all
  bool oldest_first = false;
  std::optional<std::vector<std::string>> repositories =
      {}; // only these; nullopt = all, and the server's own
};

// Where the chain does not hold.
struct AuditProblem {
  std::int64_t n = 0; // the first entry that is wrong
  std::string what;
};

// Fed entry by entry, oldest first.
class AuditCheck {
public:
  [[nodiscard]] std::optional<AuditProblem> take(const AuditEntry& entry);
  // After the last one.
  [[nodiscard]] std::optional<AuditProblem> end(const AuditHead& head) const;
  [[nodiscard]] const AuditHead& seen() const { return seen_; }

private:
  AuditHead seen_;
};

} // namespace emend
