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
#define TEAM_CALL(TYPE, NAME, ...) TYPE NAME(__VA_ARGS__) override;
#include "adapters/forge/team_calls.def"
#undef TEAM_CALL

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
