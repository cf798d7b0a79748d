// Whole sessions on the work board: offered to workers that have the repository, claimed by whoever runs one,
// followed until it is over. And a single unit of one, worked on for another process.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include "engine/claims/work_claim.hpp"
#include "engine/context/ports.hpp"
#include "engine/session/report.hpp"

namespace emend {

// What a worker offers that has a repository, and so can run whole sessions there.
[[nodiscard]] std::string session_label(const std::string& repository_id);

// New, or once more when it was over; one that waits or is run stays as it is.
[[nodiscard]] Status offer_session(WorkBoard& board, const Session& session);
// It is over: nobody has to take it any more. An offer that somebody has claimed is theirs to end.
void withdraw_session(WorkBoard& board, const Session& session);
// For as long as it runs here: if this process dies, a worker goes on with it. Refused while somebody else
// has it.
[[nodiscard]] Result<std::unique_ptr<HeldClaim>> claim_session(Presence& presence, const Session& session);
// What came of it. One that was only interrupted, or whose end could not be stored, is left to the next
// worker; one that was taken over meanwhile is not touched.
[[nodiscard]] Status finish_session(HeldClaim& claim, SessionStore& store, const Result<FixReport>& report);
// Whether somebody works on it now, by what the board says.
[[nodiscard]] Result<bool> is_claimed(WorkBoard& board, const std::string& session_id);
// The claim on it if it is free, and null otherwise; it is not offered for that.
[[nodiscard]] Result<std::unique_ptr<HeldClaim>> claim_if_offered(Presence& presence, const Session& session);
// Returns when the session is over.
[[nodiscard]] Status follow_session(WorkBoard& board, const Session& session, std::stop_token stop);

// One unit of a session that another process coordinates, worked on here. Everything is written under the
// claim: when it is lost, nothing more of it counts. Returns what the coordinator is told. The repository
// holds the unit's base; home is this worker's own.
[[nodiscard]] Result<Json> work_on_unit(const Ports& ports, const std::string& home, const HeldClaim& claim,
                                        std::stop_token stop);

} // namespace emend
