// Diagnostics for the person running the program: one line on stderr, redacted, off unless asked for.
#pragma once

#include <string_view>

namespace emend {

enum class LogLevel { error, warn, info, debug };

void set_log_level(LogLevel level); // default: warn; EMEND_LOG=error|warn|info|debug is read by main
void log(LogLevel level, std::string_view message);

} // namespace emend
