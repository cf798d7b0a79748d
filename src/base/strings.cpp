#include "base/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <ctime>
#include <limits>

namespace emend {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD"; // U+FFFD
constexpr std::string_view kBlank = " \t\r\n\v\f";

bool is_continuation(std::string_view bytes, std::size_t at) {
  return at < bytes.size() && (static_cast<unsigned char>(bytes[at]) & 0xC0) == 0x80;
}

// The range the second byte must be in: this is what excludes overlong forms, surrogates and values past
// U+10FFFF.
bool second_byte_ok(unsigned char lead, unsigned char second) {
  if (lead == 0xE0) return second >= 0xA0;
  if (lead == 0xED) return second <= 0x9F;
  if (lead == 0xF0) return second >= 0x90;
  if (lead == 0xF4) return second <= 0x8F;
  return true;
}

// Length of the valid UTF-8 sequence at `at`, 0 when there is none.
std::size_t sequence_length(std::string_view bytes, std::size_t at) {
  const auto lead = static_cast<unsigned char>(bytes[at]);
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  for (std::size_t i = 1; i < length; ++i) {
    if (!is_continuation(bytes, at + i)) return 0;
  }
  return second_byte_ok(lead, static_cast<unsigned char>(bytes[at + 1])) ? length : 0;
}

bool in_range(char c, unsigned char low, unsigned char high) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= low && byte <= high;
}

std::size_t skip_range(std::string_view bytes, std::size_t at, unsigned char low, unsigned char high) {
  while (at < bytes.size() && in_range(bytes[at], low, high)) ++at;
  return at;
}

// The position after the escape sequence that starts at `at` (an ESC). A string sequence without its end
// stops at the line's end, so that one stray byte cannot swallow the rest of the text.
std::size_t after_escape(std::string_view bytes, std::size_t at) {
  if (++at >= bytes.size()) return at;
  const char kind = bytes[at];
  if (kind == '[') {
    at = skip_range(bytes, at + 1, 0x30, 0x3F);
    at = skip_range(bytes, at, 0x20, 0x2F);
    return at < bytes.size() && in_range(bytes[at], 0x40, 0x7E) ? at + 1 : at;
  }
  if (std::string_view("]PX^_").find(kind) != std::string_view::npos) {
    for (++at; at < bytes.size(); ++at) {
      if (bytes[at] == '\a') return at + 1;
      if (bytes[at] == '\n') return at;
      if (bytes[at] == '\x1b') return at + 1 < bytes.size() && bytes[at + 1] == '\\' ? at + 2 : at;
    }
    return at;
  }
  at = skip_range(bytes, at, 0x20, 0x2F);
  return at < bytes.size() && in_range(bytes[at], 0x30, 0x7E) ? at + 1 : at;
}

bool is_removed_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\t' && c != '\n' && c != '\r') || byte == 0x7F;
}

char32_t code_point(std::string_view sequence) {
  const auto lead = static_cast<unsigned char>(sequence[0]);
  char32_t value = sequence.size() == 1 ? lead : lead & (0xFFU >> (sequence.size() + 1));
  for (std::size_t i = 1; i < sequence.size(); ++i)
    value = value << 6 | (static_cast<unsigned char>(sequence[i]) & 0x3FU);
  return value;
}

struct CodeRange {
  char32_t first, last;
};

// Characters without a glyph that turn the direction of the text around them.
constexpr CodeRange kDirections[] = {{0x061C, 0x061C}, {0x200E, 0x200F}, {0x202A, 0x202E}, {0x2066, 0x2069}};

// Joiners and variation selectors: nothing is seen of them either, but letters of some scripts and emoji are
// written with them.
constexpr CodeRange kJoiners[] = {{0x200C, 0x200D}, {0xFE00, 0xFE0F}};

// Unicode's default ignorables and format characters, fillers and the line separators.
constexpr CodeRange kInvisible[] = {
    {0x00AD, 0x00AD},   {0x034F, 0x034F},   {0x115F, 0x1160},  {0x17B4, 0x17B5}, {0x180B, 0x180F},
    {0x200B, 0x200B},   {0x2028, 0x2029},   {0x2060, 0x2065},  {0x206A, 0x206F}, {0x2800, 0x2800},
    {0x3164, 0x3164},   {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0},  {0xFFF0, 0xFFFB}, {0x13430, 0x1345F},
    {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF}};

template <std::size_t size>
bool is_in(const CodeRange (&ranges)[size], char32_t c) {
  return std::any_of(std::begin(ranges), std::end(ranges),
                     [c](const CodeRange& range) { return c >= range.first && c <= range.last; });
}

