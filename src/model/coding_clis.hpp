// The coding CLIs emend can drive: one row each in coding_clis.def, with everything about it but its driver.
// Whoever needs to know something about a coding CLI reads it here: what is hidden from children, what a fix
// may not change, what doctor and the configuration offer.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace emend {

// A file that proves who the user is. An agent gets a copy in its private home; no other child sees it.
struct LoginFile {
  std::string variable;  // environment variable with the directory the file is in; may be empty
  std::string directory; // below the user's home, when the variable is not set
  std::string name;      // of the file in that directory
  std::string target;    // where the copy goes, below the private home

  // Where it is, whether it exists or not; empty when nothing says where. value: of the variable, nullptr
  // when it is not set.
  [[nodiscard]] std::string path(const std::string& user_home, const char* value) const;
};

// Fields without a default must be given in every row: leaving one out does not compile.
struct CodingCli {
  std::string name;    // of its engine, and of the agent when nothing is configured
  std::string family;  // who makes its models: anthropic, openai, ...; empty = depends on the model
  std::string program; // looked for on PATH
  std::string install; // command that installs it
  std::string login;   // how a person logs in
  std::vector<LoginFile> logins;
  std::vector<std::string> configuration; // globs of files in a repository that give it orders: protected
  std::vector<std::string> user_settings; // below the user's home, able to start programs: watched
  std::vector<std::string> variables;     // of the user's environment that it gets: keys, endpoints
  std::vector<std::string> environment;   // NAME=VALUE, set whenever it is started

  std::vector<std::string> instructions = {};    // of configuration: what it reads to learn about a project
  std::vector<std::string> rewritten = {};       // names in the user's home that it changes all the time
  std::string cloud_switch = {};                 // only when this variable is set, ...
  std::vector<std::string> cloud_variables = {}; // ... it gets these
  bool takes_sub_agents = false;                 // definitions of sub-agents can be given with a request
  bool uses_claude_tool_names = false;           // an agent file's list of tools means something to it
};

// In the order in which they are preferred when nothing is configured.
[[nodiscard]] const std::deque<CodingCli>& coding_clis();
// nullptr = there is no such row.
[[nodiscard]] const CodingCli* find_coding_cli(std::string_view name);
// The row of a name that must be there; an exception otherwise.
[[nodiscard]] const CodingCli& coding_cli(std::string_view name);
[[nodiscard]] std::vector<std::string> coding_cli_names();
// One list of all rows, for example of &CodingCli::configuration.
[[nodiscard]] std::vector<std::string> of_all_coding_clis(std::vector<std::string> CodingCli::*list);

// Who made a model, which is what makes a second opinion independent: "anthropic", "openai", "google", ... by
// the model's name; by the engine when the name tells nothing; "" = not known.
[[nodiscard]] std::string family_of(std::string_view engine, std::string_view model);

} // namespace emend
