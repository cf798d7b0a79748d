// What a fixer should know of where it works: which files are open and why, which are closed, how the checks
// stand before it begins.
#pragma once

#include <string>
#include <vector>

#include "engine/context/run_context.hpp"
#include "engine/patch/scope.hpp"
#include "engine/prompts/prompt.hpp"
#include "model/verification.hpp"

namespace emend {

// A file that the issue leads to, with why, and what closes it all the same. Pure.
[[nodiscard]] FixPromptInput::Item::OpenFile told_file(const Scope& scope, const Issue& issue,
                                                       const std::string& path, const std::string& why);

// The files of the finding and those its text names, also where they are closed, and what its own file loads.
[[nodiscard]] Result<std::vector<FixPromptInput::Item::OpenFile>> open_files(RunContext& context,
                                                                             const Issue& issue,
                                                                             const std::string& base);

// What this project closes beyond what is closed in every project: fix.protected, scripts that checks run,
// and the line that fix.scope draws. A line each; empty = nothing.
[[nodiscard]] Result<std::string> closed_text(RunContext& context, const std::vector<Issue>& issues,
                                              const std::string& base);

// How a check stands on the base: "passes on the base, 12 s". Pure.
[[nodiscard]] std::string check_note(const CommandRun& run);

// Tests that fail on the base, at most twenty, a line each. Pure.
[[nodiscard]] std::string red_before_text(const Verification& baseline,
                                          const std::vector<VerifyCommand>& commands);

} // namespace emend
