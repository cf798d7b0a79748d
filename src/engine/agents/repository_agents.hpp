// Agent files of a repository's own: .emend/agents/NAME.md at one commit, and whether a person has allowed
// what they say.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "ports/repository.hpp"
#include "ports/store.hpp"

namespace emend {

struct RepositoryAgent {
  std::string name; // "fix_challenger"
  std::string path; // ".emend/agents/fix_challenger.md"
  std::string text;
  std::string sha256; // of its bytes
  std::string key;    // the path trust is recorded for
  bool trusted = false;
  bool trusted_before = false; // an older version was trusted
};

inline constexpr std::string_view kAgentFolder = ".emend/agents";

// From the commit's tree, never from disk: what somebody else proposes must not steer who judges it. A file
// that is no plain text file of a sane size is ErrorCode::config; what it says is not looked at here.
// README.md is not one of them.
[[nodiscard]] Result<std::vector<RepositoryAgent>> repository_agents(Repository& repository,
                                                                     TrustStore& store,
                                                                     const std::string& commit);

// What Policy::agent_files takes: all of them, checked. ErrorCode::needs_input when one is not trusted.
[[nodiscard]] Result<std::map<std::string, std::string>> allowed_agent_files(
    const std::vector<RepositoryAgent>& agents);

} // namespace emend
