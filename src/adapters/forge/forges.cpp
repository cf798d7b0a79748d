#include "adapters/forge/forges.hpp"

#include "adapters/forge/forge_token.hpp"
#include "adapters/forge/github.hpp"
#include "adapters/forge/gitlab.hpp"
#include "base/environment.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

std::string advice(const ForgePlace& place, const ForgeSettings& settings) {
  const std::string names = join(token_variables(place, settings), " or ");
  if (place.kind == ForgeKind::gitlab) return "set " + names + " to a token with the scope \"api\"";
  return "set " + names +
         " to a token that may read and write pull requests and issues, or log in: gh auth login "
         "--hostname " +
         place.host;
}

} // namespace

Result<std::unique_ptr<Forge>> open_forge(const ForgePlace& place, const ForgeSettings& settings,
                                          const std::vector<std::string>& environment,
                                          ProcessRunner& processes, const Clock& clock,
                                          std::stop_token stop) {
  TRY_ASSIGN(const ForgeToken token, find_token(place, settings, environment, processes, std::move(stop)));
  RestSettings rest;
  rest.api_url = place.api_url;
  rest.product = std::string(product_of(place.kind));
  rest.login_advice = advice(place, settings);
  rest.ca_file = variable(environment, "SSL_CERT_FILE");
  if (place.kind == ForgeKind::gitlab) {
    rest.headers = {"Accept: application/json"};
    if (!token.value.empty())
      rest.token_header = (token.of_job ? "JOB-TOKEN: " : "PRIVATE-TOKEN: ") + token.value;
    return make_gitlab(place, std::move(rest), clock);
  }
  rest.headers = {"Accept: application/vnd.github+json", "X-GitHub-Api-Version: 2022-11-28"};
  if (!token.value.empty()) rest.token_header = "Authorization: Bearer " + token.value;
  return make_github(place, std::move(rest), clock);
}

} // namespace emend
