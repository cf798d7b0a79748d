#include "api/job_owners.hpp"

#include <algorithm>

#include "engine/claims/work_claim.hpp"

namespace emend {

namespace {

constexpr std::string_view kPrefix = "job/";

bool is_job(const SharedJob& job) { return job.kind == "job"; }

class HeldJob final : public JobHold {
public:
  explicit HeldJob(std::unique_ptr<HeldClaim> claim) : claim_(std::move(claim)) {}
  std::stop_token stop() const override { return claim_->stop(); }
  bool lost() const override { return claim_->lost(); }
  Status finish() override { return claim_->finish(Json::object()); }

private:
  std::unique_ptr<HeldClaim> claim_;
};

class BoardOwners final : public JobOwners {
public:
  explicit BoardOwners(Presence& presence) : presence_(presence) {}

  // Who has it may be dead; or it is ours by a claim whose answer or return was lost.
  Result<std::unique_ptr<JobHold>> take(const Job& job) override {
    SharedJob shared;
    shared.id = std::string(kPrefix) + job.id;
    shared.kind = "job";
    shared.repository_id = job.repository_id;
    TRY(presence_.board().offer(shared));
    ClaimQuery this_one;
    this_one.id = shared.id;
    TRY_ASSIGN(auto claim, presence_.claim(this_one));
    if (!claim) {
      TRY(bury_neighbours(presence_.board()));
      TRY_ASSIGN(claim, presence_.claim(this_one));
    }
    if (!claim) return std::unique_ptr<JobHold>();
    return std::unique_ptr<JobHold>(std::make_unique<HeldJob>(std::move(claim)));
  }

  Status ask_stop(const std::string& job_id) override {
    return presence_.board().ask_stop(std::string(kPrefix) + job_id);
  }

  Result<std::set<std::string>> taken() override {
    TRY(bury_neighbours(presence_.board()));
    TRY_ASSIGN(const auto ids, presence_.board().claimed("job"));
    std::set<std::string> jobs;
    for (const std::string& id : ids) jobs.insert(id.substr(kPrefix.size()));
    return jobs;
  }

  // A job is stored before it is on the board: what is on it and not stored afterwards is over.
  Status sweep(const std::function<Result<std::set<std::string>>()>& unfinished_now) override {
    TRY_ASSIGN(const auto shared, presence_.board().jobs(""));
    if (std::none_of(shared.begin(), shared.end(), is_job)) return {};
    TRY_ASSIGN(const std::set<std::string> unfinished, unfinished_now());
    for (const SharedJob& job : shared) {
      if (!is_job(job) || unfinished.contains(job.id.substr(kPrefix.size()))) continue;
      ClaimQuery this_one;
      this_one.id = job.id;
      TRY_ASSIGN(const auto claim, presence_.claim(this_one));
      if (claim) TRY(claim->finish(Json::object()));
    }
    return {};
  }

  void wait(std::int64_t timeout_ms, std::stop_token stop) override {
    presence_.board().wait(timeout_ms, std::move(stop));
  }

private:
  Presence& presence_;
};

} // namespace

std::unique_ptr<JobOwners> job_owners(Presence& presence) { return std::make_unique<BoardOwners>(presence); }

} // namespace emend
