// The part of GitLab's API that is about how commits stand, who may do what, threads and pipelines; what the
// rest of it needs as well is here, too.
#pragma once

#include <mutex>

#include "adapters/forge/answer_fields.hpp"
#include "adapters/forge/rest_client.hpp"
#include "ports/forge.hpp"

namespace emend {

class GitLabTeam : public Forge {
public:
  Result<std::string> put_check(const HeadStatus& status, const std::string& id,
                                std::stop_token stop) override;
  Status put_status(const HeadStatus& status, std::stop_token stop) override;

  Result<Right> right_of(const std::string& login, std::stop_token stop) override;
  Result<std::optional<LabelPut>> label_put(int number, const std::string& label,
                                            std::stop_token stop) override;
  Result<std::optional<std::int64_t>> head_since(const PullRequest& pull, std::stop_token stop) override;

  Result<std::vector<ReviewThread>> threads(int number, std::stop_token stop) override;
  Status reply(int number, const ReviewThread& thread, const std::string& body,
               std::stop_token stop) override;
  Status resolve(int number, const ReviewThread& thread, std::stop_token stop) override;
  Result<Remark> say(int number, const std::string& body, std::stop_token stop) override;
  Result<Remark> remark(int number, RemarkKind kind, const std::string& id, std::stop_token stop) override;
  Status react(int number, const Remark& remark, Reaction reaction, std::stop_token stop) override;
  Result<std::vector<int>> changed_since(std::int64_t since_ms, std::stop_token stop) override;

  Result<std::vector<PipelineJob>> jobs(const std::string& sha, std::stop_token stop) override;
  Result<std::string> job_log(const PipelineJob& job, std::stop_token stop) override;

protected:
  GitLabTeam(ForgePlace place, RestSettings settings, const Clock& clock)
      : place_(std::move(place)), rest_(std::move(settings), clock) {}

  [[nodiscard]] std::string at(const std::string& path) const {
    return "/projects/" + url_part(place_.project) + path;
  }
  [[nodiscard]] std::string merge_path(int number) const {
    return at("/merge_requests/" + std::to_string(number));
  }
  [[nodiscard]] std::string issue_path(int number) const { return at("/issues/" + std::to_string(number)); }
  [[nodiscard]] Result<std::string> who_we_are(std::stop_token stop);
  [[nodiscard]] Remark remark_of(const Json& note, int number, const std::string& self) const;

  const ForgePlace place_;
  RestClient rest_;

private:
  std::mutex mutex_;
  std::optional<std::string> self_;
};

} // namespace emend
