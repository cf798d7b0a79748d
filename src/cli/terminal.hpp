// The person's screen and keyboard: what is a terminal, may be coloured, may be asked.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "cli/text_table.hpp"

namespace emend {

[[nodiscard]] std::vector<std::string> process_environment();

// --color and the shared conventions, strongest first: the flag, NO_COLOR, CLICOLOR_FORCE, TERM=dumb, is it a
// terminal.
[[nodiscard]] bool wants_color(std::string_view flag, const std::vector<std::string>& environment,
                               bool is_terminal);
// Asking needs a keyboard and a screen, and nobody who said no (--no-input, EMEND_NO_INPUT, CI).
[[nodiscard]] bool may_ask(bool no_input_flag, const std::vector<std::string>& environment,
                           bool input_is_terminal, bool error_is_terminal);

// A reader that went away (EPIPE) has seen enough and is no error.
[[nodiscard]] Status write_stdout(std::string_view text);
void write_stderr(std::string_view text); // one call, so lines of several threads do not mix

// Shows the prompt on stderr and waits for a line; nullopt when the keyboard is closed. ErrorCode::cancelled
// when stopped.
[[nodiscard]] Result<std::optional<std::string>> ask_line(std::string_view prompt, std::stop_token stop);
// What Enter alone means.
enum class Enter { no, yes };
// Shows the question on stderr and waits for y or n or the stop token. ErrorCode::cancelled when stopped.
[[nodiscard]] Result<bool> ask_yes_no(std::string_view question, std::stop_token stop,
                                      Enter enter = Enter::no);

} // namespace emend
