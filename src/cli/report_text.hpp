// What people read on the terminal, as pure functions from values to text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/text_table.hpp"
#include "engine/session/session_manager.hpp"
#include "model/issue.hpp"
#include "model/report.hpp"
#include "model/withdrawal.hpp"

namespace emend {

[[nodiscard]] std::string place_of(const Finding& finding); // "src/a.c:12"
[[nodiscard]] Tone tone_of(IssueStatus status);
[[nodiscard]] std::string utc_time(std::int64_t unix_ms); // "2026-11-15 06:19 UTC"
[[nodiscard]] std::string why_text(const Issue& issue); // one line: the reason and its detail, or the commit
// What a person can do about a failed issue, with the commands; empty = nothing particular. cycles: of its
// session.
[[nodiscard]] std::string next_text(const Issue& issue, const std::vector<FixCycle>& cycles);

// Rows of that list alone, for one that is printed piece by piece.
[[nodiscard]] std::string issue_rows(const std::vector<Issue>& issues, const Palette& palette, bool header);
[[nodiscard]] std::string issues_text(const std::vector<Issue>& issues, const Palette& palette);
[[nodiscard]] std::string clarifications_text(
    const Issue& issue); // questions about it and their answers; empty = none
// What people said about an issue and which of its fixes they took back; empty = nothing.
[[nodiscard]] std::string said_text(const std::vector<Comment>& comments,
                                    const std::vector<Withdrawal>& withdrawals);
[[nodiscard]] std::string issue_text(const Issue& issue, const Palette& palette);
[[nodiscard]] std::string sessions_text(const std::vector<Session>& sessions, const Palette& palette);
// The result of a session: what became of each issue, where the commits are, what to type next.
[[nodiscard]] std::string cost_text(
    const Consumed& consumed); // "$0.0123", "1200 tokens" where no price is named, "-"
[[nodiscard]] std::string time_text(const Consumed& consumed);
// "evidence of what is resolved: 1 proven (50 %), 0 repaired, ..."; empty when nothing is.
[[nodiscard]] std::string shares_line(const FixReport& report);
[[nodiscard]] std::string usage_line(const std::vector<AgentRunRecord>& runs);
// What each resolved issue took, by which strategy; empty when none is resolved.
[[nodiscard]] std::string resolved_cost_line(const FixReport& report);
// How far off the estimate was; empty when there was none, or nothing is known to compare it with.
[[nodiscard]] std::string forecast_line(const FixReport& report);
[[nodiscard]] std::string summary_line(
    const FixReport& report); // "3 of 7 issues resolved, 4 failed in 9.5 s"
[[nodiscard]] std::string fix_result_text(const FixReport& report, const Palette& palette);
// The same with every cycle: what was tried, run and judged.
[[nodiscard]] std::string session_text(const FixReport& report, const Palette& palette);
[[nodiscard]] std::string explanation_text(const Explanation& explanation, const Palette& palette);
// What was tried, run and judged, a few lines an attempt.
[[nodiscard]] std::string attempts_text(const std::vector<FixCycle>& cycles, int panel,
                                        const Palette& palette);
[[nodiscard]] std::string verification_text(const Verification& verification, const Palette& palette);

} // namespace emend
