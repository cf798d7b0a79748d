#include "adapters/analyzers/fixes_yaml.hpp"

#include <optional>

#include "base/strings.hpp"

namespace emend {

namespace {

constexpr int kDeepest = 12;

void append_utf8(std::string& out, unsigned code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | (code >> 6));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | (code >> 12));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | (code >> 18));
    out += static_cast<char>(0x80 | ((code >> 12) & 0x3F));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  }
}

std::optional<unsigned> hex_value(std::string_view digits) {
  unsigned value = 0;
  for (const char c : digits) {
    const auto digit = std::string_view("0123456789abcdef").find(static_cast<char>(c | 0x20));
    if (digit == std::string_view::npos) return std::nullopt;
    value = value * 16 + static_cast<unsigned>(digit);
  }
  return value <= 0x10FFFF ? std::optional(value) : std::nullopt;
}

class Reader {
public:
  explicit Reader(std::string_view text) : text_(text) {}

  Result<Json> document() {
    skip_blank();
    if (text_.substr(at_).starts_with("---")) skip_line();
    skip_blank();
    TRY_ASSIGN(Json root, node(0));
    skip_blank();
    if (at_ < text_.size() && !text_.substr(at_).starts_with("..."))
      return problem("something follows the document");
    if (at_ >= text_.size()) return problem("it is cut off");
    return root;
  }

private:
  tl::unexpected<Error> problem(const std::string& what) const {
    return fail(ErrorCode::io, what + " at byte " + std::to_string(at_));
  }

  [[nodiscard]] std::string_view rest() const { return text_.substr(at_); }
  [[nodiscard]] bool at_line_end() const {
    return at_ >= text_.size() || text_[at_] == '\n' || text_[at_] == '\r';
  }
  void skip_line() { at_ = std::min(text_.find('\n', at_), text_.size() - 1) + 1; }
  void skip_spaces() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  // Blank lines; afterwards at_ is at the start of a line with something in it.
  void skip_blank() {
    while (at_ < text_.size() && trim(rest().substr(0, rest().find('\n'))).empty()) skip_line();
  }
  // The column of the next thing: at_ is at the start of a line, or past a "- ".
  [[nodiscard]] int column() const {
    const auto line = at_ == 0 ? std::string_view::npos : text_.rfind('\n', at_ - 1);
    const std::size_t begin = line == std::string_view::npos ? 0 : line + 1;
    return static_cast<int>(std::min(text_.find_first_not_of(' ', at_), text_.size()) - begin);
  }

  Result<Json> node(int depth) {
    if (depth > kDeepest) return problem("too deep");
    if (at_ >= text_.size()) return problem("it is cut off");
    return trimmed_rest().starts_with("- ") ? sequence(column(), depth) : mapping(column(), depth);
  }

  [[nodiscard]] std::string_view trimmed_rest() const {
    const auto first = rest().find_first_not_of(' ');
    return first == std::string_view::npos ? std::string_view() : rest().substr(first);
  }

  Result<Json> sequence(int indent, int depth) {
    Json items = Json::array();
    while (at_ < text_.size() && column() == indent && trimmed_rest().starts_with("- ")) {
      skip_spaces();
      ++at_;
      skip_spaces();
      TRY_ASSIGN(Json item, mapping(column(), depth + 1));
      items.push_back(std::move(item));
      skip_blank();
    }
    return items;
  }

  Result<Json> mapping(int indent, int depth) {
    if (depth > kDeepest) return problem("too deep");
    Json members = Json::object();
    do {
      skip_spaces();
      const auto colon = rest().substr(0, rest().find('\n')).find(':');
      if (colon == std::string_view::npos || colon == 0) return problem("a key is missing");
      const std::string key(rest().substr(0, colon));
      if (key.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") != std::string::npos)
        return problem("a strange key");
      at_ += colon + 1;
      TRY_ASSIGN(members[key], value(indent, depth));
      skip_blank();
    } while (at_ < text_.size() && column() == indent && !trimmed_rest().starts_with("...") &&
             !trimmed_rest().starts_with("- "));
    return members;
  }

  Result<Json> value(int indent, int depth) {
    skip_spaces();
    if (!at_line_end()) return scalar();
    skip_line();
    skip_blank();
    if (at_ >= text_.size() || column() <= indent) return Json(nullptr);
    return node(depth + 1);
  }

  Result<Json> scalar() {
    if (text_[at_] == '\'') return single_quoted();
    if (text_[at_] == '"') return double_quoted();
    const std::string_view line = trim(rest().substr(0, rest().find('\n')));
    skip_line();
    if (line == "[]") return Json::array();
    if (line.find_first_of("|>&*!{[") == 0) return problem("a scalar that is not understood");
    return Json(std::string(line));
  }

  Result<Json> finish_quoted(std::string text, bool folded) {
    skip_spaces();
    if (!at_line_end()) return problem("something follows a quoted text");
    skip_line();
    return folded ? Json(nullptr) : Json(std::move(text));
  }

  Result<Json> single_quoted() {
    std::string out;
    bool folded = false;
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == '\'') {
        if (at_ + 1 >= text_.size() || text_[at_ + 1] != '\'') {
          ++at_;
          return finish_quoted(std::move(out), folded);
        }
        ++at_;
      }
      folded = folded || text_[at_] == '\n';
      out += text_[at_];
    }
    return problem("a quote is not closed");
  }

  Result<Json> double_quoted() {
    std::string out;
    bool folded = false;
    for (++at_; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '"') {
        ++at_;
        return finish_quoted(std::move(out), folded);
      }
      folded = folded || c == '\n';
      if (c != '\\')
        out += c;
      else if (!escape(out))
        return problem("an escape that is not understood");
    }
    return problem("a quote is not closed");
  }

  // at_ is at the backslash; leaves it at the escape's last byte.
  bool escape(std::string& out) {
    if (++at_ >= text_.size()) return false;
    static constexpr std::string_view kNames = "0abtnvfre\"/\\ ";
    static constexpr std::string_view kBytes("\0\a\b\t\n\v\f\r\x1b\"/\\ ", 13);
    const char name = text_[at_];
    const auto known = kNames.find(name);
    if (known != std::string_view::npos) {
      out += kBytes[known];
      return true;
    }
    const std::size_t digits = name == 'x' ? 2 : name == 'u' ? 4 : name == 'U' ? 8 : 0;
    if (digits == 0 || text_.size() - at_ <= digits) return false;
    const auto code = hex_value(text_.substr(at_ + 1, digits));
    if (!code) return false;
    append_utf8(out, *code);
    at_ += digits;
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

} // namespace

Result<Json> parse_fixes_yaml(std::string_view text) {
  if (text.empty()) return fail(ErrorCode::io, "it is empty");
  return Reader(text).document();
}

} // namespace emend
