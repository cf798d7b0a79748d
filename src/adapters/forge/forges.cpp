#include "adapters/forge/forges.hpp"

#include <algorithm>

#include "base/environment.hpp"
#include "base/strings.hpp"

namespace emend {
namespace {

constexpr std::int64_t kPatienceMs = 10'000;

// A line break in a header would be another header.
bool fits_in_a_header(const std::string& text) {
  return text.size() < 10'000 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7F; });
}

// A program such as gh keeps the person's login; whatever goes wrong with it is as if there were none.
std::string token_of_program(const ForgePlace& place, const std::vector<std::string>& environment,
                             ProcessRunner& processes, std::stop_token stop) {
  ProcessSpec spec;
  for (const std::string& word : place.kind->token_command)
    spec.argv.push_back(replace_all(word, "{host}", place.host));
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
  std::vector<std::string> names = place.kind->token_variables;
  const std::vector<std::string>& first = place.kind->token_variables_elsewhere;
  if (!place.kind->has_host(place.host)) names.insert(names.begin(), first.begin(), first.end());
  return names;
}

Result<ForgeToken> find_token(const ForgePlace& place, const ForgeSettings& settings,
                              const std::vector<std::string>& environment, ProcessRunner& processes,
                              std::stop_token stop) {
  for (const std::string& name : token_variables(place, settings)) {
    const std::string value(trim(variable(environment, name)));
    if (value.empty()) continue;
    if (!fits_in_a_header(value))
      return fail(ErrorCode::auth, name + " contains characters that are not allowed in a token",
                  "set it again, without blanks and line ends");
    return ForgeToken{value, name};
  }
  if (place.kind->token_command.empty() || !settings.use_gh_cli) return ForgeToken{};
  return ForgeToken{token_of_program(place, environment, processes, std::move(stop)), ""};
}

namespace {

std::string advice(const ForgePlace& place, const ForgeSettings& settings) {
  const ForgeKind& kind = *place.kind;
  const std::string set =
      "set " + join(token_variables(place, settings), " or ") + " to a token " + kind.token_advice;
  if (kind.token_command_advice.empty()) return set;
  return set + ", or log in: " + replace_all(kind.token_command_advice, "{host}", place.host);
}

} // namespace

const std::map<std::string, MakeForge>& forge_makers() {
  // Not const: a test program adds a made-up one.
  static std::map<std::string, MakeForge> makers = {
#define FORGE(NAME, ...) {#NAME, make_##NAME},
#include "model/forges.def"
#undef FORGE
  };
  return makers;
}

Result<std::unique_ptr<Forge>> open_forge(const ForgePlace& place, const ForgeSettings& settings,
                                          const std::vector<std::string>& environment,
                                          ProcessRunner& processes, const Clock& clock,
                                          std::stop_token stop) {
  TRY_ASSIGN(const ForgeToken token, find_token(place, settings, environment, processes, std::move(stop)));
  RestSettings rest;
  rest.api_url = place.api_url;
  rest.product = place.kind->product;
  rest.login_advice = advice(place, settings);
  rest.ca_file = variable(environment, "SSL_CERT_FILE");
  return forge_makers().at(place.kind->name)(place, std::move(rest), token, clock);
}

} // namespace emend
