#include "api/spending.hpp"

namespace emend {

Result<std::vector<QuotaUse>> limits_now(const ApiParts& parts, Workbench& bench) {
  TRY_ASSIGN(const Config config, bench.config());
  return limits_of(config, parts.ledger, parts.store, bench.repository().id(), parts.now_ms());
}

HttpResponse quota_problem(const Error& error) {
  return problem_response(429, "quota-used-up", error.message + "; " + error.remedy);
}

Result<std::optional<HttpResponse>> nothing_left(const ApiParts& parts, Workbench& bench) {
  TRY_ASSIGN(const auto limits, limits_now(parts, bench));
  Policy any;
  std::string soon;
  const Status fits = keep_to_quota(any, limits, soon);
  if (fits) return std::optional<HttpResponse>();
  if (fits.error().code != ErrorCode::limit) return fail(fits.error());
  return std::optional<HttpResponse>(quota_problem(fits.error()));
}

} // namespace emend
