// What fix and resume have in common: telling progress while it runs and presenting the report at the end.
#pragma once

#include <functional>

#include "cli/context.hpp"

namespace emend {

// Prints events to stderr as they come, as much as the terminal, --quiet and --verbose call for. Thread-safe.
[[nodiscard]] std::function<void(const Event&)> progress_printer(CommandContext& context);

struct FixPresentation {
  bool diff = false;      // print the combined patch too
  bool exit_zero = false; // unresolved issues are no failure
};
[[nodiscard]] Result<ExitStatus> present_fix_report(CommandContext& context, const FixReport& report,
                                                    const FixPresentation& how);

// A patch as text for stdout: exact bytes into a pipe, harmless ones onto a terminal.
void print_patch(CommandContext& context, const Patch& patch);

} // namespace emend
