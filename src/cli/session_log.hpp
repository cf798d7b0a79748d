// `emend sessions log`: what the agents of a session were told and said.
#pragma once

#include <string>

#include "cli/context.hpp"
#include "cli/exit_status.hpp"

namespace emend {

struct SessionLogOptions {
  std::string session, run; // run: its number in the session or the beginning of its id; empty = all
  bool prompt = false;      // what it was told instead
  bool follow = false;      // go on with what they say until the session is over
};

[[nodiscard]] Result<ExitStatus> print_session_log(CommandContext& context, const SessionLogOptions& options);

} // namespace emend
