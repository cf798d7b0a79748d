// FixReport: what a session did, as a value that every printer renders.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/agent_run_record.hpp"
#include "model/attempt.hpp"
#include "model/events.hpp"
#include "model/evidence.hpp"
#include "model/issue.hpp"
#include "model/session.hpp"
#include "model/verdict.hpp"
#include "model/verification.hpp"

namespace emend {

// One turn of fix -> verify -> challenge on one issue.
struct FixCycle {
  std::string issue_code;
  std::string issue_file; // of the finding
  Attempt attempt;
  std::vector<Verification> verifications;
  std::vector<Verdict> verdicts;
  std::string diff_after_fix;
};

struct IssueOutcome {
  Issue issue;
  GateDecision decision; // empty clauses when it never got to the gate
};

struct FixReport {
  Session session;
  std::vector<FixCycle> cycles; // in the order they ended
  std::vector<IssueOutcome> issues;
  std::vector<CommitRecord> commits;
  std::vector<AgentRunRecord> runs; // of agents, in any role
  std::optional<Verification> baseline;
  std::vector<std::string>
      notes; // said to the person: "failed before: lint", "verify.mode = batch because ..."
  std::optional<FixForecast> forecast;   // what it was expected to take; nullopt = no earlier runs to go by
  std::vector<FixBranchGrouped> grouped; // branches with the same files and fewer commits
  bool fixes_applied = false;
  std::int64_t duration_ms = 0;
};

// How many of the resolved issues have each level of evidence, the strongest level first; every level is
// named.
struct EvidenceShare {
  Evidence level = Evidence::none;
  int count = 0;
  double percent = 0; // of the resolved issues, to one decimal
};
[[nodiscard]] std::vector<EvidenceShare> evidence_shares(const FixReport& report);

// What one resolved issue took on average, everything that failed included.
struct ResolvedCost {
  Strategy strategy = Strategy::per_issue;
  int resolved = 0;               // 0: the rest says nothing
  std::optional<double> cost_usd; // nullopt = no agent named a price
  std::int64_t tokens = 0, agent_time_ms = 0, wall_ms = 0;
};
[[nodiscard]] ResolvedCost cost_of_resolved(const Session& session, const std::vector<Issue>& issues,
                                            const Consumed& all);
[[nodiscard]] ResolvedCost cost_of_resolved(const FixReport& report);
[[nodiscard]] Json to_json(const ResolvedCost& cost); // null when nothing was resolved

// The `data` of emend.session/v1.
[[nodiscard]] Json to_json(const FixReport& report);

} // namespace emend
