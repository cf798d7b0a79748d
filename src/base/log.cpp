#include "base/log.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <string>
#include <vector>

#include "base/redact.hpp"
#include "base/screen.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::size_t kLongestMessage = 16'000;
constexpr std::size_t kShortestSecret = 8; // shorter ones would tear holes into ordinary words

std::atomic<LogLevel> threshold = LogLevel::warn;
std::atomic<LogFormat> chosen_format = LogFormat::text;

struct HiddenSecrets {
  std::mutex mutex;
  std::vector<std::string> list;
};

HiddenSecrets& hidden() {
  static HiddenSecrets secrets;
  return secrets;
}

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

std::string without_secrets(std::string_view text) {
  static const Redactor redactor;
  std::string clean(text);
  {
    const std::lock_guard guard(hidden().mutex);
    for (const std::string& secret : hidden().list)
      clean = replace_all(std::move(clean), secret, "[redacted:own]");
  }
  return escape_c1(escape_controls(trim_middle(redactor.redact(clean), kLongestMessage)));
}

Json clean_member(const Json& value) {
  return value.is_string() ? Json(without_secrets(value.get_ref<const std::string&>())) : value;
}

std::string text_line(LogLevel level, std::string_view message, const Json& members) {
  std::string line = fmt::format("emend: {}: {}", name_of(level), without_secrets(message));
  for (const auto& member : members.items()) {
    const Json value = clean_member(member.value());
    line += " " + member.key() + "=" + (value.is_string() ? value.get<std::string>() : dump_json(value));
  }
  return line + "\n";
}

std::string json_line(LogLevel level, std::string_view message, const Json& members) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  Json line = {{"time", rfc3339_utc(std::chrono::duration_cast<std::chrono::milliseconds>(now).count())},
               {"level", name_of(level)},
               {"message", without_secrets(message)}};
  for (const auto& member : members.items()) line[member.key()] = clean_member(member.value());
  return dump_json(line) + "\n";
}

} // namespace

void set_log_level(LogLevel level) { threshold.store(level, std::memory_order_relaxed); }
void set_log_format(LogFormat format) { chosen_format.store(format, std::memory_order_relaxed); }
LogFormat log_format() { return chosen_format.load(std::memory_order_relaxed); }

void hide_in_log(const std::string& secret) {
  if (secret.size() < kShortestSecret) return;
  const std::lock_guard guard(hidden().mutex);
  hidden().list.push_back(secret);
}

void log(LogLevel level, std::string_view message) { log(level, message, Json::object()); }

void log(LogLevel level, std::string_view message, const Json& members) {
  if (level > threshold.load(std::memory_order_relaxed)) return;
  const std::string line = log_format() == LogFormat::json ? json_line(level, message, members)
                                                           : text_line(level, message, members);
  write_screen(STDERR_FILENO, line);
}

} // namespace emend
