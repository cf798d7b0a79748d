// Diagnostics for the person running the program: one line on stderr, redacted, off unless asked for.
#pragma once

#include <string>
#include <string_view>

#include "base/json.hpp"

namespace emend {

enum class LogLevel { error, warn, info, debug };

void set_log_level(LogLevel level); // default: warn; EMEND_LOG=error|warn|info|debug is read by main
void log(LogLevel level, std::string_view message);

// --- The log of a program that runs for long and is read by other programs ---

enum class LogFormat {
  text, // "emend: info: request method=GET status=200"
  json, // {"time":"...","level":"info","message":"request","method":"GET","status":200}
};

void set_log_format(LogFormat format); // default: text
[[nodiscard]] LogFormat log_format();

// From now on it is left out of every line, wherever it comes from. For tokens of our own that no pattern
// would know.
void hide_in_log(const std::string& secret);

// members: an object of texts, numbers, flags and nulls. They come after time, level and message, as given.
void log(LogLevel level, std::string_view message, const Json& members);

} // namespace emend
