#include "adapters/forge/forge_token.hpp"

#include <algorithm>

#include "base/environment.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::int64_t kPatienceMs = 10'000;
constexpr std::string_view kJobToken = "CI_JOB_TOKEN";

// A line break in a header would be another header.
bool fits_in_a_header(const std::string& text) {
  return text.size() < 10'000 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7F; });
}

bool is_github_com(const std::string& host) { return host == "github.com" || host.ends_with(".ghe.com"); }

// gh keeps the person's login; whatever goes wrong with it is as if there were none.
std::string token_of_gh(const std::string& host, const std::vector<std::string>& environment,
                        ProcessRunner& processes, std::stop_token stop) {
  ProcessSpec spec;
  spec.argv = {"gh", "auth", "token", "--hostname", host};
  spec.cwd = "/";
  spec.env = environment;
  spec.wall_limit_ms = kPatienceMs;
  spec.max_output_bytes = 100'000;
  spec.supervise = false;
  const auto result = processes.run(spec, std::move(stop));
  if (!result || !result->ok()) return {};
  const std::string token(trim(result->out));
  return fits_in_a_header(token) ? token : std::string();
}

} // namespace

std::vector<std::string> token_variables(const ForgePlace& place, const ForgeSettings& settings) {
  if (!settings.token_env.empty()) return settings.token_env;
  if (place.kind == ForgeKind::gitlab) return {"GITLAB_TOKEN", std::string(kJobToken)};
  std::vector<std::string> names = {"GH_TOKEN", "GITHUB_TOKEN"};
  if (!is_github_com(place.host))
    names.insert(names.begin(), {"GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"});
  return names;
}

Result<ForgeToken> find_token(const ForgePlace& place, const ForgeSettings& settings,
                              const std::vector<std::string>& environment, ProcessRunner& processes,
                              std::stop_token stop) {
  for (const std::string& name : token_variables(place, settings)) {
    const std::string value(trim(variable(environment, name)));
    if (value.empty()) continue;
    if (!fits_in_a_header(value))
      return fail(ErrorCode::auth, name + " has characters no token has",
                  "set it again, without blanks and line ends");
    return ForgeToken{value, name == kJobToken};
  }
  if (place.kind != ForgeKind::github || !settings.use_gh_cli) return ForgeToken{};
  return ForgeToken{token_of_gh(place.host, environment, processes, std::move(stop)), false};
}

} // namespace emend
