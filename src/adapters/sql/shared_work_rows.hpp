// Workers, shared jobs and parcels as rows.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/sql/database.hpp"
#include "ports/work_board.hpp"

namespace emend {

// For the rest of the transaction the claim cannot be given to another worker. ErrorCode::conflict when it
// was already.
[[nodiscard]] Status hold_fence(Database& database, const Fence& fence);

[[nodiscard]] Status put_worker(Database& database, const WorkerRecord& worker, std::int64_t lease_ms);
[[nodiscard]] Status remove_worker(Database& database, const std::string& id);
[[nodiscard]] Status end_leases(Database& database, const std::string& id);
[[nodiscard]] Result<std::vector<WorkerRecord>> select_workers(Database& database);
// Whether processes of more than one release are at work.
[[nodiscard]] Result<bool> several_releases(Database& database);
// Renews the leases of these claims, and gives back the others that this worker has.
[[nodiscard]] Result<Beat> settle_claims(Database& database, const std::string& worker_id,
                                         std::int64_t lease_ms, const std::vector<Fence>& works_on);

[[nodiscard]] Status offer_job(Database& database, const SharedJob& job);
// Jobs that have killed so many workers are given to no other.
[[nodiscard]] Status fail_poisonous(Database& database, int max_deliveries);
[[nodiscard]] Result<std::optional<SharedJob>> claim_job(Database& database, const WorkerRecord& worker,
                                                         const ClaimQuery& query);
// `token` of the claim; state: what becomes of it. ErrorCode::conflict when it is not the latest claim.
[[nodiscard]] Status end_claim(Database& database, const Fence& fence, SharedJobState state,
                               const std::string& problem, const Json& result);
[[nodiscard]] Status return_claim(Database& database, const Fence& fence, bool counts,
                                  const std::string& problem, int max_deliveries);
[[nodiscard]] Status ask_job_to_stop(Database& database, const std::string& id);
[[nodiscard]] Result<bool> withdraw_job(Database& database, const std::string& id);
[[nodiscard]] Result<SharedJob> select_shared_job(Database& database, const std::string& id);
[[nodiscard]] Result<std::vector<SharedJob>> select_shared_jobs(Database& database,
                                                                const std::string& session_id);
[[nodiscard]] Result<std::vector<std::string>> select_claimed(Database& database, const std::string& kind);

[[nodiscard]] Status insert_parcel(Database& database, const std::string& name, std::string_view bytes);
[[nodiscard]] Result<std::optional<std::string>> select_parcel(Database& database, const std::string& name);
[[nodiscard]] Status delete_parcels(Database& database, const std::string& prefix);

} // namespace emend
