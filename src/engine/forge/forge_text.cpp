#include "engine/forge/forge_text.hpp"

#include <algorithm>

#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::string_view kNothing =
    "\xE2\x80\x8B"; // U+200B: takes no room, and parts what stands around it
constexpr std::string_view kOpen = "<!-- emend v1 fp=", kMiddle = " sid=", kClose = " -->";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(std::string_view text) {
  return !text.empty() && text.size() < 200 && std::all_of(text.begin(), text.end(), [](char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_' ||
           c == ':' || c == '.';
  });
}

// "fp=... sid=..." of a whole line.
std::optional<Mark> mark_of_line(std::string_view line) {
  line = trim(line);
  if (!line.starts_with(kOpen) || !line.ends_with(kClose)) return std::nullopt;
  line.remove_prefix(kOpen.size());
  line.remove_suffix(kClose.size());
  const std::size_t middle = line.find(kMiddle);
  if (middle == std::string_view::npos) return std::nullopt;
  Mark mark{std::string(line.substr(0, middle)), std::string(line.substr(middle + kMiddle.size()))};
  return is_word(mark.fingerprint) && is_word(mark.session_id) ? std::optional<Mark>(std::move(mark))
                                                               : std::nullopt;
}

std::string without_session(std::string_view text) {
  std::string kept;
  for (const std::string_view line : lines_of(text)) {
    const auto mark = mark_of_line(line);
    kept += mark ? "fp=" + mark->fingerprint : std::string(trim(line));
    kept += '\n';
  }
  return kept;
}

} // namespace

std::string harmless(std::string_view text, std::size_t max_bytes) {
  const std::string clean = trim_middle(clean_text(text), max_bytes);
  std::string safe;
  bool line_start = true;
  for (std::size_t i = 0; i < clean.size(); ++i) {
    const char c = clean[i], next = i + 1 < clean.size() ? clean[i + 1] : '\0';
    if (c == '\r') continue; // a line end to some, and not to us
    if (line_start && c == '/') safe += kNothing;
    safe += c;
    const bool link = c == ']' && (next == '(' || next == '[' || next == ':');
    if (link || c == '@' || c == '<' || (c == '!' && next == '[') ||
        ((c == '#' || c == '!') && is_digit(next)))
      safe += kNothing;
    if (c != ' ' && c != '\t') line_start = c == '\n';
  }
  return replace_all(std::move(safe), "/issues/",
                     std::string("/issues") + std::string(kNothing) + "/"); // "fixes https://..." closes one
}

std::string harmless_line(std::string_view text, std::size_t max_bytes) {
  return replace_all(
      replace_all(harmless(first_line(trim(clean_text(text)), max_bytes), max_bytes + 100), "|", "\\|"), "\n",
      " ");
}

std::string code_block(std::string_view code, std::string_view info) {
  std::size_t longest = 2, run = 0;
  for (const char c : code) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  const bool ends = code.empty() || code.ends_with('\n');
  return fence + std::string(info) + "\n" + std::string(code) + (ends ? "" : "\n") + fence + "\n";
}

std::string to_string(const Mark& mark) {
  return std::string(kOpen) + mark.fingerprint + std::string(kMiddle) + mark.session_id + std::string(kClose);
}

std::optional<Mark> mark_in(std::string_view text) {
  for (const std::string_view line : lines_of(text))
    if (auto mark = mark_of_line(line)) return mark;
  return std::nullopt;
}

bool same_words(std::string_view a, std::string_view b) {
  return without_session(trim(a)) == without_session(trim(b));
}

} // namespace emend
