// Plays a script in the current directory, as the child process behind a scripted agent. The format is in
// docs/scripted-agent.md.
#pragma once

#include <string>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"

namespace emend {

enum class PlayerExit {
  bad_script = 7, // unreadable or not in the format
  no_turn = 8,    // no turn matches this call
  failed_step = 9,
};

// The script, checked completely: a mistake in it is reported before any of it is played.
[[nodiscard]] Result<Json> load_script(const std::string& script_file);

// Plays the first turn that matches; issue is one code or several with commas. The exit status of the
// process.
[[nodiscard]] int play_script(const std::string& script_file, const std::string& role,
                              const std::string& issue, int cycle, const std::string& prompt);
// The hidden command: SCRIPT ROLE ISSUE CYCLE, the prompt on stdin.
[[nodiscard]] int play_command(const std::vector<std::string>& arguments);

} // namespace emend
