// The question every command that runs a repository's commands asks first: has a person allowed them?
#pragma once

#include "cli/context.hpp"

namespace emend {

// What a person judges before saying yes: the files and the commands they want to run.
[[nodiscard]] std::string command_files_text(const std::vector<CommandFile>& files);

// The configuration with nothing left untrusted: asks at a terminal and records a yes, else
// ErrorCode::needs_input naming the way out.
[[nodiscard]] Result<Config> trusted_config(CommandContext& context,
                                            const std::vector<ConfigOverride>& flags = {});

// Asks at a terminal whether these files may have their way and records a yes; else ErrorCode::needs_input
// naming the way out. `what` begins the sentence: "this repository's configuration wants to run commands".
[[nodiscard]] Status ask_for_trust(CommandContext& context, const std::vector<CommandFile>& files,
                                   const std::string& what);

// Records these versions of the files as trusted.
[[nodiscard]] Status trust_files(CommandContext& context, const std::vector<CommandFile>& files);

} // namespace emend
