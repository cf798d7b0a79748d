// A driver: how one coding CLI is called and how its output is read. Both are pure; running it is cli_agent's
// work.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/agents/stream_parser.hpp"
#include "model/coding_clis.hpp"

namespace emend {

enum class Permissions {
  read, // look and answer
  edit, // and change files
  full, // and run commands
};

struct DriverRequest {
  std::vector<std::string>
      program; // resolved path, then arguments of the user's own that come right after it
  std::string model;
  int thinking_budget = 0;
  Permissions permissions = Permissions::edit;
  std::vector<std::string> allowed_tools;
  int max_turns = 0;
  double max_cost_usd = 0;
  Json schema;
  Json sub_agents;
  std::string resume, fork;
  std::string prompt;
  std::string home; // the private one
  std::string workspace;
  bool as_root = false;
  std::function<std::string(const std::string& name)> variable; // of the user's environment; "" = not set
  std::function<bool(const std::string& path)> has_login; // a login file was copied to this path below home
  // A file of the user's, found as a login file is; "" = there is none.
  std::function<std::string(const std::string& variable, const std::string& directory,
                            const std::string& name)>
      user_file;
};

struct HomeFile {
  std::string path; // below home
  std::string text;
};

struct Invocation {
  std::vector<std::string> argv;
  std::vector<std::string> env; // NAME=VALUE, on top of its row's
  std::string stdin_data;
  std::vector<HomeFile> files;
};

struct Driver {
  const CodingCli& cli;
  std::size_t most_prompt_bytes; // more is refused, or silently cut, by the program
  bool can_fork;
  std::vector<std::string> conversations; // directories below home in which conversations are kept
  Invocation (*invoke)(const DriverRequest& request);
  std::unique_ptr<StreamParser> (*parser)();
  // What an exit code means together with the words that came with it, where the stream does not tell;
  // nullptr = nothing special.
  std::optional<AgentState> (*explain_exit)(int exit_code, std::string_view words);
};

#define CODING_CLI(NAME, ...) [[nodiscard]] const Driver& NAME##_driver();
#include "model/coding_clis.def"
#undef CODING_CLI

// In the order of the rows.
[[nodiscard]] const std::vector<const Driver*>& all_drivers();
[[nodiscard]] const Driver* find_driver(std::string_view engine);

// "low", "medium", "high" for programs that think by level instead of by tokens; "" for 0.
[[nodiscard]] std::string_view effort_of(int thinking_budget);

} // namespace emend
