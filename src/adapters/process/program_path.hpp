// Which file a command's first word means, looked up in the child's PATH, and sentences for when it cannot be
// started.
#pragma once

#include <string>

#include "adapters/process/exec_protocol.hpp"
#include "ports/process.hpp"

namespace emend {

struct ProgramPath {
  std::string path;    // empty = see problem
  std::string problem; // "claude: not found in PATH"
};

// A name with '/' is taken as it is. Entries of PATH that are not absolute are passed over: they would mean
// the tree being worked on.
[[nodiscard]] ProgramPath find_program(const ProcessSpec& spec);

// Why nothing was run, for a person.
[[nodiscard]] std::string describe_start_failure(const ProcessSpec& spec, exec_protocol::Stage stage,
                                                 int error_number);

} // namespace emend
