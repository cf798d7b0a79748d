#include "engine/context/offline.hpp"

#include <algorithm>
#include <cctype>

#include "base/strings.hpp"

namespace emend {

bool commands_are_offline(const Policy& policy) {
  return policy.sandbox.kind == SandboxKind::full && policy.sandbox.command_network != NetworkAccess::all;
}

const std::vector<std::string>& offline_environment() {
  static const std::vector<std::string> variables = {
      "npm_config_offline=true",    // npm and pnpm
      "npm_config_fetch_retries=0", // yarn 1 reads npm's settings, but not that one
      "YARN_ENABLE_NETWORK=false",  // yarn 2 and later
      "PIP_RETRIES=0",
      "PIP_DEFAULT_TIMEOUT=5",
      "UV_OFFLINE=1",
      "CARGO_NET_OFFLINE=true",
      "GOPROXY=off",
      "COMPOSER_DISABLE_NETWORK=1",
  };
  return variables;
}

namespace {

bool is_word_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// As a word of its own: ModuleNotFoundError is not ENOTFOUND.
bool has_code(std::string_view line, std::string_view code) {
  for (std::size_t at = line.find(code); at != std::string_view::npos; at = line.find(code, at + 1)) {
    const std::size_t end = at + code.size();
    if ((at == 0 || !is_word_char(line[at - 1])) && (end == line.size() || !is_word_char(line[end])))
      return true;
  }
  return false;
}

} // namespace

std::string network_complaint(std::string_view output) {
  // What resolvers and sockets say, then what package managers say when they were told not to try; first as
  // codes, then in words.
  static const std::vector<std::string_view> codes = {"EAI_AGAIN",
                                                      "ENOTFOUND",
                                                      "ENETUNREACH",
                                                      "ENOTCACHED",
                                                      "ERR_PNPM_NO_OFFLINE_META",
                                                      "ERR_PNPM_NO_OFFLINE_TARBALL",
                                                      "YN0080"};
  static const std::vector<std::string_view> words = {"could not resolve host",
                                                      "temporary failure in name resolution",
                                                      "name or service not known",
                                                      "network is unreachable",
                                                      "dns error",
                                                      "no such host",
                                                      "failed to establish a new connection",
                                                      "network was disabled",
                                                      "network connectivity is disabled",
                                                      "using offline mode",
                                                      "for offline mode",
                                                      "--offline was specified",
                                                      "disabled by goproxy=off",
                                                      "network disabled, request canceled",
                                                      "[it tried to reach a network"};
  for (const std::string_view line : lines_of(output)) {
    const std::string lower = to_lower(line);
    if (std::any_of(codes.begin(), codes.end(),
                    [&](std::string_view code) { return has_code(line, code); }) ||
        std::any_of(words.begin(), words.end(),
                    [&](std::string_view phrase) { return contains(lower, phrase); }))
      return std::string(trim(line));
  }
  return {};
}

bool failed_offline(const Policy& policy, const CommandRun& run) {
  return !run.passed() && commands_are_offline(policy) && !network_complaint(run.output).empty();
}

} // namespace emend
