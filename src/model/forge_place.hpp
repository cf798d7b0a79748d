// Where a repository's pull requests and issues live: which forge, which project on it, at which address it
// answers.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/forges.hpp"

namespace emend {

// What the person configured ([forge]). None of it may come from a file nobody has allowed: it decides where
// a token is sent.
struct ForgeSettings {
  std::string kind = "auto"; // "auto", "none" or the name of a row of model/forges
  std::string api_url;       // empty = by the remote's host
  std::vector<std::string> token_env;
  bool use_gh_cli = true;
  bool allow_push = false;
};

// "git@host:team/app.git", "https://host/team/app" -> host and project.
struct RemoteAddress {
  std::string host;    // lower case, with a port where it has one
  std::string project; // "team/app", as it is written
  friend bool operator==(const RemoteAddress&, const RemoteAddress&) = default;
};
// nullopt = not the address of a project on a forge (a path of this machine, no path at all).
[[nodiscard]] std::optional<RemoteAddress> parse_remote_address(std::string_view url);

struct ForgePlace {
  const ForgeKind* kind = nullptr;
  std::string host;    // of its web pages
  std::string project; // "team/app"
  std::string api_url; // without a slash at its end
  std::string git_url; // what git fetches from, as the person wrote it

  [[nodiscard]] std::string web() const { return "https://" + host + "/" + project; }
  // A link that stays right when the branch moves on.
  [[nodiscard]] std::string permalink(const std::string& commit, const std::string& path, int line) const;
};

// The forge behind a remote's address. Hosts are known by their names, by the environment (both as the
// forge's row says), or by the configuration; for any other ErrorCode::config says what to set: no token is
// sent to a host nobody has named.
[[nodiscard]] Result<ForgePlace> place_of(const RemoteAddress& address, const ForgeSettings& settings,
                                          const std::vector<std::string>& environment);

// A pull request as a person names it: "42", "#42", "!42", or the address of its page.
struct PullName {
  int number = 0;
  std::optional<RemoteAddress> at; // of an address
};
[[nodiscard]] std::optional<PullName> parse_pull_name(std::string_view word);

// Takes "https://host[:port]/path"; without TLS only a server on this machine.
[[nodiscard]] Status check_api_url(const std::string& url);

} // namespace emend
