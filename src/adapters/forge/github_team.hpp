// The part of GitHub's API that is about how commits stand, who may do what, threads and pipelines; what the
// rest of it needs as well is here, too.
#pragma once

#include <mutex>

#include "adapters/forge/answer_fields.hpp"
#include "adapters/forge/rest_forge.hpp"

namespace emend {

class GitHubTeam : public RestForge {
public:
#define TEAM_CALL(TYPE, NAME, ...) TYPE NAME(__VA_ARGS__) override;
#include "adapters/forge/team_calls.def"
#undef TEAM_CALL

protected:
  // Who we are. A token of GitHub Actions may not ask; comments it makes are a bot's.
  struct Self {
    std::string login;
    bool unknown = false;
  };
  GitHubTeam(const ForgePlace& place, const RestSettings& settings, const Clock& clock);

  [[nodiscard]] std::string owner() const { return place_.project.substr(0, place_.project.find('/')); }
  [[nodiscard]] Result<Self> who_we_are(std::stop_token stop);
  [[nodiscard]] static Remark remark_of(const Json& answer, RemarkKind kind, const Self& self);

private:
  [[nodiscard]] Result<Json> ask_graph(const std::string& text, Json variables, bool changes,
                                       std::stop_token stop);
  [[nodiscard]] Status add_check_runs(const std::string& sha, std::vector<PipelineJob>& jobs,
                                      std::stop_token stop);
  [[nodiscard]] Status add_statuses(const std::string& sha, std::vector<PipelineJob>& jobs,
                                    std::stop_token stop);
  [[nodiscard]] static ReviewThread thread_of(const Json& node);
  static void add_said(ReviewThread& thread, const Json& comments);
  [[nodiscard]] Status read_rest(ReviewThread& thread, const Json& first, std::stop_token stop);

  RestClient graph_;
  std::mutex mutex_;
  std::optional<Self> self_;
};

} // namespace emend
