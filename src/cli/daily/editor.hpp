// The person's editor on a text: $VISUAL, then $EDITOR, then vi at a terminal.
#pragma once

#include <string>
#include <vector>

#include "base/files.hpp"
#include "base/result.hpp"
#include "cli/context.hpp"

namespace emend {

// A command line as people write it into EDITOR: words, with ' " and \ as in a shell. Never given to a shell.
[[nodiscard]] Result<std::vector<std::string>> split_command(const std::string& text);

// Runs the editor on the file and waits for it. ErrorCode::needs_input when there is none and nobody could
// use one.
[[nodiscard]] Status edit_file(CommandContext& context, const fs::path& file);
// Only to look at it, at this line where the editor is one that can be told (0 = anywhere).
[[nodiscard]] Status open_in_editor(CommandContext& context, const fs::path& file, int line);

} // namespace emend
