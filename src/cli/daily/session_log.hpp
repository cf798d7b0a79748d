// `emend sessions log`: the prompts and the output of a session's agents.
#pragma once

#include <string>

#include "cli/context.hpp"
#include "cli/exit_status.hpp"

namespace emend {

struct SessionLogOptions {
  std::string session, run; // run: its number in the session or the beginning of its id; empty = all
  bool prompt = false;      // print the prompts instead
  bool follow = false;      // go on with what they say until the session is over
};

[[nodiscard]] Result<ExitStatus> print_session_log(CommandContext& context, const SessionLogOptions& options);

} // namespace emend
