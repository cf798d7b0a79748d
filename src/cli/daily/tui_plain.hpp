// `emend tui --plain`: the same without a screen, as lines in the order they happen, for screen readers and
// simple terminals.
#pragma once

#include "cli/daily/tui_actions.hpp"
#include "cli/exit_status.hpp"
#include "tui/feed.hpp"

namespace emend {

// Reads commands line by line until "quit" or the end of the input.
[[nodiscard]] Result<ExitStatus> run_plain(CommandContext& context, Model& model, Feed& feed,
                                           TuiActions& actions);

} // namespace emend
