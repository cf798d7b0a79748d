#include "base/log.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <string>

#include "base/redact.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::size_t kLongestMessage = 16'000;

std::atomic<LogLevel> threshold = LogLevel::warn;

std::string_view name_of(LogLevel level) {
  switch (level) {
    case LogLevel::error: return "error";
    case LogLevel::warn: return "warning";
    case LogLevel::info: return "info";
    case LogLevel::debug: return "debug";
  }
  return "log";
}

// One message is one line, and nothing in it can steer the terminal.
std::string escape_controls(std::string_view text) {
  std::string line;
  line.reserve(text.size());
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') {
      line += "\\n";
    } else if (c == '\t') {
      line += ' ';
    } else if (byte < 0x20 || byte == 0x7F) {
      line += fmt::format("\\x{:02x}", byte);
    } else {
      line += c;
    }
  }
  return line;
}

// U+0080..U+009F are control characters too, hidden in two bytes.
std::string escape_c1(std::string line) {
  std::string safe;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line[at] == '\xC2' && at + 1 < line.size() && static_cast<unsigned char>(line[at + 1]) < 0xA0) {
      safe += fmt::format("\\u{:04x}", static_cast<unsigned char>(line[++at]));
    } else {
      safe += line[at];
    }
  }
  return safe;
}

} // namespace

void set_log_level(LogLevel level) { threshold.store(level, std::memory_order_relaxed); }

void log(LogLevel level, std::string_view message) {
  if (level > threshold.load(std::memory_order_relaxed)) return;
  static const Redactor redactor;
  const std::string text = trim_middle(redactor.redact(message), kLongestMessage);
  const std::string line = fmt::format("emend: {}: {}\n", name_of(level), escape_c1(escape_controls(text)));
  while (::write(STDERR_FILENO, line.data(), line.size()) < 0 && errno == EINTR) {
  }
}

} // namespace emend
