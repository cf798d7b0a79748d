#include "formats/yaml_subset.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "base/code_points.hpp"
#include "base/strings.hpp"

namespace emend {
namespace {

constexpr int kDeepest = 32;

class YamlReader {
public:
  explicit YamlReader(std::string_view text) : text_(text) {}

  Result<std::vector<Json>> read() {
    std::vector<Json> documents;
    while (find_content()) {
      if (marker()) continue;
      TRY_ASSIGN(Json document, read_block(column_, 0));
      documents.push_back(std::move(document));
      if (find_content() && !at_marker()) return wrong("it is indented less than what it belongs to");
    }
    return documents;
  }

private:
  tl::unexpected<Error> wrong(const std::string& what) const {
    const auto end = text_.begin() + static_cast<std::ptrdiff_t>(std::min(at_, text_.size()));
    return fail(ErrorCode::usage, fmt::format("not the YAML it should be at line {}: {}",
                                              1 + std::count(text_.begin(), end, '\n'), what));
  }

  [[nodiscard]] std::string_view rest_of_line() const {
    return text_.substr(at_, std::min(text_.find('\n', at_), text_.size()) - at_);
  }

  // Moves to the next character that means anything and knows its column. False at the end.
  bool find_content() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        ++at_;
        column_ = 0;
      } else if (c == ' ' || c == '\r') {
        ++at_;
        ++column_;
      } else if (c == '#') {
        skip_line();
      } else {
        return true;
      }
    }
    return false;
  }

  void skip_line() { at_ = std::min(text_.find('\n', at_), text_.size()); }
  void step(std::size_t count) {
    at_ += count;
    column_ += static_cast<int>(count);
  }

  [[nodiscard]] bool at_marker() const {
    return column_ == 0 && (text_.substr(at_).starts_with("---") || text_.substr(at_).starts_with("..."));
  }
  bool marker() {
    if (!at_marker()) return false;
    skip_line();
    return true;
  }

  [[nodiscard]] bool at_dash() const {
    const std::string_view rest = rest_of_line();
    return rest.starts_with("- ") || trim(rest) == "-";
  }

  Result<Json> read_block(int indent, int depth) {
    if (depth == kDeepest) return wrong(fmt::format("nested deeper than {} levels", kDeepest));
    return at_dash() ? read_list(indent, depth) : read_map(indent, depth);
  }

  Result<Json> read_list(int indent, int depth) {
    Json list = Json::array();
    while (find_content() && !at_marker() && column_ == indent && at_dash()) {
      step(1);
      const std::size_t line_end = std::min(text_.find('\n', at_), text_.size());
      if (!find_content()) return wrong("a list entry is empty");
      if (at_ > line_end && column_ <= indent) return wrong("a list entry is empty");
      if (is_key()) {
        TRY_ASSIGN(Json item, read_block(column_, depth + 1));
        list.push_back(std::move(item));
      } else {
        TRY_ASSIGN(Json item, read_scalar());
        list.push_back(std::move(item));
      }
    }
    return list;
  }

  // "Key:" at the beginning of a line or after a dash.
  [[nodiscard]] std::size_t key_length() const {
    std::size_t length = 0;
    const std::string_view rest = rest_of_line();
    while (length < rest.size() && (std::isalnum(static_cast<unsigned char>(rest[length])) ||
                                    rest[length] == '_' || rest[length] == '-'))
      ++length;
    const bool ends = length > 0 && length < rest.size() && rest[length] == ':' &&
                      (length + 1 == rest.size() || rest[length + 1] == ' ' || rest[length + 1] == '\r');
    return ends ? length : 0;
  }
  [[nodiscard]] bool is_key() const { return key_length() > 0; }

  Result<Json> read_map(int indent, int depth) {
    Json map = Json::object();
    while (find_content() && !at_marker() && column_ == indent && !at_dash()) {
      const std::size_t length = key_length();
      if (length == 0) return wrong("expected \"Key: value\"");
      const std::string key(text_.substr(at_, length));
      if (map.contains(key)) return wrong("the key " + first_line(key, 60) + " comes twice");
      step(length + 1);
      TRY_ASSIGN(Json value, read_value(indent, depth));
      map[key] = std::move(value);
    }
    return map;
  }

  Result<Json> read_value(int indent, int depth) {
    if (!trim(rest_of_line()).empty()) {
      find_content();
      return read_scalar();
    }
    // A list may stand at its key's own column.
    if (!find_content() || at_marker() || column_ < indent || (column_ == indent && !at_dash()))
      return Json("");
    return read_block(column_, depth + 1);
  }

  Result<Json> read_scalar() {
    const char first = text_[at_];
    if (first == '\'' || first == '"') return read_quoted(first);
    const std::string_view plain = trim(rest_of_line());
    if (first == '|' || first == '>' || first == '&' || first == '*' || first == '!')
      return wrong("this kind of value is not supported");
    skip_line();
    if (plain == "[]") return Json::array();
    if (plain == "{}") return Json::object();
    return Json(std::string(plain.substr(0, plain.find(" #"))));
  }

  Result<Json> read_quoted(char quote) {
    std::string out;
    for (++at_; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == quote) {
        if (quote != '\'' || !text_.substr(at_ + 1).starts_with('\'')) break;
        ++at_;
        out += c;
      } else if (c == '\\' && quote == '"') {
        TRY(read_escape(out));
      } else if (c == '\n' || c == '\r') {
        fold(out);
      } else {
        out += c;
      }
    }
    if (at_ >= text_.size()) return wrong("a quoted text does not end");
    ++at_;
    if (!trim(rest_of_line()).empty()) return wrong("something follows a quoted text");
    skip_line();
    return Json(std::move(out));
  }

  // A line end inside quotes is a space; every empty line after it is a newline. Leaves at_ on the last byte
  // used up.
  void fold(std::string& out) {
    while (!out.empty() && (out.back() == ' ' || out.back() == '\t')) out.pop_back();
    std::size_t newlines = 0;
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos)
      newlines += text_[at_++] == '\n' ? 1 : 0;
    --at_;
    if (newlines <= 1)
      out += ' ';
    else
      out.append(newlines - 1, '\n');
  }

  Status read_escape(std::string& out) {
    static constexpr std::pair<char, char> kSimple[] = {
        {'n', '\n'}, {'t', '\t'}, {'r', '\r'}, {'0', '\0'}, {'a', '\a'},  {'b', '\b'}, {'e', '\x1b'},
        {'f', '\f'}, {'v', '\v'}, {'"', '"'},  {'/', '/'},  {'\\', '\\'}, {' ', ' '}};
    if (++at_ >= text_.size()) return wrong("a quoted text does not end");
    const char c = text_[at_];
    for (const auto& [name, value] : kSimple) {
      if (c != name) continue;
      out += value;
      return {};
    }
    const std::size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
    const std::string_view hex = text_.substr(std::min(at_ + 1, text_.size()), digits);
    unsigned code = 0;
    const auto [end, error] = std::from_chars(hex.data(), hex.data() + hex.size(), code, 16);
    if (digits == 0 || hex.size() != digits || end != hex.data() + hex.size() || error != std::errc())
      return wrong("an unknown escape in quotes");
    append_utf8(out, code);
    at_ += digits;
    return {};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int column_ = 0;
};

} // namespace

Result<std::vector<Json>> parse_yaml_subset(std::string_view text) { return YamlReader(text).read(); }

} // namespace emend
