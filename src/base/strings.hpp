// Small operations on text and bytes that the standard library lacks.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace emend {

[[nodiscard]] std::vector<std::string> split(std::string_view text, char separator);
// Lines without their "\n" ("\r\n" keeps its "\r"); a trailing newline adds no empty line.
[[nodiscard]] std::vector<std::string_view> lines_of(std::string_view text);
[[nodiscard]] std::string join(const std::vector<std::string>& parts, std::string_view separator);
[[nodiscard]] std::string_view trim(std::string_view text);
[[nodiscard]] std::string to_lower(std::string_view text); // ASCII
[[nodiscard]] std::string to_upper(std::string_view text); // ASCII
[[nodiscard]] std::string replace_all(std::string text, std::string_view from, std::string_view to);
[[nodiscard]] bool contains(std::string_view text, std::string_view part);

// Decimal digits only, whole text, in range; "-2", "+2", "2x", "" are refused (strtoul takes them).
[[nodiscard]] std::optional<std::uint64_t> parse_unsigned(std::string_view text);
// "90s", "15m", "2h", "500ms" or plain seconds -> milliseconds.
[[nodiscard]] std::optional<std::int64_t> parse_duration_ms(std::string_view text);
[[nodiscard]] std::string format_duration_ms(std::int64_t ms); // "0.4 s", "38 s", "2 min 05 s"

[[nodiscard]] std::string rfc3339_utc(std::int64_t unix_ms); // "2026-01-31T09:30:00.250Z"

[[nodiscard]] bool is_valid_utf8(std::string_view bytes);
// Valid UTF-8 for screens, titles, commit messages, prompts and JSON: bad bytes and characters that turn the
// direction of the text become U+FFFD; C0 controls (except \t and \n; a \r alone becomes a space), C1
// controls, ANSI escape sequences and characters nobody can see (zero width, joiners, tags) are removed.
// Never used on the content of files that get committed.
[[nodiscard]] std::string clean_text(std::string_view bytes);
// The same promise for a diff, where nothing may be left out: what clean_text takes away is written as
// <U+202E>, a bad byte as <byte FF>. Joiners and \t, \n, \r\n stay as they are.
[[nodiscard]] std::string visible_text(std::string_view bytes);

// Characters of a text that nobody sees, by name ("U+202E", "byte FF").
enum class CharacterKind { plain, control, direction, joiner, invisible, bad_byte };
struct HiddenCharacter {
  CharacterKind kind = CharacterKind::plain;
  std::size_t count = 0;
};
[[nodiscard]] std::map<std::string, HiddenCharacter> hidden_characters(std::string_view bytes);
// The same bytes without ANSI escape sequences (colours, cursor moves, titles).
[[nodiscard]] std::string without_ansi(std::string_view bytes);
// Keeps the head and the tail, says in the middle how many bytes were left out; cuts at UTF-8 boundaries.
// Result <= max_bytes + ~40.
[[nodiscard]] std::string trim_middle(std::string_view text, std::size_t max_bytes);
// First line, at most max_bytes, with "..." when cut.
[[nodiscard]] std::string first_line(std::string_view text, std::size_t max_bytes);
// POSIX shell quoting, for commands shown to people (never for running).
[[nodiscard]] std::string shell_quote(std::string_view text);
// The candidate nearest to word by edit distance, if it is near enough to be a typo.
[[nodiscard]] std::optional<std::string> did_you_mean(std::string_view word,
                                                      const std::vector<std::string>& candidates);

[[nodiscard]] std::string to_hex(std::string_view bytes);
[[nodiscard]] std::string to_base64(std::string_view bytes);
[[nodiscard]] std::optional<std::string> from_base64(std::string_view text);

} // namespace emend
