#include "engine/offline.hpp"

#include <algorithm>

#include "base/strings.hpp"

namespace emend {

bool commands_are_offline(const Policy& policy) {
  return policy.sandbox.kind == SandboxKind::full && policy.sandbox.command_network != NetworkAccess::all;
}

const std::vector<std::string>& offline_environment() {
  static const std::vector<std::string> variables = {
      "npm_config_offline=true",       // npm and pnpm
      "npm_config_fetch_retries=0",    // yarn 1 reads npm's settings, but not that one
      "YARN_ENABLE_NETWORK=false",     // yarn 2 and later
      "PIP_RETRIES=0",
      "PIP_DEFAULT_TIMEOUT=5",
      "UV_OFFLINE=1",
      "CARGO_NET_OFFLINE=true",
      "GOPROXY=off",
      "COMPOSER_DISABLE_NETWORK=1",
  };
  return variables;
}

std::string network_complaint(std::string_view output) {
  // What resolvers and sockets say, then what package managers say when they were told not to try.
  static const std::vector<std::string> words = {
      "could not resolve host", "temporary failure in name resolution", "name or service not known", "network is unreachable", "eai_again",
      "enotfound", "enetunreach", "dns error", "no such host", "failed to establish a new connection",
      "enotcached", "err_pnpm_no_offline", "yn0080", "network was disabled", "network connectivity is disabled", "using offline mode", "for offline mode",
      "--offline was specified", "disabled by goproxy=off", "network disabled, request canceled"};
  for (const std::string_view line : lines_of(output)) {
    const std::string lower = to_lower(line);
    if (std::any_of(words.begin(), words.end(), [&](const std::string& word) { return contains(lower, word); })) return std::string(trim(line));
  }
  return {};
}

bool failed_offline(const Policy& policy, const CommandRun& run) {
  return !run.passed() && commands_are_offline(policy) && !network_complaint(run.output).empty();
}

} // namespace emend
