#include "engine/probe/data_flip.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "base/strings.hpp"

namespace emend {
namespace {

bool has_ending(std::string_view name, std::initializer_list<std::string_view> endings) {
  return std::any_of(endings.begin(), endings.end(), [&](auto each) { return name.ends_with(each); });
}

// Another character of the same kind.
char other(char c) {
  if (c >= '0' && c <= '9') return c == '9' ? '8' : static_cast<char>(c + 1);
  if ((c >= 'a' && c < 'z') || (c >= 'A' && c < 'Z')) return static_cast<char>(c + 1);
  if (c == 'z' || c == 'Z') return static_cast<char>(c - 1);
  return c == '+' ? '-' : '+';
}

std::optional<Twist> changed_at(std::string_view path, std::string_view text, std::size_t at,
                                std::size_t count, const std::string& with) {
  Twist twist;
  twist.kind = Twist::Kind::data;
  twist.file = std::string(path);
  twist.text = std::string(text.substr(0, at)) + with + std::string(text.substr(at + count));
  twist.line = twist.last_line =
      1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
  const auto index = static_cast<std::size_t>(twist.line - 1);
  twist.before = std::string(trim(lines_of(text)[index]));
  twist.after = std::string(trim(lines_of(twist.text)[index]));
  return twist;
}

// exports[`name`] = `value`;
std::optional<Twist> flip_snapshot(std::string_view path, std::string_view text) {
  const std::size_t value = text.find("] = `");
  if (value == std::string_view::npos) return std::nullopt;
  for (std::size_t i = value + 5; i < text.size() && text[i] != '`'; ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c < 0x80 && std::isalnum(c) != 0) return changed_at(path, text, i, 1, {other(text[i])});
  }
  return std::nullopt;
}

// The first letter or digit of the first line that has one; else its first byte that is ASCII and no space.
std::optional<Twist> flip_text(std::string_view path, std::string_view text) {
  std::size_t begin = 0;
  for (const std::string_view line : lines_of(text)) {
    if (!trim(line).empty() && !line.starts_with("//") && !line.starts_with("#")) {
      auto found = std::find_if(line.begin(), line.end(),
                                [](unsigned char c) { return c < 0x80 && std::isalnum(c) != 0; });
      if (found == line.end())
        found = std::find_if(line.begin(), line.end(), [](unsigned char c) { return c > ' ' && c < 0x7f; });
      if (found == line.end()) return std::nullopt;
      return changed_at(path, text, begin + static_cast<std::size_t>(found - line.begin()), 1,
                        {other(*found)});
    }
    begin += line.size() + 1;
  }
  return std::nullopt;
}

bool names_expected(std::string_view key) {
  static const std::set<std::string, std::less<>> kKeys = {"expected",
                                                           "expect",
                                                           "output",
                                                           "out",
                                                           "want",
                                                           "wanted",
                                                           "result",
                                                           "answer",
                                                           "expected_output",
                                                           "expectedoutput",
                                                           "expected_result",
                                                           "expectedresult",
                                                           "stdout",
                                                           "should_be",
                                                           "solution"};
  return kKeys.contains(to_lower(key));
}

// Walks over JSON text without building it, so that every other byte stays as it is.
class JsonFlip {
public:
  explicit JsonFlip(std::string_view text) : text_(text) {}

  // Where the value begins that an expecting key holds, or the first simple value inside it; npos: none.
  [[nodiscard]] std::size_t find_value() const {
    for (std::size_t i = 0; i < text_.size(); ++i) {
      if (text_[i] != '"') continue;
      const std::size_t end = end_of_text(i);
      std::size_t next = text_.find_first_not_of(" \t\r\n", end);
      const bool key = next < text_.size() && text_[next] == ':';
      if (key && names_expected(text_.substr(i + 1, end - i - 2))) {
        if (const std::size_t value = simple_value(next + 1); value < text_.size()) return value;
      }
      i = end - 1;
    }
    return std::string_view::npos;
  }
  [[nodiscard]] std::size_t end_of_text(std::size_t at) const {
    for (++at; at < text_.size() && text_[at] != '"'; ++at) {
      if (text_[at] == '\\') ++at;
    }
    return std::min(at + 1, text_.size());
  }

private:
  // Lists are entered; objects too, behind their first key.
  [[nodiscard]] std::size_t simple_value(std::size_t at) const {
    while ((at = text_.find_first_not_of(" \t\r\n[", at)) < text_.size()) {
      const char c = text_[at];
      if (c == ']' || c == '}') return text_.size();
      if (c != '{') return at;
      at = text_.find_first_not_of(" \t\r\n", at + 1);
      if (at >= text_.size() || text_[at] != '"') return text_.size();
      at = text_.find(':', end_of_text(at));
      if (at >= text_.size()) return at;
      ++at;
    }
    return text_.size();
  }
  std::string_view text_;
};

std::optional<Twist> flip_json(std::string_view path, std::string_view text) {
  const JsonFlip json(text);
  const std::size_t at = json.find_value();
  if (at >= text.size()) return std::nullopt;
  if (text[at] == '"') return changed_at(path, text, at + 1, 0, "~");
  const std::string_view rest = text.substr(at);
  for (const auto& [one, with] : {std::pair("true", "false"), {"false", "true"}, {"null", "0"}}) {
    if (rest.starts_with(one)) return changed_at(path, text, at, std::string_view(one).size(), with);
  }
  const std::size_t digit = rest.find_first_of("0123456789");
  if (digit > 1) return std::nullopt;
  if (rest[digit] == '0') return changed_at(path, text, at + digit, 1, "1");
  // A digit more in front: another number whatever comes behind it.
  return changed_at(path, text, at + digit, 0, "1");
}

} // namespace

std::optional<Twist> flip_data(std::string_view path, std::string_view text) {
  const std::string name = to_lower(path.substr(path.rfind('/') + 1));
  if (text.find('\0') != std::string_view::npos) return std::nullopt;
  std::optional<Twist> twist;
  if (has_ending(name, {".json"})) {
    twist = flip_json(path, text);
    if (twist && parse_json(text).has_value() && !parse_json(twist->text).has_value()) return std::nullopt;
  } else if (has_ending(name, {".jsonl", ".ndjson"})) {
    twist = flip_json(path, text);
  } else if (name.ends_with(".snap")) {
    twist = flip_snapshot(path, text);
  } else if (has_ending(name, {".out", ".expected", ".golden", ".txt", ".ans", ".exp", ".approved", ".stdout",
                               ".want", ".ref", ".ok"})) {
    twist = flip_text(path, text);
  }
  return twist;
}

} // namespace emend
