#include "engine/agents/repository_agents.hpp"

#include "base/hash.hpp"
#include "base/strings.hpp"
#include "engine/agents/agent_roles.hpp"

namespace emend {

namespace {

constexpr std::uint64_t kMaxBytes = 256 * 1024;

// "fixer" of ".emend/agents/fixer.md"; empty = not an agent file.
std::string name_in_folder(std::string_view path) {
  path.remove_prefix(kAgentFolder.size() + 1);
  if (!path.ends_with(".md") || path.find('/') != std::string_view::npos || path == "README.md") return {};
  return std::string(path.substr(0, path.size() - 3));
}

Status check_entry(const std::string& path, const TreeEntry& entry) {
  if (entry.mode != kModeFile && entry.mode != kModeExecutable)
    return fail(ErrorCode::config, path + " is not a regular file");
  if (entry.size > kMaxBytes)
    return fail(ErrorCode::config, path + " is too large for an agent file (more than 256 KiB)");
  return {};
}

} // namespace

Result<std::vector<RepositoryAgent>> repository_agents(Repository& repository, TrustStore& store,
                                                       const std::string& commit) {
  std::vector<RepositoryAgent> agents;
  TRY_ASSIGN(const Tree* tree, repository.tree(commit));
  const std::string prefix = std::string(kAgentFolder) + "/";
  for (auto it = tree->lower_bound(prefix); it != tree->end() && it->first.starts_with(prefix); ++it) {
    const std::string name = name_in_folder(it->first);
    if (name.empty()) continue;
    TRY(check_entry(it->first, it->second));
    RepositoryAgent agent;
    agent.name = name;
    agent.path = it->first;
    TRY_ASSIGN(agent.text, repository.read(commit, agent.path));
    agent.sha256 = sha256_hex(agent.text);
    agent.key = repository.root() + "/" + agent.path;
    TRY_ASSIGN(const auto known, store.trusted(agent.key));
    agent.trusted = known && known->sha256 == agent.sha256;
    agent.trusted_before = known && !agent.trusted;
    agents.push_back(std::move(agent));
  }
  return agents;
}

Result<std::map<std::string, std::string>> allowed_agent_files(const std::vector<RepositoryAgent>& agents) {
  std::map<std::string, std::string> files;
  for (const RepositoryAgent& agent : agents) {
    TRY(check_agent_file(agent.path, agent.text));
    if (!agent.trusted)
      return fail(ErrorCode::needs_input,
                  "the repository's own " + agent.path +
                      " replaces an agent's instructions, and you have not allowed it",
                  "read it, then allow it with: emend trust");
    files[agent.name] = agent.text;
  }
  return files;
}

} // namespace emend
