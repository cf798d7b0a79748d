// The forges emend can talk to: one row each in forges.def, with everything about it but its API.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace emend {

// Fields without a default must be given in every row: leaving one out does not compile.
struct ForgeKind {
  std::string name;                         // as forge.kind has it
  std::string product;                      // for people
  std::vector<std::string> hosts;           // its own, the main one first; ".x.com" = every host below x.com
  std::vector<std::string> host_variables;  // of the environment, each naming a host of this kind
  std::string server_variable;              // on its CI: which host it is ...
  std::string api_variable;                 // ... and the address of the API there
  std::string api;                          // "{host}" is the host; "https://{host}/api/v4"
  std::vector<std::string> token_variables; // in the order in which they are asked for
  std::string token_advice;                 // what a token must be able to do, after "set NAME to a token "
  std::string permalink;                    // between the project's page and the commit: "/blob/"
  std::vector<std::string> pull_pages;      // between the project's page and a number: "/pull/"
  std::vector<std::string> ci_files;        // globs of its CI configuration in a repository: protected

  std::string own_api = {};                                // the same as api, on hosts of its own
  std::vector<std::string> token_variables_elsewhere = {}; // asked for first on other hosts
  std::vector<std::string> token_command = {};             // prints a token; "{host}" is the host
  std::string token_command_advice = {};                   // how a person logs in with that program
  bool projects_have_two_parts = false;                    // OWNER/NAME and nothing deeper
  bool suggestions_name_their_lines = false;               // otherwise they are those the comment stands at

  // Whether the host, without a port, is one of its own.
  [[nodiscard]] bool has_host(std::string_view host) const;
};

[[nodiscard]] const std::deque<ForgeKind>& forge_kinds();
// nullptr = there is no such row.
[[nodiscard]] const ForgeKind* find_forge_kind(std::string_view name);
[[nodiscard]] std::vector<std::string> forge_names();

} // namespace emend
