// Which files of a coding CLI say that it may call emend, and what they look like with and without it. Pure.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace emend {

struct WiredFile {
  std::string path;
  int folders = 0; // how many of the folders above it are emend's: they go with the last file in them
  std::optional<std::string> before; // nullopt = it is not there
  std::optional<std::string> after;  // nullopt = it is not to be there
};

struct Wiring {
  std::string program;                                     // absolute path of emend
  bool hooks = true;                                       // also the check before the agent stops
  std::string home;                                        // the person's
  std::map<std::string, std::string, std::less<>> folders; // agent -> where it keeps its settings
  std::string own_folder;                                  // where emend keeps its plugin for Claude Code
};

// nullopt = there is no such file.
using FileReader = std::function<Result<std::optional<std::string>>(const std::string& path)>;

[[nodiscard]] const std::vector<std::string>& wirable_agents(); // "claude", "codex", "gemini"

// The files as they would be with emend; those that have it already stay as they are. ErrorCode::usage when a
// file cannot be understood: nothing of it would be sure to stay as it was.
[[nodiscard]] Result<std::vector<WiredFile>> wired(const std::string& agent, const Wiring& wiring,
                                                   const FileReader& read);
// The same without emend: everything else stays.
[[nodiscard]] Result<std::vector<WiredFile>> unwired(const std::string& agent, const Wiring& wiring,
                                                     const FileReader& read);

} // namespace emend