// How many bytes from `at` on are printable, new lines or tabs, and not beyond ASCII.
std::size_t plain_ascii(std::string_view bytes, std::size_t at) {
  std::size_t end = at;
  while (end < bytes.size() &&
         ((bytes[end] >= ' ' && bytes[end] <= '~') || bytes[end] == '\n' || bytes[end] == '\t'))
    ++end;
  return end - at;
}

// Of a valid sequence.
CharacterKind kind_of(std::string_view sequence) {
  if (sequence.size() == 1)
    return is_removed_control(sequence[0]) ? CharacterKind::control : CharacterKind::plain;
  const char32_t c = code_point(sequence);
  if (c < 0xA0) return CharacterKind::control; // C1: some terminals take them for escape sequences
  if (is_in(kDirections, c)) return CharacterKind::direction;
  if (is_in(kJoiners, c)) return CharacterKind::joiner;
  return is_in(kInvisible, c) ? CharacterKind::invisible : CharacterKind::plain;
}

// Calls take(sequence, kind) for every character and every byte that belongs to none.
template <class Take>
void each_character(std::string_view bytes, Take take) {
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t length = sequence_length(bytes, at);
    const std::string_view sequence = bytes.substr(at, std::max<std::size_t>(length, 1));
    take(sequence, length == 0 ? CharacterKind::bad_byte : kind_of(sequence));
    at += sequence.size();
  }
}

std::string name_of(std::string_view sequence, CharacterKind kind) {
  if (kind == CharacterKind::bad_byte)
    return fmt::format("byte {:02X}", static_cast<unsigned char>(sequence[0]));
  return fmt::format("U+{:04X}", static_cast<std::uint32_t>(code_point(sequence)));
}

std::size_t boundary_before(std::string_view text, std::size_t at) {
  while (at > 0 && is_continuation(text, at)) --at;
  return at;
}

std::size_t boundary_after(std::string_view text, std::size_t at) {
  while (at < text.size() && is_continuation(text, at)) ++at;
  return at;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

constexpr std::string_view kBase64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::array<std::int8_t, 256> base64_values() {
  std::array<std::int8_t, 256> values;
  values.fill(-1);
  for (std::size_t i = 0; i < kBase64.size(); ++i)
    values[static_cast<unsigned char>(kBase64[i])] = static_cast<std::int8_t>(i);
  return values;
}

} // namespace

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string joined;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i != 0) joined += separator;
    joined += parts[i];
  }
  return joined;
}

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

std::string to_lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

std::string to_upper(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return result;
}

std::string replace_all(std::string text, std::string_view from, std::string_view to) {
  if (from.empty()) return text;
  std::string result;
  std::size_t begin = 0;
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, begin)) {
    result.append(text, begin, at - begin).append(to);
    begin = at + from.size();
  }
  if (begin == 0) return text;
  return result.append(text, begin);
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::optional<std::uint64_t> parse_unsigned(std::string_view text) {
  std::uint64_t value = 0;
  if (text.empty() || text[0] < '0' || text[0] > '9') return std::nullopt;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::int64_t> parse_duration_ms(std::string_view text) {
  static constexpr std::pair<std::string_view, std::uint64_t> kUnits[] = {
      {"ms", 1}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}, {"d", 86'400'000}};
  std::uint64_t factor = 1000;
  for (const auto& [unit, ms] : kUnits) {
    if (!text.ends_with(unit)) continue;
    factor = ms;
    text.remove_suffix(unit.size());
    break;
  }
  const auto number = parse_unsigned(text);
  if (!number || *number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) / factor)
    return std::nullopt;
  return static_cast<std::int64_t>(*number * factor);
}

std::string format_duration_ms(std::int64_t ms) {
  ms = std::max<std::int64_t>(ms, 0);
  const std::int64_t seconds = ms / 1000;
  if (seconds < 10) return fmt::format("{}.{} s", seconds, ms % 1000 / 100);
  if (seconds < 60) return fmt::format("{} s", seconds);
  if (seconds < 3600) return fmt::format("{} min {:02} s", seconds / 60, seconds % 60);
  return fmt::format("{} h {:02} min", seconds / 3600, seconds % 3600 / 60);
}

std::string rfc3339_utc(std::int64_t unix_ms) {
  using namespace std::chrono;
  const sys_time<milliseconds> time{milliseconds(unix_ms)};
  const auto day = floor<days>(time);
  const year_month_day date(day);
  const hh_mm_ss clock(time - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count(),
                     clock.subseconds().count());
}

