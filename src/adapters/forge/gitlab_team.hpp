// The part of GitLab's API that is about how commits stand, who may do what, threads and pipelines; what the
// rest of it needs as well is here, too.
#pragma once

#include <mutex>

#include "adapters/forge/answer_fields.hpp"
#include "adapters/forge/rest_forge.hpp"

namespace emend {

class GitLabTeam : public RestForge {
public:
#define TEAM_CALL(TYPE, NAME, ...) TYPE NAME(__VA_ARGS__) override;
#include "adapters/forge/team_calls.def"
#undef TEAM_CALL

protected:
  GitLabTeam(const ForgePlace& place, RestSettings settings, const Clock& clock)
      : RestForge(place, std::move(settings), clock, "/projects/" + url_part(place.project),
                  "/merge_requests/") {}

  [[nodiscard]] Result<std::string> who_we_are(std::stop_token stop);
  [[nodiscard]] Remark remark_of(const Json& note, int number, const std::string& self) const;

private:
  std::mutex mutex_;
  std::optional<std::string> self_;
};

} // namespace emend
