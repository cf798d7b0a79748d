// The lines compilers and linters print: file:line[:column]: [severity:] message [rule].
#include <fmt/format.h>

#include <algorithm>

#include "base/strings.hpp"
#include "formats/readers.hpp"
#include "formats/severity_map.hpp"
#include "formats/text_line.hpp"

namespace emend {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_letter(char c) { return is_upper(c) || (c >= 'a' && c <= 'z'); }

// Times and dates have colons between numbers as well; a path has a letter.
bool is_path(std::string_view text) {
  const bool named = std::any_of(
      text.begin(), text.end(), [](char c) { return is_letter(c) || static_cast<unsigned char>(c) >= 0x80; });
  return named && text.size() <= 4096 && trim(text).size() == text.size();
}

// Takes ":<digits>" from the front.
std::optional<int> take_number(std::string_view& rest) {
  if (rest.size() < 2 || rest[0] != ':' || !is_digit(rest[1])) return std::nullopt;
  std::size_t end = 1;
  while (end < rest.size() && is_digit(rest[end])) ++end;
  const auto number = parse_unsigned(rest.substr(1, end - 1));
  if (!number || *number > 2'147'483'647) return std::nullopt;
  rest.remove_prefix(end);
  return static_cast<int>(*number);
}

// "[-Wunused]", "[Error/no-undef]" (eslint), "[check,-warnings-as-errors]" (clang-tidy), at the end of the
// message.
void take_bracketed_rule(std::string_view& message, TextLine& line) {
  const std::size_t open = message.ends_with(']') ? message.rfind('[') : std::string_view::npos;
  if (open == std::string_view::npos || open == 0) return;
  std::string_view inside = message.substr(open + 1, message.size() - open - 2);
  if (inside.empty() || inside.size() > 120 || inside.find_first_of(" \t") != std::string_view::npos) return;
  const std::size_t slash = inside.find('/');
  const std::string_view word = inside.substr(0, slash);
  if (!line.severity && (word == "Error" || word == "Warning")) {
    line.severity = severity_of_word(word);
    inside.remove_prefix(slash == std::string_view::npos ? inside.size() : slash + 1);
  }
  line.rule = std::string(inside.substr(0, inside.find(',')));
  message = trim(message.substr(0, open));
}

// "E501 line too long" (flake8) and "C0114: Missing docstring" (pylint, whose letter is a severity).
void take_leading_code(std::string_view& message, TextLine& line) {
  std::size_t letters = 0;
  while (letters < message.size() && letters < 5 && is_upper(message[letters])) ++letters;
  std::size_t end = letters;
  while (end < message.size() && end < letters + 5 && is_digit(message[end])) ++end;
  if (letters == 0 || end == letters || end + 1 >= message.size()) return;
  const bool pylint = message[end] == ':' && message[end + 1] == ' ';
  if (message[end] != ' ' && !pylint) return;
  line.rule = std::string(message.substr(0, end));
  if (pylint && !line.severity) {
    const char c = message[0];
    line.severity = c == 'E' || c == 'F'   ? Severity::high
                    : c == 'C' || c == 'R' ? Severity::low
                                           : Severity::medium;
  }
  message = trim(message.substr(end + 1));
}

void take_severity(std::string_view& message, TextLine& line) {
  const std::size_t colon = message.substr(0, 30).find(':');
  if (colon == std::string_view::npos) return;
  line.severity = severity_of_word(message.substr(0, colon));
  if (!line.severity) return;
  line.is_note = to_lower(trim(message.substr(0, colon))) == "note";
  message = trim(message.substr(colon + 1));
}

Finding finding_of(const TextLine& line) {
  Finding finding;
  finding.file = line.file;
  finding.line = line.line;
  finding.column = line.column;
  finding.rule = line.rule;
  finding.agent = "text";
  finding.severity = line.severity.value_or(Severity::medium);
  set_message(finding, line.message);
  return finding;
}

} // namespace

std::optional<TextLine> parse_text_line(std::string_view raw) {
  std::string plain;
  if (contains(raw, "\x1b")) {
    plain = without_ansi(raw);
    raw = plain;
  }
  if (raw.ends_with('\r')) raw.remove_suffix(1);
  const bool drive =
      raw.size() > 2 && is_letter(raw[0]) && raw[1] == ':' && (raw[2] == '\\' || raw[2] == '/');
  const std::size_t colon = raw.find(':', drive ? 2 : 0);
  if (colon == std::string_view::npos || !is_path(raw.substr(0, colon))) return std::nullopt;
  TextLine line;
  line.file = std::string(raw.substr(0, colon));
  std::string_view rest = raw.substr(colon);
  const auto number = take_number(rest);
  if (!number) return std::nullopt;
  line.line = *number;
  line.column = take_number(rest).value_or(0);
  if (!rest.starts_with(':') && !rest.starts_with(' ')) return std::nullopt;
  std::string_view message = trim(rest.substr(1));
  take_severity(message, line);
  take_bracketed_rule(message, line);
  if (line.rule.empty()) take_leading_code(message, line);
  if (message.empty()) return std::nullopt;
  line.message = std::string(message);
  return line;
}

Status read_text(std::string_view text, FindingSink& sink) {
  std::optional<Finding> last; // kept back for the notes that may follow it
  std::size_t number = 0, found = 0, others = 0;
  for (const std::string_view raw : lines_of(text)) {
    ++number;
    const auto line = raw.size() <= 100'000 ? parse_text_line(raw) : std::nullopt;
    if (!line) {
      if (!trim(raw).empty() && ++others > 0)
        sink.skip("the line does not begin with file:line:", fmt::format("line {}", number));
      continue;
    }
    ++found;
    // Compilers explain a diagnostic by notes without a rule of their own.
    if (line->is_note && line->rule.empty() && last) {
      set_message(*last, fmt::format("{}\n{}:{}: note: {}", last->description, line->file, line->line,
                                     line->message));
      continue;
    }
    if (last) sink.add(std::move(*last));
    last = finding_of(*line);
  }
  if (last) sink.add(std::move(*last));
  if (found == 0 && others > 0)
    return fail(ErrorCode::usage, "no line looks like file:line: message", "name the format of the report");
  return {};
}

} // namespace emend