bool is_valid_utf8(std::string_view bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t length = sequence_length(bytes, at);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

std::string clean_text(std::string_view bytes) {
  std::string result;
  result.reserve(bytes.size());
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t plain = plain_ascii(bytes, at); // nearly all of nearly every text
    result += bytes.substr(at, plain);
    at += plain;
    if (at == bytes.size()) break;
    if (bytes[at] == '\x1b') {
      at = after_escape(bytes, at);
      continue;
    }
    const std::size_t length = sequence_length(bytes, at);
    if (length == 0) {
      result += kReplacement;
      ++at;
      continue;
    }
    const std::string_view sequence = bytes.substr(at, length);
    switch (kind_of(sequence)) {
      case CharacterKind::plain:
        result += sequence == "\r" && bytes.substr(at + 1, 1) != "\n" ? " " : sequence;
        break;
      case CharacterKind::direction: result += kReplacement; break;
      case CharacterKind::invisible:
        if (sequence == "\u2028" || sequence == "\u2029") result += ' ';
        break;
      default: break;
    }
    at += length;
  }
  return result;
}

std::string visible_text(std::string_view bytes) {
  std::string result;
  result.reserve(bytes.size());
  for (std::size_t at = 0; at < bytes.size();) { // plain runs are most of it
    const std::size_t length = sequence_length(bytes, at);
    const std::string_view sequence = bytes.substr(at, std::max<std::size_t>(length, 1));
    const CharacterKind kind = length == 0 ? CharacterKind::bad_byte : kind_of(sequence);
    const bool lone_return = sequence == "\r" && bytes.substr(at + 1, 1) != "\n";
    if ((kind == CharacterKind::plain && !lone_return) || kind == CharacterKind::joiner)
      result += sequence;
    else
      result += "<" + name_of(sequence, kind) + ">";
    at += sequence.size();
  }
  return result;
}

std::map<std::string, HiddenCharacter> hidden_characters(std::string_view bytes) {
  std::map<std::string, HiddenCharacter> found;
  each_character(bytes, [&](std::string_view sequence, CharacterKind kind) {
    if (kind == CharacterKind::plain) return;
    HiddenCharacter& character = found[name_of(sequence, kind)];
    character.kind = kind;
    ++character.count;
  });
  return found;
}

std::string without_ansi(std::string_view bytes) {
  std::string result;
  result.reserve(bytes.size());
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t escape = bytes.find('\x1b', at);
    result += bytes.substr(at, escape == std::string_view::npos ? escape : escape - at);
    at = escape == std::string_view::npos ? bytes.size() : after_escape(bytes, escape);
  }
  return result;
}

std::string trim_middle(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return std::string(text);
  const std::size_t head = boundary_before(text, max_bytes / 2);
  const std::size_t tail = boundary_after(text, text.size() - (max_bytes - max_bytes / 2));
  return fmt::format("{}\n[... {} bytes left out ...]\n{}", text.substr(0, head), tail - head,
                     text.substr(tail));
}

std::string first_line(std::string_view text, std::size_t max_bytes) {
  text = text.substr(0, text.find('\n'));
  if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
  if (text.size() <= max_bytes) return std::string(text);
  if (max_bytes < 3) return std::string(text.substr(0, boundary_before(text, max_bytes)));
  return std::string(text.substr(0, boundary_before(text, max_bytes - 3))) + "...";
}

std::string shell_quote(std::string_view text) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+./:,@%=";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string_view::npos) return std::string(text);
  return "'" + replace_all(std::string(text), "'", "'\\''") + "'";
}

std::optional<std::string> did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  constexpr std::size_t kLongestWord = 100;
  if (word.empty() || word.size() > kLongestWord) return std::nullopt;
  std::size_t best = std::max<std::size_t>(1, word.size() / 3) + 1;
  std::optional<std::string> nearest;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > kLongestWord) continue;
    const std::size_t distance = edit_distance(to_lower(word), to_lower(candidate));
    if (distance >= best || distance >= candidate.size()) continue;
    best = distance;
    nearest = candidate;
  }
  return nearest;
}

std::string to_hex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  hex.reserve(bytes.size() * 2);
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 15];
  }
  return hex;
}

std::string to_base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i)
      group = group << 8 | (i < count ? static_cast<unsigned char>(bytes[at + i]) : 0U);
    for (std::size_t i = 0; i < 4; ++i) text += i <= count ? kBase64[group >> (18 - 6 * i) & 63] : '=';
  }
  return text;
}

std::optional<std::string> from_base64(std::string_view text) {
  static const std::array<std::int8_t, 256> kValues = base64_values();
  if (text.size() % 4 != 0) return std::nullopt;
  std::size_t padding = 0;
  while (padding < 2 && !text.empty() && text.back() == '=') {
    text.remove_suffix(1);
    ++padding;
  }
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3 + 2);
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const int value = kValues[static_cast<unsigned char>(c)];
    if (value < 0) return std::nullopt;
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 0xFF);
  }
  if ((bits & ((1U << count) - 1)) != 0)
    return std::nullopt; // bits that no encoder writes: two texts would mean the same bytes
  return bytes;
}

} // namespace emend
